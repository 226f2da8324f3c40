public import CallModel
import GRDB

extension SQLiteCallStore {
    /// - Throws: ``CallStoreError``; nothing is written then. Facts for an evicted record are an error here: who
    ///   commits has asked ``records(of:)`` before.
    public func commit(
        _ changes: [RecordChange], marking dirty: some Collection<CallKey> & Sendable
    ) async throws {
        guard !changes.isEmpty || !dirty.isEmpty else { return }
        let prepared = try await Self.prepared(changes)
        try await write { db in
            for change in prepared { try change.save(db) }
            for key in dirty { try RecordRow.mark(key, db) }
        }
    }

    /// Texts and packed values are made before the writing connection is taken, and on all processors: while a group is
    /// prepared, nobody else has work for them, for all wait for its commit.
    private static func prepared(_ changes: [RecordChange]) async throws -> [PreparedChange] {
        guard changes.count > changesPerTask else { return try changes.map(PreparedChange.init) }
        return try await withThrowingTaskGroup(of: (Int, [PreparedChange]).self) { tasks in
            for start in stride(from: 0, to: changes.count, by: changesPerTask) {
                tasks.addTask {
                    let part = changes[start..<min(changes.count, start + changesPerTask)]
                    return (start, try part.map(PreparedChange.init))
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
    var reports: [ReportRow] = []
    var events: [EventRow] = []
    var wireReports: [WireReportRow] = []
    var replacesDerived: Bool
    var intervals: [MediaInterval]
    var scores: [ScoreInterval]
    var names: [CallName]
    var claims: [SessionClaim]
    var share: SessionOutcome?

    init(_ change: RecordChange) throws {
        record = try RecordRow(change)
        (names, claims, share) = (change.names, change.claims, change.share)
        switch change.derived {
        case .append(let newIntervals, let newScores):
            (replacesDerived, intervals, scores) = (false, newIntervals, newScores)
        case .replace(let allIntervals, let allScores):
            (replacesDerived, intervals, scores) = (true, allIntervals, allScores)
        }
        for fact in change.facts {
            switch fact {
            case .report(let report): reports.append(ReportRow(report))
            case .event(let event): events.append(EventRow(event))
            case .wire(let report): wireReports.append(WireReportRow(report))
            }
        }
    }

    func save(_ db: Database) throws {
        let id = try record.save(db)
        for report in reports { try report.save(db, record: id) }
        for event in events { try event.save(db, record: id) }
        for report in wireReports { try report.save(db, record: id) }
        if replacesDerived {
            try db.cachedStatement(sql: "DELETE FROM interval WHERE recordId = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM score WHERE recordId = ?").execute(arguments: [id])
        }
        for interval in intervals { try IntervalRow.save(interval, db, record: id) }
        for score in scores { try ScoreRow.save(score, db, record: id) }
        for name in names { try NameRow.save(name, db, record: id, of: record.key.identity.tenant) }
        for claim in claims { try ClaimRow.save(claim, db) }
        try share?.save(db, record: id)
    }
}
