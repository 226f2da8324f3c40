import CallModel
import GRDB

/// Finds the calls that are the same as one record's, by the names they have in common.
///
/// A name that says which call is meant ties them wherever they lie in time, for clocks differ; of several attempts the
/// one at the same time is meant. What a whole session has in common, or what may be chance, ties only what overlaps.
struct TieSearch {
    private let db: Database
    private let key: CallKey
    private let span: ClosedRange<Int64>
    private let sessions: [SessionClaim]
    private let ownNames: [CallName]

    /// - Parameters:
    ///   - db: the database, in one state.
    ///   - record: the row of the record.
    ///   - key: its key.
    /// - Throws: when the database cannot be read.
    init(_ db: Database, record: Int64, key: CallKey) throws {
        self.db = db
        self.key = key
        ownNames = try NameRow.fetchAll(db, record: record)
        sessions = try ClaimRow.fetchAll(db, of: key)
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT start, lastActivity FROM record WHERE id = ?"), arguments: [record])
        let start: Int64 = row?[0] ?? 0
        span = start...max(start, row?[1] ?? start)
    }

    /// A record that has a name in common.
    private struct Candidate {
        var key: CallKey
        var span: ClosedRange<Int64>
        var standsAlone: Bool
        var link: CallName
    }

    private struct Call: Hashable {
        var identity: CallIdentity
        var attempt: Int
    }

    func ties() throws -> CallTies {
        let borrowed = try sessions.flatMap { try names(ofSession: $0.session) }
        let told = ownNames + sessions.map { Self.name(of: $0.session) }
        var links: [Call: Set<CallName>] = [:]
        for candidate in try byID(told) + sharing(Array(Set(ownNames + borrowed))) {
            guard candidate.key.identity != key.identity else { continue }
            links[Call(identity: candidate.key.identity, attempt: candidate.key.attempt), default: []]
                .insert(candidate.link)
        }
        return CallTies(
            names: Set(told + borrowed.filter { $0.kind == .userToUser }).sorted(),
            related: links.map { RelatedCall(identity: $0.identity, attempt: $0.attempt, links: $1.sorted()) }
                .sorted { ($0.identity.call.rawValue, $0.attempt) < ($1.identity.call.rawValue, $1.attempt) })
    }

    private static func name(of session: CallIdentity) -> CallName {
        CallName(.session, session.call.rawValue, source: "sessionId")
    }

    // MARK: By an id

    /// Calls whose id or session is one of the names, and calls that have the id or a session of this one as a name.
    private func byID(_ names: [CallName]) throws -> [Candidate] {
        var found: [Candidate] = []
        for name in names where name.kind == .header {
            found += try nearest(records(of: identity(name.text), link: name))
            found += try claimants(of: identity(name.text), link: name)
        }
        for own in [key.identity] + sessions.map(\.session) {
            let text = own.call.rawValue
            found += try nearest(holders(of: [CallName(.header, text, source: "")]))
            let shared = try records(of: own, link: Self.name(of: own)).filter(\.standsAlone)
            found += own == key.identity ? [] : shared
        }
        return try found + claimants(of: key.identity, link: Self.name(of: key.identity))
    }

    private func identity(_ text: String) -> CallIdentity {
        CallIdentity(tenant: key.identity.tenant, call: CallID(rawValue: text))
    }

    /// Of each call the attempts at the same time; all of them when there are none.
    private func nearest(_ candidates: [Candidate]) -> [Candidate] {
        Dictionary(grouping: candidates, by: \.key.identity).values.flatMap { attempts in
            let overlapping = attempts.filter { $0.span.overlaps(span) }
            return overlapping.isEmpty ? attempts : overlapping
        }
    }

    // MARK: By what they share

    /// Calls at the same time that have a name with the same meaning. What stands under the id of a session is its calls'.
    private func sharing(_ names: [CallName]) throws -> [Candidate] {
        let wanted = names.filter { $0.kind != .header && $0.kind != .session }
        let found = try holders(of: wanted.map { CallName($0.counterpart, $0.text, source: $0.source) })
        return try found.flatMap { holder in
            let calls = try claimants(of: holder.key.identity, link: holder.link)
            return calls.isEmpty || holder.standsAlone ? calls + [holder] : calls
        }
        .filter { $0.span.overlaps(span) }
    }

    // MARK: Rows

    private static let columns = "r.callId, r.observer, r.attempt, r.start, r.lastActivity, r.standsAlone"

    private func holders(of names: [CallName]) throws -> [Candidate] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns), n.kind, n.name, n.source FROM name n JOIN record r ON r.id = n.recordId
                WHERE n.tenant = ? AND n.kind = ? AND n.name = ? LIMIT 1000
                """)
        return try Set(names.map { CallName($0.kind, $0.text, source: "") }).flatMap { name in
            try Row.fetchAll(
                statement, arguments: [tenant, name.kind.rawValue, StoredText.encode(name.text)]
            ).map { row in
                candidate(row, link: CallName(name.kind, name.text, source: StoredText.decode(row[8])))
            }
        }
    }

    /// A plain record of a session is none of a call; see ``ClaimRow/isCall``.
    private func records(of identity: CallIdentity, link: CallName) throws -> [Candidate] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM record r WHERE r.tenant = ? AND r.callId = ?
                AND (r.standsAlone = 1 OR NOT EXISTS (
                    SELECT 1 FROM claim WHERE claim.tenant = r.tenant AND claim.session = r.callId))
                """)
        return try Row.fetchAll(statement, arguments: identity.arguments).map { candidate($0, link: link) }
    }

    /// The records that claim a session.
    private func claimants(of session: CallIdentity, link: CallName) throws -> [Candidate] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM claim c JOIN record r \(ClaimRow.ofRecord)
                WHERE c.tenant = ? AND c.session = ?
                """)
        return try Row.fetchAll(statement, arguments: session.arguments).map { candidate($0, link: link) }
    }

    /// What was told under the id of a session, unless part of it belongs to none of its calls.
    private func names(ofSession session: CallIdentity) throws -> [CallName] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT n.kind, n.name, n.source FROM record r JOIN name n ON n.recordId = r.id
                WHERE r.tenant = ? AND r.callId = ? AND (r.standsAlone = 0 OR n.kind = 'userToUser')
                """)
        return try Row.fetchAll(statement, arguments: session.arguments).compactMap(CallName.init)
    }

    private func candidate(_ row: Row, link: CallName) -> Candidate {
        let start: Int64 = row[3]
        let key = CallKey(
            identity: identity(StoredText.decode(row[0])), observer: ObserverID(rawValue: StoredText.decode(row[1])),
            attempt: row[2])
        return Candidate(key: key, span: start...max(start, row[4]), standsAlone: row[5], link: link)
    }

    private var tenant: String { StoredText.encode(key.identity.tenant.rawValue) }
}
