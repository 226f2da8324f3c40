import CallModel
import GRDB
import StoreParts

/// What the search for ties reads, in one state of the database.
struct SQLiteTies: TieSource {
    private let db: Database

    /// - Throws: when the database cannot be read.
    static func ties(_ db: Database, record: Int64, key: CallKey) throws -> CallTies {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT start, lastActivity FROM record WHERE id = ?"), arguments: [record])
        let search = TieSearch(
            SQLiteTies(db: db),
            of: TiedRecord(key: key, start: row?[0] ?? 0, lastActivity: row?[1] ?? 0, standsAlone: false),
            names: try NameRow.fetchAll(db, record: record), sessions: try ClaimRow.fetchAll(db, of: key).map(\.session)
        )
        return try search.ties()
    }

    private static let columns = "r.callId, r.observer, r.attempt, r.start, r.lastActivity, r.standsAlone"

    func holders(of name: CallName, in tenant: TenantID) throws -> [(record: TiedRecord, name: CallName)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns), n.source FROM name n JOIN record r ON r.id = n.recordId
                WHERE n.tenant = ? AND n.kind = ? AND n.name = ? LIMIT \(TieLimits.holders)
                """)
        let arguments: StatementArguments = [
            StoredText.encode(tenant.rawValue), name.kind.rawValue, StoredText.encode(name.text),
        ]
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            (Self.record(row, in: tenant), CallName(name.kind, name.text, source: StoredText.decode(row[6])))
        }
    }

    /// See ``ClaimRow/isCall``.
    func records(of identity: CallIdentity) throws -> [TiedRecord] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM record r WHERE r.tenant = ? AND r.callId = ?
                AND (r.standsAlone = 1 OR NOT EXISTS (
                    SELECT 1 FROM claim WHERE claim.tenant = r.tenant AND claim.session = r.callId))
                """)
        return try Row.fetchAll(statement, arguments: identity.arguments).map { Self.record($0, in: identity.tenant) }
    }

    func claimants(of session: CallIdentity) throws -> [TiedRecord] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM claim c JOIN record r \(ClaimRow.ofRecord)
                WHERE c.tenant = ? AND c.session = ?
                """)
        return try Row.fetchAll(statement, arguments: session.arguments).map { Self.record($0, in: session.tenant) }
    }

    func names(ofSession session: CallIdentity) throws -> [CallName] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT n.kind, n.name, n.source FROM record r JOIN name n ON n.recordId = r.id
                WHERE r.tenant = ? AND r.callId = ? AND (r.standsAlone = 0 OR n.kind = 'userToUser')
                """)
        return try Row.fetchAll(statement, arguments: session.arguments).compactMap(CallName.init)
    }

    private static func record(_ row: Row, in tenant: TenantID) -> TiedRecord {
        let identity = CallIdentity(tenant: tenant, call: CallID(rawValue: StoredText.decode(row[0])))
        return TiedRecord(
            key: CallKey(
                identity: identity, observer: ObserverID(rawValue: StoredText.decode(row[1])), attempt: row[2]),
            start: row[3], lastActivity: row[4], standsAlone: row[5])
    }
}
