/// The latest events, as many as there is room for.
struct LiveRing {
    private var batches: ArraySlice<LiveBatch> = []
    private var count = 0
    private let limit: Int
    /// The number of the last event there was.
    private(set) var last: UInt64

    /// - Parameters:
    ///   - limit: events kept.
    ///   - last: the number before that of the first event.
    init(limit: Int, last: UInt64) {
        self.limit = limit
        self.last = last
    }

    /// Whether all that came after an event is still there.
    func covers(_ number: UInt64) -> Bool {
        number <= last && number + 1 >= batches.first?.first ?? last + 1
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
            (batches, count) = ([], 0)
        }
        while count > limit, let oldest = batches.popFirst() { count -= oldest.events.count }
    }

    /// What came after an event, all of which is still there.
    func batches(after number: UInt64) -> [LiveBatch] {
        let start = batches.lastIndex { $0.last <= number }.map { $0 + 1 } ?? batches.startIndex
        return batches[start...].compactMap { $0.after(number) }
    }
}
