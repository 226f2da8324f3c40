import ArgumentParser
import CallModel
import ClickHouseStore
import Foundation

/// A database beyond this machine, as `--store` names it.
struct StoreAddress: Hashable, Sendable {
    let location: ClickHouseLocation

    /// - Parameters:
    ///   - text: The address.
    ///   - flag: What named it.
    ///   - password: Of its user; never from the arguments, which everybody on the machine can see.
    /// - Throws: `ValidationError` for what is no address.
    init(
        _ text: String, as flag: String = "--store",
        password: String? = ProcessInfo.processInfo.environment["SIDETONE_CLICKHOUSE_PASSWORD"]
    ) throws {
        do {
            location = try ClickHouseLocation(text, password: password)
        } catch {
            throw ValidationError("\(flag): \(error)")
        }
    }

    /// Opens it for writing; its tables are made when they are not there.
    /// - Parameter role: What this process does: of each role one process on a machine writes.
    /// - Returns: the database, to be closed.
    /// - Throws: ``CallStoreError``.
    func open(as role: String) async throws -> ClickHouseCallStore {
        try await ClickHouseCallStore.open(location, node: "\(ProcessInfo.processInfo.hostName)/\(role)")
    }
}
