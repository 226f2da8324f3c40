import CallModel

/// Events of one tenant that are handed on together, with their running numbers.
public struct LiveBatch: Hashable, Sendable {
    /// The number of the first event; the others follow without a gap.
    public let first: UInt64
    /// At least one.
    public let events: [LiveEvent]

    init(first: UInt64, events: [LiveEvent]) {
        self.first = first
        self.events = events
    }

    /// The number of the last event.
    public var last: UInt64 { first + UInt64(events.count) - 1 }

    /// The part that comes after an event; `nil` when there is none.
    func after(_ number: UInt64) -> LiveBatch? {
        guard number >= first else { return self }
        guard number < last else { return nil }
        return LiveBatch(first: number + 1, events: Array(events.dropFirst(Int(number + 1 - first))))
    }

    /// Whether an event of a call is among them.
    func concerns(_ call: CallIdentity) -> Bool { events.contains { $0.key.identity == call } }

    /// What is left without the events of a call: each run of others with the numbers it had.
    func without(_ call: CallIdentity) -> [LiveBatch] {
        var kept: [LiveBatch] = []
        var start = events.startIndex
        while let begin = events[start...].firstIndex(where: { $0.key.identity != call }) {
            let end = events[begin...].firstIndex { $0.key.identity == call } ?? events.endIndex
            kept.append(LiveBatch(first: first + UInt64(begin), events: Array(events[begin..<end])))
            start = end
        }
        return kept
    }
}

/// What somebody who watches is told next.
public enum LiveNews: Hashable, Sendable {
    /// What happened, in order; at least one batch.
    case events([LiveBatch])
    /// Time for a sign of life, and to look whether the watcher still may: every 15 s.
    case idle
    /// The watcher was too slow: events that it was not told are gone.
    case cut
    /// The server stops, or the watcher is gone.
    case closed
}

/// How much is kept for those who watch.
public struct LiveLimits: Hashable, Sendable {
    /// Events of all tenants that are kept for watchers who are behind, or come back after a break.
    public var events: Int
    /// Watchers at a time.
    public var subscribers: Int

    public init(events: Int = 16_384, subscribers: Int = 1_000) {
        self.events = events
        self.subscribers = subscribers
    }
}
