import CallModel
import SQLiteStore
import TestSupport
import Testing

@testable import Collector

/// A call and its session: two ids of one client for one thing, or for one and several.
@Suite struct SessionTests {
    /// As the Kandy SDK has it: events under the call's id, statistics under the session's, one message with both.
    private static let kandy: [Message] =
        [
            .event("callMetric", "callCreate", at: 0, call: "c-1"),
            .event("callMetric", "callRinging", at: 2580, call: "c-1"),
            .event("callMetric", "callAnswerReceived", at: 3720, call: "c-1", session: "s-81"),
            .event("iceState", "iceConnected", at: 3900, call: "c-1"),
            .event("callState", "ENDED", at: 61_000, call: "c-1"),
        ] + (0...6).map { .statistics(at: 4000 + 9000 * $0, path: "s-81") }

    @Test func `statistics under the session and events under the call are one call`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.kandy)
        #expect(try await fixture.listed() == ["c-1/client/1"])
        let summary = try #require(try await fixture.summary("c-1"))
        #expect(summary.dataQuality.reports == 7)
        #expect(summary.dataQuality.events == 5)
        #expect(summary.setup.postDialDelay == 2580)
        #expect(summary.streams.map(\.packets) == [2900 - 0])
        #expect(try await fixture.listed() == ["c-1/client/1"])
        #expect(try await fixture.store.counts().calls == 1)
        let named = try await fixture.store.summaries(named: CallKey.of("s-81").identity)
        #expect(named.map(\.summary) == [summary])
        #expect(
            try await fixture.record("c-1")?.ties
                == CallTies(
                    names: [
                        CallName(.session, "s-81", source: "sessionId")
                    ]))
    }

    @Test func `the pair may be told by a message with statistics, under either id`() async throws {
        let pairs = [#""callId":"c-1","sessionId":"s-81","#, #""sessionId":"s-81","#]
        for (path, members) in [("s-81", pairs[0]), ("c-1", pairs[0]), ("c-1", pairs[1])] {
            let fixture = try CollectorFixture()
            try await fixture.post(.event("callMetric", "callCreate", at: 0, call: "c-1"))
            try await fixture.post(.statistics(at: 10_000, path: "s-81"))
            try await fixture.post(.statistics(at: 20_000, path: path, members: members))
            try await fixture.post(.statistics(at: 30_000, path: "s-81"))
            #expect(try await fixture.listed() == ["c-1/client/1"], "\(path) \(members)")
            #expect(try await fixture.summary("c-1")?.dataQuality.reports == 3, "\(path) \(members)")
        }
    }

    @Test func `an observer that is not told is whoever has the session`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(
            .event("callMetric", "callCreate", at: 0, call: "c-1", session: "s-1", #""side":"caller","#),
            .statistics(at: 5000, path: "s-1"), .statistics(at: 9000, path: "s-1", members: #""side":"callee","#))
        #expect(try await fixture.summary("c-1", observer: "caller")?.dataQuality.reports == 1)
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == ["c-1/caller/1", "s-1/callee/1"])
    }

    /// The caller's first event knows only the channel (SendBird).
    @Test func `a call is measured from the start that knew only its channel`() async throws {
        let channel = #""channelUrl":"ch-1","side":"caller","#
        let start = Message.event("call", "startCallWithAudioOnly", at: 0, #""callId":null,"# + channel)
        let rest: [Message] = [
            .event("call", "didSendStartCall", at: 350, call: "sb-1", channel),
            .event("call", "didReceiveAcceptCall", at: 6240, call: "sb-1", channel),
            .event("call", "didConnectCall", at: 7020, call: "sb-1", channel),
        ]
        for messages in [[start] + rest, rest + [start]] {
            let fixture = try CollectorFixture()
            for message in messages { try await fixture.post(message) }
            await fixture.collector.maintain()
            let setup = try #require(try await fixture.summary("sb-1", observer: "caller")?.setup)
            #expect((setup.requestAccepted, setup.answerDelay, setup.connectTime) == (350, 6240, 780))
            #expect(try await fixture.listed() == ["sb-1/caller/1"])
        }
    }

    // MARK: Any order

    /// What a session of two calls one after another, with a connection that breaks, looks like from outside.
    private static let cisco: [Message] =
        kandy + [
            .event("session", "sessionCreated", at: -60_000, session: "s-81"),
            .event("connection", "onConnectionLost", at: 30_000, session: "s-81"),
            .event("network", "setNetworkReachable", at: 80_000, session: "s-81"),
            .event("callMetric", "callCreate", at: 100_000, call: "c-2", session: "s-81"),
            .event("iceState", "iceConnected", at: 103_000, call: "c-2"),
            .event("connection", "onConnectionLost", at: 125_000, session: "s-81"),
            .event("callMetric", "callCreate", at: 110_000, call: "c-3", session: "s-82"),
            .statistics(at: 112_000, path: "s-82"), .statistics(at: 120_000, path: "c-3"),
            .event("callState", "ENDED", at: 140_000, call: "c-2"),
        ] + (0...4).map { .statistics(at: 104_000 + 8000 * $0, path: "s-81") }

    private func reports(of messages: [Message], seed: UInt64, restarts: Bool) async throws -> [String] {
        var random = RandomSource(seed: seed)
        let fixture = try CollectorFixture()
        var rest = messages[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...3, using: &random))
            rest = rest.dropFirst(batch.count)
            _ = try await fixture.collector.submit(try batch.flatMap { try $0.submissions() })
            guard restarts else { continue }
            if Int.random(in: 0..<4, using: &random) == 0 { try await fixture.post(Array(batch)) }
            if Int.random(in: 0..<4, using: &random) == 0 { try await fixture.restart() }
            if Int.random(in: 0..<4, using: &random) == 0 { await fixture.collector.maintain() }
            if Int.random(in: 0..<4, using: &random) == 0 { _ = try await fixture.record("c-1") }
        }
        await fixture.collector.maintain()
        return try await told(of: fixture)
    }

    /// The records in the list, and the reports of those that have to do with the sessions.
    private func told(of fixture: CollectorFixture) async throws -> [String] {
        var told = try await fixture.listed()
        for call in ["c-1", "c-2", "c-3", "s-81", "s-82"] {
            told.append(try await fixture.report(.of(call)) ?? "none of \(call)")
        }
        return told
    }

    @Test func `the reports do not depend on when the pair was told`() async throws {
        let inOrder = try await reports(of: Self.cisco, seed: 0, restarts: false)
        #expect(inOrder.prefix(3) == ["c-1/client/1", "c-2/client/1", "c-3/client/1"])
        for seed: UInt64 in 1...40 {
            var random = RandomSource(seed: seed)
            let shuffled = try await reports(
                of: Self.cisco.shuffled(using: &random), seed: seed, restarts: seed > 5)
            #expect(shuffled == inOrder, "seed \(seed)")
        }
    }

    /// Groups of submissions overlap then: there are many of other calls among them.
    @Test func `the reports do not depend on what is told at once`() async throws {
        let inOrder = try await reports(of: Self.cisco, seed: 0, restarts: false)
        for seed: UInt64 in 1...10 {
            var random = RandomSource(seed: seed)
            let others = (0..<200).map {
                Message.event("callMetric", "callCreate", at: Int64($0) - 300_000, call: "other-\($0)")
            }
            let messages = (Self.cisco + others).shuffled(using: &random)
            let fixture = try CollectorFixture()
            let collector = fixture.collector
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for message in messages {
                    let submissions = try message.submissions()
                    tasks.addTask { _ = try await collector.submit(submissions) }
                }
                try await tasks.waitForAll()
            }
            await collector.maintain()
            let told = try await told(of: fixture)
            #expect(told.filter { !$0.hasPrefix("other-") } == inOrder, "seed \(seed)")
        }
    }

    @Test func `what befalls a session befalls the calls that go on`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(
            .event("callMetric", "callCreate", at: 0, call: "c-1", session: "s-9"),
            .event("callMetric", "callCreate", at: 5000, call: "c-2", session: "s-9"),
            .event("connection", "onConnectionLost", at: 10_000, session: "s-9"),
            .event("callState", "ENDED", at: 20_000, call: "c-1"),
            .event("network", "setNetworkReachable", at: 25_000, session: "s-9"),
            .event("callState", "ENDED", at: 30_000, call: "c-2"),
            .event("registration", "LinphoneRegistrationOk", at: 90_000, session: "s-9"))
        #expect(
            try await fixture.record("c-1")?.events.map(\.type) == ["callCreate", "onConnectionLost", "ENDED"])
        #expect(
            try await fixture.record("c-2")?.events.map(\.type)
                == ["callCreate", "onConnectionLost", "setNetworkReachable", "ENDED"])
        #expect(try await fixture.summary("c-1")?.dataQuality.events == 3)
        #expect(try await fixture.summary("c-1")?.dataQuality.notes == [])
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == ["c-1/client/1", "c-2/client/1"])
        #expect(
            try await fixture.store.summaries(named: CallKey.of("s-9").identity).map(\.summary.key.text)
                == ["c-1/client/1", "c-2/client/1"])
    }

    // MARK: Doubt

    @Test func `statistics of a session that two calls claim at once are in neither`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(
            .event("callMetric", "callCreate", at: 0, call: "c-1", session: "s-9"),
            .event("callMetric", "callCreate", at: 5000, call: "c-2", session: "s-9"))
        try await fixture.post((1...5).map { .statistics(at: 6000 * $0, path: "s-9") })
        try await fixture.post(.event("connection", "onConnectionLost", at: 8000, session: "s-9"))
        for (own, other) in [("c-1", "c-2"), ("c-2", "c-1")] {
            let summary = try #require(try await fixture.summary(own))
            #expect(summary.dataQuality.reports == 0)
            #expect(summary.dataQuality.events == 2)
            #expect(
                summary.dataQuality.notes == [
                    "session s-9 is claimed at the same time by call \(other): what was told under the session's id "
                        + "is in neither"
                ])
        }
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == ["c-1/client/1", "c-2/client/1", "s-9/client/1"])
        #expect(try await fixture.summary("s-9")?.dataQuality.reports == 5)
        #expect(
            try await fixture.store.summaries(named: CallKey.of("s-9").identity).map(\.summary.key.text).sorted()
                == ["c-1/client/1", "c-2/client/1", "s-9/client/1"])
    }

    @Test func `one after the other each call has what lies in its time`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.cisco)
        #expect(try await fixture.summary("c-1")?.dataQuality.reports == 7)
        #expect(try await fixture.summary("c-2")?.dataQuality.reports == 5)
        #expect(try await fixture.summary("c-3")?.dataQuality.reports == 2)
        #expect(try await fixture.summary("c-2")?.dataQuality.notes == [])
        #expect(
            try await fixture.record("c-2")?.events.map(\.type)
                == ["callCreate", "iceConnected", "onConnectionLost", "ENDED"])
    }

    @Test func `a call that names itself as its session, or two that name each other, stay in the list`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(
            .event("callMetric", "callCreate", at: 0, call: "a", session: "a"),
            .event("callMetric", "callCreate", at: 0, call: "b", session: "c"),
            .event("callMetric", "callCreate", at: 0, call: "c", session: "b"))
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == ["a/client/1", "b/client/1", "c/client/1"])
    }

    // MARK: Keeping and removing

    @Test func `erasing a call takes with it what only it has of its session`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.cisco)
        await fixture.collector.maintain()
        let (first, second) = (CallKey.of("c-1").identity, CallKey.of("c-2").identity)
        #expect(try await fixture.collector.erase(first) == 1)
        #expect(try await fixture.summary("c-2")?.dataQuality.reports == 5)
        #expect(try await fixture.listed() == ["c-2/client/1", "c-3/client/1"])
        #expect(try await fixture.collector.erase(second) == 1)
        #expect(try await fixture.store.facts(of: .of("s-81")).isEmpty)
        #expect(try await fixture.store.standing(of: CallKey.of("s-81").identity).claims.isEmpty)
        #expect(try await fixture.listed() == ["c-3/client/1"])
        let late = try Message.statistics(at: 50_000, path: "s-81").submissions()
        #expect(try await fixture.collector.submit(late) == [[.refused(.evicted)]])
    }

    @Test func `erasing a session leaves its calls without what was told under its id`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.kandy)
        #expect(try await fixture.summary("c-1")?.dataQuality.reports == 7)
        #expect(try await fixture.collector.erase(CallKey.of("s-81").identity) == 1)
        #expect(try await fixture.summary("c-1")?.dataQuality.reports == 0)
        #expect(try await fixture.listed() == ["c-1/client/1"])
    }

    @Test func `a session counts as no call of its own and goes with its last one`() async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 3))
        try await fixture.post(Self.cisco)
        await fixture.collector.maintain()
        #expect(try await fixture.store.counts().calls == 3)
        try await fixture.post((1...3).map { .event("callMetric", "callCreate", at: 900_000 + $0, call: "d-\($0)") })
        await fixture.collector.maintain()
        #expect(try await fixture.listed() == ["d-1/client/1", "d-2/client/1", "d-3/client/1"])
        #expect(try await fixture.store.counts().records == 3)
    }

    @Test func `another tenant's session of the same name is another session`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(.event("callMetric", "callCreate", at: 0, call: "c-1", session: "s-1"))
        var submissions = try Message.statistics(at: 5000, path: "s-1").submissions()
        submissions[0].identity.tenant = TenantID(rawValue: "other")
        _ = try await fixture.collector.submit(submissions)
        #expect(try await fixture.summary("c-1")?.dataQuality.reports == 0)
        let others = try await fixture.store.calls(
            CallQuery(tenant: TenantID(rawValue: "other"), now: fixture.clock.now))
        #expect(others.calls.map(\.summary.key.text) == ["s-1/client/1"])
    }
}
