import CallModel

/// The schema of what went wrong in a call.
extension OpenAPI {
    /// The kinds of issues, as an array.
    static var issueKinds: String { names(IssueKind.allCases.map(\.rawValue)) }

    static var issue: String {
        members(["kind"], #"{"enum": \#(issueKinds)}"#) + ","
            + members(["severity"], #"{"enum": \#(names(IssueSeverity.allCases.map(\.rawValue)))}"#) + ","
            + members(["likelyCause"], #"{"enum": \#(names(IssueCause.allCases.map(\.rawValue) + [nil]))}"#) + ","
            + members(["start", "end"], reference("Moment")) + "," + details
    }

    private static var details: String {
        #"""
        "isOpen": {"type": "boolean", "description": "Whether nothing tells that it was over at its end."},
        "isOfNetwork": {"type": "boolean", "description": "Whether the network has to do with it, by its kind or its likely cause."},
        "stream": {"description": "null where it concerns the whole call.", "oneOf": [{"type": "null"}, \#(object(members: streamName))]},
        "worst": {"oneOf": [{"type": "null"}, \#(object(members: measure))]},
        "evidence": {"type": "array", "items": \#(object(members: evidence))}
        """#
    }

    private static var measure: String {
        #""value": {"type": ["number", "null"]},"#
            + members(["unit"], #"{"enum": \#(names(CallIssue.Unit.allCases.map(\.rawValue)))}"#)
    }

    private static let evidence =
        #""member": {"type": "string"}, "value": {"type": ["number", "null"]}, "text": {"type": ["string", "null"]}"#

    private static func names(_ names: [String?]) -> String {
        "[" + names.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: ", ") + "]"
    }
}
