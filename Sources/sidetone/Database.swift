import CallModel
import SQLiteStore

/// The file that calls are kept in.
enum Database {
    /// Where calls are kept when no option says otherwise.
    static let defaultPath = "calls.sqlite"

    /// Opens the file for writing; it is made when it is not there.
    /// - Throws: ``ServeError/database(_:)``.
    static func open(_ path: String) throws -> SQLiteCallStore {
        do {
            return try SQLiteCallStore.open(path: path)
        } catch let error as CallStoreError {
            throw ServeError.database(error)
        }
    }
}
