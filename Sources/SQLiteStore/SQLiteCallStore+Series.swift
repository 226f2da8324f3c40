public import CallModel
import GRDB

extension SQLiteCallStore {
    public func series(of key: CallKey) async throws -> CallSeries? {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return nil }
            let isDirty = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT isDirty FROM record WHERE id = ?"), arguments: [record])
            let derived = try DerivedRows(db, record: record)
            return try CallSeries(
                intervals: derived.intervals, scores: derived.scores(.live),
                windows: derived.scores(.window) + DerivedRows.openWindow(db, record: record), isDirty: isDirty ?? false
            )
        }
    }

    public func facts(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> [Fact] {
        let last = moment?.milliseconds ?? .max
        return try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return [] }
            let latest = """
                recordId = ? AND (time, connection) IN (SELECT max(time), connection FROM report
                WHERE recordId = ? AND time <= ? GROUP BY connection ORDER BY 1 DESC, 2 LIMIT ?)
                """
            let reports = try Self.reports(db, latest, [record, record, last, max(0, limit)]).map(Fact.report)
            let wire = try Self.wireReports(
                db, "recordId = ? AND time = (SELECT max(time) FROM wireReport WHERE recordId = ? AND time <= ?)",
                [record, record, last])
            return reports + wire.map(Fact.wire)
        }
    }
}
