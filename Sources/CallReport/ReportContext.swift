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

    /// The streams in the order of a report: inbound first, audio first.
    var streams: [StreamSummary] {
        summary.streams.sorted { $0.stream < $1.stream }
    }
}

/// A part of the text report. Without lines it is left out.
protocol ReportSection {
    var lines: [Line] { get }
}
