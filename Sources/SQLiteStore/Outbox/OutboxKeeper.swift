import CallModel
import GRDB

/// Notes what is written, in the transaction that writes it.
struct OutboxKeeper: Sendable {
    let settings: OutboxSettings
    /// The database, as the user named it.
    let path: String

    /// What is to be done from now on about an outbox; `nil` when none is kept.
    static func begin(_ keeping: OutboxKeeping, in database: DatabasePool, named path: String) throws -> OutboxKeeper? {
        let isKept = try database.read { db in
            try Bool.fetchOne(db, sql: "SELECT isKept FROM outboxState") ?? false
        }
        switch keeping {
        case .asBefore: return isKept ? OutboxKeeper(settings: OutboxSettings(), path: path) : nil
        case .on(let settings):
            if !isKept { try database.write { try start($0, at: settings.clock?()) } }
            return OutboxKeeper(settings: settings, path: path)
        case .off:
            if isKept { try database.write { try $0.execute(sql: "UPDATE outboxState SET isKept = 0") } }
            return nil
        }
    }

    /// What was stored while nothing was noted is noted as a whole.
    private static func start(_ db: Database, at moment: Timestamp?) throws {
        try db.execute(
            sql: """
                INSERT INTO outboxState (id, isKept, entries, bytes, dropped) VALUES (1, 1, 0, 0, 0)
                ON CONFLICT (id) DO UPDATE SET isKept = 1
                """)
        try db.execute(sql: "DELETE FROM outbox WHERE recordId IS NOT NULL")
        try noteWhole(where: "1", at: moment, db)
        try noteShares(where: "1", at: moment, db)
    }

    /// Notes all of records that are there, whatever was given of them.
    static func noteWhole(_ records: [Int64], at moment: Timestamp?, _ db: Database) throws {
        for record in records { try noteWhole(where: "id = ?", [record], at: moment, db) }
        for record in records { try noteShares(where: "id = ?", [record], at: moment, db) }
    }

    /// What a record has of others is not among it: that follows them.
    private static func noteWhole(
        where condition: String, _ arguments: StatementArguments = [], at moment: Timestamp?, _ db: Database
    ) throws {
        let rows = ["report", "event", "wireReport", "interval", "score"].map {
            "(SELECT count(*) FROM \($0) WHERE recordId = record.id)"
        }
        let bytes = [
            "length(CAST(summary AS BLOB))", "coalesce((SELECT length(state) FROM fold WHERE recordId = record.id), 0)",
            "(SELECT total(length(objects)) FROM report WHERE recordId = record.id)",
            "(SELECT total(length(content)) FROM wireReport WHERE recordId = record.id)",
            "\(rows[1]) * \(OutboxNote.bytesOfEvent)", "\(rows[3]) * \(OutboxNote.bytesOfInterval)",
            "\(rows[4]) * \(OutboxNote.bytesOfScore)",
        ]
        try db.cachedStatement(
            sql: """
                INSERT INTO outbox (recordId, notedAt, \(OutboxNote.columns))
                SELECT id, coalesce(?, lastReceivedAt), ?, '', '', ?, 1 + \(rows.joined(separator: " + ")),
                CAST(\(bytes.joined(separator: " + ")) AS INTEGER) FROM record WHERE \(condition) ORDER BY id
                """
        ).execute(
            arguments: [moment?.milliseconds, TimeSpans.all.description, OutboxNote.Parts.all.rawValue] + arguments)
    }

