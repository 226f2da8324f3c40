import CallModel
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

/// What a session that several calls share keeps of those that go.
@Suite struct SessionTrimTests {
    /// A call of a minute, which begins and ends; its session is told of twice.
    private func call(_ name: String, from start: Int64) -> (RecordChange, [Fact]) {
        let key = CallKey.sample(name)
        var change = RecordChange.sample(
            .sample(key, start: at(start), endedAt: at(start + 60_000)), facts: [.event(.sample(start, "callCreate"))])
        change.claims = [
            SessionClaim(
                session: .sample("session"), key: key, start: at(start), lastActivity: at(start + 60_000),
                isBegun: true, endedAt: at(start + 60_000))
        ]
        let told: [Fact] = [
            .report(.sample(start + 10_000)), .event(.sample(start + 20_000, "iceConnected", action: "iceState")),
        ]
        return (change, told)
    }

    /// Three calls one after another, and what was told of their session.
    private func fill(_ store: any CallStore) async throws -> [[Fact]] {
        let calls = [call("a", from: 0), call("b", from: 100_000), call("c", from: 200_000)]
        try await store.commit([.sample(.sample("session"), facts: calls.flatMap(\.1))] + calls.map(\.0))
        return calls.map(\.1)
    }

    @Test func `an erased call takes what its session holds of it, and of no other`() async throws {
        try await StoreUnderTest.sqlite.run { store in
            let told = try await fill(store)
            #expect(try await store.erase(.sample("b"), now: at(0)) == 1)
            #expect(try await store.facts(of: .sample("session")) == told[0] + told[2])
            #expect(try await store.dirtyRecords(limit: 10) == [.sample("session")])
            #expect(try await store.intervals(of: .sample("session")) == [])
            // It is not another's, should it come again.
            #expect(try await store.standing(of: .sample("session")).claims.count == 3)
            _ = try await store.erase(.sample("a"), now: at(0))
            _ = try await store.erase(.sample("c"), now: at(0))
            #expect(try await store.facts(of: .sample("session")) == [])
            #expect(try await store.standing(of: .sample("session")).claims == [])
        }
    }

    @Test func `what cannot be understood of the time of an erased call goes with it, for nobody can tell whose it is`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            let told = try await fill(store)
            try await store.maintain { db in
                try db.execute(
                    sql: "UPDATE report SET objects = x'78' WHERE time IN (?, ?)",
                    arguments: [at(110_000).milliseconds, at(210_000).milliseconds])
            }
            #expect(try await store.erase(.sample("b"), now: at(0)) == 1)
            let left = try await store.read { db in try Int64.fetchAll(db, sql: "SELECT time FROM report ORDER BY 1") }
            #expect(left == [at(10_000), at(210_000)].map(\.milliseconds))
            #expect(try await store.facts(of: .sample("session"), among: told[0].map(\.key)) == told[0])
            try await store.close()
        }
    }

    @Test func `a session of which nothing is left after an erasure goes on without a tombstone`() async throws {
        try await StoreUnderTest.sqlite.run { store in
            let (first, told) = call("a", from: 0)
            try await store.commit([
                .sample(.sample("session"), facts: told), first, call("b", from: 100_000).0,
            ])
            #expect(try await store.erase(.sample("a"), now: at(0)) == 1)
            #expect(try await store.records(of: .sample("session")) == [])
            try await store.commit([.sample(.sample("session"), facts: call("b", from: 100_000).1)])
            #expect(try await store.facts(of: .sample("session")).count == 2)
        }
    }

    @Test func `an evicted call takes what was told of its session before the calls that stay`() async throws {
        try await StoreUnderTest.sqlite.run { store in
            let told = try await fill(store)
            let report = try await store.enforce(Retention(calls: 1), now: at(600_000))
            #expect(report.evictedByCount == 2)
            #expect(try await store.facts(of: .sample("session")) == told[2])
            // The last that ended bounds what later calls have of the session.
            #expect(try await store.standing(of: .sample("session")).claims.map(\.key) == [.sample("b"), .sample("c")])
        }
    }
}
