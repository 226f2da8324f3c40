import CallModel
import SQLiteStore
import Testing

@testable import Collector

/// No tenant has more calls going on than it may; what goes on already is never refused.
@Suite struct LiveCallLimitTests {
    private func submission(
        _ call: String, _ type: String = "iceConnected", action: String = "iceState", at seconds: Int64 = 0,
        tenant: String = "a"
    ) -> Submission {
        let time = Timestamp(milliseconds: CollectorFixture.now.milliseconds + seconds * 1000)
        let fact = Fact.event(CallEvent(time: time, receivedAt: time, action: action, type: type))
        return Submission(
            identity: CallIdentity(tenant: TenantID(rawValue: tenant), call: CallID(rawValue: call)),
            observer: .client, facts: [Submission.Item(index: 0, fact: fact)])
    }

    private func submit(_ fixture: CollectorFixture, _ submissions: Submission...) async throws -> [FactOutcome] {
        try await fixture.collector.submit(submissions).flatMap(\.self)
    }

    @Test func `a call beyond the limit is refused until one ends, and those that go on are taken`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(liveCalls: 2))
        #expect(try await submit(fixture, submission("1"), submission("2")) == [.accepted, .accepted])
        #expect(try await submit(fixture, submission("3")) == [.refused(.tooManyCalls)])
        #expect(try await submit(fixture, submission("1", at: 1)) == [.accepted])
        #expect(try await submit(fixture, submission("1", "ENDED", action: "callState", at: 2)) == [.accepted])
        #expect(try await submit(fixture, submission("3")) == [.accepted])
        #expect(try await submit(fixture, submission("4")) == [.refused(.tooManyCalls)])
        // Late, but of a call that was known a moment ago.
        #expect(try await submit(fixture, submission("1", "iceDisconnected", at: 1)) == [.accepted])
        #expect(try await fixture.store.counts().calls == 3)
        #expect(await fixture.collector.counters.refusedAsTooMany == 2)
    }

    @Test func `after a restart those that go on count, and what they report is taken`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(liveCalls: 2))
        #expect(try await submit(fixture, submission("ended", "ENDED", action: "callState")) == [.accepted])
        let first = try await submit(fixture, submission("silent"), submission("1"), submission("1", tenant: "b"))
        #expect(first == [.accepted, .accepted, .accepted])
        fixture.clock.now = CollectorFixture.now.advanced(byMilliseconds: 80_000)
        #expect(try await submit(fixture, submission("1", at: 80), submission("1", at: 80, tenant: "b")).count == 2)
        fixture.clock.now = CollectorFixture.now.advanced(byMilliseconds: 100_000)
        try await fixture.restart()
        #expect(await fixture.collector.meter.liveCalls == 2)
        #expect(try await submit(fixture, submission("2", at: 100)) == [.accepted])
        #expect(try await submit(fixture, submission("3", at: 100)) == [.refused(.tooManyCalls)])
        #expect(try await submit(fixture, submission("1", at: 101)) == [.accepted])
        #expect(await fixture.collector.meter.liveCalls == 3)
        // The silence of those that went on before is counted from when they were heard of.
        let meter = await fixture.collector.meter
        meter.countEndings(now: CollectorFixture.now.advanced(byMilliseconds: 170_000))
        #expect(meter.liveCalls == 2)
    }

    @Test func `after a restart a session is still the call that claims it`() async throws {
        let fixture = try CollectorFixture(
            limits: CollectorLimits(liveCalls: 1), now: Timestamp(milliseconds: Message.start + 21_000))
        try await fixture.post([
            .event("callMetric", "callCreate", at: 0, call: "c-1", session: "s-1"),
            .statistics(at: 10_000, path: "s-1"),
        ])
        try await fixture.restart()
        #expect(await fixture.collector.meter.liveCalls == 1)
        try await fixture.post(.statistics(at: 20_000, path: "s-1"))
        #expect(await fixture.collector.meter.liveCalls == 1)
    }

    @Test func `an erased call makes room, and what comes for it is refused as erased`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(liveCalls: 1))
        #expect(try await submit(fixture, submission("1")) == [.accepted])
        #expect(try await fixture.collector.erase(submission("1").identity) == 1)
        #expect(await fixture.collector.meter.liveCalls == 0)
        #expect(try await submit(fixture, submission("2")) == [.accepted])
        #expect(try await submit(fixture, submission("1", at: 1)) == [.refused(.evicted)])
        #expect(await fixture.collector.meter.liveCalls == 1)
    }

    @Test func `of one body so many calls are taken as there is room for`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(liveCalls: 2))
        let outcomes = try await submit(
            fixture, submission("1"), submission("2"), submission("3"), submission("1", at: 1),
            submission("1", tenant: "b"), submission("2", tenant: "b"), submission("3", tenant: "b"))
        let expected: [FactOutcome] = [
            .accepted, .accepted, .refused(.tooManyCalls), .accepted, .accepted, .accepted, .refused(.tooManyCalls),
        ]
        #expect(outcomes == expected)
        #expect(try await fixture.store.counts().calls == 4)
    }

    @Test func `calls that go on and report beside a new one take none of its room`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(liveCalls: 3))
        let first = try await fixture.collector.submit([submission("1"), submission("2")])
        let second = try await fixture.collector.submit([submission("1"), submission("2"), submission("3")])
        #expect(first == [[.accepted], [.accepted]])
        #expect(second == [[.repeated], [.repeated], [.accepted]])
    }

    @Test func `however many post at once, no more calls begin than may go on`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(liveCalls: 5))
        let collector = fixture.collector
        let submissions = (0..<60).map { submission("\($0)") }
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for one in submissions {
                group.addTask { try await collector.submit([one]).joined().count { $0 == .accepted } }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 5)
        #expect(try await fixture.store.counts().calls == 5)
    }

    @Test func `without a limit there is none`() async throws {
        let fixture = try CollectorFixture()
        for index in 0..<50 { #expect(try await submit(fixture, submission("\(index)")) == [.accepted]) }
    }
}
