import CallModel

/// Decides which attempt of a call a fact belongs to.
///
/// Attempts are shared by all observers of a call and told apart by time: each reaches from its `callCreate` to the next.
struct AttemptRouter {
    /// One use of a call identifier.
    struct Attempt: Hashable {
        var number: Int
        var start: Timestamp
        var lastActivity: Timestamp
        var hasEnded: Bool
        var isEvicted: Bool
    }

    private(set) var attempts: [Attempt]
    let silenceMilliseconds: Int64

    init(_ heads: [RecordHead], silenceMilliseconds: Int64) {
        self.silenceMilliseconds = silenceMilliseconds
        attempts = Dictionary(grouping: heads, by: \.key.attempt).compactMap { number, heads in
            guard let start = heads.map(\.start).min(), let last = heads.map(\.lastActivity).max() else { return nil }
            return Attempt(
                number: number, start: start, lastActivity: last, hasEnded: heads.contains { $0.hasEnded },
                isEvicted: heads.allSatisfy(\.isEvicted))
        }
        .sorted { $0.number < $1.number }
    }

    /// The number of the attempt; `nil` when it was evicted.
    mutating func route(_ fact: Fact) -> Int? {
        guard let last = attempts.last else { return open(1, with: fact) }
        if fact.opensCall, fact.time > last.lastActivity, isOver(last, at: fact.time) {
            return open(last.number + 1, with: fact)
        }
        let index = attempts.lastIndex { $0.start <= fact.time } ?? 0
        guard !attempts[index].isEvicted else { return nil }
        attempts[index].start = min(attempts[index].start, fact.time)
        attempts[index].lastActivity = max(attempts[index].lastActivity, fact.time)
        if fact.endsCall { attempts[index].hasEnded = true }
        return attempts[index].number
    }

    private func isOver(_ attempt: Attempt, at time: Timestamp) -> Bool {
        attempt.hasEnded || attempt.isEvicted || time.milliseconds(since: attempt.lastActivity) > silenceMilliseconds
    }

    private mutating func open(_ number: Int, with fact: Fact) -> Int {
        attempts.append(
            Attempt(
                number: number, start: fact.time, lastActivity: fact.time, hasEnded: fact.endsCall, isEvicted: false))
        return number
    }
}
