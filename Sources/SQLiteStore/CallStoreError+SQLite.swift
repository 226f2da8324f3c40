public import CallModel
import GRDB

extension CallStoreError {
    /// How the reason ends why a file that is damaged, or gone, cannot be opened.
    public static let restoring = "restore it from a backup"
    /// What is wrong with a file whose first bytes are.
    static let wrongHeader = "its header is not that of a SQLite database"

    /// What an error of SQLite means to a caller of the store.
    init(_ error: DatabaseError, in path: String) {
        let detail = "\(path): \(error.words) (SQLite error \(error.extendedResultCode.rawValue))"
        self =
            switch error.resultCode {
            case .SQLITE_FULL: .unavailable(.diskFull, detail: detail)
            case .SQLITE_READONLY, .SQLITE_PERM: .unavailable(.readOnly, detail: detail)
            case .SQLITE_BUSY, .SQLITE_LOCKED: .unavailable(.locked, detail: detail)
            case .SQLITE_IOERR, .SQLITE_CANTOPEN: .unavailable(.failing, detail: detail)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path, reason: error.message ?? "not a database")
            case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG: .refused("the database refused a value it cannot hold: \(detail)")
            default: .failed(detail)
            }
    }

    /// Any error met while working on `path`. Cancellation passes unchanged.
    static func translating(_ error: any Error, in path: String) -> any Error {
        switch error {
        case let error as DatabaseError: CallStoreError(error, in: path)
        case is CallStoreError, is CancellationError: error
        default: CallStoreError.failed("\(path): \(error)")
        }
    }

    /// Any error met while opening `path`.
    static func opening(_ path: String, _ error: any Error) -> CallStoreError {
        switch error {
        case let error as CallStoreError: error
        case let error as DatabaseError:
            .cannotOpen(path, reason: openingReason(error, of: DatabaseFile(path)))
        default: .cannotOpen(path, reason: "\(error)")
        }
    }

    private static func openingReason(_ error: DatabaseError, of file: DatabaseFile) -> String {
        let message = error.words
        return switch error.resultCode {
        case .SQLITE_NOTADB where file.bearsMark:
            "it is damaged: \(wrongHeader); \(restoring)"
        case .SQLITE_NOTADB: "it is not a SQLite database"
        case .SQLITE_CORRUPT: "it is damaged: \(message); \(restoring)"
        case .SQLITE_FULL: StoreOutage.diskFull.words
        case .SQLITE_READONLY, .SQLITE_PERM: "\(StoreOutage.readOnly.words): \(message)"
        case .SQLITE_BUSY, .SQLITE_LOCKED: StoreOutage.locked.words
        default: "SQLite error \(error.extendedResultCode.rawValue): \(message)"
        }
    }
}

extension DatabaseError {
    /// What is wrong. When the step of a copy fails its connection knows of no error: then what the code means.
    fileprivate var words: String {
        let known = message == "not an error" ? DatabaseError(resultCode: extendedResultCode).message : message
        return known ?? "no message"
    }
}
