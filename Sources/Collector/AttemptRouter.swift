import CallModel

/// Decides which attempt of a call a fact belongs to.
///
/// Attempts are shared by all observers of a call and told apart by time: each reaches from its `callCreate` to the next.
struct AttemptRouter {
    /// One use of a call identifier.
    struct Attempt: Hashable {
        var number: Int
        /// Who has told of it.
        var observers: Set<ObserverID>
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
                number: number, observers: Set(heads.map(\.key.observer)), start: start, lastActivity: last,
                hasEnded: heads.contains { $0.hasEnded }, isEvicted: heads.allSatisfy(\.isEvicted))
        }
        .sorted { $0.number < $1.number }
    }

    /// The number of the attempt; `nil` when it was evicted.
    mutating func route(_ fact: Fact, of observer: ObserverID) -> Int? {
        guard let last = attempts.last else { return open(1, with: fact, of: observer) }
        if fact.opensCall, isOver(last, before: fact, of: observer) {
            return open(last.number + 1, with: fact, of: observer)
        }
        let index = attempts.lastIndex { $0.start <= fact.time } ?? 0
        guard !attempts[index].isEvicted else { return nil }
        attempts[index].observers.insert(observer)
        attempts[index].start = min(attempts[index].start, fact.time)
        attempts[index].lastActivity = max(attempts[index].lastActivity, fact.time)
        if fact.endsCall { attempts[index].hasEnded = true }
        return attempts[index].number
    }

    /// Whether all that is known of an attempt lies before a fact, and it has ended, or was silent for too long.
    ///
    /// The clock of an observer that has told nothing of the attempt may be ahead of those by which its times are: what
    /// it tells happened when it was received, at the latest.
    private func isOver(_ attempt: Attempt, before fact: Fact, of observer: ObserverID) -> Bool {
        let time = attempt.observers.contains(observer) ? fact.time : min(fact.time, fact.receivedAt)
        let silence = time.milliseconds(since: attempt.lastActivity)
        return silence > 0 && (attempt.hasEnded || attempt.isEvicted) || silence > silenceMilliseconds
    }

    private mutating func open(_ number: Int, with fact: Fact, of observer: ObserverID) -> Int {
        attempts.append(
            Attempt(
                number: number, observers: [observer], start: fact.time, lastActivity: fact.time,
                hasEnded: fact.endsCall, isEvicted: false))
        return number
    }
}