    private static func noteShares(
        where condition: String, _ arguments: StatementArguments = [], at moment: Timestamp?, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO outbox (recordId, notedAt, \(OutboxNote.columns))
                SELECT id, coalesce(?, lastReceivedAt), '', '', '', ?, 1, 0 FROM record WHERE \(condition) AND EXISTS (
                    SELECT 1 FROM joinedEvent j JOIN event e ON e.id = j.eventId
                    WHERE j.recordId = record.id AND e.recordId <> record.id)
                """
        ).execute(arguments: [moment?.milliseconds, OutboxNote.Parts.share.rawValue] + arguments)
    }
}

// MARK: - Noting

extension OutboxKeeper {
    /// Notes a change of a record whose facts were last received at `receipt`.
    func note(_ note: OutboxNote, record: Int64, receipt: Timestamp, _ db: Database) throws {
        try note.save(db, record: record, at: settings.clock?() ?? receipt)
    }

    /// Notes that parts of records changed, and their heads: of those that a `WHERE` clause on `record` means.
    func note(
        _ parts: OutboxNote.Parts = [], where condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO outbox (recordId, notedAt, \(OutboxNote.columns))
                SELECT id, coalesce(?, lastReceivedAt), '', '', '', ?, 1, 0 FROM record WHERE \(condition)
                """
        ).execute(arguments: [settings.clock?().milliseconds, parts.rawValue] + arguments)
    }

    /// Notes that a call was erased. Nothing else that was noted of it is left.
    func noteErasure(of identity: CallIdentity, at moment: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO outbox (tenant, callId, notedAt, \(OutboxNote.columns)) VALUES (?, ?, ?, '', '', '', 0, 0, 0)
                """,
            arguments: identity.arguments + [moment.milliseconds])
    }
}

// MARK: - Limits

extension OutboxKeeper {
    /// An outbox that is full, and may not drop anything, takes nothing.
    /// - Throws: ``CallStoreError/unavailable(_:detail:)``.
    func checkRoom(_ db: Database) throws {
        guard settings.whenFull == .refuse, case let waiting = try Self.waiting(db), isFull(waiting),
            case let waiting = try waiting - Self.aside(db), isFull(waiting)
        else { return }
        throw CallStoreError.unavailable(
            .spoolFull, detail: "\(path): \(waiting.entries) changes of \(waiting.bytes) bytes wait")
    }

    /// Gives up what has waited longest, as far as that is allowed and necessary. Erasures stay.
    func makeRoom(_ db: Database) throws {
        guard settings.whenFull == .dropOldest, case var waiting = try Self.waiting(db), isOver(waiting) else { return }
        waiting = try waiting - Self.aside(db)
        guard isOver(waiting) else { return }
        let oldest = try Row.fetchCursor(
            db, sql: "SELECT id, byteCount FROM outbox WHERE recordId IS NOT NULL AND \(Self.isNotAside) ORDER BY id")
        var last: Int64?
        while isOver(waiting), let row = try oldest.next() {
            last = row[0]
            waiting = waiting - Waiting(entries: 1, bytes: row[1])
        }
        try db.execute(
            sql: "DELETE FROM outbox WHERE id <= ? AND recordId IS NOT NULL AND \(Self.isNotAside)", arguments: [last])
        try countDropped(db.changesCount, db)
    }

    /// Runs `body`, and counts entries that it removes as given up.
    func countingDropped<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
        let before = try Self.waiting(db).entries
        let value = try body()
        let dropped = try before - Self.waiting(db).entries
        if dropped > 0 { try countDropped(dropped, db) }
        return value
    }

    private func countDropped(_ entries: Int, _ db: Database) throws {
        try db.execute(sql: "UPDATE outboxState SET dropped = dropped + ?", arguments: [entries])
    }

    /// A condition on `outbox`: the entry's record is not set aside.
    static let isNotAside = "NOT EXISTS (SELECT 1 FROM outboxAside a WHERE a.recordId = outbox.recordId)"

    private struct Waiting {
        var entries: Int
        var bytes: Int64

        static func - (left: Self, right: Self) -> Self {
            Self(entries: left.entries - right.entries, bytes: left.bytes - right.bytes)
        }
    }

    private func isFull(_ waiting: Waiting) -> Bool {
        settings.maximumBytes.map { waiting.bytes >= $0 } == true
            || settings.maximumEntries.map { waiting.entries >= $0 } == true
    }

    private func isOver(_ waiting: Waiting) -> Bool {
        settings.maximumBytes.map { waiting.bytes > $0 } == true
            || settings.maximumEntries.map { waiting.entries > $0 } == true
    }

    private static func waiting(_ db: Database) throws -> Waiting {
        let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT entries, bytes FROM outboxState"))
        return Waiting(entries: row?[0] ?? 0, bytes: row?[1] ?? 0)
    }

    /// What waits of records that are set aside: few.
    private static func aside(_ db: Database) throws -> Waiting {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*), coalesce(sum(byteCount), 0) FROM outboxAside a
                    JOIN outbox o ON o.recordId = a.recordId
                    """))
        return Waiting(entries: row?[0] ?? 0, bytes: row?[1] ?? 0)
    }
}

// MARK: - Retention

extension OutboxKeeper {
    /// Whether a call has to stay, for something of it, or of a session that would go with it, is not shipped yet.
    func holds(tenant: String, call: String, attempt: Int, _ db: Database) throws -> Bool {
        guard settings.whenFull == .refuse else { return false }
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM record r JOIN outbox ON outbox.recordId = r.id
                        WHERE r.tenant = ?1 AND r.callId = ?2 AND r.attempt = ?3 AND \(Self.isNotAside))
                    OR EXISTS (SELECT 1 FROM claim c JOIN record s ON s.tenant = c.tenant AND s.callId = c.session
                        JOIN outbox ON outbox.recordId = s.id
                        WHERE c.tenant = ?1 AND c.callId = ?2 AND c.attempt = ?3 AND \(Self.isNotAside))
                    """),
            arguments: [tenant, call, attempt]) ?? false
    }
}
