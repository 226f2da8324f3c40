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
        if worst.count == limit, let last = worst.last, !Self.isWorse(summary, last) { return }
        let place = worst.firstIndex { Self.isWorse(summary, $0) } ?? worst.count
        worst.insert(summary, at: place)
        if worst.count > limit { worst.removeLast() }
    }

    /// Answered calls without media first, then by score; what else has no score comes last, by its start.
    private static func isWorse(_ left: CallSummary, _ right: CallSummary) -> Bool {
        let (one, other) = (rank(left), rank(right))
        if one != other { return one < other }
        if left.start != right.start { return left.start < right.start }
        let (key, otherKey) = (left.key, right.key)
        return (key.identity.call.rawValue, key.attempt, key.observer.rawValue)
            < (otherKey.identity.call.rawValue, otherKey.attempt, otherKey.observer.rawValue)
    }

    private static func rank(_ summary: CallSummary) -> Int {
        summary.outcome == .notConnected ? -1 : summary.score ?? .max
    }
}
