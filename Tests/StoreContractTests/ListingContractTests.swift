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
            summary.vary(using: &source)
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
                case .worstStretch: call.worstScore.map(Int64.init) ?? .max
                case .slowestSetup: CallOutline(call).setupMilliseconds.map { -$0 } ?? .max
                case .active: -call.lastReceivedAt.milliseconds
                case .longest: -CallOutline(call).durationMilliseconds
                }
            let isDescending = ![.oldest, .worst, .worstStretch].contains(sort)
            return (value, isDescending ? -number : number, call.key.identity.call.rawValue)
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
                try await store.commit(calls.map { .sample($0) })
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
                try await store.commit(calls.map { .sample($0) })
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

    @Test(arguments: StoreUnderTest.all, CallFilterSample.all)
    func `a filter keeps what it names`(kind: StoreUnderTest, filter: CallFilterSample) async throws {
        var source = RandomSource(seed: 21)
        let calls = Self.calls(60, using: &source, name: "call")
        try await kind.run { store in
            try await store.commit(calls.map { .sample($0) })
            for sort in CallQuery.Sort.allCases {
                var query = CallQuery(sort: sort, limit: 1000, now: at(152_000))
                filter.set(&query.filter)
                let wanted = Self.sorted(calls, by: sort).filter { name in
                    calls.contains { $0.key.identity.call.rawValue == name && filter.keeps($0) }
                }
                #expect(Self.names(try await store.calls(query)) == wanted, "\(sort)")
                #expect(filter.name == "none" || (1..<60).contains(wanted.count), "it tests nothing")
            }
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a text is found in ids and names, as it is written`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            for id in ["100%", "100x", "a_b", "aXb", "Über!", "bang!!", "plain"] {
                try await store.commit([.sample(.sample(id))])
            }
            var named = RecordChange.sample(.sample("other"))
            named.names = [
                CallName(.header, "3c26-PBX_7", source: "X-Call-ID"),
                CallName(.reportedSSRC, "4711", source: "inbound-rtp"),
            ]
            named.claims = [
                SessionClaim(
                    session: .sample("conference 9"), key: .sample("other"), start: at(0), lastActivity: at(0))
            ]
            try await store.commit([named])
            let found: [(String, Set<String>)] = [
                ("100%", ["100%"]), ("a_b", ["a_b"]), ("A_B", ["a_b"]), ("!", ["Über!", "bang!!"]), ("!!", ["bang!!"]),
                ("Über", ["Über!"]), ("u\u{308}ber", []), ("U\u{308}ber", ["Über!"]), ("pbx_", ["other"]),
                ("conference", ["other"]), ("4711", []), ("nothing", []), ("'", []), ("l", ["plain"]),
            ]
            for (text, wanted) in found {
                var query = CallQuery(now: at(0))
                query.filter.text = text
                #expect(Set(Self.names(try await store.calls(query))) == wanted, "\(text)")
            }
        }
    }
}
