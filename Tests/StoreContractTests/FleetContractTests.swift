import CallModel
import Foundation
import TestSupport
import Testing

/// What is counted over many records is what lists of them say.
@Suite struct FleetContractTests {
    /// Every count of a fleet beside the filter that a list takes for it.
    private static func parts(of fleet: FleetSummary) -> [(name: String, calls: Int, set: (inout CallFilter) -> Void)] {
        var parts: [(String, Int, (inout CallFilter) -> Void)] = [
            ("calls", fleet.calls, { _ in }),
            ("bad stretch", fleet.callsWithBadStretch, { $0.maximumWorstScore = FleetSummary.badStretch }),
            ("unscored", fleet.unscored, { $0.isScored = false }),
            ("without cause", fleet.withoutCause, { $0.leading = .nothing }),
            ("setup", fleet.setup.calls, { $0.setupFromMilliseconds = 0 }),
            ("failed", fleet.failedOrUnanswered, { $0.outcomes = Set(FleetSummary.failures) }),
        ]
        for outcome in CallOutcome.allCases {
            parts.append(("\(outcome)", fleet.outcomes[outcome, default: 0], { $0.outcomes = [outcome] }))
        }
        for band in QualityBand.allCases {
            parts.append(("\(band)", fleet.bands[band, default: 0], { $0.narrow(to: band) }))
        }
        for cause in QualityCause.allCases {
            parts.append(("\(cause)", fleet.causes[cause, default: 0], { $0.leading = .cause(cause) }))
        }
        for issue in IssueKind.allCases {
            parts.append(("\(issue)", fleet.issues[issue, default: 0], { $0.issue = issue }))
        }
        for way in CallFilter.Relay.allCases {
            parts.append(("\(way)", fleet.relay[way, default: 0], { $0.relay = way }))
        }
        for (index, bound) in SetupDistribution.bounds.enumerated() {
            let next = SetupDistribution.bounds.dropFirst(index + 1).first
            parts.append(
                (
                    "from \(bound) ms", fleet.setup.counts[index],
                    {
                        $0.setupFromMilliseconds = bound
                        $0.setupBeforeMilliseconds = next
                    }
                ))
        }
        return parts
    }

    private static func list(_ store: any CallStore, _ filter: CallFilter) async throws -> [CallSummary] {
        try await store.calls(CallQuery(filter, limit: 1000)).calls.map(\.summary)
    }

    /// Each count is what a list has; the parts make up the whole; the middle is that of the listed.
    private static func check(_ store: any CallStore, _ filter: CallFilter) async throws {
        let fleet = try await store.fleet(filter)
        let listed = try await list(store, filter)
        for part in parts(of: fleet) {
            // A condition of the same sort would take the place of the filter's own.
            let found = try await list(
                store,
                {
                    var all = CallFilter(now: filter.now); part.set(&all); return all
                }())
            let both = Set(found.map(\.key)).intersection(listed.map(\.key))
            #expect(part.calls == both.count, "\(part.name)")
        }
        for counts in [
            fleet.outcomes.values.reduce(0, +), fleet.relay.values.reduce(0, +),
            fleet.bands.values.reduce(fleet.unscored, +), fleet.causes.values.reduce(fleet.withoutCause, +),
        ] {
            #expect(counts == listed.count)
        }
        #expect(fleet.setup.counts.reduce(0, +) == fleet.setup.calls)
        let scores = listed.compactMap(\.score).sorted()
        #expect(fleet.medianScore == (scores.isEmpty ? nil : scores[(scores.count - 1) / 2]))
        let setups = listed.compactMap(\.setup.answerToMedia).sorted()
        #expect(fleet.setup.medianMilliseconds == (setups.isEmpty ? nil : setups[(setups.count - 1) / 2]))
        let above = setups.filter { $0 > fleet.setup.p95Milliseconds ?? 0 }.count
        let from = setups.filter { $0 >= fleet.setup.p95Milliseconds ?? 0 }.count
        #expect(setups.isEmpty || above * 20 <= setups.count && from * 20 > setups.count)
    }

