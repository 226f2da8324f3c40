import CallModel
import Foundation
import GRDB

/// The file of a database and those SQLite keeps beside it.
struct DatabaseFile: Hashable, Sendable {
    /// As the user gave it, for messages.
    let name: String
    /// Absolute, symbolic links resolved: two names of one file share one lock.
    let path: String

    init(_ name: String) {
        self.name = name
        path = URL(filePath: name).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// A file beside another, named after it.
    init(beside file: DatabaseFile, _ suffix: String) {
        name = file.name + suffix
        path = file.path + suffix
    }

    /// Larger files are not checked page by page on opening, for that reads them whole: 256 MiB.
    static let largestFullCheck: Int64 = 256 << 20

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether the file may be read as if nothing else existed: no writer has left, or is writing, a log beside it.
    ///
    /// SQLite could read it either way, but would create the log and its index to do so, and not remove them.
    var standsAlone: Bool {
        switch (size(of: path + "-wal"), FileManager.default.fileExists(atPath: path + "-shm")) {
        case (nil, _), (0, false): true
        default: false
        }
    }

    /// Whether its head has the mark of SQLite or of a database of calls, in places of their own, so that it was one also
    /// where the rest of the head is wrong.
    var bearsMark: Bool {
        guard let head = try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 72) else { return false }
        let ours = (0..<4).map { UInt8(truncatingIfNeeded: Schema.applicationID >> (24 - 8 * $0)) }
        return head.starts(with: Data("SQLite format 3\0".utf8)) || head.dropFirst(68).elementsEqual(ours)
    }

    /// What is wrong where its head names a format for writing that SQLite does not know: SQLite reads such a file, and
    /// takes it for one that may not be written to
    /// ([Database File Format §1.3.3](https://www.sqlite.org/fileformat.html#file_format_version_numbers)); else `nil`.
    var formatFault: String? {
        let head = try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 19)
        guard let head, head.count == 19, head[18] > 2 else { return nil }
        return "it is damaged: \(CallStoreError.wrongHeader); \(CallStoreError.restoring)"
    }

    /// Bytes of the database file; 0 when there is none.
    var size: Int64 { size(of: path) ?? 0 }

    private func size(of path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// What changes when somebody writes to the file or begins a log.
    struct Fingerprint: Hashable, Sendable {
        var number: UInt64?
        var size: Int64?
        var modified: Date?
        var standsAlone: Bool
    }

    var fingerprint: Fingerprint {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Fingerprint(
            number: (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value,
            size: (attributes?[.size] as? NSNumber)?.int64Value,
            modified: attributes?[.modificationDate] as? Date,
            standsAlone: standsAlone)
    }
}

extension DatabaseFile {
    /// Opens the file for reading, without creating or changing any file when it stands alone.
    func openForReading(alone standsAlone: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let unlocked = "file:\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?immutable=1"
        return try DatabaseQueue(path: standsAlone ? unlocked : path, configuration: configuration)
    }

    /// Pages of 4 KiB that the log takes in before they go back into the file: 32 MiB. Each commit changes the same pages of
    /// many calls again: the longer the log, the fewer times they go back.
    private static let pagesInLog = 8_192
    /// How much of the file the writer keeps in memory.
    private static let cacheKibibytes = 32_768

    /// What a new file lets others do: those of its group may read it. SQLite makes the log and its index with the mode of
    /// the file.
    static let newMode: mode_t = 0o640

    /// Makes an empty file when there is none. Where that fails SQLite says why.
    private func create() {
        guard !exists else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, Self.newMode)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens the file for writing and brings its tables up to date; creates it when there is none.
    func openForWriting() throws -> DatabasePool {
        create()
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Takes effect only before the first table is made.
            guard !db.configuration.readonly else { return }
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // What is deleted or replaced inside a page is written over; it costs no further writing.
            try db.execute(sql: "PRAGMA secure_delete = FAST")
            // Only where the log's keeper does not come to it.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = \(4 * Self.pagesInLog)")
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibytes)")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB sets NORMAL, under which a power cut may take the last commits. They have been acknowledged.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try Schema.migrator.migrate(pool)
        return pool
    }

    /// Who brings the log back of a file that is open for writing.
    func openLog() throws -> LogKeeper {
        LogKeeper(try DatabaseQueue(path: path), pagesInLog: Self.pagesInLog)
    }

    /// Refuses what a store must not touch, before it is touched.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    func checkBeforeWriting() throws {
        guard size > 0 else {
            guard (size(of: path + "-wal") ?? 0) == 0 else {
                throw CallStoreError.cannotOpen(
                    name, reason: "it is gone or empty, and its log \(name)-wal is there; \(CallStoreError.restoring)")
            }
            return
        }
        try check { db in
            try refusal(of: db) ?? formatFault ?? (size <= Self.largestFullCheck ? damage(in: db) : nil)
        }
    }

    /// Refuses what cannot be read as calls.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    func checkBeforeReading() throws {
        try checkKind()
        guard exists else {
            throw CallStoreError.cannotOpen(
                name, reason: "there is no such file; --database names the file sidetone writes")
        }
        try check { db in
            if let reason = try refusal(of: db) { return reason }
            guard try Schema.migrator.hasCompletedMigrations(db) else {
                return try Schema.migrator.appliedMigrations(db).isEmpty
                    ? "sidetone has not written to it yet"
                    : "an older sidetone wrote it; start \"sidetone serve\" on it once to bring it up to date"
            }
            return nil
        }
    }

    /// Refuses what cannot be the name of a database.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    func checkKind() throws {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw CallStoreError.cannotOpen(name, reason: "it is a directory; the name of a file is expected")
        }
        // Who opens a pipe waits for somebody who never comes.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        if let kind = attributes?[.type] as? FileAttributeType, kind != .typeRegular {
            throw CallStoreError.cannotOpen(name, reason: "it is a device, a pipe or a socket; a file is expected")
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw CallStoreError.cannotOpen(name, reason: "there is no directory \(folder)")
        }
    }

    func check(_ reason: (Database) throws -> String?) throws {
        try checkReadable()
        let refusal: String?
        do {
            let queue = try openForReading(alone: standsAlone)
            refusal = try queue.read(reason)
            try queue.close()
        } catch {
            throw CallStoreError.opening(name, error)
        }
        if let refusal { throw CallStoreError.cannotOpen(name, reason: refusal) }
    }

    /// Why a sound database is not one of ours; `nil` when it is, or is empty.
    func refusal(of db: Database) throws -> String? {
        let tables = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM sqlite_master
                WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'grdb_migrations'
                """)
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
            return tables == 0 ? nil : "it is the database of another program"
        }
        // The first version marked the file and noted itself at once.
        if try Schema.migrator.appliedMigrations(db).isEmpty {
            return "it is damaged: nothing says which version wrote it; \(CallStoreError.restoring)"
        }
        return try Schema.migrator.hasBeenSuperseded(db) ? "a newer sidetone wrote it; use that one" : nil
    }

    private func damage(in db: Database) throws -> String? {
        let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard finding != "ok" else { return nil }
        return "it is damaged: \(finding ?? "no answer to a check"); \(CallStoreError.restoring)"
    }
}
