public import CallModel
public import Metrics
import Synchronization

/// Between the writer and those who watch calls as they happen.
///
/// The writer leaves what it committed and never waits for anybody who watches. What it left is numbered and handed on
/// a few times a second; the latest events are kept, so that a watcher can come back behind the one it had last.
///
/// A class, for the writer and all who watch share it.
public final class LiveHub: Sendable {
    private let intake: Mutex<LiveIntake>
    private let feed: Mutex<LiveFeed>
    /// Held while events are between the two, so that none of a call that is erased is then.
    private let handover = Mutex(())
    private let erased = Atomic<UInt64>(0)
    private let meter: LiveMeter

    /// - Parameters:
    ///   - limits: how much is kept.
    ///   - startedAt: the collector's clock; numbers begin there, so that they go on growing after a restart.
    ///   - factory: makes the instruments; by default what is metered goes nowhere.
    public init(
        limits: LiveLimits = LiveLimits(), startedAt: Timestamp = Timestamp(milliseconds: 0),
        factory: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        intake = Mutex(LiveIntake(limit: limits.events))
        let number = UInt64(clamping: startedAt.milliseconds).multipliedReportingOverflow(
            by: Self.numbersPerMillisecond)
        feed = Mutex(LiveFeed(limits: limits, last: number.overflow ? 0 : number.partialValue))
        meter = LiveMeter(factory)
    }

    /// So many events a millisecond would make numbers of one run meet those of the next.
    private static let numbersPerMillisecond: UInt64 = 1_000

    // MARK: The writer

    /// Takes in what was committed; `new` are the records that it made.
    func note(_ changes: [RecordChange], new: Set<CallKey>, now: Timestamp) {
        intake.withLock { $0.note(changes, new: new, now: now) }
    }

    /// Forgets the records of a call.
    func forget(_ call: CallIdentity) {
        intake.withLock { $0.forget(call) }
    }

    /// Forgets a call that was erased, and what was told of it: who comes back is not told again. Who watches now is told
    /// that it is over; who begins to from here on is not shown what was read before.
    func erase(_ call: CallIdentity) {
        erased.add(1, ordering: .releasing)
        let calls = handover.withLock { _ in
            let ends = intake.withLock { $0.erase(call) }
            meter.count(ends, dropped: 0)
            return feed.withLock { $0.remove(call, telling: ends) }
        }
        meter.cut(calls.cut)
        calls.run()
    }

    /// How often a call was erased: what was read of calls before the last time may tell of it.
    public var erasures: UInt64 { erased.load(ordering: .acquiring) }

    // MARK: Handing on

    /// Tells of the end of calls of which nothing more is heard.
    func expire(now: Timestamp) {
        intake.withLock { $0.expire(now: now) }
    }

    /// Hands on what happened since the last time.
    func deliver() {
        let calls = handover.withLock { _ -> LiveFeed.Calls in
            let (events, dropped) = intake.withLock { $0.take() }
            guard !events.isEmpty || dropped > 0 else { return LiveFeed.Calls() }
            meter.count(events, dropped: dropped)
            return feed.withLock { $0.append(events, missing: dropped) }
        }
        meter.cut(calls.cut)
        calls.run()
    }

    /// Tells all who watch that it is time for a sign of life.
    func beat() {
        feed.withLock { $0.beat() }.run()
    }

    /// Nobody comes any more, and all are told to go.
    func close() {
        feed.withLock { $0.close() }.run()
    }

    /// Ends the connections of those who did not go.
    func closeAll() {
        feed.withLock { $0.closeAll() }.run()
    }

    // MARK: Watching

    /// Whether the server stops.
    public var isClosed: Bool { feed.withLock { $0.isClosed } }

    /// Whether somebody waits for the next event.
    var isAnybodyWaiting: Bool { feed.withLock { $0.isAnybodyWaiting } }

    /// How many watch.
    public var subscribers: Int { feed.withLock { $0.count } }

    /// The number of the last event of a tenant that was handed on.
    public func last(of tenant: TenantID = .default) -> UInt64 { feed.withLock { $0.last(of: tenant) } }

    /// Takes in calls that go on and that somebody who begins to watch is shown, so that their end is told.
    public func adopt(_ calls: [CallSummary]) {
        intake.withLock { $0.adopt(calls) }
    }

    /// The inbound quality of a record as last told; `nil` when none was.
    public func score(of key: CallKey) -> Int? { intake.withLock { $0.score(of: key) } }

    /// Begins to watch. Where as many watch as may, a tenant that has fewer places than another gets one of them.
    /// - Parameters:
    ///   - number: the last event that the watcher had before a break; `nil` of one that comes for the first time.
    ///   - tenant: whose calls it watches.
    /// - Returns: `nil` when as many watch as may, or the server stops.
    public func subscribe(after number: UInt64? = nil, of tenant: TenantID = .default) -> LiveSubscription? {
        guard let place = feed.withLock({ $0.subscribe(after: number, of: tenant) }) else { return nil }
        place.calls.run()
        return LiveSubscription(hub: self, id: place.id, isResumed: place.isResumed)
    }

    func next(_ id: UInt64) async -> LiveNews {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let news = feed.withLock({ $0.next(id, continuation) }) { continuation.resume(returning: news) }
            }
        } onCancel: {
            leave(id)
        }
    }

    func move(_ id: UInt64, to number: UInt64) {
        feed.withLock { $0.move(id, to: number) }
    }

    func onCut(_ id: UInt64, _ close: @escaping @Sendable () -> Void) {
        feed.withLock { $0.onCut(id, close) }
    }

    func leave(_ id: UInt64) {
        feed.withLock { $0.leave(id) }.run()
    }
}
