public import CallModel
import GRDB

/// What was committed and waits to be given to another store; empty unless the store was opened to keep an outbox.
extension SQLiteCallStore: ChangeOutbox {
    /// The next batch, as of one state of the database; see ``ChangeOutbox``.
    public func nextBatch(_ limit: OutboxLimit) async throws -> OutboxBatch? {
        try await read { try OutboxReader(db: $0, limit: limit).batch() }
    }

    /// Removes what a batch was made of.
    public func settle(_ token: OutboxToken) async throws {
        try await write { db in
            if let erasure = token.erasure {
                try db.execute(sql: "DELETE FROM outbox WHERE id = ? AND recordId IS NULL", arguments: [erasure])
            }
            let statement = try db.cachedStatement(
                sql: "DELETE FROM outbox WHERE recordId = ? AND id <= ? AND \(OutboxKeeper.isNotAside)")
            for (record, last) in token.lastEntries { try statement.execute(arguments: [record, last]) }
        }
    }

    /// Keeps records out of batches.
    public func setAside(_ records: [CallKey: String]) async throws {
        guard !records.isEmpty else { return }
        try await write { db in
            for (key, reason) in records {
                guard let id = try RecordRow.id(of: key, in: db) else { continue }
                try db.execute(
                    sql: "INSERT OR REPLACE INTO outboxAside (recordId, reason) VALUES (?, ?)",
                    arguments: [id, StoredText.encode(reason)])
            }
        }
    }

    /// Has what was set aside come again.
    public func recall() async throws -> Int {
        try await write { db in
            try db.execute(sql: "DELETE FROM outboxAside")
            return db.changesCount
        }
    }

    /// Has all of these records come again; where no outbox is kept, nothing.
    public func noteAgain(_ keys: some Collection<CallKey> & Sendable) async throws {
        guard let outbox else { return }
        try await write { db in
            let records = try keys.compactMap { try RecordRow.id(of: $0, in: db) }.sorted()
            try OutboxKeeper.noteWhole(records, at: outbox.settings.clock?(), db)
        }
    }

    /// The records that were set aside.
    public func recordsSetAside(limit: Int) async throws -> [RecordSetAside] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT tenant, callId, observer, attempt, reason FROM outboxAside a JOIN record r ON r.id = a.recordId
                    ORDER BY a.recordId LIMIT ?
                    """,
                arguments: [max(limit, 0)]
            ).map { RecordSetAside(key: CallKey($0), reason: StoredText.decode($0[4])) }
        }
    }

    /// How much waits; counted as it is noted, so that to ask costs nothing.
    public func figures() async throws -> OutboxFigures {
        try await read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT entries, bytes, dropped FROM outboxState") else {
                return OutboxFigures()
            }
            let oldest = try Int64.fetchOne(
                db, sql: "SELECT notedAt FROM outbox WHERE \(OutboxKeeper.isNotAside) ORDER BY id LIMIT 1")
            return OutboxFigures(
                entries: row[0], bytes: row[1], oldest: oldest.map(Timestamp.init(milliseconds:)),
                recordsSetAside: try Int.fetchOne(db, sql: "SELECT count(*) FROM outboxAside") ?? 0, dropped: row[2])
        }
    }
}
