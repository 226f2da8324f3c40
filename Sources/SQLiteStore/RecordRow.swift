import CallModel
import Foundation
import GRDB
import StoreParts

/// A row of `record`, as it is written.
struct RecordRow: Sendable {
    var key: CallKey
    var lastReceivedAt: Timestamp
    private var lastActivity: Timestamp
    private var worstScore: Int?
    private var outcome: CallOutcome
    private var rulesVersion: Int
    /// In the order of ``indexedNames``.
    private var indexed: [Int64?]
    /// The summary.
    var text: String
    /// `nil` leaves the one that is there.
    private var fold: Data?

    init(_ change: RecordChange) {
        let summary = change.summary
        key = change.key
        (lastReceivedAt, lastActivity) = (summary.lastReceivedAt, summary.lastActivity)
        (worstScore, outcome, rulesVersion) = (summary.worstScore, summary.outcome, summary.rulesVersion)
        indexed = [
            summary.start.milliseconds, summary.closedAt?.milliseconds, summary.score.map(Int64.init),
            change.isDirty ? 1 : 0,
        ]
        text = StoredJSON.text(of: summary)
        fold = change.session.map { Data($0) }
    }

    /// Writes the row.
    /// - Returns: its id.
    /// - Throws: ``CallStoreError/refused(_:)`` when the record was evicted: it does not come back.
    func save(_ db: Database) throws -> Int64 {
        if let stored = try StoredColumns(of: key, in: db) {
            let changed = indexed.indices.filter { indexed[$0] != stored.indexed[$0] }
            let update = Self.updates[changed.reduce(0) { $0 | 1 << $1 }]
            try db.run(update, others + StatementArguments(changed.map { indexed[$0] }) + [stored.id])
            try saveFold(db, record: stored.id)
            return stored.id
        }
        let key = StoredKey(key)
        guard try !Self.isEvicted(key, in: db) else {
            throw CallStoreError.refused(
                "call \(self.key.identity.call.rawValue) was evicted, and cannot be written to")
        }
        try db.run(Self.insert, others + StatementArguments(indexed) + key.arguments)
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

    /// In the order of ``otherNames``.
    private var others: StatementArguments {
        [lastActivity.milliseconds, lastReceivedAt.milliseconds, worstScore, outcome.rawValue, rulesVersion, text]
    }

    private static let otherNames = [
        "lastActivity", "lastReceivedAt", "worstScore", "outcome", "rulesVersion", "summary",
    ]
    /// Columns that indices have: SQLite writes an index anew when it is told a column of it, changed or not. `endedAt` is
    /// ``CallSummary/closedAt``.
    fileprivate static let indexedNames = ["start", "endedAt", "score", "isDirty"]

    /// A condition on a row: an event ended the call. Where its probe only stopped to watch, that was after the rest.
    static func isEnded(_ table: String) -> String { "coalesce(\(table).endedAt <= \(table).lastActivity, 0)" }

    /// By which of ``indexedNames`` have changed, a bit each.
    private static let updates = (0..<1 << indexedNames.count).map { changed in
        let names = otherNames + indexedNames.indices.filter { changed & 1 << $0 != 0 }.map { indexedNames[$0] }
        return "UPDATE record SET " + names.map { "\($0) = ?" }.joined(separator: ", ") + " WHERE id = ?"
    }
    private static let insert = """
        INSERT INTO record (\((otherNames + indexedNames).joined(separator: ", ")), tenant, callId, observer, attempt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

/// What is stored of a record in the columns that indices have.
private struct StoredColumns {
    let id: Int64
    /// In the order of ``RecordRow/indexedNames``.
    let indexed: [Int64?]

    /// - Returns: `nil` when the record is not there.
    init?(of key: CallKey, in db: Database) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id, \(RecordRow.indexedNames.joined(separator: ", ")) FROM record
                    WHERE tenant = ? AND callId = ? AND observer = ? AND attempt = ?
                    """),
            arguments: StoredKey(key).arguments)
        guard let row else { return nil }
        id = row[0]
        indexed = RecordRow.indexedNames.indices.map { row[$0 + 1] }
    }
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
