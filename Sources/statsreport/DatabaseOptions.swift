import ArgumentParser
import CallModel
import ClickHouseStore
import Foundation
import SQLiteStore

/// Where to read.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database that sidetone writes. (default: calls.sqlite)", valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            A ClickHouse database instead, clickhouse://user@host:8123/name; the user's password comes from \
            SIDETONE_CLICKHOUSE_PASSWORD.
            """, valueName: "address"))
    var store: String?

    @Option(help: ArgumentHelp("Whose calls, where the server takes tokens.", valueName: "name"))
    var tenant = TenantID.default.rawValue

    mutating func validate() throws {
        if store != nil, database != nil {
            throw ValidationError("--store and --database contradict each other; give one of them")
        }
        _ = try location
    }

    /// What is read, as the user named it.
    var place: String { store ?? database ?? "calls.sqlite" }

    private var location: ClickHouseLocation? {
        get throws {
            let password = ProcessInfo.processInfo.environment["SIDETONE_CLICKHOUSE_PASSWORD"]
            do {
                return try store.map { try ClickHouseLocation($0, password: password) }
            } catch {
                throw ValidationError("--store: \(error)")
            }
        }
    }

    private func open() async throws -> any CallStore {
        if let location = try location { return try await ClickHouseCallStore.openReadOnly(location) }
        return try SQLiteCallStore.openReadOnly(path: place)
    }

    /// Runs `body` with the store open for reading, and closes it whatever happens.
    func read<Result>(_ body: (any CallStore) async throws -> Result) async throws -> Result {
        let store = try await open()
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            // The first error says what went wrong; one from closing would only hide it.
            try? await store.close()
            throw error
        }
    }
}
