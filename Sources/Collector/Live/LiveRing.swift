import CallModel

/// The latest events of a tenant. They have numbers of their own: those of all would tell one how much others do.
struct LiveRing {
    private var batches: ArraySlice<LiveBatch> = []
    /// Events that are kept.
    private(set) var count = 0
    /// The number of the earliest event from which on all is there.
    private var earliest: UInt64
    /// The number of the last event there was.
    private(set) var last: UInt64

    /// - Parameter last: the number before that of the first event.
    init(last: UInt64) {
        self.last = last
        earliest = last + 1
    }

    /// Whether all that came after an event is still there.
    func covers(_ number: UInt64) -> Bool {
        number <= last && number + 1 >= earliest
    }

    /// Takes in what happened, and how many further events are missing behind it.
    mutating func append(_ events: [LiveEvent], missing: Int) {
        if !events.isEmpty {
            batches.append(LiveBatch(first: last + 1, events: events))
            count += events.count
            last += UInt64(events.count)
        }
        if missing > 0 {
            last += UInt64(missing)
            (batches, count, earliest) = ([], 0, last + 1)
        }
    }

    /// Gives numbers to events that are not kept. Nothing counts as missing behind them.
    mutating func number(_ events: [LiveEvent]) -> LiveBatch {
        let batch = LiveBatch(first: last + 1, events: events)
        last = batch.last
        return batch
    }

    /// Gives up the events that are kept for longest.
    mutating func removeOldest() {
        guard let oldest = batches.popFirst() else { return }
        count -= oldest.events.count
        earliest = oldest.last + 1
    }

    /// Takes out the events of a call. The others keep their numbers, and nothing counts as missing.
    mutating func remove(_ call: CallIdentity) {
        guard batches.contains(where: { $0.concerns(call) }) else { return }
        batches = batches.flatMap { $0.concerns(call) ? $0.without(call) : [$0] }[...]
        count = batches.reduce(0) { $0 + $1.events.count }
    }

    /// What came after an event, all of which is still there but for what concerns calls that were erased.
    func batches(after number: UInt64) -> [LiveBatch] {
        let start = batches.lastIndex { $0.last <= number }.map { $0 + 1 } ?? batches.startIndex
        return batches[start...].compactMap { $0.after(number) }
    }
}
