public import CallModel
import GRDB

extension SQLiteCallStore {
    /// - Throws: ``CallStoreError``; nothing is written then. Facts for an evicted record are an error here: who
    ///   commits has asked ``records(of:)`` before.
    public func commit(
        _ changes: [RecordChange], marking dirty: some Collection<CallKey> & Sendable
    ) async throws {
        guard !changes.isEmpty || !dirty.isEmpty else { return }
        let prepared = try await Self.prepared(changes, noting: outbox != nil)
        try await write { [outbox] db in
            if !prepared.isEmpty { try outbox?.checkRoom(db) }
            let records = try prepared.map { try $0.save(db) }
            // The events that a record has of others may be among those just written; they are to be shipped before it.
            for (change, record) in zip(prepared, records) { try change.share?.save(db, record: record) }
            for sharesEvents in [false, true] {
                for (change, record) in zip(prepared, records) where change.sharesEvents == sharesEvents {
                    guard let note = change.note else { continue }
                    try outbox?.note(note, record: record, receipt: change.record.lastReceivedAt, db)
                }
            }
            for key in dirty {
                guard let record = try RecordRow.mark(key, db) else { continue }
                try outbox?.note(where: "id = ?", [record], db)
            }
            try outbox?.makeRoom(db)
        }
    }

    /// Texts and packed values are made before the writing connection is taken, and on all processors: while a group is
    /// prepared, nobody else has work for them, for all wait for its commit.
    private static func prepared(_ changes: [RecordChange], noting isNoted: Bool) async throws -> [PreparedChange] {
        guard changes.count > changesPerTask else {
            return try changes.map { try PreparedChange($0, isNoted: isNoted) }
        }
        return try await withThrowingTaskGroup(of: (Int, [PreparedChange]).self) { tasks in
            for start in stride(from: 0, to: changes.count, by: changesPerTask) {
                tasks.addTask {
                    let part = changes[start..<min(changes.count, start + changesPerTask)]
                    return (start, try part.map { try PreparedChange($0, isNoted: isNoted) })
                }
            }
            return try await tasks.reduce(into: [Int: [PreparedChange]]()) { $0[$1.0] = $1.1 }
                .sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }

    private static let changesPerTask = 8
}

/// A change in the form of rows.
private struct PreparedChange: Sendable {
    var record: RecordRow
    var outline: OutlineRow
    var reports: [ReportRow] = []
    var events: [EventRow] = []
    var wireReports: [WireReportRow] = []
    var replacesDerived: Bool
    var derived: [DerivedRow]
    var names: [CallName]
    var claims: [SessionClaim]
    var share: SessionOutcome?
    /// What an outbox notes of it; `nil` when none is kept.
    var note: OutboxNote?

    var sharesEvents: Bool { share?.events.isEmpty == false }

    init(_ change: RecordChange, isNoted: Bool) throws {
        record = RecordRow(change)
        outline = OutlineRow(change.summary)
        (names, claims, share) = (change.names, change.claims, change.share)
        switch change.derived {
        case .append(let intervals, let scores):
            (replacesDerived, derived) = (false, try DerivedRow.rows(intervals, scores))
        case .replace(let intervals, let scores):
            (replacesDerived, derived) = (true, try DerivedRow.rows(intervals, scores))
        }
        for fact in change.facts {
            switch fact {
            case .report(let report): reports.append(ReportRow(report))
            case .event(let event): events.append(EventRow(event))
            case .wire(let report): wireReports.append(WireReportRow(report))
            }
        }
        note = isNoted ? noted(of: change) : nil
    }

    private func noted(of change: RecordChange) -> OutboxNote {
        var note = OutboxNote(change)
        let packed = reports.map(\.objects.count) + wireReports.map(\.content.count)
        let texts = [record.text.utf8.count] + events.map { $0.members.utf8.count }
        note.bytes += Int64((packed + texts).reduce(0, +)) + Int64(events.count) * OutboxNote.bytesOfEvent
        return note
    }

    /// Writes all but ``share``.
    /// - Returns: the id of the record.
    func save(_ db: Database) throws -> Int64 {
        let id = try record.save(db)
        try outline.save(db, record: id)
        for report in reports { try report.save(db, record: id) }
        for event in events { try event.save(db, record: id) }
        for report in wireReports { try report.save(db, record: id) }
        if replacesDerived { try DerivedRow.deleteAll(db, record: id) }
        for row in derived { try row.save(db, record: id) }
        for name in names { try NameRow.save(name, db, record: id, of: record.key.identity.tenant) }
        for claim in claims { try ClaimRow.save(claim, db) }
        return id
    }
}
