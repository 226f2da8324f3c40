import CallModel
import Testing

@Suite struct RetentionContractTests {
    /// Seen by both ends, ended, last heard of at `minute`.
    private func ended(_ name: String, minute: Int64, attempt: Int = 1) -> [RecordChange] {
        ["A", "B"].map { observer in
            let key = CallKey.sample(name, observer: observer, attempt: attempt)
            var change = RecordChange.full(key)
            change.summary = .sample(key, start: at((minute - 1) * 60_000), endedAt: at(minute * 60_000))
            return change
        }
    }

    /// Seen by one end, not ended, last heard of at `minute`.
    private func open(_ name: String, minute: Int64) -> RecordChange {
        .sample(.sample(.sample(name), start: at((minute - 1) * 60_000)))
    }

    private func names(_ store: any CallStore) async throws -> Set<String> {
        Set(try await store.calls(CallQuery(limit: 1000, now: at(0))).calls.map(\.summary.key.identity.call.rawValue))
    }

    @Test(arguments: StoreUnderTest.all, [(5, 4), (4, 4), (3, 3), (0, 0)])
    func `whole calls beyond the number go, least recently active first`(
        kind: StoreUnderTest, limit: (keep: Int, kept: Int)
    ) async throws {
        // Minutes of last activity are not the order of arrival.
        let calls = [("c", 3), ("a", 1), ("d", 4), ("b", 2)].flatMap { ended($0.0, minute: $0.1) }
        try await kind.run { store in
            try await store.commit(calls)
            let report = try await store.enforce(Retention(calls: limit.keep), now: at(600_000))
            #expect(report == RetentionReport(evictedByCount: 4 - limit.kept, evictedByAge: 0, keptLive: 0))
            #expect(try await names(store) == Set(["d", "c", "b", "a"].prefix(limit.kept)))
            let evicted = 2 * (4 - limit.kept)
            #expect(
                try await store.counts()
                    == StoreCounts(
                        calls: limit.kept, records: 2 * limit.kept, facts: 6 * limit.kept, tombstones: evicted))
        }
    }

    @Test(arguments: StoreUnderTest.all) func `it knows when it last received anything`(kind: StoreUnderTest)
        async throws
    {
        try await kind.run { store in
            #expect(try await store.latestReceipt() == nil)
            var late = open("late", minute: 1)
            late.summary.lastReceivedAt = at(90_000)
            var early = open("early", minute: 5)
            early.summary.lastReceivedAt = at(70_000)
            try await store.commit([late, early])
            #expect(try await store.latestReceipt() == at(90_000))
        }
    }

    /// To decide and to remove are two steps, between which others write. What was heard of in the second minute stays.
    @Test func `what comes for calls while the retention goes over them is stored whole or refused`() async throws {
        let names = (0..<300).map { "call \($0)" }
        try await StoreUnderTest.sqlite.run { store in
            for name in names { try await store.commit(ended(name, minute: 1)) }
            let retention = Retention(calls: 1_000, milliseconds: 90_000)
            async let enforced = store.enforce(retention, now: at(180_000))
            var stored: Set<String> = []
            for name in names.reversed() where (try? await store.commit(ended(name, minute: 2))) != nil {
                stored.insert(name)
            }
            #expect(try await enforced.evictedByAge == names.count - stored.count)
            #expect(try await self.names(store) == stored)
            for name in stored {
                #expect(try await store.facts(of: .sample(name, observer: "A")).count == 3)
            }
        }
    }

    @Test(arguments: StoreUnderTest.all) func `an evicted call leaves its tombstones and nothing else`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit(ended("old", minute: 1) + ended("new", minute: 2))
            _ = try await store.enforce(Retention(calls: 1), now: at(600_000))
            #expect(
                try await store.records(of: .sample("old"))
                    == ["A", "B"].map {
                        RecordHead(
                            key: .sample("old", observer: $0), start: at(0), lastActivity: at(60_000), hasEnded: true,
                            isEvicted: true, isDirty: false)
                    })
            #expect(try await store.facts(of: .sample("old", observer: "A")).isEmpty)
            #expect(try await store.summaries(of: .sample("old")).isEmpty)
            await #expect(throws: CallStoreError.self) {
                try await store.commit(ended("old", minute: 1))
            }
            // A new attempt of the same identifier is another call.
            try await store.commit(ended("old", minute: 3, attempt: 2))
            #expect(
                try await store.records(of: .sample("old")).map { [$0.key.attempt, $0.isEvicted ? 0 : 1] }
                    == [[1, 0], [1, 0], [2, 1], [2, 1]])
        }
    }

    @Test(arguments: StoreUnderTest.all) func `a live call stays, and an idle one goes in its place`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            // "silent" was never ended, but is not heard of any more; "half" is live at one end.
            try await store.commit([open("live", minute: 9), open("silent", minute: 1)])
            try await store.commit([open("half", minute: 9)] + ended("half", minute: 9) + ended("done", minute: 10))
            let now = at(10 * 60_000)
            #expect(
                try await store.enforce(Retention(calls: 3), now: now)
                    == RetentionReport(evictedByCount: 1, evictedByAge: 0, keptLive: 0))
            #expect(try await names(store) == ["live", "half", "done"])
            #expect(
                try await store.enforce(Retention(calls: 1, milliseconds: 1000), now: now)
                    == RetentionReport(evictedByCount: 1, evictedByAge: 0, keptLive: 2))
            #expect(try await names(store) == ["live", "half"])
        }
    }

    @Test(arguments: StoreUnderTest.all) func `six calls at once outlive a limit of five until one ends`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            let retention = Retention(calls: 5)
            try await store.commit((1...6).map { open("call \($0)", minute: 1) })
            #expect(
                try await store.enforce(retention, now: at(90_000))
                    == RetentionReport(evictedByCount: 0, evictedByAge: 0, keptLive: 1))
            var over = open("call 4", minute: 1)
            over.summary.endedAt = at(60_000)
            try await store.commit([over])
            #expect(
                try await store.enforce(retention, now: at(90_000))
                    == RetentionReport(evictedByCount: 1, evictedByAge: 0, keptLive: 0))
            #expect(try await names(store) == ["call 1", "call 2", "call 3", "call 5", "call 6"])
        }
    }

    @Test(arguments: StoreUnderTest.all) func `calls of too great an age go, over all tenants`(
        kind: StoreUnderTest
    ) async throws {
        let other = CallKey.sample("other", tenant: TenantID(rawValue: "other"))
        try await kind.run { store in
            try await store.commit(
                ended("a", minute: 1) + ended("b", minute: 2) + [.sample(.sample(other, endedAt: at(0)))])
            let retention = Retention(calls: 100, milliseconds: 60_000)
            #expect(
                try await store.enforce(retention, now: at(179_999))
                    == RetentionReport(evictedByCount: 0, evictedByAge: 2, keptLive: 0))
            #expect(try await store.counts().calls == 1)
            #expect(
                try await store.enforce(retention, now: at(180_000))
                    == RetentionReport(evictedByCount: 0, evictedByAge: 1, keptLive: 0))
            #expect(try await store.counts().calls == 0)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `many calls go in one enforcement`(kind: StoreUnderTest) async throws {
        try await kind.run { store in
            try await store.commit((0..<350).flatMap { ended("call \($0)", minute: Int64($0)) })
            #expect(
                try await store.enforce(Retention(calls: 20, milliseconds: 600_000), now: at(349 * 60_000))
                    == RetentionReport(evictedByCount: 330, evictedByAge: 10, keptLive: 0))
            #expect(try await store.counts() == StoreCounts(calls: 10, records: 20, facts: 60, tombstones: 680))
        }
    }

    @Test(arguments: StoreUnderTest.all) func `erasing takes all records of a call, live or not`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.run { store in
            try await store.commit(
                ended("call", minute: 1) + ended("call", minute: 2, attempt: 2) + ended("other", minute: 1)
                    + [open("live", minute: 1)])
            #expect(try await store.erase(.sample("call"), now: at(60_000)) == 4)
            #expect(try await store.erase(.sample("call"), now: at(60_000)) == 0)
            #expect(try await store.erase(.sample("live"), now: at(60_000)) == 1)
            #expect(try await store.erase(.sample("nobody"), now: at(60_000)) == 0)
            #expect(try await store.records(of: .sample("call")).map(\.isEvicted) == [true, true, true, true])
            #expect(try await store.records(of: .sample("live")).map(\.hasEnded) == [false])
            #expect(try await store.counts() == StoreCounts(calls: 1, records: 2, facts: 6, tombstones: 5))
        }
    }
}
