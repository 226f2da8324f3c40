import CallModel
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

@Suite struct SQLiteSchemaTests {
    private static let tables = [
        "claim", "derived", "earlierInterval", "earlierScore", "event", "fold", "joinedEvent", "name", "outbox",
        "outboxAside", "outboxState", "outline", "record", "report", "tombstone", "wireReport",
    ]

    private func withDatabase(_ body: (SQLiteCallStore) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            try await body(store)
            try await store.close()
        }
    }

    @Test func `the migrations make strict tables out of nothing`() async throws {
        try await withDatabase { store in
            let strict = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT name FROM pragma_table_list
                        WHERE type = 'table' AND strict AND schema = 'main' ORDER BY name
                        """)
            }
            #expect(strict == Self.tables)
        }
    }

    /// Changes to a sound row that make it impossible.
    static let impossible = [
        "UPDATE record SET score = 101", "UPDATE record SET score = -1", "UPDATE record SET worstScore = 200",
        "UPDATE record SET outcome = 'fine'", "UPDATE record SET attempt = 0", "UPDATE record SET callId = ''",
        "UPDATE record SET lastActivity = start - 1", "UPDATE record SET isDirty = 2",
        "UPDATE record SET summary = NULL", "UPDATE record SET start = 'yesterday'",
        "UPDATE fold SET state = 'text'", "UPDATE fold SET recordId = 99",
        "INSERT INTO record SELECT NULL, tenant, callId, observer, attempt, start, lastActivity, lastReceivedAt, endedAt,"
            + " score, worstScore, outcome, isDirty, rulesVersion, summary, standsAlone FROM record",
        "UPDATE report SET recordId = 99", "UPDATE report SET objects = '[]'", "UPDATE event SET isContradicted = 7",
        "UPDATE event SET recordId = 99", "UPDATE wireReport SET recordId = 99",
        "UPDATE wireReport SET content = '{}'", "UPDATE wireReport SET isContradicted = 2",
        "UPDATE derived SET last = first - 1", "UPDATE derived SET content = NULL",
        "UPDATE derived SET content = x'00'", "UPDATE derived SET recordId = 99",
        "UPDATE name SET kind = 'nickname'", "UPDATE name SET name = ''", "UPDATE name SET recordId = 99",
        "UPDATE claim SET session = callId", "UPDATE claim SET lastActivity = start - 1",
        "UPDATE claim SET isBegun = 2", "UPDATE claim SET attempt = 0", "UPDATE joinedEvent SET eventId = 99",
        "UPDATE joinedEvent SET recordId = 99", "UPDATE record SET standsAlone = 2",
        "UPDATE outline SET score = 101", "UPDATE outline SET worstScore = -1", "UPDATE outline SET outcome = 'fine'",
        "UPDATE outline SET setupMilliseconds = -1", "UPDATE outline SET durationMilliseconds = -1",
        "UPDATE outline SET isRelayed = 2", "UPDATE outline SET codecs = NULL", "UPDATE outline SET recordId = 99",
    ]

    @Test(arguments: impossible) func `the schema refuses what cannot be`(statement: String) async throws {
        try await withDatabase { store in
            try await store.commit([.full(.sample("call"))])
            let error = await #expect(throws: CallStoreError.self) {
                try await store.write { try $0.execute(sql: statement) }
            }
            #expect(error?.description.contains("refused a value") == true, "\(statement)")
        }
    }

    @Test func `figures this version does not know are passed over, and what is no object is told`() async throws {
        try await withDatabase { store in
            try await store.commit([.full(.sample("call"))])
            try await store.write {
                try $0.execute(
                    sql: """
                        UPDATE derived SET content = json_set(content, '$.metrics',
                        json('["fecPercent","novel","ect1Percent"]'), '$.intervals[0][30]', json('[1.5,2,null]'))
                        """)
            }
            #expect(try await store.intervals(of: .sample("call")).map(\.metrics) == [[.fecPercent: 1.5]])
            try await store.write { try $0.execute(sql: "UPDATE derived SET content = '{\"metrics\":[]}'") }
            let error = await #expect(throws: CallStoreError.self) { try await store.intervals(of: .sample("call")) }
            #expect(error?.description.contains("derived rows of a record") == true)
        }
    }

    @Test func `erasing a call reaches every table`() async throws {
        try await withDatabase { store in
            try await store.commit([.full(.sample("call", observer: "A")), .full(.sample("call", observer: "B"))])
            #expect(try await rows(store) == [2, 2, 0, 0, 2, 2, 2, 2, 0, 0, 0, 2, 2, 2, 0, 2])
            #expect(try await store.erase(.sample("call"), now: at(0)) == 2)
            #expect(try await rows(store) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])
            // Nothing of it is left in other places either, but the tombstones.
            let tables = try await store.read { db in
                try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            }
            #expect(Set(tables) == Set(Self.tables + ["grdb_migrations"]), "a new table is not tested")
        }
    }

    private func rows(_ store: SQLiteCallStore) async throws -> [Int] {
        try await store.read { db in
            try Self.tables.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? -1 }
        }
    }

    @Test func `lists and lookups use an index`() async throws {
        try await withDatabase { store in
            for sort in ["start", "coalesce(score, 101)", "coalesce(score, -1)"] {
                let plan = try await store.read { db in
                    try Row.fetchAll(
                        db,
                        sql: """
                            EXPLAIN QUERY PLAN SELECT summary FROM record WHERE tenant = 't' AND (\(sort), id) > (1, 2)
                            ORDER BY \(sort), id LIMIT 50
                            """
                    ).map { $0["detail"] as String }
                }
                #expect(plan.count == 1 && plan[0].contains("USING INDEX"), "\(plan)")
            }
        }
    }

    @Test func `space is given back when much is free`() async throws {
        try await withDatabase { store in
            try await store.commit([.sample("call", megabytes: 48)])
            let before = try await pages(store)
            _ = try await store.erase(.sample("call"), now: at(0))
            #expect(before > 12_000)
            #expect(try await pages(store) < before - 4000)
        }
    }

    private func pages(_ store: SQLiteCallStore) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }
}

extension RecordChange {
    fileprivate static func sample(_ call: String, megabytes: Int) -> RecordChange {
        var change = sample(.sample(call))
        change.session = Array(repeating: 7, count: megabytes << 20)
        return change
    }
}
