import CallModel
import Foundation
import GRDB
import StoreParts

/// Makes a batch of what waits, as of one state of the database.
struct OutboxReader {
    let db: Database
    let limit: OutboxLimit

    func batch() throws -> OutboxBatch? {
        if let erasure = try erasure() { return erasure }
        var left = limit
        var token = OutboxToken()
        var later: Set<Int64> = []
        var changes: [RecordChange] = []
        var unreadable: [CallKey: String] = [:]
        var isFull = false
        let entries = try Row.fetchCursor(
            db,
            sql: "SELECT recordId FROM outbox WHERE recordId IS NOT NULL AND \(OutboxKeeper.isNotAside) ORDER BY id")
        while let record: Int64 = try entries.next()?[0] {
            guard token.lastEntries[record] == nil, !later.contains(record) else { continue }
            guard left.rows > 0, left.bytes > 0 else {
                isFull = true
                break
            }
            guard let waiting = try waiting(of: record, within: left, besides: token) else {
                later.insert(record)
                isFull = true
                continue
            }
            token.lastEntries[record] = waiting.last
            left.rows -= waiting.note.rows
            left.bytes -= waiting.note.bytes
            isFull = isFull || !waiting.isAll
            guard let key = try key(of: record) else { continue }
            do {
                changes.append(try change(of: record, key, waiting.note))
            } catch let error as CallStoreError {
                unreadable[key] = "\(error)"
            }
        }
        guard !token.lastEntries.isEmpty else { return nil }
        return OutboxBatch(content: .changes(changes), unreadable: unreadable, token: token, isFull: isFull)
    }

