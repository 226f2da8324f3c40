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

    /// Whether anything of the call was evicted.
    var hasEvicted: Bool { attempts.contains(where: \.isEvicted) }

    /// Decides for one fact.
    /// - Parameters:
    ///   - fact: what was told.
    ///   - observer: who told it.
    ///   - claims: those on the call, if it is a session: needed only where something of it was evicted.
    /// - Returns: the number of the attempt; `nil` when it was evicted.
    mutating func route(_ fact: Fact, of observer: ObserverID, claims: [SessionClaim] = []) -> Int? {
        guard let last = attempts.last else { return open(1, with: fact, of: observer) }
        if fact.opensCall, isOver(last, before: fact, of: observer) {
            return open(last.number + 1, with: fact, of: observer)
        }
        var index = attempts.lastIndex { $0.start <= fact.time } ?? 0
        if attempts[index].isEvicted, Self.isOfLaterCall(fact, than: attempts[index], claims) { index += 1 }
        if beginsNext(after: index, with: fact, of: observer) { index += 1 }
        guard index < attempts.count else { return open(last.number + 1, with: fact, of: observer) }
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

    /// The callee of a call is told of it within this time, and then tells of it before the caller does.
    private static let longestUntilToldMilliseconds: Int64 = 60_000

    /// Whether a fact begins the attempt after this one, which another observer has told of already: this one had ended, and that
    /// one began soon after it.
    private func beginsNext(after index: Int, with fact: Fact, of observer: ObserverID) -> Bool {
        guard fact.opensCall, index + 1 < attempts.count, !attempts[index + 1].isEvicted,
            isOver(attempts[index], before: fact, of: observer)
        else { return false }
        return attempts[index + 1].start.milliseconds(since: fact.time) <= Self.longestUntilToldMilliseconds
    }

    /// Whether a fact under the id of a session is of a call that began after all that was evicted of it. Nothing begins a
    /// session anew but its calls do; what came before the next one is still of those that went.
    private static func isOfLaterCall(_ fact: Fact, than evicted: Attempt, _ claims: [SessionClaim]) -> Bool {
        fact.canBeShared && claims.contains { $0.start > evicted.lastActivity && $0.start <= fact.time }
    }

    private mutating func open(_ number: Int, with fact: Fact, of observer: ObserverID) -> Int {
        attempts.append(
            Attempt(
                number: number, observers: [observer], start: fact.time, lastActivity: fact.time,
                hasEnded: fact.endsCall, isEvicted: false))
        return number
    }
}
