import CallModel

/// One issue.
struct JSONIssue {
    let value: JSONValue

    init(_ issue: CallIssue) {
        value = [
            "kind": .string(issue.kind.rawValue),
            "severity": .string(issue.severity.rawValue),
            "isOfNetwork": .bool(issue.isOfNetwork),
            "stream": issue.stream.map { .object($0.jsonMembers) } ?? .null,
            "start": JSONValue(issue.span.start),
            "end": JSONValue(issue.span.end),
            "isOpen": .bool(issue.isOpen),
            "worst": issue.worst.map { ["value": JSONValue($0.value), "unit": .string($0.unit.rawValue)] } ?? .null,
            "evidence": .array(issue.evidence.map(Self.evidence)),
            "likelyCause": JSONValue(issue.cause?.rawValue),
        ]
    }

    private static func evidence(_ evidence: CallIssue.Evidence) -> JSONValue {
        [
            "member": .string(evidence.member), "value": JSONValue(evidence.value), "text": JSONValue(evidence.text),
        ]
    }
}
