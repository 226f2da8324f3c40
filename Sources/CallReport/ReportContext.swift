import CallModel

/// What every section of a report is made from.
struct ReportContext: Sendable {
    let record: CallRecord
    let now: Timestamp
    let columns: Int

    var summary: CallSummary { record.summary }

    var isLive: Bool { summary.isLive(at: now) }

    /// `+12.3 s` since the start of the record.
    func offset(of time: Timestamp) -> String {
        Words.offset(milliseconds: time.milliseconds(since: summary.start))
    }

    /// L0: milliseconds from `callCreate` to `time`; `nil` when there was none, or `time` lies before it.
    func delaySinceCreation(of time: Timestamp) -> Int64? {
        summary.createdAt.map { time.milliseconds(since: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Where sound went one way only, nobody knows whether its sender paused.
    func isInOneWaySound(_ hold: MediaHold) -> Bool {
        guard hold.isSenderPause == true else { return false }
        return summary.issues.all.contains { issue in
            issue.isNothingHeard && issue.span.start <= hold.span.end ?? hold.span.start
                && issue.span.end ?? hold.span.start >= hold.span.start
        }
    }

    /// The streams in the order of a report: inbound first, audio first.
    var streams: [StreamSummary] {
        summary.streams.sorted { $0.stream < $1.stream }
    }

    /// The streams with packets that are shown in full: all, in the order of the report, or of too many the worst, worst
    /// first.
    var shownStreams: [StreamSummary] {
        let all = streams.filter { $0.packets != 0 }
        guard all.count > Self.mostStreams else { return all }
        return Array(worstStreams.filter { $0.packets != 0 }.prefix(Self.mostStreams))
    }

    /// All streams, the worst first: by score, then by loss.
    var worstStreams: [StreamSummary] {
        streams.enumerated().sorted { left, right in
            let (one, other) = (left.element.badness, right.element.badness)
            return one == other ? left.offset < right.offset : one < other
        }
        .map(\.element)
    }

    /// A line for what is not shown of so many; none where all are.
    func rest(_ count: Int, _ what: String) -> [Line] {
        count > 0 ? [Line("  … \(Words.counted(count, "more \(what)")), in the JSON report")] : []
    }

    /// Three tables; a call of two has four streams, six with a screen that is shared.
    static let mostStreams = 12
}

extension StreamSummary {
    /// The less, the worse.
    fileprivate var badness: (Int, Int, Double) {
        (score ?? .max, worstScore ?? .max, -(lossPercent ?? 0))
    }
}

/// A part of the text report. Without lines it is left out.
protocol ReportSection {
    var lines: [Line] { get }
}
