import CallModel
import Logging
import SQLiteStore
import Synchronization
import Testing

@testable import Collector

/// What the collector does beside submissions, and what it does where calls go meanwhile.
@Suite struct UpkeepTests {
    /// A clock that tells a later time whenever it is asked.
    private final class TickingClock: Sendable {
        private let readings = Mutex<Int64>(0)
        private let tick: Int64

        init(nanosecondsPerReading tick: Int64) { self.tick = tick }

        var nanoseconds: Int64 {
            readings.withLock { readings in
                readings += tick
                return readings
            }
        }
    }

    /// For it no time passes but what is said, however busy the machine is.
    private func collector(on store: FaultyStore, secondsPerReading tick: Int64 = 0) -> CallCollector {
        let clock = TickingClock(nanosecondsPerReading: 1_000_000_000 * tick)
        return CallCollector(
            store: store, retention: Retention(calls: 10_000), clock: { CollectorFixture.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            meter: CollectorMeter(nanoseconds: { clock.nanoseconds }))
    }

    private func post(_ messages: [Message], to collector: CallCollector) async throws -> [[FactOutcome]] {
        try await collector.submit(try messages.flatMap { try $0.submissions() })
    }

    // MARK: Folding anew

    /// Calls of which something came late.
    private func late(_ calls: Int, _ collector: CallCollector) async throws {
        for (type, time) in [("callCreate", Int64(5000)), ("callRinging", 2000)] {
            _ = try await post(
                (0..<calls).map { .event("callMetric", type, at: time, call: "c-\($0)") }, to: collector)
        }
    }

    @Test func `however long a record takes, all are folded anew in turn`() async throws {
        let fixture = try CollectorFixture()
        let collector = collector(on: FaultyStore(fixture.store), secondsPerReading: 10)
        try await late(20, collector)
        await collector.maintain()
        #expect(await collector.counters.refolds == 20)
        #expect(try await fixture.store.dirtyRecords(limit: 100) == [])
    }

    @Test func `a program that ends folds no longer than a few seconds, and leaves the rest to the next start`()
        async throws
    {
        let fixture = try CollectorFixture()
        let collector = collector(on: FaultyStore(fixture.store), secondsPerReading: 10)
        try await late(20, collector)
        await collector.finish()
        #expect(await collector.counters.refolds == 1)
        #expect(try await fixture.store.dirtyRecords(limit: 100).count == 19)
        try await fixture.restart()
        await fixture.collector.maintain()
        #expect(try await fixture.store.dirtyRecords(limit: 100) == [])
    }

    @Test func `upkeep that is cancelled ends after the turn it is in`() async throws {
        let fixture = try CollectorFixture()
        let collector = collector(on: FaultyStore(fixture.store))
        try await late(20, collector)
        await withTaskGroup(of: Void.self) { tasks in
            tasks.cancelAll()
            tasks.addTask { await collector.maintain() }
        }
        #expect(await collector.counters.refolds == 16)
    }

    @Test func `a turn has a number of records, and a length from when its first one is done`() {
        func taken(closingSince: Int64? = nil, nanosecondsEach: Int64) -> Int {
            var turn = UpkeepTurn(closingSince: closingSince)
            return (0..<2_000).prefix { turn.takesAnother(at: nanosecondsEach * Int64($0)) }.count
        }
        #expect(taken(nanosecondsEach: 0) == 16)
        #expect(taken(nanosecondsEach: 30_000_000) == 5)
        #expect(taken(nanosecondsEach: 1_000_000_000) == 2)
        #expect(taken(closingSince: 0, nanosecondsEach: 0) == 1_000)
        #expect(taken(closingSince: 0, nanosecondsEach: 1_000_000_000) == 5)
        #expect(taken(closingSince: -10_000_000_000, nanosecondsEach: 0) == 1)
    }

    @Test func `a session is read once for all its calls that are folded anew in a turn`() async throws {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store)
        let calls = (0..<10).flatMap { index -> [Message] in
            let (start, call) = (Int64(60_000 * index), "c-\(index)")
            return [
                .event("callMetric", "callCreate", at: start, call: call, session: "s-1"),
                .event("network", "setNetworkReachable", at: start + 5000, session: "s-1"),
                .event("callState", "ENDED", at: start + 20_000, call: call),
            ]
        }
        _ = try await post(calls, to: collector)
        let before = store.reads(of: .of("s-1"))
        await collector.maintain()
        #expect(await collector.counters.refolds == 11)
        // Once as a session, and once as what it is itself.
        #expect(store.reads(of: .of("s-1")) - before == 2)
        #expect(
            try await store.record(.of("c-7"))?.events.map(\.type) == ["callCreate", "setNetworkReachable", "ENDED"])
    }

    // MARK: Calls that go meanwhile

    @Test func `what comes for a call that goes meanwhile is refused, and costs nothing else`() async throws {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store)
        _ = try await post([.event("callMetric", "callCreate", at: 0, call: "old")], to: collector)
        store.beforeNextCommit { _ = try await $0.enforce(Retention(calls: 0), now: CollectorFixture.now) }
        let outcomes = try await post(
            [
                .event("callMetric", "callRinging", at: 3000, call: "old"),
                .event("callMetric", "callCreate", at: 4000, call: "new"),
            ], to: collector)
        #expect(outcomes == [[.refused(.evicted)], [.accepted]])
        #expect(try await fixture.listed() == ["new/client/1"])
        #expect(store.given.count == 3)
    }

    @Test func `what the store refuses is tried once more, and no further`() async throws {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store)
        store.refuse([.of("c-1")])
        await #expect(throws: CallStoreError.refused("c-1 is odd")) {
            _ = try await post([.event("callMetric", "callCreate", at: 0, call: "c-1")], to: collector)
        }
        #expect(store.given == [[.of("c-1")], [.of("c-1")]])
    }
}
