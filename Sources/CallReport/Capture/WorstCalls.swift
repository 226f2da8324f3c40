public import CallModel

/// The worst of many call records, and how many there were: bounded, however many come.
public struct WorstCalls: Hashable, Sendable {
    /// The worst records, worst first.
    public private(set) var worst: [CallSummary] = []
    /// All records.
    public private(set) var records = 0
    /// Records whose capture had faults.
    public private(set) var doubtful = 0
    private let limit: Int
    /// Of the worst, in the same order.
    private var standings: [Standing] = []

    /// - Parameter limit: the most records kept.
    public init(limit: Int = 50) {
        self.limit = max(1, limit)
    }

    /// Of these records.
    init(of calls: some Sequence<CallSummary>, limit: Int) {
        self.init(limit: limit)
        for call in calls { add(call) }
    }

    /// Takes in a record.
    public mutating func add(_ summary: CallSummary) {
        records += 1
        if summary.isCaptureDoubtful == true { doubtful += 1 }
        let standing = Standing(summary)
        if standings.count == limit, let last = standings.last, standing >= last { return }
        let place = standings.firstIndex { standing < $0 } ?? standings.count
        standings.insert(standing, at: place)
        worst.insert(summary, at: place)
        guard worst.count > limit else { return }
        standings.removeLast()
        worst.removeLast()
    }
}

/// What decides the order of two records: answered calls without media first, then by score; what else has no score comes
/// last, by its start. Apart from the record, for one is held against many.
private struct Standing: Hashable, Comparable {
    private let rank: Int
    private let start: Timestamp
    private let key: CallKey

    init(_ summary: CallSummary) {
        rank = summary.outcome == .notConnected ? -1 : summary.score ?? .max
        start = summary.start
        key = summary.key
    }

    static func < (left: Standing, right: Standing) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.start != right.start { return left.start < right.start }
        let (key, otherKey) = (left.key, right.key)
        return (key.identity.call.rawValue, key.attempt, key.observer.rawValue)
            < (otherKey.identity.call.rawValue, otherKey.attempt, otherKey.observer.rawValue)
    }
}
