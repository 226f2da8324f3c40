import CallModel
import Foundation
import GRDB
import SQLiteStore
import Testing

@Suite struct SQLiteReadOnlyTests {
    @Test func `a missing file is not created`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            #expect(
                throws: CallStoreError.cannotOpen(
                    path, reason: "there is no such file; --database names the file sidetone writes")
            ) {
                try SQLiteCallStore.openReadOnly(path: path)
            }
            let left = try files(in: folder)
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: SQLiteOpeningTests.Unfit.allCases) func `a file that holds no calls is refused`(
        unfit: SQLiteOpeningTests.Unfit
    ) async throws {
        // A damaged page far from the first is found when it is read: reports open fast.
        guard unfit != .overwritten else { return }
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            try await unfit.make(path)
            let error = try #require(throws: CallStoreError.self) { try SQLiteCallStore.openReadOnly(path: path) }
            #expect(error.description.hasPrefix("cannot open \(path): \(unfit.reason)"), "\(error)")
        }
    }

    @Test func `an empty file holds no calls yet`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            try Data().write(to: URL(filePath: path))
            #expect(throws: CallStoreError.cannotOpen(path, reason: "sidetone has not written to it yet")) {
                try SQLiteCallStore.openReadOnly(path: path)
            }
        }
    }

    @Test(arguments: ["calls.sqlite", "odd name?#%41 'ü.sqlite"])
    func `a closed database is read without a trace`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: name).path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            try await store.close()
            try FileManager.default.removeItem(atPath: path + ".lock")
            let before = try Data(contentsOf: URL(filePath: path))

            let reader = try SQLiteCallStore.openReadOnly(path: path)
            #expect(try await reader.record(.sample("call"))?.intervals.count == 1)
            #expect(try files(in: folder) == [name])
            try await reader.close()
            #expect(try files(in: folder) == [name])
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `a reader refuses to write`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            try await SQLiteCallStore.open(path: path).close()
            let reader = try SQLiteCallStore.openReadOnly(path: path)
            await #expect(throws: CallStoreError.failed("\(path) is open for reading only")) {
                try await reader.commit([.full(.sample("call"))])
            }
            try await reader.close()
        }
    }

    @Test func `a reader follows the writer, from before it starts until after it has gone`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            try await SQLiteCallStore.open(path: path).close()
            let early = try SQLiteCallStore.openReadOnly(path: path)
            #expect(try await early.counts().records == 0)

            let writer = try SQLiteCallStore.open(path: path)
            try await writer.commit([.full(.sample("call 1"))])
            let late = try SQLiteCallStore.openReadOnly(path: path)
            #expect(try await early.counts().records == 1)
            #expect(try await late.counts().records == 1)
            try await writer.commit([.full(.sample("call 2"))])
            #expect(try await early.counts().records == 2)
            #expect(try await late.counts().records == 2)
            try await writer.close()
            #expect(try await early.counts().records == 2)
            #expect(try await late.counts().records == 2)
            try await early.close()
            try await late.close()
        }
    }

    @Test func `an early reader follows a writer that came and went between two reads`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            try await SQLiteCallStore.open(path: path).close()
            let reader = try SQLiteCallStore.openReadOnly(path: path)
            #expect(try await reader.counts().records == 0)
            let writer = try SQLiteCallStore.open(path: path)
            try await writer.commit([.full(.sample("call"))])
            try await writer.close()
            #expect(try await reader.counts().records == 1)
            try await reader.close()
        }
    }

    @Test(arguments: [nil, "-shm"]) func `what a killed writer left in its log is read`(missing: String?) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let store = try SQLiteCallStore.open(path: path)
            try await store.commit([.full(.sample("call"))])
            let crashed = try copyAsKilled(path, to: folder.appending(path: "crashed"), without: missing)
            let reader = try SQLiteCallStore.openReadOnly(path: crashed)
            #expect(try await reader.facts(of: .sample("call")).count == 3)
            try await reader.close()
            try await store.close()
        }
    }

    @Test func `a reader of another connection sees whole commits only`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let writer = try SQLiteCallStore.open(path: path)
            let reader = try SQLiteCallStore.openReadOnly(path: path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<60 {
                        try await writer.commit(["A", "B"].map { .full(.sample("call \(number)", observer: $0)) })
                    }
                }
                group.addTask {
                    for _ in 0..<200 {
                        let counts = try await reader.counts()
                        #expect(counts.records == 2 * counts.calls && counts.facts == 3 * counts.records)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await reader.counts().calls == 60)
            try await reader.close()
            try await writer.close()
        }
    }
}
