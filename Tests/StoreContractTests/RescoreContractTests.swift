import CallModel
import Testing

/// How a store finds what is to be derived anew.
@Suite struct RescoreContractTests {
    private static func change(_ call: String, rules: Int, score: Int? = nil, isDirty: Bool = false) -> RecordChange {
        var summary = CallSummary.sample(.sample(call))
        (summary.rulesVersion, summary.score) = (rules, score)
        return .sample(summary, isDirty: isDirty)
    }

    private static let query = RescoreQuery(rulesVersion: 7)

    private static func outdated(
        _ store: any CallStore, _ query: RescoreQuery = query, before: Int64? = nil, limit: Int = 100
    ) async throws -> [String] {
        try await store.outdatedRecords(query, before: before, limit: limit).map(\.key.identity.call.rawValue)
    }

    @Test(arguments: StoreUnderTest.allAndCluster)
    func `records of other rules, and those that wait for a new fold, are outdated`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit([
                Self.change("old", rules: 6, score: 41), Self.change("new", rules: 7),
                Self.change("newer", rules: 8), Self.change("dirty", rules: 7, isDirty: true),
            ])
            let found = try await store.outdatedRecords(Self.query, before: nil, limit: 100)
            #expect(found.map(\.key) == [.sample("dirty"), .sample("newer"), .sample("old")])
            #expect(found.map(\.score) == [nil, nil, 41])
            #expect(found.map(\.number) == found.map(\.number).sorted(by: >))
            #expect(try await store.countOutdated(Self.query) == 3)
            try await store.commit([Self.change("old", rules: 7), Self.change("dirty", rules: 7)])
            #expect(try await Self.outdated(store) == ["newer"])
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `pages are the whole, whatever is derived in between`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit((0..<7).map { Self.change("c\($0)", rules: 1) })
            var found: [String] = []
            var last: Int64?
            while case let page = try await store.outdatedRecords(Self.query, before: last, limit: 3), !page.isEmpty {
                #expect(page.count <= 3)
                found += page.map(\.key.identity.call.rawValue)
                last = page.last?.number
                // The second of every page stays as it was.
                let done = page.enumerated().filter { $0.offset != 1 }.map(\.element.key.identity.call.rawValue)
                try await store.commit(done.map { Self.change($0, rules: 7) })
            }
            #expect(found == (0..<7).reversed().map { "c\($0)" })
            #expect(try await Self.outdated(store) == ["c5", "c2"])
            #expect(try await Self.outdated(store, limit: 0).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `calls that are named are the only ones`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            let other = TenantID(rawValue: "other")
            try await store.commit([
                Self.change("a", rules: 1), Self.change("b", rules: 1), Self.change("c", rules: 7),
                .sample(.sample("a", tenant: other)),
            ])
            let query = RescoreQuery(rulesVersion: 7, calls: [.sample("a"), .sample("c"), .sample("none")])
            #expect(try await store.outdatedRecords(query, before: nil, limit: 9).map(\.key) == [.sample("a")])
            #expect(try await store.countOutdated(query) == 1)
            let many = Set((0..<2_000).map { CallIdentity.sample("call \($0)") } + [.sample("b")])
            #expect(try await Self.outdated(store, RescoreQuery(rulesVersion: 7, calls: many)) == ["b"])
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `all records, or those of some calls, are marked`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit(["a", "b", "c"].map { Self.change($0, rules: 7) })
            try await store.markAllDirty([.sample("b"), .sample("none")])
            #expect(try await store.dirtyRecords(limit: 9) == [.sample("b")])
            #expect(try await Self.outdated(store) == ["b"])
            try await store.markAllDirty([])
            #expect(try await Self.outdated(store) == ["c", "b", "a"])
        }
    }
}
