public import CallModel
import GRDB

/// What is in a database, counted.
public struct DatabaseContents: Hashable, Sendable {
    /// Calls, records, facts and tombstones.
    public var counts: StoreCounts
    /// Migrations that it has behind it: 1 for the first version of Sidetone.
    public var schemaVersion: Int
    /// Whether this version would bring it up to date when it opens it for writing.
    public var isOfEarlierVersion: Bool
    /// Bytes of its pages.
    public var bytes: Int
    /// Records that cannot be read whole. Of a database of an earlier version that is not looked for.
    public var damaged: [DamagedRecord]

    init(_ db: Database) throws {
        let applied = try Schema.migrator.appliedMigrations(db)
        schemaVersion = applied.count
        isOfEarlierVersion = try !Schema.migrator.hasCompletedMigrations(db)
        bytes =
            try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        let rows = try ["record", "report", "event", "wireReport", "tombstone"].map { table in
            // The first version had no wire reports.
            try db.tableExists(table) ? Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 : 0
        }
        let calls = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM (SELECT DISTINCT tenant, callId, attempt FROM record)")
        counts = StoreCounts(
            calls: calls ?? 0, records: rows[0], facts: rows[1] + rows[2] + rows[3], tombstones: rows[4])
        damaged = isOfEarlierVersion ? [] : try DamagedRecord.all(in: db)
    }
}
