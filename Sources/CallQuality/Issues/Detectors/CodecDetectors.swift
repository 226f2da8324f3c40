import CallModel

/// Codecs that were changed for poorer ones.
enum CodecDetectors {
    static let all = [fallback]

    private static let fallback = CallDetector(
        kind: .codecFallback, members: ["codecId", "mimeType", "powerEfficientDecoder", "powerEfficientEncoder"],
        source: "any: from a wider band to a narrower one (RFC 3551, RFC 6716), from hardware to software"
    ) { facts in
        facts.codecSteps.map { step in
            CallIssue(
                kind: .codecFallback, severity: step.isOfCodec ? .warning : .notice, stream: step.stream,
                span: TimeSpan(start: step.time, end: step.time),
                evidence: [.init(step.isOfCodec ? "mimeType" : "implementation", text: "\(step.from) to \(step.to)")])
        }
    }
}
