import CallModel
import CallReport
import Collector
import SQLiteStore
import Testing

/// A client's call and what a probe saw of it: two records with different ids, shown as two views of one call.
@Suite struct TieTests {
    private static let clientCall: [Message] =
        [
            .event("callMetric", "callCreate", at: 0, call: "client-1", session: "sess-9"),
            .event("callState", "ENDED", at: 60_000, call: "client-1"),
        ] + (1...5).map { .statistics(at: 10_000 * $0, path: "client-1", ssrc: 99) }

    private static func wireCall(_ invite: String, call: String = "3c26@pbx", from start: Int64 = 500) -> [Message] {
        [
            .sip("INVITE", at: start, call: call, observer: "wire:caller", invite),
            .sip("INVITE", at: start, call: call, observer: "wire:callee", invite),
            .wire(at: start + 30_000, call: call, observer: "wire:callee", from: start + 500),
            .sip("BYE", at: start + 59_000, call: call, observer: "wire:callee"),
        ]
    }

    private func related(_ call: String, in fixture: CollectorFixture, observer: String = "client") async throws
        -> [RelatedCall]?
    {
        try await fixture.record(call, observer: observer)?.ties.related
    }

    private static func link(_ call: String, _ names: CallName...) -> RelatedCall {
        RelatedCall(identity: CallKey.of(call).identity, attempt: 1, links: names)
    }

