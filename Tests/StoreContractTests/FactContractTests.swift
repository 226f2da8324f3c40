import CallModel
import Testing

@Suite struct FactContractTests {
    @Test(arguments: StoreUnderTest.all) func `facts come back as they went in`(kind: StoreUnderTest) async throws {
        var contradicted = CallEvent.sample(
            3, "ENDED", sequence: .min, members: ["reason": ["code": -9904, "text": "ß"]])
        contradicted.isContradicted = true
        let facts: [Fact] = [
            .report(.intricate), .event(contradicted), .event(.sample(3, "ENDED", sequence: 9)),
            .event(.sample(3, "ENDED")), .report(.sample(3)),
            .report(StatsReport(connection: .only, time: at(4), receivedAt: at(4), objects: [])),
        ]
        let key = CallKey.sample("call")
        try await kind.run { store in
            try await store.commit([.sample(key, facts: facts)])
            #expect(try await store.facts(of: key) == facts.sorted { $0.key < $1.key })
            #expect(
                try await store.events(of: key).value.map(Fact.event)
                    == facts.filter(\.isEvent).sorted { $0.key < $1.key })
        }
    }

    @Test(arguments: StoreUnderTest.all) func `facts of one millisecond come in the order of their keys`(
        kind: StoreUnderTest
    ) async throws {
        let types = [
            "callCreate", "iceOneRelay", "callRestSent", "callRinging", "callAnswerReceived", "iceConnected", "x",
        ]
        var facts = types.map { Fact.event(.sample(0, $0)) }
        facts += [10, 9, nil, -1].map { Fact.event(.sample(0, "y", sequence: $0)) }
        facts += ["a", "a!", "a\u{2}", "Z", "é", "\u{10348}", "\u{FFFD}"].map {
            Fact.event(.sample(0, "z", action: $0))
        }
        facts += ["", "pc1", "pc10", "pc2"].map { Fact.report(.sample(0, connection: ConnectionID(rawValue: $0))) }
        let key = CallKey.sample("call")
        try await kind.run { [facts] store in
            try await store.commit([.sample(key, facts: facts.shuffled())])
            let stored = try await store.facts(of: key)
            #expect(stored.map(\.key) == facts.map(\.key).sorted())
            #expect(try await store.events(of: key).value.map(Fact.event) == stored.filter(\.isEvent))
        }
    }

    @Test(arguments: StoreUnderTest.all) func `only the facts asked for are returned`(
        kind: StoreUnderTest
    ) async throws {
        let report = Fact.report(.sample(10))
        let event = Fact.event(.sample(10, "iceConnected", sequence: 4))
        let others: [Fact] = [
            .report(.sample(11)), .report(.sample(10, connection: ConnectionID(rawValue: "pc2"))),
            .event(.sample(10, "iceConnected", sequence: 5)), .event(.sample(10, "iceConnected")),
        ]
        let unknown = FactKey(time: at(99), rank: FactKey.reportRank, name: "")
        let key = CallKey.sample("call")
        try await kind.run { store in
            try await store.commit([.sample(key, facts: [report, event] + others)])
            try await store.commit([.sample(.sample("call", observer: "other"), facts: [report])])
            #expect(try await store.facts(of: key, among: [report.key, unknown, event.key]) == [event, report])
            #expect(try await store.facts(of: key, among: []).isEmpty)
            #expect(try await store.facts(of: .sample("nobody"), among: [report.key]).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a fact replaces the one with its key`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call")
        let late: [Fact] = [
            .report(.sample(10, packets: 8)), .event(.sample(10, "x", sequence: 1, members: ["a": 2])),
            .event(.sample(10, "x", members: ["a": 3])),
        ]
        let early: [Fact] = [
            .report(.sample(10, packets: 7)), .event(.sample(10, "x", sequence: 1, members: ["a": 1])),
            .event(.sample(10, "x", members: ["a": 1])),
        ]
        try await kind.run { store in
            try await store.commit([.sample(key, facts: early)])
            try await store.commit([.sample(key, facts: late)])
            #expect(try await store.facts(of: key) == late.sorted { $0.key < $1.key })
            #expect(try await store.counts().facts == 3)
        }
    }

    @Test(
        arguments: StoreUnderTest.all,
        ["plain", "' OR 1=1 --", "back\\slash", "nul\u{0}inside", "\u{FFFF}0", "名前", "e\u{301}", " ", "a\u{0}"])
    func `every identifier keeps its own data`(kind: StoreUnderTest, name: String) async throws {
        let key = CallKey.sample(name, observer: name, tenant: TenantID(rawValue: name))
        let fact = Fact.event(.sample(0, name, action: name))
        let report = Fact.report(.sample(0, connection: ConnectionID(rawValue: name)))
        let neighbour = CallKey.sample("nul", observer: "a", tenant: TenantID(rawValue: "a"))
        try await kind.run { store in
            try await store.commit([.sample(key, facts: [fact, report], dirty: true), .sample(neighbour)])
            #expect(try await store.records(of: key.identity).map(\.key) == [key])
            #expect(try await store.facts(of: key) == [fact, report])
            #expect(try await store.facts(of: key, among: [report.key, fact.key]) == [fact, report])
            #expect(try await store.dirtyRecords(limit: 9) == [key])
            #expect(try await store.counts().records == 2)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `canonically equal identifiers are one, as in Swift`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit([.sample(.sample("e\u{301}"), facts: [.event(.sample(0, "o\u{308}"))])])
            try await store.commit([.sample(.sample("\u{e9}"), facts: [.event(.sample(0, "\u{f6}"))])])
            #expect(try await store.counts() == StoreCounts(calls: 1, records: 1, facts: 1, tombstones: 0))
        }
    }
}

extension Fact {
    var isEvent: Bool {
        if case .event = self { return true }
        return false
    }
}

extension RecordChange {
    fileprivate static func sample(_ key: CallKey, facts: [Fact], dirty: Bool) -> RecordChange {
        sample(.sample(key), facts: facts, isDirty: dirty)
    }
}
