import CallModel
import TestSupport
import Testing

@Suite struct ListingContractTests {
    /// Calls with few different starts and scores, and some without a score: ties everywhere.
    private static func calls(_ number: Int, using source: inout RandomSource, name: String) -> [CallSummary] {
        (0..<number).map { index in
            let start = at(Int64.random(in: 0..<6, using: &source) * 1000)
            var summary = CallSummary.sample(.sample("\(name) \(index)"), start: start)
            summary.score = Bool.random(using: &source) ? Int.random(in: 0...4, using: &source) * 25 : nil
            summary.outcome = CallOutcome.allCases.randomElement(using: &source) ?? .unknown
            summary.issues = CallIssues(
                [IssueKind.blackout, .packetLoss].filter { _ in Bool.random(using: &source) }.map {
                    CallIssue(kind: $0, severity: .warning, span: TimeSpan(start: start, end: start))
                })
            summary.endedAt = Bool.random(using: &source) ? summary.lastActivity : nil
            return summary
        }
    }

    /// Sorted as the contract says; `numbers` are the records' running numbers.
    private static func sorted(_ calls: [CallSummary], by sort: CallQuery.Sort) -> [String] {
        let ranked = calls.enumerated().map { (number, call) -> (Int64, Int, String) in
            let value: Int64 =
                switch sort {
                case .newest: -call.start.milliseconds
                case .oldest: call.start.milliseconds
                case .worst: call.score.map(Int64.init) ?? .max
                case .best: call.score.map { -Int64($0) } ?? .max
                }
            return (value, sort == .newest || sort == .best ? -number : number, call.key.identity.call.rawValue)
        }
        return ranked.sorted { $0 < $1 }.map(\.2)
    }

    private static func names(_ page: CallPage) -> [String] {
        page.calls.map(\.summary.key.identity.call.rawValue)
    }

    @Test(arguments: StoreUnderTest.all, CallQuery.Sort.allCases)
    func `pages of any size make up the whole list`(kind: StoreUnderTest, sort: CallQuery.Sort) async throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var source = RandomSource(seed: seed)
            let calls = Self.calls(40, using: &source, name: "call")
            try await kind.run { store in
                for call in calls { try await store.commit([.sample(call)]) }
                var names: [String] = []
                var query = CallQuery(sort: sort, now: at(0))
                repeat {
                    query.limit = Int.random(in: 1...7, using: &source)
                    let page = try await store.calls(query)
                    #expect(page.calls.count == query.limit || page.next == nil)
                    names += Self.names(page)
                    // Cursors travel as text.
                    query.cursor = page.next.flatMap { CallCursor($0.description) }
                } while query.cursor != nil
                #expect(names == Self.sorted(calls, by: sort), "seed \(seed)")
            }
        }
    }

    @Test(arguments: StoreUnderTest.all, CallQuery.Sort.allCases)
    func `calls that arrive between pages neither repeat nor hide another`(
        kind: StoreUnderTest, sort: CallQuery.Sort
    ) async throws {
        for seed in 11...14 as ClosedRange<UInt64> {
            var source = RandomSource(seed: seed)
            let calls = Self.calls(30, using: &source, name: "old")
            try await kind.run { store in
                for call in calls { try await store.commit([.sample(call)]) }
                var names: [String] = []
                var query = CallQuery(sort: sort, now: at(0))
                repeat {
                    query.limit = Int.random(in: 1...5, using: &source)
                    let page = try await store.calls(query)
                    names += Self.names(page)
                    query.cursor = page.next
                    let more = Self.calls(2, using: &source, name: "new \(names.count)")
                    try await store.commit(more.map { .sample($0) })
                } while query.cursor != nil && names.count < 500
                #expect(names.filter { $0.hasPrefix("old") } == Self.sorted(calls, by: sort), "seed \(seed)")
                #expect(Set(names).count == names.count)
            }
        }
    }

    @Test(arguments: StoreUnderTest.all) func `the last full page has no next`(kind: StoreUnderTest) async throws {
        try await kind.run { store in
            try await store.commit([.sample(.sample("a")), .sample(.sample("b"))])
            var query = CallQuery(limit: 2, now: at(0))
            #expect(try await store.calls(query).next == nil)
            query.limit = 0
            #expect(try await store.calls(query).calls.count == 1)
        }
    }

    /// Each filter as the store must apply it and as plain Swift says it.
    static let filters:
        [(name: String, set: @Sendable (inout CallQuery) -> Void, keeps: @Sendable (CallSummary) -> Bool)] =
            [
                ("none", { _ in }, { _ in true }),
                ("from", { $0.startedFrom = at(2000) }, { $0.start >= at(2000) }),
                ("before", { $0.startedBefore = at(2000) }, { $0.start < at(2000) }),
                ("minimum", { $0.minimumScore = 50 }, { ($0.score ?? -1) >= 50 }),
                ("maximum", { $0.maximumScore = 50 }, { ($0.score ?? 101) <= 50 }),
                ("outcome", { $0.outcome = .connected }, { $0.outcome == .connected }),
                (
                    "issue", { $0.issue = .packetLoss },
                    { $0.issues.all.contains { $0.kind == .packetLoss } }
                ),
                ("live", { $0.state = .live }, { $0.isLive(at: at(152_000)) }),
                ("ended", { $0.state = .ended }, { !$0.isLive(at: at(152_000)) }),
                (
                    "several",
                    {
                        $0.startedFrom = at(1000)
                        $0.maximumScore = 75
                        $0.state = .ended
                    }, { $0.start >= at(1000) && ($0.score ?? 101) <= 75 && !$0.isLive(at: at(152_000)) }
                ),
            ]

    @Test(arguments: StoreUnderTest.all, filters.indices)
    func `a filter keeps what it names`(kind: StoreUnderTest, filter: Int) async throws {
        let (name, set, keeps) = Self.filters[filter]
        var source = RandomSource(seed: 21)
        let calls = Self.calls(60, using: &source, name: "call")
        try await kind.run { store in
            for call in calls { try await store.commit([.sample(call)]) }
            for sort in CallQuery.Sort.allCases {
                var query = CallQuery(sort: sort, limit: 1000, now: at(152_000))
                set(&query)
                let wanted = Self.sorted(calls, by: sort).filter { name in
                    calls.contains { $0.key.identity.call.rawValue == name && keeps($0) }
                }
                #expect(Self.names(try await store.calls(query)) == wanted, "\(name), \(sort)")
                #expect(name == "none" || (1..<60).contains(wanted.count), "\(name) tests nothing")
            }
        }
    }
}
