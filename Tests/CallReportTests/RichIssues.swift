import CallModel

extension Records {
    /// Issues of every severity, on streams and on the call, with every form of evidence.
    static var richIssues: CallIssues {
        let audio = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "1")
        let video = StreamKey(connection: .only, direction: .outbound, kind: .video, source: "2")
        func span(_ start: Int64, _ end: Int64) -> TimeSpan { TimeSpan(start: at(start), end: at(end)) }
        return CallIssues(
            [
                CallIssue(
                    kind: .blackout, severity: .critical, span: span(50_000, 55_040), worst: .init(5.04, .seconds),
                    evidence: [.init("concealedSamples", nil), .init("packetsReceived", nil)], cause: .networkChange),
                CallIssue(
                    kind: .packetLoss, severity: .warning, stream: audio, span: span(12_000, 40_000),
                    worst: .init(5.2333, .percent),
                    evidence: [.init("packetsLost", 143), .init("packetsReceived", 2_590)], cause: .networkLoss),
                CallIssue(
                    kind: .packetLoss, severity: .notice, stream: video, span: span(60_000, 75_000), isOpen: true,
                    worst: .init(1.4, .percent), evidence: [.init("packetsLost", 9), .init("packetsSent", 640)],
                    cause: .networkLoss),
                CallIssue(
                    kind: .ipChange, severity: .warning, span: span(49_000, 52_250), worst: .init(3.25, .seconds),
                    evidence: [.init("networkType", text: "wifi to cellular")], cause: .networkChange),
                CallIssue(
                    kind: .pathChange, severity: .notice, span: span(51_000, 51_000),
                    evidence: [.init("selectedCandidatePairId", nil)]),
            ], leftOut: 2)
    }
}
