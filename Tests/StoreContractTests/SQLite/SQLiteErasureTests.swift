import CallModel
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

/// What is left of an erased call in the files.
@Suite struct SQLiteErasureTests {
    private static let id = "erase-me-7f3a"

    /// Every row of every table in which some column holds the id.
    private static func traces(_ store: SQLiteCallStore) async throws -> [String] {
        try await store.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            return try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").filter { row in
                    row.databaseValues.contains { "\($0)".contains(id) }
                }.map { _ in table }
            }
        }
    }

    /// All of a call, with text too short to be compressed beyond recognition.
    private static var marked: RecordChange {
        var change = RecordChange.full(.sample(id))
        change.facts.append(.event(.sample(2000, "iceConnected", members: ["reason": "marker-of-the-event"])))
        return change
    }

    @Test func `no table holds the id but the tombstone, which holds nothing that was told`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            let key = CallKey.sample(Self.id)
            var change = Self.marked
            // A fold and summary that changed since.
            change.session = Array("marker-of-the-fold".utf8)
            // Another call takes part in the same session, so the session stays, and with it who claimed it.
            let other = RecordChange.full(.sample("other"))
            try await store.commit([.sample(.sample("session")), other, change])
            change.session = Array(String(repeating: "marker-of-the-fold", count: 2_000).utf8)
            change.facts = []
            change.derived = .append([], [])
            try await store.commit([change])
            change.session = [1]
            try await store.commit([change])
            let before = Set(try await Self.traces(store))
            #expect(before.isSuperset(of: ["record", "claim"]))

            #expect(try await store.erase(key.identity, now: at(0)) == 1)
            #expect(try await Self.traces(store) == ["tombstone"])
            let columns = try await store.read { try $0.columns(in: "tombstone").map(\.name) }
            #expect(
                columns == [
                    "id", "tenant", "callId", "observer", "attempt", "start", "lastActivity", "hasEnded", "evictedAt",
                ])
            #expect(try await store.standing(of: .sample("session")).claims.count == 2)
            try await store.close()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let bytes = try Data(contentsOf: folder.appending(path: name))
                for marker in ["marker-of-the-event", "marker-of-the-fold"] {
                    #expect(bytes.range(of: Data(marker.utf8)) == nil, "\(marker) in \(name)")
                }
            }
        }
    }

    @Test func `what a reader holds up in the log goes from there once the reader is gone`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            let key = CallKey.sample(Self.id)
            try await store.commit([Self.marked])
            let others = try DatabasePool(path: path)
            let reader = try others.makeSnapshot()

            #expect(try await store.erase(key.identity, now: at(0)) == 1)
            await store.emptyLogIfOwed()
            #expect(try Self.isIn(path + "-wal", "marker-of-the-event"))
            // As after a crash.
            let left = folder.appending(path: "left.sqlite").path
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: left + suffix)
            }
            try reader.close()
            try await store.commit([.sample(.sample("other"))])
            await store.emptyLogIfOwed()
            #expect(try Data(contentsOf: URL(filePath: path + "-wal")).isEmpty)
            #expect(try !Self.isIn(path, "marker-of-the-event"))
            try others.close()
            try await store.close()

            let next = try SQLiteCallStore.open(path: left)
            await next.emptyLogIfOwed()
            #expect(try Data(contentsOf: URL(filePath: left + "-wal")).isEmpty)
            #expect(try !Self.isIn(left, "marker-of-the-event"))
            try await next.close()
        }
    }

    private static func isIn(_ path: String, _ marker: String) throws -> Bool {
        try Data(contentsOf: URL(filePath: path)).range(of: Data(marker.utf8)) != nil
    }
}
