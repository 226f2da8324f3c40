import CallModel
import Foundation
import Testing

@testable import SQLiteStore

/// Files that are taken away, or replaced, while a store has them open.
@Suite struct SQLitePlaceTests {
    private static let words = "was removed, moved or replaced while it was open"

    private static func outage(_ path: String, _ file: String) -> CallStoreError {
        .unavailable(.misplaced, detail: "\(path): \(file) \(words)")
    }

    @Test(arguments: [("", "the database file"), ("-wal", "its log"), ("-shm", "its index")])
    func `nothing is acknowledged while a file is not where it was opened, and all goes on when it is back`(
        suffix: String, file: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("before"))])
            #expect(store.misplacement == nil)
            for isReplaced in [false, true] {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: path + ".aside")
                if isReplaced { try FileManager.default.copyItem(atPath: path + ".aside", toPath: path + suffix) }
                #expect(store.misplacement == "\(file) \(Self.words)")
                await #expect(throws: Self.outage(path, file)) { try await store.commit([.full(.sample("during"))]) }
                await #expect(throws: Self.outage(path, file)) { try await store.probe() }
                if isReplaced { try FileManager.default.removeItem(atPath: path + suffix) }
                try FileManager.default.moveItem(atPath: path + ".aside", toPath: path + suffix)
                try await store.probe()
            }
            try await store.commit([.full(.sample("after"))])
            #expect(try await store.counts().records == 2)
            try await store.close()
        }
    }

    @Test func `of a file that is gone the log stays, and no empty database is made in its place`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            try FileManager.default.removeItem(atPath: path)
            let error = await #expect(throws: CallStoreError.self) { try await store.close() }
            #expect(error?.description.contains("calls.sqlite \(Self.words)") == true)
            #expect(try files(in: folder).contains("calls.sqlite-wal"))
            let refusal = try #require(throws: CallStoreError.self) { try SQLiteCallStore.open(path: path) }
            #expect(refusal.description.contains("it is gone or empty, and its log"), "\(refusal)")
        }
    }

    @Test func `a file that was put in its place is left as it is, without the log of the other`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let backup = folder.appending(path: "backup.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("kept"))])
            _ = try SQLiteCallStore.backUp(path, to: backup, replacing: false)
            try await store.commit([.full(.sample("lost"))])
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: backup, toPath: path)
            let before = try Data(contentsOf: URL(filePath: path))
            await #expect(throws: CallStoreError.self) { try await store.close() }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            #expect(try files(in: folder) == ["calls.sqlite", "calls.sqlite.lock"])
            let restored = try SQLiteCallStore.open(path: path)
            #expect(try await restored.facts(of: .sample("kept")).count == 3)
            #expect(try await restored.counts().records == 1)
            try await restored.close()
        }
    }

    @Test func `a log that is gone is no loss when the file is there to the end`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            try FileManager.default.removeItem(atPath: path + "-wal")
            try await store.close()
            let again = try SQLiteCallStore.open(path: path)
            #expect(try await again.facts(of: .sample("call")).count == 3)
            try await again.close()
        }
    }

    @Test(arguments: ["-wal", "-shm", "-journal", ".lock"])
    func `a copy of a database takes the place of no file that belongs to it`(suffix: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            let reason = "it belongs to the database; name another file"
            #expect(throws: CallStoreError.cannotOpen(path + suffix, reason: reason)) {
                try SQLiteCallStore.backUp(path, to: path + suffix, replacing: true)
            }
            #expect(store.misplacement == nil)
            try await store.close()
        }
    }

    @Test func `a second writer is refused where the lock beside the file was removed, and by another name of it`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let other = folder.appending(path: "other.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try FileManager.default.linkItem(atPath: path, toPath: other)
            try FileManager.default.removeItem(atPath: path + ".lock")
            #expect(throws: CallStoreError.inUse(path)) { try SQLiteCallStore.open(path: path) }
            #expect(throws: CallStoreError.inUse(other)) { try SQLiteCallStore.open(path: other) }
            let backup = folder.appending(path: "backup.sqlite").path
            _ = try SQLiteCallStore.backUp(path, to: backup, replacing: false)
            #expect(throws: CallStoreError.inUse(path)) {
                try SQLiteCallStore.restore(backup, to: path, keepingAsideAs: "before")
            }
            #expect(throws: CallStoreError.inUse(path)) {
                try SQLiteCallStore.backUp(backup, to: path, replacing: true)
            }
            try await store.commit([.full(.sample("call"))])
            try await store.close()
            try await SQLiteCallStore.open(path: path).close()
        }
    }
}
