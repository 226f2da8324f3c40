import ClickHouseStore
import Foundation
import TestSupport

extension TestClickHouse {
    /// Gives a database of its own with a store of calls in it, and removes both afterwards.
    func withStore(_ body: (ClickHouseCallStore, _ database: String) async throws -> Void) async throws {
        try await withDatabase { address in
            try await Self.withStore(address, node: "test") { store in
                try await body(store, String(URLComponents(string: address)?.path.dropFirst() ?? ""))
            }
        }
    }

    /// Opens a store, and closes it afterwards, whatever happens.
    static func withStore(
        _ address: String, node: String, _ body: (ClickHouseCallStore) async throws -> Void
    ) async throws {
        let store = try await ClickHouseCallStore.open(ClickHouseLocation(address, password: nil), node: node)
        do {
            try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }
}
