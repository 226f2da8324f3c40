import CallModel
import Foundation
import Testing

@testable import SQLiteStore

/// Backups and what is restored from them: what lies beside them, and who may read them.
@Suite struct SQLiteCopyTests {
    /// Makes a database with one call in it, closed.
    private static func makeDatabase(_ path: String, call: String = "call") async throws {
        let store = try SQLiteCallStore.open(path: path)
        try await store.commit([.full(.sample(call))])
        try await store.close()
    }

    /// Makes what a kill leaves behind of a database: with a call in the file, and another in the log beside it.
    private static func makeKilled(in folder: URL) async throws -> String {
        let path = folder.appending(path: "running.sqlite").path
        try await makeDatabase(path)
        let store = try SQLiteCallStore.open(path: path)
        try await store.commit([.full(.sample("in the log"))])
        let killed = try copyAsKilled(path, to: folder.appending(path: "killed"))
        try await store.close()
        return killed
    }

    private static func isSound(_ path: String, calls: Int) throws -> Bool {
        let check = try DatabaseCheck(path)
        return check.isSound && check.contents?.counts.calls == calls
    }

    @Test func `a backup that takes the place of another is not read with the log of that one`() async throws {
        try await withTemporaryFolder { folder in
            let backup = try await Self.makeKilled(in: folder)
            let database = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: database)
            for number in 0..<50 { try await store.commit([.full(.sample("call \(number)"))]) }
            try await store.close()
            _ = try SQLiteCallStore.backUp(database, to: backup, replacing: true)
            #expect(try files(in: folder.appending(path: "killed")) == ["calls.sqlite"])
            #expect(try Self.isSound(backup, calls: 50))
        }
    }

    @Test func `a database whose log is taken away has in itself what was in the log`() async throws {
        try await withTemporaryFolder { folder in
            let killed = try await Self.makeKilled(in: folder)
            try DatabaseFile(killed).removeLog()
            #expect(try files(in: folder.appending(path: "killed")) == ["calls.sqlite"])
            #expect(try Self.isSound(killed, calls: 2))
        }
    }

    @Test func `a backup does not come beside the log of a file that is gone unless it may replace it`() async throws {
        try await withTemporaryFolder { folder in
            let backup = try await Self.makeKilled(in: folder)
            let database = folder.appending(path: "calls.sqlite").path
            try await Self.makeDatabase(database)
            try FileManager.default.removeItem(atPath: backup)
            let log = try Data(contentsOf: URL(filePath: backup + "-wal"))
            #expect(
                throws: CallStoreError.cannotOpen(
                    backup + "-wal", reason: "there is such a file; --replace writes over it")
            ) {
                try SQLiteCallStore.backUp(database, to: backup, replacing: false)
            }
            #expect(try Data(contentsOf: URL(filePath: backup + "-wal")) == log)
            _ = try SQLiteCallStore.backUp(database, to: backup, replacing: true)
            #expect(try files(in: folder.appending(path: "killed")) == ["calls.sqlite"])
            #expect(try Self.isSound(backup, calls: 1))
        }
    }

    @Test(arguments: [nil, Data()])
    func `the log of a database that is gone or empty is kept as it is by what is restored there`(
        left: Data?
    ) async throws {
        try await withTemporaryFolder { folder in
            let database = try await Self.makeKilled(in: folder)
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(backup)
            let moved = folder.appending(path: "moved.sqlite").path
            try FileManager.default.moveItem(atPath: database, toPath: moved)
            try left?.write(to: URL(filePath: database))
            let restored = try SQLiteCallStore.restore(backup, to: database, keepingAsideAs: "before")
            #expect(restored.keptAside == nil)
            #expect(restored.keptLog == database + ".before-wal")
            #expect(
                try files(in: folder.appending(path: "killed")) == [
                    "calls.sqlite", "calls.sqlite.before-shm", "calls.sqlite.before-wal", "calls.sqlite.lock",
                ])
            #expect(try Self.isSound(database, calls: 1))
            // With the file that it belongs to it has its call.
            try FileManager.default.moveItem(atPath: database + ".before-wal", toPath: moved + "-wal")
            #expect(try Self.isSound(moved, calls: 2))
        }
    }

    @Test func `a database is not set aside under a name beside which there is a log`() async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            for path in [database, backup] { try await Self.makeDatabase(path) }
            try Data([1]).write(to: URL(filePath: database + ".before-wal"))
            let reason = "there is such a file already; wait a second"
            #expect(throws: CallStoreError.cannotOpen(database + ".before-wal", reason: reason)) {
                try SQLiteCallStore.restore(backup, to: database, keepingAsideAs: "before")
            }
            #expect(
                try files(in: folder) == [
                    "backup.sqlite", "backup.sqlite.lock", "calls.sqlite", "calls.sqlite.before-wal",
                    "calls.sqlite.lock",
                ])
            #expect(try Self.isSound(database, calls: 1))
        }
    }

    @Test func `a database that has another name elsewhere is restored, and kept, where it is`() async throws {
        try await withTemporaryFolder { folder in
            let disk = folder.appending(path: "disk")
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
            let (database, backup) = (
                disk.appending(path: "calls.sqlite").path, disk.appending(path: "backup.sqlite").path
            )
            for path in [database, backup] { try await Self.makeDatabase(path) }
            let alias = folder.appending(path: "alias.sqlite").path
            try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: database)
            let restored = try SQLiteCallStore.restore(backup, to: alias, keepingAsideAs: "before")
            #expect(restored.keptAside == database + ".before")
            #expect(try files(in: folder) == ["alias.sqlite", "disk"])
            #expect(
                try files(in: disk) == [
                    "backup.sqlite", "backup.sqlite.lock", "calls.sqlite", "calls.sqlite.before", "calls.sqlite.lock",
                ])
        }
    }

    @Test func `of a backup that cannot take the place of a file nothing is left`() async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(database)
            try Data("yesterday".utf8).write(to: URL(filePath: backup))
            // What cannot be removed as a log.
            let fault = backup + "-wal"
            try FileManager.default.createDirectory(atPath: fault, withIntermediateDirectories: false)
            #expect(throws: CallStoreError.failed("\(fault) cannot be removed: Is a directory")) {
                try SQLiteCallStore.backUp(database, to: backup, replacing: true)
            }
            #expect(
                try files(in: folder) == ["backup.sqlite", "backup.sqlite-wal", "calls.sqlite", "calls.sqlite.lock"])
            #expect(try Data(contentsOf: URL(filePath: backup)) == Data("yesterday".utf8))
        }
    }

    @Test func `of two backups to one new file at a time one is refused by name, and the other is whole`() async throws
    {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(database)
            var refusals: [CallStoreError?] = []
            _ = try SQLiteCallStore.backUp(database, to: backup, replacing: false) { _, _ in
                refusals.append(
                    #expect(throws: CallStoreError.self) {
                        try SQLiteCallStore.backUp(database, to: backup, replacing: true)
                    })
            }
            #expect(refusals == [.cannotOpen(backup, reason: "another sidetone is copying to it")])
            #expect(try files(in: folder) == ["backup.sqlite", "calls.sqlite", "calls.sqlite.lock"])
            #expect(try Self.isSound(backup, calls: 1))
        }
    }

    @Test func `a backup does not take the place of one that came while it was made`() async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(database)
            let other = Data("another backup".utf8)
            let reason = "there is such a file; --replace writes over it"
            #expect(throws: CallStoreError.cannotOpen(backup, reason: reason)) {
                try SQLiteCallStore.backUp(database, to: backup, replacing: false) { _, _ in
                    try? other.write(to: URL(filePath: backup))
                }
            }
            #expect(try files(in: folder) == ["backup.sqlite", "calls.sqlite", "calls.sqlite.lock"])
            #expect(try Data(contentsOf: URL(filePath: backup)) == other)
        }
    }

    @Test func `what a killed run left of a copy does not stand in the way of the next`() async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(database)
            for suffix in ["", "-journal", "-wal"] {
                try Data("half a copy".utf8).write(to: URL(filePath: backup + ".partial" + suffix))
            }
            _ = try SQLiteCallStore.backUp(database, to: backup, replacing: false)
            #expect(try files(in: folder) == ["backup.sqlite", "calls.sqlite", "calls.sqlite.lock"])
            #expect(try Self.isSound(backup, calls: 1))
        }
    }

    private static func mode(of path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test(arguments: [0o600, 0o640, 0o644])
    func `a backup has the mode of the database, or of the backup that it replaces, and half a one is private`(
        mode: Int
    ) async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(database)
            #expect(chmod(database, mode_t(mode)) == 0)
            var whileMade: Int?
            _ = try SQLiteCallStore.backUp(database, to: backup, replacing: false) { _, _ in
                whileMade = try? Self.mode(of: backup + ".partial")
            }
            #expect(whileMade == 0o600)
            #expect(try Self.mode(of: backup) == mode)
            for other in [0o600, 0o644] {
                #expect(chmod(backup, mode_t(other)) == 0)
                _ = try SQLiteCallStore.backUp(database, to: backup, replacing: true)
                #expect(try Self.mode(of: backup) == other)
            }
        }
    }

    @Test func `a new database is for its account and group alone, and one that is there keeps its mode`() async throws
    {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let files = ["", "-wal", "-shm", ".lock"].map { database + $0 }
            // The folder has all that the umask leaves.
            let new = try #require(try Self.mode(of: folder.path)) & 0o640
            for mode in [new, 0o644] {
                let store = try SQLiteCallStore.open(path: database)
                try await store.commit([.full(.sample("call"))])
                #expect(try files.map(Self.mode) == [mode, mode, mode, mode])
                try await store.close()
                for file in [database, database + ".lock"] { #expect(chmod(file, 0o644) == 0) }
            }
        }
    }

    @Test func `what is restored where there was no database has the mode of the backup`() async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            try await Self.makeDatabase(backup)
            #expect(chmod(backup, 0o600) == 0)
            var whileMade: Int?
            let restored = try SQLiteCallStore.restore(backup, to: database, keepingAsideAs: "before") { _, _ in
                whileMade = try? Self.mode(of: database + ".partial")
            }
            #expect(restored.keptAside == nil && restored.keptLog == nil && restored.hasOwnerOfBefore)
            #expect(try [whileMade, Self.mode(of: database)] == [0o600, 0o600])
        }
    }
}
