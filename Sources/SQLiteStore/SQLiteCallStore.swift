public import CallModel
import GRDB

/// Calls in one SQLite file.
///
/// Write-ahead log with `synchronous=FULL`: when ``commit(_:)`` returns, the data survive a power cut. Readers see
/// whole commits and do not wait for the writer.
public struct SQLiteCallStore: CallStore {
    private enum Access: Sendable {
        case writing(Writer)
        case reading(ReadOnlyDatabase)
    }

    private struct Writer: Sendable {
        var pool: DatabasePool
        var lock: WriterLock
        var log: LogKeeper
        var files: PlacedFiles
    }

    /// The database, as the user named it.
    public let path: String
    private let access: Access
    /// Notes what is written; `nil` when no outbox is kept.
    let outbox: OutboxKeeper?
    /// What the retention knows of the calls.
    let retentionMemory = RetentionMemory()

    private init(path: String, access: Access, outbox: OutboxKeeper? = nil) {
        self.path = path
        self.access = access
        self.outbox = outbox
    }

    /// Opens a database for writing; creates it when there is no such file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - outbox: whether it notes what it commits, for another store.
    /// - Returns: the store, to be closed.
    /// - Throws: ``CallStoreError/inUse(_:)`` when another process writes to it;
    ///   ``CallStoreError/cannotOpen(_:reason:)`` when it is damaged, of another program, or newer than this one.
    ///   Such a file is left as it is.
    public static func open(path: String, outbox: OutboxKeeping = .asBefore) throws -> SQLiteCallStore {
        let file = DatabaseFile(path)
        try file.checkKind()
        do {
            let lock = try WriterLock(on: file)
            let isLogLeft = !file.standsAlone
            try file.checkBeforeWriting()
            let pool = try file.openForWriting()
            try lock.cover(file)
            let log = try file.openLog()
            // Who left it may have erased something.
            if isLogLeft { log.noteErasure() }
            let writer = Writer(pool: pool, lock: lock, log: log, files: PlacedFiles(of: file))
            return SQLiteCallStore(
                path: path, access: .writing(writer), outbox: try OutboxKeeper.begin(outbox, in: pool, named: path))
        } catch {
            throw CallStoreError.opening(path, error)
        }
    }

    /// Opens a database for reading only, while another process may be writing to it. Creates no file.
    ///
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)`` when there is no such file, or it cannot be read as calls.
    public static func openReadOnly(path: String) throws -> SQLiteCallStore {
        let file = DatabaseFile(path)
        try file.checkBeforeReading()
        do {
            return SQLiteCallStore(path: path, access: .reading(try ReadOnlyDatabase(file)))
        } catch {
            throw CallStoreError.opening(path, error)
        }
    }

    /// Runs `body` on one consistent state of the database.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            switch access {
            case .writing(let writer): return try await writer.pool.read(body)
            case .reading(let database): return try await database.read(body)
            }
        } catch {
            throw CallStoreError.translating(error, in: path)
        }
    }

    /// Runs `body` in one transaction, which is undone when it throws.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withWriter { pool, log in
            try await pool.write { db in
                log.note(written: db.pagesWritten, by: pool)
                return try body(db)
            }
        }
    }

    /// Runs `body` on the writing connection, outside a transaction.
    func maintain(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await withWriter { pool, _ in try await pool.writeWithoutTransaction(body) }
    }

    /// Takes what was erased out of the files, too: out of the database by `body`, and out of the log, as far as nobody reads
    /// from it; see ``emptyLogIfOwed()``.
    func wipe(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await withWriter { pool, log in
            log.noteErasure()
            try await pool.writeWithoutTransaction(body)
            await log.emptyIfOwed(pool)
        }
    }

    /// Takes what was erased out of the log where a reader has held that up so far. To be tried every few seconds; costs nothing
    /// when nothing is owed.
    public func emptyLogIfOwed() async {
        // What ails the file is told by commits.
        try? await withWriter { pool, log in await log.emptyIfOwed(pool) }
    }

    /// Writes as a commit does, and changes nothing; see ``CallStore/probe()``.
    public func probe() async throws {
        try await maintain { [outbox] db in
            try outbox?.checkRoom(db)
            // Any page will do: it goes through the log and to the disk as those of commits do. As many as commits take,
            // so that the next one does not find the room used up.
            for _ in 0..<Self.probePages {
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
    }

    /// Pages of 4 KiB that have to find room before an outage is over.
    private static let probePages = 32

    private func withWriter<Value: Sendable>(
        _ body: (DatabasePool, LogKeeper) async throws -> Value
    ) async throws -> Value {
        guard case .writing(let writer) = access else {
            throw CallStoreError.failed("\(path) is open for reading only")
        }
        do {
            try checkPlace(of: writer.files)
            let value = try await body(writer.pool, writer.log)
            // Only what is written to a file that is still there may be acknowledged.
            try checkPlace(of: writer.files)
            return value
        } catch {
            throw CallStoreError.translating(error, in: path)
        }
    }

    private func checkPlace(of files: PlacedFiles) throws {
        guard let fault = files.fault else { return }
        throw CallStoreError.unavailable(.misplaced, detail: "\(path): \(fault)")
    }

    /// What became of a file that is not where it was opened, without its path; `nil` while all are, and of a store that
    /// only reads. Nothing is stored as long as it is not back.
    public var misplacement: String? {
        if case .writing(let writer) = access { writer.files.fault } else { nil }
    }

    /// Writes the log back into the file and lets go of it; see ``CallStore/close()``.
    /// - Throws: ``CallStoreError``, also when the file was removed, moved or replaced: what was stored is not in what is
    ///   there now. A log that is left beside no file stays, so that the next start makes no empty database.
    public func close() async throws {
        switch access {
        case .reading(let database): try database.close()
        case .writing(let writer): try await close(writer)
        }
    }

    private func close(_ writer: Writer) async throws {
        let place = writer.files.place
        // SQLite removes its log with the last connection, but only if that one may write; GRDB closes it first.
        writer.pool.invalidateReadOnlyConnections()
        if place != .gone {
            // A reader elsewhere may keep part of the log in use; it then stays for the next start, complete.
            try? await writer.log.pausing {
                try await writer.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            }
        }
        do {
            // SQLite leaves the log where the file is no longer.
            try writer.log.close()
            try writer.pool.close()
        } catch {
            throw CallStoreError.translating(error, in: path)
        }
        if place == .another { writer.files.removeLog() }
        writer.lock.release()
        guard place == .unchanged else {
            throw CallStoreError.failed(
                "\(path) was removed, moved or replaced while it was open; what was stored is in that file and its log, "
                    + "and not in what is there now")
        }
    }
}
