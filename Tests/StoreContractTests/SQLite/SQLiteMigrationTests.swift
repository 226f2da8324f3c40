import CallModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteStore

/// Databases that earlier versions wrote are opened and brought up to date.
@Suite struct SQLiteMigrationTests {
    /// A store on a database with `rows` that was last opened when `migration` was the newest.
    private func store(in folder: URL, asOf migration: String, _ rows: String) async throws -> SQLiteCallStore {
        let path = folder.appending(path: "calls.sqlite").path
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: migration)
        try await queue.write { try $0.execute(sql: rows) }
        try queue.close()
        return try SQLiteCallStore.open(path: path)
    }

    /// A call with a session, the session, and a call without one.
    private static let first = """
        INSERT INTO record (id, tenant, callId, observer, attempt, start, lastActivity, lastReceivedAt, outcome, isDirty,
            rulesVersion, summary, session)
        SELECT number, 'default', name, 'client', 1, 1000, 9000, 9000, 'unknown', 0, 1, '{}', x'00'
        FROM (SELECT 1 AS number, 'call' AS name UNION SELECT 2, 'session' UNION SELECT 3, 'plain');
        INSERT INTO event (recordId, time, rank, action, type, receivedAt, members, isContradicted) VALUES
            (1, 1000, 0, 'callMetric', 'callCreate', 1000, '{"sessionId":"session"}', 0),
            (1, 2000, 6, 'callMetric', 'callRinging', 2000, '{"sessionId":"session"}', 0),
            (1, 9000, 6, 'callState', 'ENDED', 9000, '{}', 0),
            (2, 5000, 6, 'connection', 'onConnectionLost', 5000, '{"sessionId":"session"}', 0),
            (3, 5000, 6, 'callMetric', 'callCreate', 5000, '{"sessionId":7}', 0);
        """

    @Test func `calls of the first schema are kept, and their events tell their sessions`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await store(
                in: folder, asOf: "1 records, facts, derived rows and tombstones", Self.first)
            #expect(try await store.counts() == StoreCounts(calls: 2, records: 3, facts: 5, tombstones: 0))
            let claim = SessionClaim(
                session: .sample("session"), key: .sample("call"), start: Timestamp(milliseconds: 1000),
                lastActivity: Timestamp(milliseconds: 9000), isBegun: true, endedAt: Timestamp(milliseconds: 9000))
            #expect(try await store.links(of: .sample("call")) == RecordLinks(claims: [claim]))
            #expect(try await store.standing(of: .sample("session")).claims == [claim])
            #expect(try await store.dirtyRecords(limit: 10) == [.sample("call"), .sample("session")])
            try await store.close()
        }
    }

    /// A score as the second schema kept it.
    private static let score = """
        INSERT INTO score (recordId, series, start, time, score, costs, missing, heldSeconds, isEmitted)
        VALUES (3, 'window', 1000, 9000, 77, '{}', '[]', 0, 0);
        """

    @Test func `scores of before there were ratings are kept, without one`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await store(in: folder, asOf: "2 names and sessions", Self.first + Self.score)
            let score = ScoreInterval(
                series: .window, start: Timestamp(milliseconds: 1000), end: Timestamp(milliseconds: 9000), score: 77)
            #expect(try await store.scores(of: .sample("plain"), series: .window) == [score])
            #expect(score.rating == nil)
            try await store.close()
        }
    }

    /// Every row of `outline`, as text.
    private func outlines(_ store: SQLiteCallStore) async throws -> [String] {
        try await store.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM outline ORDER BY recordId").map(\.description)
        }
    }

    @Test func `calls of before there were outlines get those that they would have today`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            for seed in 1...3 as ClosedRange<UInt64> {
                var source = RandomSource(seed: seed)
                for index in 0..<60 {
                    var summary = CallSummary.sample(.sample("\(seed) \(index)"))
                    summary.score = Bool.random(using: &source) ? 40 : nil
                    summary.vary(using: &source)
                    // No summary of that time told it.
                    summary.client = nil
                    summary.endedAt = Bool.random(using: &source) ? summary.start.advanced(byMilliseconds: 1_500) : nil
                    summary.costs[.late] = Bool.random(using: &source) ? .infinity : nil
                    summary.issues = CallIssues(
                        [IssueKind.jitter, .delay, .jitter].map {
                            CallIssue(kind: $0, severity: .notice, span: TimeSpan(start: at(0), end: at(0)))
                        })
                    try await store.commit([.sample(summary)])
                }
            }
            let written = try await outlines(store)
            try await store.write { db in
                try db.execute(sql: "DELETE FROM outline")
                try db.execute(sql: Schema.earlierOutlines)
            }
            #expect(try await outlines(store) == written)
            #expect(written.count == 180)
            try await store.close()
        }
    }

    @Test(arguments: EarlierDatabase.allCases) func `the calls of earlier versions are counted as they are listed`(
        database: EarlierDatabase
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "calls.sqlite")
            try database.write(to: file)
            let store = try SQLiteCallStore.open(path: file.path)
            var tally = FleetTally()
            let later = at(366 * 86_400_000)
            for call in try await store.calls(CallQuery(now: later)).calls { tally.add(CallOutline(call.summary)) }
            #expect(try await store.fleet(CallFilter(now: later)) == tally.summary)
            #expect(tally.summary.calls == 3)
            try await store.close()
        }
    }
}