    private func erasure() throws -> OutboxBatch? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT id, tenant, callId, notedAt FROM outbox WHERE recordId IS NULL ORDER BY id LIMIT 1"))
        return row.map { row in
            let identity = CallIdentity(
                tenant: TenantID(rawValue: StoredText.decode(row[1])),
                call: CallID(rawValue: StoredText.decode(row[2])))
            return OutboxBatch(
                content: .erasure(identity, Timestamp(milliseconds: row[3])), token: OutboxToken(erasure: row[0]),
                isFull: true)
        }
    }

    /// What was noted of a record, united; at least one entry.
    private struct Waiting {
        var note: OutboxNote
        var last: Int64
        /// Whether there are no further entries of it.
        var isAll: Bool
    }

    /// - Returns: `nil` when others have to come first.
    private func waiting(
        of record: Int64, within left: OutboxLimit, besides token: OutboxToken
    ) throws -> Waiting? {
        let entries = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT \(OutboxNote.columns), id FROM outbox WHERE recordId = ? ORDER BY id"),
            arguments: [record])
        var waiting = Waiting(note: OutboxNote(), last: 0, isAll: true)
        waiting.note.rows = 0
        while let row = try entries.next() {
            guard waiting.last == 0 || (waiting.note.rows < left.rows && waiting.note.bytes < left.bytes) else {
                waiting.isAll = false
                break
            }
            let note = try OutboxNote(row)
            let entry: Int64 = row[6]
            if note.parts.contains(.share), try lacksEvents(record, before: entry, besides: token) {
                waiting.isAll = false
                break
            }
            waiting.note.merge(note)
            waiting.last = entry
        }
        return waiting.last == 0 ? nil : waiting
    }

    /// Whether events that a record has of others were noted before an entry of it, and are neither shipped nor in the
    /// batch. The entry waits for them; the oldest of all entries never has to.
    private func lacksEvents(_ record: Int64, before entry: Int64, besides token: OutboxToken) throws -> Bool {
        let holders = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT e.recordId FROM joinedEvent j JOIN event e ON e.id = j.eventId
                    WHERE j.recordId = ?1 AND e.recordId <> ?1
                    AND NOT EXISTS (SELECT 1 FROM outboxAside a WHERE a.recordId = e.recordId)
                    """),
            arguments: [record])
        return try holders.contains { holder in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM outbox WHERE recordId = ? AND id > ? AND id < ?)"),
                arguments: [holder, token.lastEntries[holder] ?? 0, entry]) ?? false
        }
    }

    private func key(of record: Int64) throws -> CallKey? {
        try CallKey(ofRecord: record, in: db)
    }
}

// MARK: - One record

extension OutboxReader {
    /// What was noted, as it is stored now.
    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    private func change(of record: Int64, _ key: CallKey, _ note: OutboxNote) throws -> RecordChange {
        let head = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT summary, isDirty, standsAlone FROM record WHERE id = ?"),
            arguments: [record])
        guard let head else { throw CallStoreError.damaged("record \(record)", reason: "it is not there") }
        let stored = try StoredSummary(text: head[0], isDirty: head[1], standsAlone: head[2])
        var change = RecordChange(
            key: key, facts: try facts(of: record, in: note.facts), derived: try derived(of: record, note),
            session: note.parts.contains(.fold) ? try fold(of: record) : nil, summary: stored.summary,
            isDirty: stored.isDirty)
        if note.parts.contains(.names) {
            change.names = try NameRow.fetchAll(db, record: record)
            change.claims = try ClaimRow.fetchAll(db, of: key)
        }
        // Calls that are gone ship nothing themselves any more.
        change.claims += try ClaimRow.fetchOrphans(db, on: key.identity)
        if note.parts.contains(.share) {
            change.share = SessionOutcome(events: try joinedEvents(of: record), standsAlone: stored.standsAlone)
        }
        return change
    }

    private func facts(of record: Int64, in times: TimeSpans) throws -> [Fact] {
        let span = "recordId = ? AND time BETWEEN ? AND ?"
        return try times.spans.flatMap { times in
            let arguments: StatementArguments = [record, times.lowerBound, times.upperBound]
            return try SQLiteCallStore.reports(db, span, arguments).map(Fact.report)
                + SQLiteCallStore.events(db, span, arguments).map(Fact.event)
                + SQLiteCallStore.wireReports(db, span, arguments).map(Fact.wire)
        }
    }

    private func derived(of record: Int64, _ note: OutboxNote) throws -> RecordChange.DerivedRows {
        let isWhole = note.parts.contains(.derived)
        let spans = (
            intervals: (isWhole ? .all : note.intervals).spans, scores: (isWhole ? .all : note.scores).spans
        )
        let intervals = try spans.intervals.flatMap { try DerivedRows.whole(db, record: record, within: $0).intervals }
        let scores = try spans.scores.flatMap { span in
            let rows = try DerivedRows.whole(db, record: record, within: span)
            return ScoreInterval.Series.allCases.flatMap { rows.scores($0) }
        }
        return isWhole ? .replace(intervals, scores) : .append(intervals, scores)
    }

    private func fold(of record: Int64) throws -> [UInt8]? {
        try Data.fetchOne(db.cachedStatement(sql: "SELECT state FROM fold WHERE recordId = ?"), arguments: [record])
            .map { Array($0) }
    }

    private func joinedEvents(of record: Int64) throws -> [CallKey: [FactKey]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT r.tenant, r.callId, r.observer, r.attempt, e.time, e.rank, e.name
                    FROM joinedEvent j JOIN event e ON e.id = j.eventId JOIN record r ON r.id = e.recordId
                    WHERE j.recordId = ? ORDER BY e.time, e.rank, e.name
                    """),
            arguments: [record])
        let events = rows.map { row in
            let time = Timestamp(milliseconds: row[4])
            return (CallKey(row), FactKey(time: time, rank: row[5], name: StoredText.decode(row[6])))
        }
        return Dictionary(grouping: events, by: \.0).mapValues { $0.map(\.1) }
    }
}

extension CallKey {
    /// That of a row of `record`; `nil` when it is not there.
    init?(ofRecord record: Int64, in db: Database) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT tenant, callId, observer, attempt FROM record WHERE id = ?"),
            arguments: [record])
        guard let row else { return nil }
        self.init(row)
    }

    /// From the columns tenant, callId, observer, attempt, the first ones of a row.
    init(_ row: Row) {
        self.init(
            identity: CallIdentity(
                tenant: TenantID(rawValue: StoredText.decode(row[0])),
                call: CallID(rawValue: StoredText.decode(row[1]))),
            observer: ObserverID(rawValue: StoredText.decode(row[2])), attempt: row[3])
    }
}
