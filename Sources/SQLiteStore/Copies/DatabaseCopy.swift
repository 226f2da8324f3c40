import CallModel
import Foundation
import GRDB

/// Makes whole copies of databases: one file each, checked, on the disk before it has its name, and open to nobody who may
/// not read the source or what it replaces.
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
    private var partial: DatabaseFile { DatabaseFile(beside: target, ".partial") }

    /// What became of a copy.
    struct Made {
        var contents: DatabaseContents
        /// Whether it has the owner and mode of the file that it replaced, if there was one.
        var hasOwnerOfBefore: Bool
    }

    /// Makes the copy and gives it its name, in place of what has it. Where that fails nothing is left of it.
    /// - Parameter prepare: is called when the copy is complete and on the disk, just before it gets its name.
    /// - Returns: what is in it, and whose it is.
    /// - Throws: ``CallStoreError``, and what `prepare` throws.
    func make(_ prepare: () throws -> Void) throws -> Made {
        do {
            for _ in 1..<Self.attempts {
                if let made = try attempt(prepare) { return made }
            }
            throw CallStoreError.failed("\(source.name): the file keeps being replaced while it is copied")
        } catch {
            throw CallStoreError.copying(source, to: target, error)
        }
    }

    /// - Returns: `nil` when somebody began to write to the source meanwhile.
    private func attempt(_ prepare: () throws -> Void) throws -> Made? {
        let lock = try lockPartial()
        defer { lock.release() }
        var isPlaced = false
        defer { if !isPlaced { removePartial() } }
        // A killed run may have left a journal, which SQLite would play back.
        for companion in partial.companions { try companion.remove() }
        let before = source.fingerprint
        try copyPages(alone: before.standsAlone)
        guard !before.standsAlone || before == source.fingerprint else { return nil }
        let contents = try verified()
        let hasOwner = takeRights()
        try partial.synchronise()
        try prepare()
        try target.removeLog()
        try partial.rename(to: target.path)
        isPlaced = true
        try target.synchroniseFolder()
        return Made(contents: contents, hasOwnerOfBefore: hasOwner)
    }

    /// Makes ``partial`` anew, and refuses who would write to it, too.
    private func lockPartial() throws -> WriterLock {
        do {
            return try WriterLock(creating: partial)
        } catch CallStoreError.inUse {
            throw CallStoreError.cannotOpen(target.name, reason: "another sidetone is copying to it")
        }
    }

    /// Lets those read the copy who may read what it replaces, or else the source. Until then nobody else may.
    /// - Returns: whether it has the owner and mode of what it replaces, if there is such a file.
    private func takeRights() -> Bool {
        guard target.exists else {
            partial.takeMode(of: source)
            return true
        }
        return partial.takeOwner(of: target)
    }

    private func removePartial() {
        for file in [partial] + partial.companions { try? file.remove() }
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
