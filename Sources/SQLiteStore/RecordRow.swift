import CallModel
import Foundation
import GRDB
import StoreParts

/// A row of `record`, as it is written.
struct RecordRow: Sendable {
    var key: CallKey
    /// The members of the summary that are columns, and its text.
    var summary: CallSummary
    var text: String
    /// `nil` leaves the one that is there.
    var fold: Data?
    var isDirty: Bool

    init(_ change: RecordChange) throws {
        key = change.key
        summary = change.summary
        text = try StoredJSON.text(of: change.summary)
        fold = change.session.map { Data($0) }
        isDirty = change.isDirty
    }

    /// Writes the row.
    /// - Returns: its id.
    /// - Throws: ``CallStoreError/refused(_:)`` when the record was evicted: it does not come back.
    func save(_ db: Database) throws -> Int64 {
        if let id = try Self.id(of: key, in: db) {
            try db.run(Self.update, columns + [id])
            try saveFold(db, record: id)
            return id
        }
        let key = StoredKey(key)
        guard try !Self.isEvicted(key, in: db) else {
            throw CallStoreError.refused(
                "call \(self.key.identity.call.rawValue) was evicted, and cannot be written to")
        }
        try db.run(Self.insert, columns + key.arguments)
        let id = db.lastInsertedRowID
        try saveFold(db, record: id)
        return id
    }

    /// In a table of its own: SQLite writes a row anew as a whole, and the fold changes more rarely than the rest.
    private func saveFold(_ db: Database, record: Int64) throws {
        guard let fold else { return }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO fold (recordId, state) VALUES (?, ?)")
            .execute(arguments: [record, fold])
    }

    /// Notes that a record waits for a new fold, if it is there.
    /// - Returns: its id; `nil` when it is not there, or waited already.
    static func mark(_ key: CallKey, _ db: Database) throws -> Int64? {
        guard let id = try id(of: key, in: db) else { return nil }
        try db.cachedStatement(sql: "UPDATE record SET isDirty = 1 WHERE id = ? AND isDirty = 0")
            .execute(arguments: [id])
        return db.changesCount > 0 ? id : nil
    }

    /// The id of the record with this key; `nil` when there is none.
    static func id(of key: CallKey, in db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT id FROM record WHERE tenant = ? AND callId = ? AND observer = ? AND attempt = ?"),
            arguments: StoredKey(key).arguments)
    }

    private static func isEvicted(_ key: StoredKey, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM tombstone
                    WHERE tenant = ? AND callId = ? AND observer = ? AND attempt = ?)
                    """),
            arguments: key.arguments) ?? false
    }

    private var columns: StatementArguments {
        [
            summary.start.milliseconds, summary.lastActivity.milliseconds, summary.lastReceivedAt.milliseconds,
            summary.endedAt?.milliseconds, summary.score, summary.worstScore, summary.outcome.rawValue, isDirty,
            summary.rulesVersion, text,
        ]
    }

    private static let update = """
        UPDATE record SET start = ?, lastActivity = ?, lastReceivedAt = ?, endedAt = ?, score = ?, worstScore = ?,
        outcome = ?, isDirty = ?, rulesVersion = ?, summary = ? WHERE id = ?
        """
    private static let insert = """
        INSERT INTO record (start, lastActivity, lastReceivedAt, endedAt, score, worstScore, outcome, isDirty,
        rulesVersion, summary, tenant, callId, observer, attempt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

/// The key of a record as its columns hold it.
struct StoredKey: Sendable {
    var tenant: String
    var call: String
    var observer: String
    var attempt: Int

    init(_ key: CallKey) {
        tenant = StoredText.encode(key.identity.tenant.rawValue)
        call = StoredText.encode(key.identity.call.rawValue)
        observer = StoredText.encode(key.observer.rawValue)
        attempt = key.attempt
    }

    /// In the order tenant, callId, observer, attempt.
    var arguments: StatementArguments { [tenant, call, observer, attempt] }
}

extension CallIdentity {
    /// In the order tenant, callId.
    var arguments: StatementArguments {
        [StoredText.encode(tenant.rawValue), StoredText.encode(call.rawValue)]
    }
}
