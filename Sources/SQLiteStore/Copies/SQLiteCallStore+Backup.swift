import CallModel
import Foundation
import GRDB

extension SQLiteCallStore {
    /// Copies a database to a new file, while another process may be writing to it. The copy is checked, is one file,
    /// and is complete when it has its name.
    ///
    /// - Parameters:
    ///   - path: the database.
    ///   - destination: where the copy goes.
    ///   - isReplacing: whether it may take the place of a file.
    ///   - progress: is told the pages that are done, and all there are.
    /// - Returns: what is in the copy.
    /// - Throws: ``CallStoreError`` when there is no such database, it is damaged, or the copy cannot be written. Then
    ///   there is no copy, and what was at its place still is.
    public static func backUp(
        _ path: String, to destination: String, replacing isReplacing: Bool,
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> DatabaseContents {
        let (source, target) = (DatabaseFile(path), DatabaseFile(destination))
        try source.checkOurs()
        try target.checkKind()
        try target.checkFolder()
        guard source.path != target.path else {
            throw CallStoreError.cannotOpen(destination, reason: "it is the database itself; name another file")
        }
        guard !(DatabaseFile.companions + [".lock"]).contains(where: { source.path + $0 == target.path }) else {
            throw CallStoreError.cannotOpen(destination, reason: "it belongs to the database; name another file")
        }
        if !isReplacing { try target.checkFree() }
        // A server that wrote there would never know that its file is gone.
        let isDatabase = FileManager.default.fileExists(atPath: target.path + ".lock")
        let lock = isDatabase ? try WriterLock(on: target) : try WriterLock(within: target)
        defer { lock.release() }
        return try DatabaseCopy(source: source, target: target, progress: progress).make {
            // Another copy may have come there while this one was made.
            if !isReplacing { try target.checkFree() }
        }.contents
    }

    /// What became of a restoration.
    public struct Restored: Sendable {
        /// What is in the database now.
        public var contents: DatabaseContents
        /// Where the database before lies; `nil` when there was none, or it was empty.
        public var keptAside: String?
        /// Where the log lies of a database that is gone or empty; `nil` when there was none.
        public var keptLog: String?
        /// Whether the database has the owner and mode of the one before, if there was one.
        public var hasOwnerOfBefore: Bool
    }

    /// Puts a copy of a backup in the place of a database that no process writes to.
    ///
    /// The backup is checked first and stays where it is. The database before is kept aside, damaged or not; the new one
    /// gets its owner and mode.
    /// - Parameters:
    ///   - backup: the backup.
    ///   - path: the database.
    ///   - mark: what the name of the database before gets at its end, such as a time.
    ///   - progress: is told the pages that are done, and all there are.
    /// - Returns: what is in the database now, and where the one before is.
    /// - Throws: ``CallStoreError/inUse(_:)`` when a process writes to the database; ``CallStoreError`` when the backup
    ///   is none or is damaged. Then the database is as it was.
    public static func restore(
        _ backup: String, to path: String, keepingAsideAs mark: String,
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> Restored {
        let (source, target) = (DatabaseFile(backup), DatabaseFile(path))
        try source.checkOurs()
        try target.checkKind()
        guard source.path != target.path else {
            throw CallStoreError.cannotOpen(backup, reason: "it is the database itself; name a backup of it")
        }
        let lock = try WriterLock(on: target)
        defer { lock.release() }
        var aside: (database: String?, log: String?) = (nil, nil)
        let made = try DatabaseCopy(source: source, target: target, progress: progress).make {
            aside = try target.setAside(as: DatabaseFile(target.path + "." + mark))
        }
        return Restored(
            contents: made.contents, keptAside: aside.database, keptLog: aside.log,
            hasOwnerOfBefore: made.hasOwnerOfBefore)
    }
}

extension DatabaseFile {
    /// Refuses a name that a file has, or the log of one that is gone.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    fileprivate func checkFree() throws {
        guard let taken = ([self] + companions).first(where: \.exists) else { return }
        throw CallStoreError.cannotOpen(taken.name, reason: "there is such a file; --replace writes over it")
    }
}
