import CallModel

/// Who watches, and how far each has come.
struct LiveFeed {
    private struct Subscriber {
        let tenant: TenantID
        /// The last event it has.
        var number: UInt64
        /// Waits for the next; `nil` while the watcher passes on what it has.
        var waiting: CheckedContinuation<LiveNews, Never>?
        /// Ends the connection of one that does not come for more.
        var close: (@Sendable () -> Void)?
        var isCut = false
        /// Ends of calls that were erased while it watches. They are kept for nobody who comes later.
        var farewells: [LiveBatch] = []
        /// Whether a sign of life became due while the watcher passed on what it has.
        var isBeatDue = false
    }

    /// What is to be done once nobody holds the feed.
    struct Calls {
        var resumptions: [(CheckedContinuation<LiveNews, Never>, LiveNews)] = []
        var closings: [@Sendable () -> Void] = []
        /// Watchers that were too slow.
        var cut = 0

        func run() {
            for (continuation, news) in resumptions { continuation.resume(returning: news) }
            for close in closings { close() }
        }
    }

    /// Of each tenant to which something happened.
    private var rings: [TenantID: LiveRing] = [:]
    /// The number of the last event of all other tenants.
    private var start: UInt64
    private var subscribers: [UInt64: Subscriber] = [:]
    private var subscriptions: UInt64 = 0
    private let limits: LiveLimits
    private(set) var isClosed = false

    init(limits: LiveLimits, last: UInt64) {
        start = last
        self.limits = limits
    }

    /// The number of the last event of a tenant.
    func last(of tenant: TenantID) -> UInt64 { rings[tenant]?.last ?? start }

    private func ring(of tenant: TenantID) -> LiveRing { rings[tenant] ?? LiveRing(last: start) }

    /// Whether somebody waits for the next event.
    var isAnybodyWaiting: Bool { subscribers.values.contains { $0.waiting != nil } }

    /// Watchers at the moment.
    var count: Int { subscribers.count }

    // MARK: Coming and going

    /// - Parameters:
    ///   - number: the last event that the watcher had before a break.
    ///   - tenant: whose calls it watches.
    /// - Returns: the watcher's own number, and whether it goes on behind `number`; `nil` when there is no room.
    mutating func subscribe(after number: UInt64?, of tenant: TenantID) -> (id: UInt64, isResumed: Bool, calls: Calls)?
    {
        guard !isClosed, let calls = makeRoom(for: tenant) else { return nil }
        let ring = ring(of: tenant)
        let resumed = number.flatMap { ring.covers($0) ? $0 : nil }
        subscriptions += 1
        subscribers[subscriptions] = Subscriber(tenant: tenant, number: resumed ?? ring.last)
        return (subscriptions, resumed != nil, calls)
    }

    /// One tenant may have all places. Where none is free, another that has fewer gets one of them, of who came last.
    /// - Returns: `nil` when there is no room.
    private mutating func makeRoom(for tenant: TenantID) -> Calls? {
        guard subscribers.count >= limits.subscribers else { return Calls() }
        let places = Dictionary(grouping: subscribers.keys) { subscribers[$0]?.tenant }
        guard let most = places.values.max(by: { $0.count < $1.count }), let last = most.max(),
            most.count > places[tenant, default: []].count + 1
        else { return nil }
        let subscriber = subscribers[last]
        var calls = leave(last)
        // One that does not wait may not notice for long.
        if subscriber?.waiting == nil, let close = subscriber?.close { calls.closings.append(close) }
        return calls
    }

    /// Lets a watcher go on behind an earlier event. Where not all that came after it is still there, it is cut off: it
    /// would miss what no snapshot tells it of.
    mutating func move(_ id: UInt64, to number: UInt64) {
        guard let current = subscribers[id]?.number, number < current else { return }
        subscribers[id]?.number = number
    }

    mutating func onCut(_ id: UInt64, _ close: @escaping @Sendable () -> Void) {
        subscribers[id]?.close = close
    }

    /// Ends a subscription; what waits for it is told.
    mutating func leave(_ id: UInt64) -> Calls {
        var calls = Calls()
        if let waiting = subscribers.removeValue(forKey: id)?.waiting { calls.resumptions = [(waiting, .closed)] }
        return calls
    }

    // MARK: Handing on

    /// What a watcher is told now; `nil` when it waits.
    mutating func next(_ id: UInt64, _ continuation: CheckedContinuation<LiveNews, Never>) -> LiveNews? {
        guard let subscriber = subscribers[id], !isClosed else { return .closed }
        let ring = ring(of: subscriber.tenant)
        guard !subscriber.isCut, ring.covers(subscriber.number) else { return .cut }
        guard !subscriber.isBeatDue else {
            subscribers[id]?.isBeatDue = false
            return .idle
        }
        let batches = takeNews(of: id, in: ring)
        guard !batches.isEmpty else {
            subscribers[id]?.waiting = continuation
            return nil
        }
        return .events(batches)
    }

