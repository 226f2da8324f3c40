import CallModel
import GRDB

/// A row of `name`.
enum NameRow {
    static func save(_ name: CallName, _ db: Database, record: Int64, of tenant: TenantID) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO name (recordId, tenant, kind, name, source) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            record, StoredText.encode(tenant.rawValue), name.kind.rawValue, StoredText.encode(name.text),
            StoredText.encode(name.source),
        ])
    }

    static func fetchAll(_ db: Database, record: Int64) throws -> [CallName] {
        let statement = try db.cachedStatement(sql: "SELECT kind, name, source FROM name WHERE recordId = ?")
        return try Row.fetchAll(statement, arguments: [record]).compactMap(CallName.init)
    }
}

extension CallName {
    /// From the columns kind, name, source; `nil` for a kind that this version does not know.
    init?(_ row: Row) {
        guard let kind = Kind(rawValue: row[0]) else { return nil }
        self.init(kind, StoredText.decode(row[1]), source: StoredText.decode(row[2]))
    }
}

/// A row of `claim`.
enum ClaimRow {
    private static let columns = "session, callId, observer, attempt, start, lastActivity, isBegun, endedAt"

    /// Whether a row of `record` is one of a call, and not only what was told under the id of a call's session.
    ///
    /// In this order, for `standsAlone` lies behind the summary, which is long.
    static let isCall = """
        (NOT EXISTS (SELECT 1 FROM claim WHERE claim.tenant = record.tenant AND claim.session = record.callId)
        OR record.standsAlone = 1)
        """

    /// Whether no call claims a row of `record` as what was told under its session's id: it then goes with that call.
    static let isUnclaimed = """
        NOT EXISTS (SELECT 1 FROM claim c JOIN record r \(ofRecord)
        WHERE c.tenant = record.tenant AND c.session = record.callId AND \(claimsNothing))
        """

    /// Whether a row of `record` is of no call that has a session of its own.
    static let claimsNothing = """
        NOT EXISTS (SELECT 1 FROM claim own WHERE own.tenant = record.tenant AND own.callId = record.callId)
        """

    /// Joins `record` as `r` to `claim` as `c`.
    static let ofRecord = """
        ON r.tenant = c.tenant AND r.callId = c.callId AND r.attempt = c.attempt AND r.observer = c.observer
        """

    static func save(_ claim: SessionClaim, _ db: Database) throws {
        let key = StoredKey(claim.key)
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO claim (tenant, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            key.tenant, StoredText.encode(claim.session.call.rawValue), key.call, key.observer, key.attempt,
            claim.start.milliseconds, claim.lastActivity.milliseconds, claim.isBegun, claim.endedAt?.milliseconds,
        ])
    }

    /// The claims on a session, in order of start.
    static func fetchAll(_ db: Database, on session: CallIdentity) throws -> [SessionClaim] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(columns) FROM claim WHERE tenant = ? AND session = ?
                ORDER BY start, callId, attempt, observer
                """)
        return try Row.fetchAll(statement, arguments: session.arguments).map { claim($0, of: session.tenant) }
    }

    /// The claims of a record, in order of session.
    static func fetchAll(_ db: Database, of key: CallKey) throws -> [SessionClaim] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(columns) FROM claim WHERE tenant = ? AND callId = ? AND observer = ? AND attempt = ?
                ORDER BY session
                """)
        return try Row.fetchAll(statement, arguments: StoredKey(key).arguments)
            .map { claim($0, of: key.identity.tenant) }
    }

    /// The claims on a session by calls that were evicted or erased, in order of start.
    static func fetchOrphans(_ db: Database, on session: CallIdentity) throws -> [SessionClaim] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(columns) FROM claim c WHERE tenant = ? AND session = ?
                AND NOT EXISTS (SELECT 1 FROM record r WHERE r.tenant = c.tenant AND r.callId = c.callId
                    AND r.attempt = c.attempt AND r.observer = c.observer)
                ORDER BY start, callId, attempt, observer
                """)
        return try Row.fetchAll(statement, arguments: session.arguments).map { claim($0, of: session.tenant) }
    }

    private static func claim(_ row: Row, of tenant: TenantID) -> SessionClaim {
        func identity(_ text: String) -> CallIdentity {
            CallIdentity(tenant: tenant, call: CallID(rawValue: StoredText.decode(text)))
        }
        return SessionClaim(
            session: identity(row[0]),
            key: CallKey(
                identity: identity(row[1]), observer: ObserverID(rawValue: StoredText.decode(row[2])),
                attempt: row[3]),
            start: Timestamp(milliseconds: row[4]), lastActivity: Timestamp(milliseconds: row[5]), isBegun: row[6],
            endedAt: (row[7] as Int64?).map(Timestamp.init(milliseconds:)))
    }
}

extension SessionOutcome {
    /// Writes what a new fold found, in place of what was there.
    func save(_ db: Database, record: Int64) throws {
        try db.cachedStatement(sql: "UPDATE record SET standsAlone = ? WHERE id = ?")
            .execute(arguments: [standsAlone, record])
        try db.cachedStatement(sql: "DELETE FROM joinedEvent WHERE recordId = ?").execute(arguments: [record])
        for (key, events) in events {
            guard let source = try RecordRow.id(of: key, in: db) else { continue }
            for event in events {
                try db.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO joinedEvent (recordId, eventId)
                        SELECT ?, id FROM event WHERE recordId = ? AND time = ? AND rank = ? AND name = ?
                        """
                ).execute(arguments: [
                    record, source, event.time.milliseconds, event.rank, StoredText.encode(event.name),
                ])
            }
        }
    }
}
