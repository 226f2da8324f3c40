public import CallModel
import Foundation
import GRDB
import StoreParts

extension SQLiteCallStore {
    public func records(of identity: CallIdentity) async throws -> [RecordHead] {
        try await read { try Self.heads($0, of: identity) }
    }

    /// A record that claims a session has its times from the claim: those of the facts under its own id.
    static func heads(_ db: Database, of identity: CallIdentity) throws -> [RecordHead] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT r.observer, r.attempt, coalesce(c.start, r.start), coalesce(c.lastActivity, r.lastActivity),
                iif(c.start IS NULL, \(RecordRow.isEnded("r")), c.endedAt IS NOT NULL), 0, r.isDirty
                FROM record r LEFT JOIN claim c ON c.tenant = r.tenant AND c.callId = r.callId
                AND c.attempt = r.attempt AND c.observer = r.observer
                WHERE r.tenant = ?1 AND r.callId = ?2 GROUP BY r.id
                UNION ALL SELECT observer, attempt, start, lastActivity, hasEnded, 1, 0
                FROM tombstone WHERE tenant = ?1 AND callId = ?2
                ORDER BY attempt, observer
                """)
        return try Row.fetchAll(statement, arguments: identity.arguments).map { row in
            RecordHead(
                key: CallKey(
                    identity: identity, observer: ObserverID(rawValue: StoredText.decode(row[0])), attempt: row[1]),
                start: Timestamp(milliseconds: row[2]), lastActivity: Timestamp(milliseconds: row[3]),
                hasEnded: row[4], isEvicted: row[5], isDirty: row[6])
        }
    }

    public func facts(of key: CallKey, among keys: [FactKey]) async throws -> [Fact] {
        try await rows(of: key) { db, record in
            try keys.flatMap { try Self.facts(db, record: record, with: $0) }.sorted { $0.key < $1.key }
        }
    }

    private static func facts(_ db: Database, record: Int64, with key: FactKey) throws -> [Fact] {
        let time = key.time.milliseconds
        let name = StoredText.encode(key.name)
        return switch key.rank {
        case FactKey.reportRank:
            try reports(db, "recordId = ? AND time = ? AND connection = ?", [record, time, name]).map(Fact.report)
        case FactKey.wireRank:
            try wireReports(db, "recordId = ? AND time = ?", [record, time]).map(Fact.wire)
        default:
            try events(db, "recordId = ? AND time = ? AND rank = ? AND name = ?", [record, time, key.rank, name])
                .map(Fact.event)
        }
    }

    public func facts(of key: CallKey) async throws -> [Fact] {
        try await rows(of: key) { db, record in
            let reports = try Self.reports(db, "recordId = ?", [record]).map(Fact.report)
            let events = try Self.events(db, "recordId = ?", [record]).map(Fact.event)
            let wire = try Self.wireReports(db, "recordId = ?", [record]).map(Fact.wire)
            return (reports + events + wire).map { ($0.key, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    public func events(of key: CallKey) async throws -> PartlyRead<[CallEvent]> {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return PartlyRead([]) }
            var damage = DamageLog()
            let events = try Self.shownEvents(db, record: record, &damage)
            return PartlyRead(events, damage: damage.found)
        }
    }

    /// The record's own events and those of its sessions; one that was told under both ids is shown once.
    private static func shownEvents(_ db: Database, record: Int64, _ damage: inout DamageLog) throws -> [CallEvent] {
        let own = try events(db, "recordId = ?", [record], &damage)
        let joined = try events(db, "id IN (SELECT eventId FROM joinedEvent WHERE recordId = ?)", [record], &damage)
        return Fact.events(among: (own + joined).map(Fact.event))
    }

    public func intervals(of key: CallKey) async throws -> [MediaInterval] {
        try await rows(of: key) { db, record in try DerivedRows.whole(db, record: record).intervals }
    }

    public func scores(of key: CallKey, series: ScoreInterval.Series) async throws -> [ScoreInterval] {
        try await rows(of: key) { db, record in try DerivedRows.whole(db, record: record).scores(series) }
    }

    public func session(of key: CallKey) async throws -> [UInt8]? {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return nil }
            return try Data.fetchOne(
                db.cachedStatement(sql: "SELECT state FROM fold WHERE recordId = ?"), arguments: [record]
            ).map { Array($0) }
        }
    }

    /// Records that wait for a new fold, longest first.
    public func dirtyRecords(limit: Int) async throws -> [CallKey] {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT tenant, callId, observer, attempt FROM record WHERE isDirty = 1
                    ORDER BY lastReceivedAt, id LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [max(limit, 0)]).map { CallKey($0) }
        }
    }

    public func summaries(of identity: CallIdentity) async throws -> [StoredSummary] {
        try await read { try Self.summaries($0, of: identity) }
    }

    public func record(_ key: CallKey) async throws -> CallRecord? {
        try await records([key]).first
    }

    public func records(_ keys: [CallKey]) async throws -> [CallRecord] {
        try await read { db in
            var known = KnownRecords()
            return try keys.compactMap { try Self.record(db, $0, &known) }
        }
    }

    private static func record(_ db: Database, _ key: CallKey, _ known: inout KnownRecords) throws -> CallRecord? {
        guard let record = try RecordRow.id(of: key, in: db) else { return nil }
        let ties = try SQLiteTies.ties(db, record: record, key: key)
        let identities = Set([key.identity] + ties.related.map(\.identity))
        for call in identities where known.summaries[call] == nil {
            known.learn(try summaries(db, of: call), of: call)
        }
        var damage = DamageLog()
        let derived = try DerivedRows(db, record: record, &damage)
        var found = CallRecord(
            key, of: known.summaries(of: identities),
            intervals: derived.intervals, scores: derived.scores(.live), windows: derived.scores(.window),
            events: try shownEvents(db, record: record, &damage), ties: ties)
        found?.note(damage.found)
        for other in found?.others.prefix(CallRecord.mostJoined).map(\.key) ?? [] {
            found?.otherIntervals[other] = try intervals(db, ofOther: other, &known)
        }
        return found
    }

    /// - Returns: `nil` when there is no such record.
    private static func intervals(
        _ db: Database, ofOther key: CallKey, _ known: inout KnownRecords
    ) throws -> [MediaInterval]? {
        if let intervals = known.intervals[key] { return intervals }
        guard let record = try RecordRow.id(of: key, in: db) else { return nil }
        // What of it is damaged its own report tells.
        var damage = DamageLog()
        let intervals = try DerivedRows(db, record: record, &damage).intervals
        known.intervals[key] = intervals
        return intervals
    }

    private static func summaries(_ db: Database, of identity: CallIdentity) throws -> [StoredSummary] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT summary, isDirty, standsAlone, id FROM record WHERE tenant = ? AND callId = ?
                ORDER BY attempt, observer
                """)
        return try Row.fetchAll(statement, arguments: identity.arguments).map { row in
            try StoredSummary(text: row[0], isDirty: row[1], standsAlone: row[2], record: row[3], in: db)
        }
    }

    public func latestReceipt() async throws -> Timestamp? {
        try await read { db in
            try Int64.fetchOne(db, sql: "SELECT max(lastReceivedAt) FROM record").map(Timestamp.init(milliseconds:))
        }
    }

    public func counts() async throws -> StoreCounts {
        try await read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM (SELECT DISTINCT tenant, callId, attempt FROM record
                    WHERE \(ClaimRow.isCall))),
                    (SELECT count(*) FROM record),
                    (SELECT count(*) FROM report) + (SELECT count(*) FROM event) + (SELECT count(*) FROM wireReport),
                    (SELECT count(*) FROM tombstone)
                    """)
            guard let row else { return StoreCounts(calls: 0, records: 0, facts: 0, tombstones: 0) }
            return StoreCounts(calls: row[0], records: row[1], facts: row[2], tombstones: row[3])
        }
    }

    /// Reads rows of one record; none when there is no such record.
    private func rows<Value: Sendable>(
        of key: CallKey, _ body: @escaping @Sendable (Database, Int64) throws -> [Value]
    ) async throws -> [Value] {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return [] }
            return try body(db, record)
        }
    }

    static func reports(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [StatsReport] {
        var damage = DamageLog()
        let reports = try reports(db, condition, arguments, &damage)
        try damage.check()
        return reports
    }

    static func wireReports(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [WireReport] {
        var damage = DamageLog()
        let reports = try wireReports(db, condition, arguments, &damage)
        try damage.check()
        return reports
    }

    static func events(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [CallEvent] {
        var damage = DamageLog()
        let events = try events(db, condition, arguments, &damage)
        try damage.check()
        return events
    }
}
