public import CallModel
import GRDB

extension SQLiteCallStore {
    public func series(of key: CallKey) async throws -> CallSeries? {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return nil }
            let isDirty = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT isDirty FROM record WHERE id = ?"), arguments: [record])
            var damage = DamageLog()
            let derived = try DerivedRows(db, record: record, &damage)
            let openWindow = try DerivedRows.openWindow(db, record: record, &damage)
            return CallSeries(
                intervals: derived.intervals, scores: derived.scores(.live),
                windows: derived.scores(.window) + openWindow, isDirty: isDirty ?? false, damage: damage.found)
        }
    }

    public func facts(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> PartlyRead<[Fact]> {
        let last = moment?.milliseconds ?? .max
        return try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return PartlyRead([]) }
            let latest = """
                recordId = ? AND (time, connection) IN (SELECT max(time), connection FROM report
                WHERE recordId = ? AND time <= ? GROUP BY connection ORDER BY 1 DESC, 2 LIMIT ?)
                """
            var damage = DamageLog()
            let reports = try Self.reports(db, latest, [record, record, last, max(0, limit)], &damage)
            let wire = try Self.wireReports(
                db, "recordId = ? AND time = (SELECT max(time) FROM wireReport WHERE recordId = ? AND time <= ?)",
                [record, record, last], &damage)
            return PartlyRead(reports.map(Fact.report) + wire.map(Fact.wire), damage: damage.found)
        }
    }
}
