import CallModel
import Foundation
import SQLiteStore

/// A kind of store that keeps the contract: every contract test runs once for each.
struct StoreUnderTest: Sendable, CustomStringConvertible {
    var description: String
    /// Opens an empty store whose files, if any, go into a folder.
    var open: @Sendable (_ folder: URL) throws -> any CallStore

    static let all = [
        StoreUnderTest(description: "SQLite") { folder in
            try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
        }
    ]

    /// Runs `body` on an empty store, and removes it afterwards.
    func run(_ body: (any CallStore) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try open(folder)
            try await body(store)
            try await store.close()
        }
    }
}

/// Runs `body` with a folder of its own, and removes that afterwards.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "StoreContractTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}
