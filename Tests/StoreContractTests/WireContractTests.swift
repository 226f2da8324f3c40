import CallModel
import Testing

@Suite struct WireContractTests {
    @Test(arguments: StoreUnderTest.all) func `every member of a wire report comes back as it went in`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call")
        var random = RandomWireReports(seed: 3)
        let facts = (0..<200).map { Fact.wire(random.report($0)) }
        try await kind.run { store in
            try await store.commit([.sample(key, facts: facts.shuffled())])
            #expect(try await store.facts(of: key) == facts)
            #expect(try await store.facts(of: key, among: facts.map(\.key)) == facts)
            #expect(try await store.counts().facts == facts.count)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a wire report stands after the events and reports of its moment`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call")
        var random = RandomWireReports(seed: 5)
        let facts: [Fact] = [
            .event(.sample(10, "INVITE", action: "sip", sequence: 1)), .event(.sample(10, "BYE", action: "sip")),
            .report(.sample(10)), .wire(random.report(10)), .event(.sample(11, "ACK", action: "sip")),
        ]
        try await kind.run { store in
            try await store.commit([.sample(key, facts: facts.reversed())])
            #expect(try await store.facts(of: key) == facts)
            #expect(try await store.events(of: key).value.map(Fact.event) == facts.filter(\.isEvent))
        }
    }

    @Test(arguments: StoreUnderTest.all) func `only the wire reports asked for are returned, and only of their record`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call", observer: "wire:caller")
        var random = RandomWireReports(seed: 7)
        let wanted = Fact.wire(random.report(5_000))
        let other = Fact.wire(random.report(10_000))
        let unknown = FactKey(time: at(99), rank: FactKey.wireRank, name: "")
        try await kind.run { store in
            try await store.commit([.sample(key, facts: [wanted, other, .report(.sample(5_000))])])
            try await store.commit([.sample(.sample("call", observer: "wire:callee"), facts: [other])])
            #expect(try await store.facts(of: key, among: [wanted.key, unknown]) == [wanted])
            #expect(try await store.facts(of: .sample("nobody"), among: [wanted.key]).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a wire report that is repeated is one, and a contradiction is kept`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call")
        let first = WireReport(time: at(0), receivedAt: at(50), streams: [], audioPacketsSent: 1)
        let second = WireReport(time: at(0), receivedAt: at(40), streams: [], audioPacketsSent: 2)
        let merged = Fact.wire(first).merged(with: .wire(second))
        try await kind.run { store in
            try await store.commit([.sample(key, facts: [.wire(first)])])
            try await store.commit([.sample(key, facts: [.wire(first)])])
            #expect(try await store.facts(of: key) == [.wire(first)])
            try await store.commit([.sample(key, facts: [merged])])
            #expect(try await store.facts(of: key) == [merged])
            #expect(try await store.counts().facts == 1)
        }
        guard case .wire(let report) = merged else { return #expect(Bool(false)) }
        #expect(report.isContradicted && report.receivedAt == at(40))
    }
}
