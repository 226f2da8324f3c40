import CallModel
import Testing

/// What makes the order of arrival irrelevant.
@Suite struct FactMergeTests {
    private static let rounds: UInt64 = 400

    @Test func `reports unite in any order and however often`() {
        for seed in 0..<Self.rounds {
            var facts = RandomFacts(seed: seed)
            expectLattice(.report(facts.report()), .report(facts.report()), .report(facts.report()), seed: seed)
        }
    }

    @Test func `events unite in any order and however often`() {
        for seed in 0..<Self.rounds {
            var facts = RandomFacts(seed: seed)
            expectLattice(.event(facts.event()), .event(facts.event()), .event(facts.event()), seed: seed)
        }
    }

    @Test func `wire reports unite in any order and however often`() {
        for seed in 0..<Self.rounds {
            var facts = RandomFacts(seed: seed)
            expectLattice(.wire(facts.wire()), .wire(facts.wire()), .wire(facts.wire()), seed: seed)
        }
    }

    private func expectLattice(_ a: Fact, _ b: Fact, _ c: Fact, seed: UInt64) {
        let all = a.merged(with: b).merged(with: c)
        #expect(a.merged(with: b) == b.merged(with: a), "not commutative, seed \(seed)")
        #expect(a.merged(with: b.merged(with: c)) == all, "not associative, seed \(seed)")
        #expect(all.merged(with: a) == all && all.merged(with: all) == all, "not idempotent, seed \(seed)")
    }

    @Test func `a number written as 1 and as 1_0 does not make the order of arrival matter`() {
        let whole = report(members: ["packetsReceived": .integer(1)])
        let fraction = report(members: ["packetsReceived": .double(1)])
        #expect(whole.merged(with: fraction) == fraction.merged(with: whole))
    }

    @Test func `of two contents of one object the one with the smaller hash stands and the clash is named`() {
        let left = StatsObject(id: "i", type: .inboundRTP, timestamp: nil, members: ["packetsReceived": 1])
        let right = StatsObject(id: "i", type: .inboundRTP, timestamp: nil, members: ["packetsReceived": 2])
        let report = StatsReport(
            connection: .only, time: Timestamp(milliseconds: 0), receivedAt: Timestamp(milliseconds: 0),
            objects: [left, right])
        #expect(report.objects == [left.contentHash < right.contentHash ? left : right])
        #expect(report.conflicts == [left.key])
    }

    @Test func `a report rebuilt from a store equals the one stored`() {
        for seed in 0..<100 as Range<UInt64> {
            var facts = RandomFacts(seed: seed)
            var report = facts.report()
            report.merge(facts.report())
            let rebuilt = StatsReport(
                stored: report.objects, conflicts: report.conflicts, notes: report.notes, connection: report.connection,
                time: report.time, receivedAt: report.receivedAt)
            #expect(rebuilt == report, "seed \(seed)")
        }
    }

    @Test func `facts of different kinds do not unite`() {
        var facts = RandomFacts(seed: 1)
        let kinds: [Fact] = [.report(facts.report()), .event(facts.event()), .wire(facts.wire())]
        for (index, fact) in kinds.enumerated() {
            #expect(fact.merged(with: kinds[(index + 1) % 3]) == fact)
            #expect(fact.merged(with: kinds[(index + 2) % 3]) == fact)
        }
    }

    private func report(members: JSONObject) -> Fact {
        .report(
            StatsReport(
                connection: .only, time: Timestamp(milliseconds: 0), receivedAt: Timestamp(milliseconds: 0),
                objects: [StatsObject(id: "i", type: .inboundRTP, timestamp: nil, members: members)]))
    }
}
