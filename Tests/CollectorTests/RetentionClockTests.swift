import CallModel
import CallQuality
import Logging
import SQLiteStore
import Testing

@testable import Collector

/// Clocks that jump.
@Suite struct RetentionClockTests {
    private static let start = Timestamp(milliseconds: 1_795_230_000_000)
    private static let day: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000

    /// What the retention goes by while the system's clock shows these times, in milliseconds since the start.
    private func times(_ shown: [Int64]) -> [Int64] {
        var clock = RetentionClock()
        return shown.map { clock.now(Self.start.advanced(byMilliseconds: $0)).milliseconds(since: Self.start) }
    }

    @Test func `a clock that goes evenly is followed`() {
        let even = (0..<100).map { Int64($0) * 2_000 }
        #expect(times(even) == even)
    }

    @Test func `a step forward counts once it has stood for an hour`() {
        let after = stride(from: 0, through: Self.hour, by: 50_000).map { Self.day + $0 }
        let shown = times([0, 2_000] + after)
        #expect(shown.prefix(4) == [0, 2_000, 2_000, 52_000])
        #expect(shown.last == Self.day + Self.hour)
        #expect(shown.dropLast() == ArraySlice([0, 2_000] + after.dropLast().map { $0 - Self.day + 2_000 }))
    }

    @Test func `a step that is taken back never counts`() {
        #expect(times([0, Self.day, 2_000, 4_000]) == [0, 0, 2_000, 4_000])
        #expect(times([0, Self.day, Self.day + 10_000, 12_000]) == [0, 0, 10_000, 12_000])
    }

    @Test func `a step backward counts at once`() {
        #expect(times([0, -Self.hour, 2_000 - Self.hour]) == [0, -Self.hour, 2_000 - Self.hour])
    }

    @Test func `it never runs ahead of the system's clock, and remembers little, whatever that does`() {
        var generator = SystemRandomNumberGenerator()
        var clock = RetentionClock()
        var shown = Self.start
        for _ in 0..<5_000 {
            shown = shown.advanced(byMilliseconds: Int64.random(in: -Self.hour...Self.day, using: &generator))
            #expect(clock.now(shown) <= shown)
        }
    }

    // MARK: In the collector

    private func submit(_ call: String, to fixture: CollectorFixture) async throws {
        let now = fixture.clock.now
        let fact = Fact.event(CallEvent(time: now, receivedAt: now, action: "callMetric", type: "callCreate"))
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: call))
        let submission = Submission(identity: identity, observer: .client, facts: [.init(index: 0, fact: fact)])
        #expect(try await fixture.collector.submit([submission]) == [[.accepted]])
    }

    @Test func `a clock that jumps a day forward and back evicts nothing, and calls go on`() async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 1_000, milliseconds: Self.hour))
        for call in ["ended", "live"] { try await submit(call, to: fixture) }
        await fixture.collector.maintain()
        let before = fixture.clock.now
        fixture.clock.now = before.advanced(byMilliseconds: Self.day)
        await fixture.collector.maintain()
        try await submit("during", to: fixture)
        await fixture.collector.maintain()
        #expect(try await fixture.store.counts().calls == 3)

        fixture.clock.now = before.advanced(byMilliseconds: -Self.hour)
        try await submit("earlier", to: fixture)
        await fixture.collector.maintain()
        #expect(try await fixture.store.counts().calls == 4)
        #expect(await fixture.collector.counters.evictedCalls == 0)
    }

    /// The first seconds after a machine was started, before it has asked the network for the time.
    @Test func `a clock that is ahead when the program starts evicts nothing`() async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 1_000, milliseconds: Self.hour))
        for call in ["a", "b"] { try await submit(call, to: fixture) }
        let later = fixture.clock.now.advanced(byMilliseconds: 40 * Self.day)
        let collector = CallCollector(
            store: fixture.store, retention: Retention(calls: 1_000, milliseconds: Self.hour), clock: { later },
            logger: Logger(label: "test"))
        _ = await collector.maintain()
        #expect(try await fixture.store.counts().calls == 2)
    }

    @Test func `a new time that stays is the time after an hour`() async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 1_000, milliseconds: Self.hour))
        try await submit("old", to: fixture)
        await fixture.collector.maintain()
        fixture.clock.now = fixture.clock.now.advanced(byMilliseconds: Self.day)
        await fixture.pass(milliseconds: Self.hour / 2)
        #expect(try await fixture.store.counts().calls == 1)
        await fixture.pass(milliseconds: Self.hour)
        #expect(try await fixture.store.counts().calls == 0)
    }
}

extension CollectorFixture {
    /// Lets time pass as it does while the program runs: with maintenance all along.
    func pass(milliseconds: Int64) async {
        var left = milliseconds
        while left > 0 {
            let step = min(left, 30_000)
            clock.now = clock.now.advanced(byMilliseconds: step)
            await collector.maintain()
            left -= step
        }
    }
}