    @Test(arguments: StoreUnderTest.all) func `every count of the sample calls is that of a list`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            let folder = SharedData.packageRoot.appending(path: "SampleData")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                let directory = folder.appending(path: name)
                guard FileManager.default.fileExists(atPath: directory.appending(path: "truth.json").path) else {
                    continue
                }
                for end in RecordedCall.End.allCases {
                    guard let record = try? RecordedCall(directory, end: end).record() else { continue }
                    try await store.commit([
                        .sample(record.summary, derived: .replace(record.intervals, record.scores + record.windows))
                    ])
                }
            }
            // Long after the calls: none of them goes on.
            let all = CallFilter(now: at(366 * 86_400_000))
            let fleet = try await store.fleet(all)
            // So that counts of nothing but zeros are noticed.
            #expect(fleet.calls > 50 && fleet.bands.count == 5 && fleet.causes.count >= 4 && fleet.issues.count >= 8)
            #expect(fleet.failedOrUnanswered >= 3 && fleet.setup.calls > 20 && fleet.relay.count >= 2)
            try await Self.check(store, all)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `every count is that of a list, whatever the calls and the filter are`(
        kind: StoreUnderTest
    ) async throws {
        for seed in 1...(kind == .sqlite ? 3 : 1) as ClosedRange<UInt64> {
            var source = RandomSource(seed: seed)
            try await kind.run { store in
                let calls = (0..<80).map { index in
                    var summary = CallSummary.sample(
                        .sample("\(index)"), start: at(Int64.random(in: 0..<6, using: &source) * 1000))
                    summary.score =
                        Int.random(in: 0...3, using: &source) > 0 ? Int.random(in: 0...100, using: &source) : nil
                    summary.outcome = CallOutcome.allCases.randomElement(using: &source) ?? .unknown
                    summary.issues = CallIssues(
                        [IssueKind.jitter, .delay, .jitter].filter { _ in Bool.random(using: &source) }.map {
                            CallIssue(kind: $0, severity: .notice, span: TimeSpan(start: at(0), end: at(0)))
                        })
                    summary.vary(using: &source)
                    return summary
                }
                try await store.commit(calls.map { .sample($0) })
                // Another tenant's are not counted.
                try await store.commit([.sample(.sample("0", tenant: TenantID(rawValue: "other")))])
                for sample in CallFilterSample.all {
                    var filter = CallFilter(now: at(152_000))
                    sample.set(&filter)
                    try await Self.check(store, filter)
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.all) func `nothing is counted where there is nothing`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            let fleet = try await store.fleet(CallFilter(now: at(0)))
            #expect(fleet == FleetSummary())
        }
    }

    @Test(arguments: StoreUnderTest.all) func `what was told under the id of a claimed session is no call`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            var call = RecordChange.sample(.sample("call"))
            call.claims = [
                SessionClaim(session: .sample("session"), key: .sample("call"), start: at(0), lastActivity: at(0))
            ]
            try await store.commit([.sample(.sample("session")), call])
            #expect(try await store.fleet(CallFilter(now: at(0))).calls == 1)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a ribbon has the least score of each part of a call`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            let scores = (0..<130).map { index in
                ScoreInterval(
                    series: .window, start: at(Int64(index) * 10_000), end: at(Int64(index + 1) * 10_000),
                    score: index == 77 ? 0 : index.isMultiple(of: 13) ? nil : 90)
            }
            let live = ScoreInterval(series: .live, start: at(0), end: at(5_000), score: 1)
            try await store.commit([
                .sample(.sample(.sample("long")), derived: .append([], scores + [live])), .sample(.sample("none")),
            ])
            let keys: [CallKey] = [.sample("long"), .sample("none"), .sample("gone")]
            let ribbons = try await store.ribbons(of: keys, parts: 60)
            #expect(ribbons.count == 2 && ribbons[.sample("none")]?.value.scores == [])
            let windows = scores.map { (start: $0.start, end: $0.end, score: $0.score) }
            #expect(ribbons[.sample("long")] == PartlyRead(ScoreRibbon(windows, parts: 60)))
            #expect(ribbons[.sample("long")]?.value.scores.contains(0) == true)
        }
    }
}
