import CallModel

/// What the writer leaves for those who watch, until it is handed on.
struct LiveIntake {
    /// Records watched at a time; of those beyond nothing is told.
    static let mostRecords = 200_000

    private var watches: [CallKey: CallWatch] = [:]
    private var events: [LiveEvent] = []
    /// Events that found no room.
    private var dropped = 0
    private let limit: Int

    /// - Parameter limit: events that may wait to be handed on.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes in what was committed; `new` are the records that it made.
    mutating func note(_ changes: [RecordChange], new: Set<CallKey>, now: Timestamp) {
        for change in changes {
            if !change.facts.isEmpty, let other = change.key.otherEnd { watches[other]?.hearOfOtherEnd(now: now) }
            let isNew = new.contains(change.key)
            if var watch = watches[change.key] {
                append(watch.take(change, isNew: isNew, now: now))
                watches[change.key] = watch
            } else if watches.count < Self.mostRecords {
                var watch = CallWatch(change.summary, now: now)
                // What is only derived anew goes on for nobody, nor does what was over long ago.
                if change.facts.isEmpty || change.summary.isOfThePast(at: now) { continue }
                if !isNew { watch.learn(change.summary) }
                append(watch.take(change, isNew: isNew, now: now))
                watches[change.key] = watch
            }
        }
    }

    /// Takes in calls that somebody who watches was shown, and of which nothing was heard since the start: their end is
    /// told, too.
    mutating func adopt(_ calls: [CallSummary]) {
        for summary in calls where watches[summary.key] == nil && watches.count < Self.mostRecords {
            var watch = CallWatch(summary, now: summary.lastReceivedAt)
            watch.learn(summary)
            watches[summary.key] = watch
        }
    }

    /// Tells of the end of calls of which nothing more is heard, and forgets those that were over for long.
    mutating func expire(now: Timestamp) {
        for (key, watch) in watches {
            let silence = now.milliseconds(since: watch.heardAt)
            if !watch.isOver, silence >= CallSummary.silenceLimitMilliseconds {
                if let end = watches[key]?.end() { append([end]) }
            }
            if silence >= LiveCalls.memoryMilliseconds { watches[key] = nil }
        }
    }

    /// Forgets the records of a call.
    mutating func forget(_ call: CallIdentity) {
        for key in watches.keys where key.identity == call { watches[key] = nil }
    }

    /// Forgets a call, and what is to be told of it.
    /// - Returns: what who watches now is told of its end.
    mutating func erase(_ call: CallIdentity) -> [LiveEvent] {
        let ends = watches.values.compactMap { $0.key.identity == call ? $0.erasure() : nil }
        forget(call)
        events.removeAll { $0.key.identity == call }
        return ends.sorted { ($0.key.attempt, $0.key.observer.rawValue) < ($1.key.attempt, $1.key.observer.rawValue) }
    }

    /// The inbound quality of a record as last told.
    func score(of key: CallKey) -> Int? { watches[key]?.score }

    /// Hands on what happened, and how many events are missing behind it.
    mutating func take() -> (events: [LiveEvent], dropped: Int) {
        defer { (events, dropped) = ([], 0) }
        return (events, dropped)
    }

    private mutating func append(_ more: [LiveEvent]) {
        let room = max(0, limit - events.count)
        events += more.prefix(room)
        dropped += max(0, more.count - room)
    }
}
