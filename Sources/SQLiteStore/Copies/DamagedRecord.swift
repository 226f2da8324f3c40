public import CallModel
import GRDB
import StoreParts

/// A record of which a part is stored and cannot be understood.
public struct DamagedRecord: Hashable, Sendable {
    /// Which record.
    public var key: CallKey
    /// What of it, each part once.
    public var damage: [RecordDamage]
}

extension DamagedRecord {
    /// Reads every value of every record, as those do who show and derive them.
    /// - Returns: what cannot be understood, in the order in which the records came.
    static func all(in db: Database) throws -> [DamagedRecord] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT tenant, callId, observer, attempt, record.id, summary, isDirty, standsAlone,
                outline.recordId IS NULL OR \(RecordChoice.isOutlineLegible)
                FROM record LEFT JOIN outline ON outline.recordId = record.id ORDER BY record.id
                """)
        var found: [DamagedRecord] = []
        while let row = try rows.next() {
            let damage = try damage(of: row[4], row, in: db)
            if !damage.isEmpty { found.append(DamagedRecord(key: CallKey(row), damage: damage)) }
        }
        return found
    }

    private static func damage(of record: Int64, _ row: Row, in db: Database) throws -> [RecordDamage] {
        var damage = DamageLog()
        _ = try damage.reading(.summary) {
            try StoredSummary(text: row[5], isDirty: row[6], standsAlone: row[7])
        }
        if !(row[8] as Bool) { damage.note(.outlineIsNoJSON) }
        _ = try DerivedRows(db, record: record, &damage)
        _ = try SQLiteCallStore.reports(db, "recordId = ?", [record], &damage)
        _ = try SQLiteCallStore.events(db, "recordId = ?", [record], &damage)
        _ = try SQLiteCallStore.wireReports(db, "recordId = ?", [record], &damage)
        return damage.found
    }
}

extension RecordDamage {
    /// What filters and counts find in a row of `outline` that they cannot read.
    static let outlineIsNoJSON = RecordDamage(.outline, of: "the outline of a call", reason: "a list in it is no JSON")
}
