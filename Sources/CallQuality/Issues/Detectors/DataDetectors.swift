import CallModel

/// What makes the figures themselves doubtful.
enum DataDetectors {
    static let all = [clockTrouble, missingReports]

    private static let clockTrouble = CallDetector(
        kind: .clockTrouble, members: ["timestamp"],
        source: "set by more than 2 s during the call, by times of receipt (`ClockTracker`)"
    ) { facts in
        guard let step = facts.summary.dataQuality.clockStepMilliseconds else { return [] }
        return [
            CallIssue(
                kind: .clockTrouble, severity: .warning, span: TimeSpan(start: facts.summary.start, end: facts.end),
                worst: .init(Double(step) / 1000, .seconds), evidence: [.init("timestamp", nil)], cause: .clockSet)
        ]
    }

    /// A gap shorter than this is not worth a word.
    private static let leastGapMilliseconds: Int64 = 5_000

    private static let missingReports = CallDetector(
        kind: .missingReports, members: ["timestamp"],
        source: "2.5 periods and 5 s without a report: ObserveRTC (2 and 5 s); not of a probe, silent when all is"
    ) { facts in
        guard facts.summary.sensor == nil else { return [] }
        let quality = facts.summary.dataQuality
        let gaps = quality.gaps.filter { ($0.milliseconds ?? 0) > leastGapMilliseconds }
        guard let first = gaps.map(\.start).min(), let last = gaps.compactMap(\.end).max() else { return [] }
        let longest = gaps.compactMap(\.milliseconds).max() ?? 0
        return [
            CallIssue(
                kind: .missingReports, severity: .notice, span: TimeSpan(start: first, end: last),
                worst: .init(Double(longest) / 1000, .seconds),
                evidence: [
                    .init("missedReports", quality.missedReports.map(Double.init)),
                    .init("gaps", Double(gaps.count)),
                ],
                cause: .appSuspended)
        ]
    }
}
