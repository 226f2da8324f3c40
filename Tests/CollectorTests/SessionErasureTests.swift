import CallModel
import SQLiteStore
import Testing

@testable import Collector

/// Calls that share a session, when one of them goes.
@Suite struct SessionErasureTests {
    /// Two calls of a minute one after another; all statistics are under the session's id.
    private static let messages = call("c-1", from: 0) + call("c-2", from: 100_000)

    private static func call(_ name: String, from start: Int64) -> [Message] {
        let events: [Message] = [
            .event("callMetric", "callCreate", at: start, call: name, session: "s-1"),
            .event("callState", "ENDED", at: start + 60_000, call: name),
        ]
        let offsets: [Int64] = [10_000, 20_000, 30_000, 40_000, 50_000]
        return events + offsets.map { Message.statistics(at: start + $0, path: "s-1") }
    }

    @Test func `an erased call takes its part of the session, and changes nothing for the other`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.messages)
        await fixture.collector.maintain()
        let expected = try #require(try await fixture.report(.of("c-2")))
        #expect(try await fixture.collector.erase(CallKey.of("c-1").identity) == 1)
        await fixture.collector.maintain()
        let kept = try await fixture.store.facts(of: .of("s-1"))
        #expect(kept.count == 5 && kept.allSatisfy { $0.time.milliseconds >= Message.start + 100_000 })
        #expect(try await fixture.report(.of("c-2")) == expected)
        try await fixture.restart()
        #expect(try await fixture.report(.of("c-2")) == expected)
        #expect(try await fixture.listed() == ["c-2/client/1"])
    }

    /// Of the other call and its session all is told.
    @Test func `who comes back to watch is not told of a session that went with an erased call`() async throws {
        let fixture = try CollectorFixture(now: Timestamp(milliseconds: Message.start + 11_000))
        let live = await fixture.collector.live
        let start = live.last()
        try await fixture.post(Array(Self.messages.prefix(7)))
        try await fixture.post([.event("callMetric", "callCreate", at: 0, call: "c-3", session: "s-3")])
        try await fixture.post([.statistics(at: 10_000, path: "s-3")])
        live.deliver()
        #expect(try await Self.told(live, after: start) == ["c-1", "s-1", "c-3", "s-3"])
        #expect(try await fixture.collector.erase(CallKey.of("c-1").identity) == 1)
        #expect(try await Self.told(live, after: start) == ["c-3", "s-3"])
    }

    private static func told(_ live: LiveHub, after number: UInt64) async throws -> Set<String> {
        guard case .events(let batches) = await (try #require(live.subscribe(after: number))).next() else { return [] }
        return Set(batches.flatMap(\.events).map(\.key.identity.call.rawValue))
    }

    @Test func `a session of which an erasure left nothing takes what comes next`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Array(Self.messages.prefix(7)))
        try await fixture.post(Self.messages[7])
        await fixture.collector.maintain()
        #expect(try await fixture.collector.erase(CallKey.of("c-1").identity) == 1)
        await fixture.collector.maintain()
        try await fixture.post(Array(Self.messages.dropFirst(8)))
        #expect(try await fixture.summary("c-2")?.dataQuality.reports == 5)
        let whole = try CollectorFixture()
        try await whole.post(Array(Self.messages.dropFirst(7)))
        #expect(try await fixture.report(.of("c-2")) == whole.report(.of("c-2")))
    }

    @Test(arguments: [true, false]) func `a call has its part of a session whose earlier calls are all gone`(
        areErased: Bool
    ) async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: areErased ? 10 : 1))
        try await fixture.post(Array(Self.messages.prefix(7)))
        await fixture.collector.maintain()
        if areErased {
            #expect(try await fixture.collector.erase(CallKey.of("c-1").identity) == 1)
        } else {
            try await fixture.post(
                .event("callMetric", "callCreate", at: 70_000, call: "c-3"),
                .event("callState", "ENDED", at: 80_000, call: "c-3"))
        }
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == (areErased ? [] : ["c-3/client/1"]))
        #expect(try await fixture.store.records(of: CallKey.of("s-1").identity).map(\.isEvicted) == [true])

        let later = Array(Self.messages.dropFirst(7))
        // The last statistics come first.
        try await fixture.post([later[0]] + later.dropFirst(2).reversed() + [later[1]])
        let whole = try CollectorFixture()
        try await whole.post(later)
        let expected = try #require(try await whole.report(.of("c-2")))
        #expect(try await fixture.report(.of("c-2")) == expected)
        await fixture.collector.maintain()
        try await fixture.restart()
        #expect(try await fixture.report(.of("c-2")) == expected)
        #expect(try await fixture.listed() == ["c-2/client/1"])
    }

    @Test func `what comes late of an erased call is refused under its session's id, too, when another has begun`()
        async throws
    {
        let fixture = try CollectorFixture()
        try await fixture.post(Array(Self.messages.prefix(7)))
        #expect(try await fixture.collector.erase(CallKey.of("c-1").identity) == 1)
        try await fixture.post(Self.messages[7])
        for time in [45_000, 55_000, 99_000] as [Int64] {
            let late = Message.statistics(at: time, path: "s-1")
            #expect(try await fixture.collector.submit(late.submissions()) == [[.refused(.evicted)]])
        }
        #expect(try await fixture.store.facts(of: .of("s-1", attempt: 2)).isEmpty)
    }

    @Test func `what the limits leave of a session is of the calls that stay`() async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 1))
        try await fixture.post(Self.messages)
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == ["c-2/client/1"])
        #expect(try await fixture.store.facts(of: .of("s-1")).count == 5)
        let whole = try CollectorFixture()
        try await whole.post(Self.messages)
        #expect(try await fixture.report(.of("c-2")) == whole.report(.of("c-2")))
    }
}
