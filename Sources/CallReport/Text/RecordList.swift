import CallModel

/// What stands before the reports of a conference, whose records are too many to be read one after another.
struct RecordList {
    private let calls: WorstCalls
    private let now: Timestamp
    /// The records to be shown in full, worst first.
    let worst: [CallRecord]

    private static let mostInFull = 10
    /// As many as in a list of calls.
    private static let mostListed = 50

    /// - Returns: `nil` when all can be shown in full.
    init?(_ records: [CallRecord], at now: Timestamp) {
        guard records.count > Self.mostInFull else { return nil }
        calls = WorstCalls(of: records.lazy.map(\.summary), limit: Self.mostListed)
        let places = Dictionary(records.indices.map { (records[$0].summary.key, $0) }) { first, _ in first }
        worst = calls.worst.prefix(Self.mostInFull).compactMap { places[$0.key].map { records[$0] } }
        self.now = now
    }

    func text(style: TextStyle) -> String {
        let rest = "In full: the worst \(worst.count), below; any other when its observer is asked for."
        let lines =
            CaptureReport.list(calls, at: now, hint: nil, columns: style.columns)
            + Wrap.lines(rest, columns: style.columns, indent: 0)
        return lines.map { $0.rendered(isColoured: style.isColoured) + "\n" }.joined()
    }
}
