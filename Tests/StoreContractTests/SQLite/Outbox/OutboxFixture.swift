import Foundation
import SQLiteStore

/// Runs `body` on an empty store that notes what it commits, and removes it afterwards.
func withOutbox(
    _ settings: OutboxSettings = OutboxSettings(), _ body: (SQLiteCallStore) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let path = folder.appending(path: "calls.sqlite").path
        let store = try SQLiteCallStore.open(path: path, outbox: .on(settings))
        try await body(store)
        try await store.close()
    }
}
