import CallModel
import SQLiteStore

/// The file that calls are kept in.
enum Database {
    /// Where calls are kept when no option says otherwise.
    static let defaultPath = "calls.sqlite"

    /// Opens the file for writing; it is made when it is not there.
    /// - Parameters:
    ///   - path: the file.
    ///   - outbox: whether what is committed is noted for another store.
    /// - Returns: the store, to be closed.
    /// - Throws: ``ServeError/database(_:)``.
    static func open(_ path: String, outbox: OutboxKeeping = .asBefore) throws -> SQLiteCallStore {
        do {
            return try SQLiteCallStore.open(path: path, outbox: outbox)
        } catch let error as CallStoreError {
            throw ServeError.database(error)
        }
    }

    /// Why the file cannot be used, in words that say what to do.
    static func failure(_ error: any Error) -> any Error {
        (error as? CallStoreError).map(ServeError.database) ?? error
    }

    /// Opens a database beyond this machine for writing; it is made when it is not there.
    /// - Throws: ``ServeError/database(_:)``.
    static func open(_ address: StoreAddress, as role: String) async throws -> any CallStore {
        do {
            return try await address.open(as: role)
        } catch let error as CallStoreError {
            throw ServeError.database(error)
        }
    }
}
