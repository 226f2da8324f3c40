import CallModel
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

@Suite struct SQLiteOpeningTests {
    @Test func `a database that was closed opens with all it held, and leaves one file beside its lock`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            for number in 1...3 {
                let store = try SQLiteCallStore.open(path: path)
                #expect(try await store.counts().records == number - 1)
                try await store.commit([.full(.sample("call \(number)"))])
                try await store.close()
                #expect(try files(in: folder) == ["calls.sqlite", "calls.sqlite.lock"])
            }
        }
    }

    @Test func `what is acknowledged survives a power cut, and deleted rows give their space back`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            try await store.maintain { db in
                let settings = try ["journal_mode", "synchronous", "auto_vacuum", "foreign_keys"].map {
                    try String.fetchOne(db, sql: "PRAGMA \($0)")
                }
                // FULL and INCREMENTAL are 2.
                #expect(settings == ["wal", "2", "2", "1"])
            }
            try await store.close()
        }
    }

    @Test func `an empty file becomes a database`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            try Data().write(to: URL(filePath: path))
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            try await store.close()
        }
    }

    @Test func `a second writer is refused by name, whatever name it uses`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let alias = folder.appending(path: "alias.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: path)
            #expect(throws: CallStoreError.inUse(path)) { try SQLiteCallStore.open(path: path) }
            #expect(throws: CallStoreError.inUse(alias)) { try SQLiteCallStore.open(path: alias) }
            try await store.commit([.full(.sample("call"))])
            try await store.close()
            try await SQLiteCallStore.open(path: path).close()
        }
    }

    @Test func `a writer that is gone without closing leaves no lock and no loss`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            let crashed = try copyAsKilled(path, to: folder.appending(path: "crashed"))
            let survivor = try SQLiteCallStore.open(path: crashed)
            #expect(try await survivor.facts(of: .sample("call")).count == 3)
            try await survivor.close()
            try await store.close()
        }
    }

    /// Files that must be refused, and what the refusal says.
    enum Unfit: String, CaseIterable {
        case garbage, truncated, overwritten, unlisted, foreign, newer

        var reason: String {
            switch self {
            case .garbage: "it is not a SQLite database"
            case .truncated, .overwritten: "it is damaged"
            case .unlisted: "it is damaged: nothing says which version wrote it"
            case .foreign: "it is the database of another program"
            case .newer: "a newer sidetone wrote it"
            }
        }

        func make(_ path: String) async throws {
            switch self {
            case .garbage:
                try Data("These are no calls.".utf8 + Array(repeating: 7, count: 9000)).write(to: URL(filePath: path))
            case .foreign: try execute("CREATE TABLE record (id INTEGER)", path)
            case .newer:
                try await SQLiteCallStore.open(path: path).close()
                try execute("INSERT INTO grdb_migrations VALUES ('999 from the future')", path)
            case .unlisted:
                try await SQLiteCallStore.open(path: path).close()
                try execute("DELETE FROM grdb_migrations", path)
            case .truncated, .overwritten:
                let store = try SQLiteCallStore.open(path: path)
                for number in 0..<50 { try await store.commit([.full(.sample("call \(number)"))]) }
                try await store.close()
                let handle = try FileHandle(forUpdating: URL(filePath: path))
                let size = try handle.seekToEnd()
                if self == .truncated {
                    try handle.truncate(atOffset: size / 2)
                } else {
                    try handle.seek(toOffset: size / 8192 * 4096)
                    try handle.write(contentsOf: Data(repeating: 0xA5, count: 8192))
                }
                try handle.close()
            }
        }

        private func execute(_ sql: String, _ path: String) throws {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
        }
    }

    @Test(arguments: Unfit.allCases) func `an unfit file is refused with the reason and left as it is`(
        unfit: Unfit
    ) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "calls.sqlite")
            try await unfit.make(url.path)
            let before = try Data(contentsOf: url)
            let error = try #require(throws: CallStoreError.self) { try SQLiteCallStore.open(path: url.path) }
            #expect(error.description.hasPrefix("cannot open \(url.path): \(unfit.reason)"), "\(error)")
            #expect(try Data(contentsOf: url) == before)
            #expect(try files(in: folder).filter { !$0.hasSuffix(".lock") } == ["calls.sqlite"])
            // The refused store holds no lock.
            #expect(throws: error) { try SQLiteCallStore.open(path: url.path) }
        }
    }

    @Test func `a place where no file can be is refused`() async throws {
        try await withTemporaryFolder { folder in
            let missing = folder.appending(path: "none/calls.sqlite").path
            #expect(throws: CallStoreError.cannotOpen(missing, reason: "there is no directory \(folder.path)/none")) {
                try SQLiteCallStore.open(path: missing)
            }
            #expect(
                throws: CallStoreError.cannotOpen(
                    folder.path, reason: "it is a directory; the name of a file is expected")
            ) {
                try SQLiteCallStore.open(path: folder.path)
            }
            let left = try files(in: folder)
            #expect(left.isEmpty)
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let refusal = CallStoreError.cannotOpen(
                pipe, reason: "it is a device, a pipe or a socket; a file is expected")
            #expect(throws: refusal) { try SQLiteCallStore.open(path: pipe) }
            #expect(throws: refusal) { try DatabaseCheck(pipe) }
        }
    }

    @Test func `a full disk is said so, and the commit undone`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            try await store.commit([.full(.sample("first"))])
            try await store.maintain { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages + 4)")
            }
            let error = await #expect(throws: CallStoreError.self) {
                try await store.commit((0..<100).map { .full(.sample("call \($0)")) })
            }
            #expect(error?.description.contains("disk is full") == true)
            #expect(try await store.counts().records == 1)
            try await store.close()
        }
    }

    @Test func `a disk that is full of a copy is said so`() throws {
        let (source, target) = (try DatabaseQueue(), try DatabaseQueue())
        try source.write { db in try db.execute(sql: "CREATE TABLE t AS SELECT zeroblob(100000) AS x") }
        let error = #expect(throws: DatabaseError.self) {
            try source.read { db in
                try target.writeWithoutTransaction { copy in
                    _ = try Int.fetchOne(copy, sql: "PRAGMA max_page_count = 1")
                    try db.backup(to: copy)
                }
            }
        }
        let full = CallStoreError.unavailable(
            .diskFull, detail: "b.sqlite: database or disk is full (SQLite error 13)")
        #expect(error.map { CallStoreError($0, in: "b.sqlite") } == full)
    }
}

/// The names of the files in a folder, sorted.
func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

/// Copies a database that is being written, with the files SQLite keeps beside it: what a kill leaves behind.
func copyAsKilled(_ path: String, to folder: URL, without missing: String? = nil) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appending(path: "calls.sqlite").path
    for suffix in ["", "-wal", "-shm"] where suffix != missing {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
}
