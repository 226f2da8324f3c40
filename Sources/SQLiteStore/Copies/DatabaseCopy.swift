import CallModel
import Foundation
import GRDB

/// Makes whole copies of databases: one file each, checked, on the disk before it has its name.
///
/// The copy is of one moment, though another process may be writing meanwhile: it is made within one reading
/// transaction, so the writer is not held up; only its log cannot begin anew until the copy is done.
struct DatabaseCopy {
    let source: DatabaseFile
    let target: DatabaseFile
    /// Told the pages that are done, and all there are.
    let progress: (Int, Int) -> Void

    /// Pages copied between two calls of ``progress``: 4 MiB.
    private static let pagesInStep: CInt = 1024
    /// A file that nobody is writing is read without locks; this often it may turn out that somebody began to.
    private static let attempts = 10

    /// Where the copy lies until it is complete: beside its place, so that it needs only a new name.
    var partial: DatabaseFile { DatabaseFile(target.path + ".partial") }

    /// Makes the copy as ``partial``, which a killed run may have left.
    /// - Returns: what is in it.
    func make() throws -> DatabaseContents {
        do {
            for _ in 1..<Self.attempts {
                try removePartial()
                let before = source.fingerprint
                try copyPages(alone: before.standsAlone)
                guard !before.standsAlone || before == source.fingerprint else { continue }
                let contents = try verified()
                try partial.synchronise()
                return contents
            }
            throw CallStoreError.failed("\(source.name): the file keeps being replaced while it is copied")
        } catch {
            try? removePartial()
            throw CallStoreError.copying(source, to: target, error)
        }
    }

    /// Gives the copy its name, in place of what has it.
    func putInPlace() throws {
        try target.removeLog()
        try partial.rename(to: target.path)
        try target.synchroniseFolder()
    }

    func removePartial() throws {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: partial.path + suffix)
        }
    }

    private func copyPages(alone: Bool) throws {
        let from = try source.openForReading(alone: alone)
        let into = try DatabaseQueue(path: partial.path)
        try from.read { db in
            // From here on the reading transaction sees this state and no other.
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
            try into.writeWithoutTransaction { copy in
                try db.backup(to: copy, pagesPerStep: Self.pagesInStep) { state in
                    progress(state.completedPageCount, state.totalPageCount)
                }
                // The log of the source is in it; without one of its own it is complete as one file.
                _ = try String.fetchOne(copy, sql: "PRAGMA journal_mode = DELETE")
            }
        }
        try into.close()
        try from.close()
    }

    /// - Throws: ``CallStoreError/damaged(_:reason:)`` when the copy is not sound: then the source is not either.
    private func verified() throws -> DatabaseContents {
        let copy = try partial.openForReading(alone: true)
        defer { try? copy.close() }
        return try copy.read { db in
            if let finding = try DatabaseFile.damage(in: db, most: 1).first {
                throw CallStoreError.damaged(source.name, reason: finding)
            }
            return try DatabaseContents(db)
        }
    }
}

extension CallStoreError {
    /// An error met while copying. Those of the disk are about the target: the source is only read.
    fileprivate static func copying(_ source: DatabaseFile, to target: DatabaseFile, _ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: CallStoreError(error, in: source.name)
        default: CallStoreError(error, in: target.name)
        }
    }
}