    /// All that a watcher was not told yet, in order.
    private mutating func takeNews(of id: UInt64, in ring: LiveRing) -> [LiveBatch] {
        guard let subscriber = subscribers[id] else { return [] }
        subscribers[id]?.number = ring.last
        subscribers[id]?.farewells = []
        let kept = ring.batches(after: subscriber.number)
        return subscriber.farewells.isEmpty ? kept : (kept + subscriber.farewells).sorted { $0.first < $1.first }
    }

    /// Cuts a watcher off that is too far behind.
    private mutating func cut(_ id: UInt64, in calls: inout Calls) {
        guard let subscriber = subscribers[id], !subscriber.isCut else { return }
        subscribers[id]?.isCut = true
        subscribers[id]?.farewells = []
        calls.cut += 1
        if let close = subscriber.close { calls.closings.append(close) }
    }

    /// Takes in what happened and tells all who wait. Whoever is further behind than the ring reaches is cut off.
    mutating func append(_ events: [LiveEvent], missing: Int) -> Calls {
        keep(events, missing: missing)
        var calls = Calls()
        for (id, subscriber) in subscribers where subscriber.number < last(of: subscriber.tenant) {
            let ring = ring(of: subscriber.tenant)
            let isBehind = !ring.covers(subscriber.number)
            if isBehind {
                guard !subscriber.isCut else { continue }
                cut(id, in: &calls)
            }
            guard let waiting = subscriber.waiting else { continue }
            subscribers[id]?.waiting = nil
            let news = takeNews(of: id, in: ring)
            calls.resumptions.append((waiting, isBehind ? .cut : .events(news)))
        }
        return calls
    }

    /// Where there is no room for all, the tenant that has most of it gives up its oldest.
    private mutating func keep(_ events: [LiveEvent], missing: Int) {
        for (tenant, events) in Dictionary(grouping: events, by: \.key.identity.tenant) {
            rings[tenant, default: LiveRing(last: start)].append(events, missing: 0)
        }
        if missing > 0 {
            // Whose they are is not known.
            for tenant in rings.keys { rings[tenant]?.append([], missing: missing) }
            start += UInt64(missing)
        }
        var count = rings.values.reduce(0) { $0 + $1.count }
        while count > limits.events, let fullest = rings.max(by: { $0.value.count < $1.value.count }) {
            rings[fullest.key]?.removeOldest()
            count += (rings[fullest.key]?.count ?? 0) - fullest.value.count
        }
    }

    /// Takes out the events of a call that was erased: who comes back is not told of it. Who watches now is told `ends`,
    /// which have numbers and are not kept.
    mutating func remove(_ call: CallIdentity, telling ends: [LiveEvent]) -> Calls {
        rings[call.tenant]?.remove(call)
        var calls = Calls()
        let present = subscribers.filter { $0.value.tenant == call.tenant && !$0.value.isCut }
        guard !ends.isEmpty, !present.isEmpty else { return calls }
        let farewell = rings[call.tenant, default: LiveRing(last: start)].number(ends)
        let ring = ring(of: call.tenant)
        for (id, subscriber) in present {
            guard subscriber.farewells.count < limits.events else {
                cut(id, in: &calls)
                continue
            }
            subscribers[id]?.farewells.append(farewell)
            guard let waiting = subscriber.waiting else { continue }
            subscribers[id]?.waiting = nil
            calls.resumptions.append((waiting, .events(takeNews(of: id, in: ring))))
        }
        return calls
    }

    /// Gives all a sign of life: those who wait now, the others when they come for more. Where something happens all the
    /// time hardly anybody waits, and most of it may be no news for a watcher.
    mutating func beat() -> Calls {
        for (id, subscriber) in subscribers where subscriber.waiting == nil { subscribers[id]?.isBeatDue = true }
        return tellAll(.idle)
    }

    /// Tells all who wait the same.
    private mutating func tellAll(_ news: LiveNews) -> Calls {
        var calls = Calls()
        for (id, subscriber) in subscribers {
            guard let waiting = subscriber.waiting else { continue }
            subscribers[id]?.waiting = nil
            calls.resumptions.append((waiting, news))
        }
        return calls
    }

    /// Nobody comes any more, and all are told to go.
    mutating func close() -> Calls {
        isClosed = true
        return tellAll(.closed)
    }

    /// Ends the connections of those who did not go.
    func closeAll() -> Calls {
        Calls(closings: subscribers.values.compactMap(\.close))
    }
}
