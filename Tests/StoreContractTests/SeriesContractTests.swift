import CallModel
import TestSupport
import Testing

/// What is drawn over time, and what lies at one moment of it.
@Suite struct SeriesContractTests {
    @Test(arguments: StoreUnderTest.all) func `the series of a record are its rows`(kind: StoreUnderTest) async throws {
        try await kind.run { store in
            var change = RecordChange.full(.sample("call"))
            change.isDirty = true
            try await store.commit([change, .full(.sample("call", observer: "B"))])
            let series = try #require(try await store.series(of: .sample("call")))
            #expect(series.isDirty)
            #expect(series.intervals == (try await store.intervals(of: .sample("call"))) && series.intervals.count == 1)
            #expect(series.windows == (try await store.scores(of: .sample("call"), series: .window)))
            #expect(series.windows.count == 1 && series.scores.isEmpty)
            let none = try await store.series(of: .sample("nobody"))
            #expect(none == nil)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `what came after the last complete window is the last that is shown`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            let complete = ScoreInterval(series: .window, start: at(0), end: at(10_000), score: 90)
            var summary = CallSummary.sample(.sample("call"))
            summary.openWindow = ScoreInterval(
                series: .window, start: at(10_000), end: at(14_000), score: 40, audioScore: 40,
                costs: [.blackout: 60], missing: ["jitter"], heldSeconds: 1.5)
            try await store.commit([.sample(summary, derived: .append([], [complete])), .sample(.sample("other"))])
            let wanted = [complete] + [summary.openWindow].compactMap(\.self)
            #expect(try await store.record(.sample("call"))?.windows == wanted)
            #expect(try await store.series(of: .sample("call"))?.windows == wanted)
            #expect(try await store.scores(of: .sample("call"), series: .window) == [complete])
            let ribbon = ScoreRibbon(wanted.map { ($0.start, $0.end, $0.score) }, parts: 60)
            let ribbons = try await store.ribbons(of: [.sample("call"), .sample("other")], parts: 60)
            #expect(ribbons[.sample("call")] == PartlyRead(ribbon))
            #expect(ribbon.scores.last == 40)
        }
    }

    @Test(arguments: StoreUnderTest.all, 1...10 as ClosedRange<UInt64>)
    func `at a moment lies the latest report of each connection that is not later`(
        kind: StoreUnderTest, seed: UInt64
    ) async throws {
        var source = RandomSource(seed: seed)
        var reports: [StatsReport] = []
        var wires: [WireReport] = []
        for _ in 0..<40 {
            let time = Int64.random(in: 0...30, using: &source) * 1000
            let connection = ConnectionID(rawValue: ["", "pc1", "pc'2"].randomElement(using: &source) ?? "")
            if !reports.contains(where: { $0.time == at(time) && $0.connection == connection }) {
                reports.append(.sample(time, packets: Int64(reports.count), connection: connection))
            }
            if !wires.contains(where: { $0.time == at(time) }) {
                wires.append(WireReport(time: at(time), receivedAt: at(time + 1), streams: []))
            }
        }
        let (told, seen) = (reports, wires)
        let moments = (0..<8).map { _ in Int64.random(in: -2_000...32_000, using: &source) }
        try await kind.run { store in
            try await store.commit([
                .sample(.sample("call"), facts: told.map(Fact.report) + seen.map(Fact.wire)),
                .sample(.sample("other"), facts: [.report(.sample(5_000))]),
            ])
            for moment in moments.map(Optional.some) + [nil] {
                let last = moment.map { at($0) } ?? Timestamp(milliseconds: .max)
                var wanted = Dictionary(grouping: told.filter { $0.time <= last }, by: \.connection)
                    .compactMap { $0.value.max { $0.time < $1.time } }.map(Fact.report)
                wanted += seen.filter { $0.time <= last }.max { $0.time < $1.time }.map { [Fact.wire($0)] } ?? []
                let found = try await store.facts(of: .sample("call"), at: moment.map { at($0) }, limit: 16).value
                #expect(Set(found) == Set(wanted) && found.count == wanted.count)
                let one = try await store.facts(of: .sample("call"), at: moment.map { at($0) }, limit: 1).value
                let latest = wanted.compactMap { if case .report(let report) = $0 { report.time } else { nil } }.max()
                let shown = one.compactMap { if case .report(let report) = $0 { report.time } else { nil } }
                #expect(shown == [latest].compactMap(\.self))
            }
            #expect(try await store.facts(of: .sample("nobody"), at: nil, limit: 16) == PartlyRead([]))
        }
    }
}
