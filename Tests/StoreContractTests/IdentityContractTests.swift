import CallModel
import Testing

/// What a store keeps of names and sessions.
@Suite struct IdentityContractTests {
    private func claim(_ call: String, on session: String, from start: Int64 = 0) -> SessionClaim {
        SessionClaim(
            session: .sample(session), key: .sample(call), start: at(start), lastActivity: at(start + 5000),
            isBegun: true, endedAt: at(start + 5000))
    }

    private func change(
        _ call: String, names: [CallName] = [], claims: [SessionClaim] = [], from start: Int64 = 0,
        observer: String = "client", attempt: Int = 1
    ) -> RecordChange {
        var change = RecordChange.sample(
            .sample(.sample(call, observer: observer, attempt: attempt), start: at(start), endedAt: at(start + 5000)))
        (change.names, change.claims) = (names, claims)
        return change
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `names and claims come back as they went in, each once`(
        kind: StoreUnderTest
    ) async throws {
        let names: Set = [
            CallName(.header, "3c26@pbx", source: "X-Call-ID"), CallName(.header, "3c26@pbx", source: "X-Other"),
            CallName(.userToUser, "e\u{301}\u{0}", source: "uuiData"),
            CallName(.reportedSSRC, "4294967295", source: "inbound-rtp"),
        ]
        var longer = claim("call", on: "first")
        longer.lastActivity = at(70_000)
        try await kind.run { [longer] store in
            try await store.commit([
                change("call", names: Array(names), claims: [claim("call", on: "first"), claim("call", on: "second")])
            ])
            try await store.commit([change("call", names: Array(names), claims: [longer])])
            #expect(
                try await store.links(of: .sample("call"))
                    == RecordLinks(names: names, claims: [longer, claim("call", on: "second")]))
            #expect(try await store.standing(of: .sample("first")) == CallStanding(heads: [], claims: [longer]))
            #expect(try await store.links(of: .sample("another")) == RecordLinks())
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster)
    func `a record that claims a session has its times from its own facts`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit([change("call", claims: [claim("call", on: "session", from: 2000)])])
            #expect(
                try await store.records(of: .sample("call")) == [
                    RecordHead(
                        key: .sample("call"), start: at(2000), lastActivity: at(7000), hasEnded: true,
                        isEvicted: false, isDirty: false)
                ])
            let heads = try await store.records(of: .sample("call"))
            #expect(try await store.standing(of: .sample("call")) == CallStanding(heads: heads, claims: []))
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster)
    func `a commit marks others that are there as waiting for a new fold`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit([change("call"), change("other")])
            try await store.commit([change("other")], marking: [.sample("call"), .sample("nobody")])
            #expect(try await store.dirtyRecords(limit: 10) == [.sample("call")])
            #expect(try await store.counts().records == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `a claimed session is listed when it stands alone, else not`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            func listed() async throws -> [String] {
                try await store.calls(CallQuery(now: at(0))).calls.map(\.summary.key.identity.call.rawValue).sorted()
            }
            func named() async throws -> [String] {
                try await store.summaries(named: .sample("session")).map(\.summary.key.identity.call.rawValue)
            }
            try await store.commit([change("session")])
            #expect(try await listed() == ["session"])
            #expect(try await named() == ["session"])
            try await store.commit([
                change("b", claims: [claim("b", on: "session")]),
                change("a", claims: [claim("a", on: "session", from: 1)]),
            ])
            #expect(try await listed() == ["a", "b"])
            #expect(try await named() == ["b", "a"])
            #expect(try await store.counts() == StoreCounts(calls: 2, records: 3, facts: 0, tombstones: 0))
            var alone = change("session")
            alone.share = SessionOutcome(standsAlone: true)
            try await store.commit([alone])
            #expect(try await listed() == ["a", "b", "session"])
            #expect(try await named() == ["b", "a", "session"])
            // A commit that finds nothing out leaves it as it is.
            try await store.commit([change("session")])
            #expect(try await listed() == ["a", "b", "session"])
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `events of a session are among those of its call, each once`(
        kind: StoreUnderTest
    ) async throws {
        let shared = CallEvent.sample(2000, "onConnectionLost", action: "connection", sequence: 3)
        let own = CallEvent.sample(1000, "callCreate")
        try await kind.run { store in
            var session = change("session")
            session.facts = [.event(shared), .event(own), .event(.sample(3000, "not its own"))]
            var call = change("call", claims: [claim("call", on: "session")])
            call.facts = [.event(own)]
            call.share = SessionOutcome(
                events: [.sample("session"): [Fact.event(shared).key, Fact.event(own).key]])
            try await store.commit([session, call])
            #expect(try await store.events(of: .sample("call")).value == [own, shared])
            #expect(try await store.record(.sample("call"))?.events == [own, shared])
            #expect(try await store.facts(of: .sample("call")) == [.event(own)])
            #expect(try await store.erase(.sample("session"), now: at(0)) == 1)
            #expect(try await store.events(of: .sample("call")).value == [own])
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `a session goes with the last call that claims it, not before`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit([
                change("session"), change("a", claims: [claim("a", on: "session")]),
                change("b", claims: [claim("b", on: "session", from: 9000)], from: 9000),
            ])
            let one = try await store.enforce(Retention(calls: 1), now: at(600_000))
            #expect(one == RetentionReport(evictedByCount: 1, evictedByAge: 0, keptLive: 0))
            #expect(try await store.records(of: .sample("session")).map(\.isEvicted) == [false])
            // What it had of the session is still not another's.
            #expect(try await store.standing(of: .sample("session")).claims.map(\.key) == [.sample("a"), .sample("b")])
            _ = try await store.enforce(Retention(calls: 0), now: at(600_000))
            #expect(try await store.records(of: .sample("session")).map(\.isEvicted) == [true])
            #expect(try await store.standing(of: .sample("session")).claims == [])
            #expect(try await store.links(of: .sample("b")) == RecordLinks())
            #expect(try await store.counts() == StoreCounts(calls: 0, records: 0, facts: 0, tombstones: 3))
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `calls that claim an erased session wait for a new fold`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit([change("session"), change("a", claims: [claim("a", on: "session")])])
            #expect(try await store.erase(.sample("session"), now: at(0)) == 1)
            #expect(try await store.dirtyRecords(limit: 10) == [.sample("a")])
            #expect(try await store.summaries(named: .sample("session")).map(\.summary.key) == [.sample("a")])
        }
    }

    // MARK: Ties

    @Test(arguments: StoreUnderTest.allAndCluster) func `of several attempts the one at the same time is meant`(
        kind: StoreUnderTest
    ) async throws {
        let name = CallName(.header, "client", source: "X-Call-ID")
        try await kind.run { store in
            try await store.commit([
                change("client", from: 0), change("client", from: 100_000, attempt: 2),
                change("pbx", names: [name], from: 101_000), change("late", names: [name], from: 900_000),
            ])
            let related = RelatedCall(identity: .sample("pbx"), attempt: 1, links: [name])
            // No clock is sure: a name ties what overlaps with nothing, too.
            let late = RelatedCall(identity: .sample("late"), attempt: 1, links: [name])
            #expect(try await store.ties(of: .sample("client", attempt: 2)) == CallTies(related: [late, related]))
            #expect(
                try await store.ties(of: .sample("pbx"))
                    == CallTies(
                        names: [name], related: [RelatedCall(identity: .sample("client"), attempt: 2, links: [name])]))
            #expect(try await store.ties(of: .sample("nobody")) == CallTies())
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster)
    func `an SSRC ties a client's record to a probe's at the same time only`(
        kind: StoreUnderTest
    ) async throws {
        let reported = CallName(.reportedSSRC, "77", source: "inbound-rtp")
        let observed = CallName(.observedSSRC, "77", source: "RTP")
        try await kind.run { store in
            try await store.commit([
                change("client", names: [reported]), change("same engine", names: [reported]),
                change("wire", names: [observed], from: 60_000), change("later", names: [observed], from: 60_001),
            ])
            let ties = try await store.ties(of: .sample("client"))
            #expect(ties.related == [RelatedCall(identity: .sample("wire"), attempt: 1, links: [observed])])
            #expect(ties.related.map(\.isGuess) == [true])
        }
    }
}