    /// What an INVITE says of the call, and by which name the calls are known to be one.
    static let invites: [(members: String, name: CallName)] = [
        (#""aliases":["X-Call-ID: client-1"],"#, CallName(.header, "client-1", source: "X-Call-ID")),
        (#""aliases":["X-Account: 7","X-Anything: client-1"],"#, CallName(.header, "client-1", source: "X-Anything")),
        (#""aliases":["X-Session-ID: sess-9"],"#, CallName(.header, "sess-9", source: "X-Session-ID")),
        (#""userToUser":"53656E73;encoding=hex","#, CallName(.userToUser, "53656e73", source: "User-to-User")),
    ]

    @Test(arguments: invites) func `a name in the INVITE shows both views of a call together`(
        members: String, name: CallName
    ) async throws {
        for wireFirst in [false, true] {
            let fixture = try CollectorFixture()
            try await fixture.post(
                .event(
                    "session", "sessionCreated", at: -5000, session: "sess-9",
                    #""detail":{"uuiData":"53656e73;encoding=hex"},"#))
            let wire = Self.wireCall(members)
            try await fixture.post(wireFirst ? wire + Self.clientCall : Self.clientCall + wire)
            #expect(try await related("client-1", in: fixture)?.map(\.isGuess) == [false])
            let links = try await related("client-1", in: fixture)?.first?.links
            #expect(links?.map(\.text) == [name.text])
            let record = try #require(try await fixture.record("client-1"))
            #expect(record.others.map(\.key.text) == ["3c26@pbx/wire:callee/1", "3c26@pbx/wire:caller/1"])
            let seen = try #require(try await fixture.record("3c26@pbx", observer: "wire:callee"))
            #expect(seen.others.map(\.key.text) == ["3c26@pbx/wire:caller/1", "client-1/client/1"])
            #expect(try await fixture.listed().count == 3)
        }
    }

    @Test func `the report names the other views, and says what ties them`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.clientCall + Self.wireCall(#""aliases":["X-Call-ID: client-1"],"#))
        let report = try #require(try await fixture.report(.of("client-1")))
        #expect(report.contains("also known by sessionId: sess-9\n"))
        #expect(report.contains("wire:callee of 3c26@pbx (by X-Call-ID): "))
        let json = JSONReport(try #require(try await fixture.record("client-1")), at: CollectorFixture.now).value
        #expect(
            json.members?["relatedCalls"] == [
                [
                    "callId": "3c26@pbx", "attempt": 1, "isGuess": false,
                    "knownBy": [["kind": "header", "name": "client-1", "source": "X-Call-ID"]],
                ]
            ])
        #expect(json.members?["names"] == [["kind": "session", "name": "sess-9", "source": "sessionId"]])
    }

    @Test func `of one session's calls, each is tied to the one on the wire at its time`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(
            .event("session", "sessionCreated", at: -5000, session: "sess-9", #""uuiData":"AB12","#))
        try await fixture.post(Self.clientCall)
        try await fixture.post(
            .event("callMetric", "callCreate", at: 100_000, call: "client-2", session: "sess-9"),
            .event("callState", "ENDED", at: 160_000, call: "client-2"))
        try await fixture.post(Self.wireCall(#""userToUser":"ab12","#, call: "first@pbx"))
        try await fixture.post(Self.wireCall(#""userToUser":"ab12","#, call: "second@pbx", from: 101_000))
        let name = CallName(.userToUser, "ab12", source: "User-to-User")
        #expect(try await related("client-1", in: fixture) == [Self.link("first@pbx", name)])
        #expect(try await related("client-2", in: fixture) == [Self.link("second@pbx", name)])
        #expect(
            try await related("second@pbx", in: fixture, observer: "wire:caller")?.map(\.identity.call.rawValue)
                == ["client-2"])
    }

    /// Each tells SSRC 3735928559.
    static let tellings: [Message] = [
        .event(
            "ssrc", "didReceiveSSRCs", at: 4900, call: "client-1",
            #""detail":{"audio":["3735928559"],"video":["305419896"]},"#),
        .event(
            "ssrc", "didReceiveSSRCs", at: 4900, call: "client-1", #""detail":{"audio":[],"video":["0xDEADBEEF"]},"#),
        .event("ssrc", "didReceiveSSRCs", at: 4900, call: "client-1", #""detail":{"audio":["deadbeef"]},"#),
        .statistics(at: 6000, path: "client-1", ssrc: 3_735_928_559),
    ]

    @Test(arguments: tellings.indices) func `the same SSRC at the same time is a guess`(index: Int) async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.clientCall + [Self.tellings[index]])
        try await fixture.post([
            .wire(at: 30_000, call: "rtp-1", ssrc: 3_735_928_559), .wire(at: 30_000, call: "rtp-2", ssrc: 5),
        ])
        let record = try #require(try await fixture.record("client-1"))
        #expect(record.ties.related.map(\.identity.call.rawValue) == ["rtp-1"])
        #expect(record.ties.related.map(\.isGuess) == [true])
        #expect(record.others.map(\.key.text) == ["rtp-1/wire:callee/1"])
        let text = try #require(try await fixture.report(.of("client-1")))
        #expect(text.contains("(a guess, by the same SSRC 3735928559)"))
        #expect(
            try await fixture.record("rtp-1", observer: "wire:callee")?.others.map(\.key.text) == ["client-1/client/1"])
    }

    @Test func `the same SSRC at another time, or of another tenant, says nothing`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.clientCall)
        try await fixture.post([.wire(at: 900_000, call: "other", ssrc: 99, from: 800_000)])
        var submissions = try Message.wire(at: 30_000, call: "foreign", ssrc: 99).submissions()
        submissions[0].identity.tenant = TenantID(rawValue: "other")
        _ = try await fixture.collector.submit(submissions)
        #expect(try await related("client-1", in: fixture) == [])
    }

    @Test func `short values of arbitrary header fields are no ids`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(.event("callMetric", "callCreate", at: 0, call: "1"))
        try await fixture.post(Self.wireCall(#""aliases":["X-Attempt: 1"],"#))
        #expect(try await related("1", in: fixture) == [])
    }

    @Test func `an erased call ties nothing any more`() async throws {
        let fixture = try CollectorFixture()
        try await fixture.post(Self.clientCall + Self.wireCall(#""aliases":["X-Call-ID: client-1"],"#))
        #expect(try await fixture.collector.erase(CallKey.of("3c26@pbx").identity) == 2)
        #expect(try await related("client-1", in: fixture) == [])
    }
}
