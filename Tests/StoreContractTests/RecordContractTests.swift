import CallModel
import Testing

@Suite struct RecordContractTests {
    @Test(arguments: StoreUnderTest.allAndCluster) func `a store begins empty`(kind: StoreUnderTest) async throws {
        try await kind.run { store in
            let counts = try await store.counts()
            #expect(counts == StoreCounts(calls: 0, records: 0, facts: 0, tombstones: 0))
            #expect(try await store.calls(CallQuery(now: at(0))) == CallPage(calls: [], next: nil))
            #expect(try await store.records(of: .sample("call")).isEmpty)
            #expect(try await store.session(of: .sample("call")) == nil)
            #expect(try await store.record(.sample("call")) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `records come in order of attempt and observer`(
        kind: StoreUnderTest
    ) async throws {
        let keys = [("b", 1), ("a", 2), ("a", 1), ("c", 2)].map {
            CallKey.sample("call", observer: $0.0, attempt: $0.1)
        }
        let wanted = [("a", 1), ("b", 1), ("a", 2), ("c", 2)].map {
            CallKey.sample("call", observer: $0.0, attempt: $0.1)
        }
        try await kind.run { store in
            try await store.commit(keys.map { .sample($0) } + [.sample(.sample("another"))])
            #expect(try await store.records(of: .sample("call")).map(\.key) == wanted)
            #expect(try await store.summaries(of: .sample("call")).map(\.summary.key) == wanted)
            #expect(try await store.counts() == StoreCounts(calls: 3, records: 5, facts: 0, tombstones: 0))
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `records that are read together are as each by itself`(
        kind: StoreUnderTest
    ) async throws {
        let keys = (10..<30).map { CallKey.sample("call", observer: "client \($0)") }
        try await kind.run { store in
            try await store.commit(keys.map { .full($0) } + [.sample(.sample("another"))])
            let asked = keys + [.sample("another"), .sample("nowhere")]
            var alone: [CallRecord] = []
            for key in asked {
                if let record = try await store.record(key) { alone.append(record) }
            }
            #expect(try await store.records(asked) == alone)
            #expect(alone.map(\.summary.key) == keys + [.sample("another")])
            #expect(alone.map(\.others.count).prefix(20) == Array(repeating: 19, count: 20)[...])
            #expect(
                alone[0].otherIntervals.keys.sorted { $0.observer.rawValue < $1.observer.rawValue } == keys[1...16] + []
            )
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `a commit updates the record it names`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call")
        var summary = CallSummary.sample(key)
        try await kind.run { store in
            try await store.commit([.sample(summary, isDirty: true)])
            #expect(try await store.dirtyRecords(limit: 10) == [key])
            #expect(
                try await store.records(of: key.identity) == [
                    RecordHead(
                        key: key, start: at(0), lastActivity: at(60_000), hasEnded: false, isEvicted: false,
                        isDirty: true)
                ])
            summary.endedAt = at(70_000)
            summary.lastActivity = at(70_000)
            summary.score = 73
            summary.worstScore = 20
            summary.costs = [.loss: 20.5, .delay: 1e-9]
            summary.secondsByBand = [.fair: 10]
            summary.endReason = "9904 „weg“"
            summary.path.roundTripMilliseconds = .nan
            var change = RecordChange.sample(summary)
            change.session = [0, 255, 0]
            try await store.commit([change])
            #expect(try await store.dirtyRecords(limit: 10).isEmpty)
            #expect(try await store.session(of: key) == [0, 255, 0])
            #expect(
                try await store.records(of: key.identity) == [
                    RecordHead(
                        key: key, start: at(0), lastActivity: at(70_000), hasEnded: true, isEvicted: false,
                        isDirty: false)
                ])
            var stored = try #require(try await store.summaries(of: key.identity).first?.summary)
            #expect(stored.path.roundTripMilliseconds?.isNaN == true)
            (stored.path, summary.path) = (PathSummary(), PathSummary())
            #expect(stored == summary)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a call that its probe does not watch any more is over, not ended`(
        kind: StoreUnderTest
    ) async throws {
        let key = CallKey.sample("call", observer: "wire:caller")
        var summary = CallSummary.sample(key)
        summary.outcome = .notAnswered
        try await kind.run { store in
            for (watched, state) in [(nil, .live), (60_000, .ended), (59_999, .live), (99_000, .ended)]
                as [(Int64?, CallFilter.State)]
            {
                summary.sensor = SensorHealth(watchedUntil: watched.map(at))
                try await store.commit([.sample(summary)])
                var query = CallQuery(now: at(70_000))
                query.filter.state = state
                #expect(try await store.calls(query).calls.map(\.summary) == [summary])
                query.filter.state = state == .live ? .ended : .live
                #expect(try await store.calls(query).calls.isEmpty)
                query.filter.state = nil
                let outcome: CallOutcome = state == .live ? .unknown : .notAnswered
                #expect(try await store.fleet(query.filter).outcomes[outcome] == 1)
                // A later call under its id is none of another attempt for that.
                #expect(try await store.records(of: key.identity).map(\.hasEnded) == [false])
            }
            #expect(try await store.enforce(Retention(calls: 0), now: at(70_000)).evictedByCount == 1)
            #expect(try await store.records(of: key.identity).map(\.hasEnded) == [false])
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `dirty records are given out to the limit`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit((0..<5).map { .sample(.sample(.sample("call \($0)")), isDirty: $0 != 2) })
            #expect(try await store.dirtyRecords(limit: 3).count == 3)
            #expect(
                try await store.dirtyRecords(limit: 100).map(\.identity.call.rawValue).sorted()
                    == ["call 0", "call 1", "call 3", "call 4"])
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `a tenant sees nothing of another`(kind: StoreUnderTest)
        async throws
    {
        let other = TenantID(rawValue: "other")
        try await kind.run { store in
            try await store.commit([.full(.sample("call")), .full(.sample("call", tenant: other))])
            #expect(try await store.erase(.sample("call", tenant: other), now: at(0)) == 1)
            #expect(try await store.record(.sample("call", tenant: other)) == nil)
            #expect(try await store.facts(of: .sample("call")).count == 3)
            #expect(try await store.calls(CallQuery(tenant: other, now: at(0))).calls.isEmpty)
            #expect(try await store.calls(CallQuery(now: at(0))).calls.count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `one change that cannot be stored undoes the whole commit`(
        kind: StoreUnderTest
    ) async throws {
        var impossible = CallSummary.sample(.sample("third"))
        impossible.score = 101
        try await kind.run { [impossible] store in
            try await store.commit([.full(.sample("first"))])
            var second = RecordChange.full(.sample("first"))
            second.facts = [.event(.sample(77, "new"))]
            await #expect(throws: CallStoreError.self) {
                try await store.commit([second, .full(.sample("second")), .sample(impossible)])
            }
            #expect(try await store.facts(of: .sample("first")).count == 3)
            #expect(try await store.counts() == StoreCounts(calls: 1, records: 1, facts: 3, tombstones: 0))
        }
    }

    @Test(arguments: StoreUnderTest.allAndCluster) func `a reader sees whole commits only`(kind: StoreUnderTest)
        async throws
    {
        try await kind.run { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<60 {
                        let keys = ["A", "B"].map { CallKey.sample("call \(number)", observer: $0) }
                        try await store.commit(keys.map { .full($0) })
                    }
                }
                group.addTask {
                    for _ in 0..<200 {
                        let counts = try await store.counts()
                        #expect(counts.records == 2 * counts.calls)
                        #expect(counts.facts == 3 * counts.records)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
