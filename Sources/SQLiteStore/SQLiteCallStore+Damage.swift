import CallModel
import GRDB
import StoreParts

// What can be understood of rows, and a note of the others.
extension SQLiteCallStore {
    static func reports(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, _ damage: inout DamageLog
    ) throws -> [StatsReport] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(ReportRow.columns) FROM report WHERE \(condition) ORDER BY time, connection")
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            try damage.reading(.reports) { try ReportRow(row).report() }
        }
    }

    static func wireReports(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, _ damage: inout DamageLog
    ) throws -> [WireReport] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(WireReportRow.columns) FROM wireReport WHERE \(condition) ORDER BY time")
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            try damage.reading(.wireReports) { try WireReportRow(row).report() }
        }
    }

    static func events(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, _ damage: inout DamageLog
    ) throws -> [CallEvent] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(EventRow.columns) FROM event WHERE \(condition) ORDER BY time, rank, name")
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            try damage.reading(.events) { try EventRow(row).event() }
        }
    }
}

extension StoredSummary {
    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    init(text: String, isDirty: Bool, standsAlone: Bool) throws {
        let summary = try understanding("the summary of a call") { try StoredJSON.summary(of: text) }
        self.init(summary: summary, isDirty: isDirty, standsAlone: standsAlone)
    }

    /// The same for those who show it: for a summary that cannot be understood stands what the columns of its row say.
    /// - Throws: when the database cannot be read.
    init(text: String, isDirty: Bool, standsAlone: Bool, record: Int64, in db: Database) throws {
        var damage = DamageLog()
        let whole = try damage.reading(.summary) {
            try StoredSummary(text: text, isDirty: isDirty, standsAlone: standsAlone)
        }
        guard let whole else {
            self.init(
                summary: try CallSummary(columnsOf: record, in: db), isDirty: isDirty, standsAlone: standsAlone,
                damage: damage.found)
            return
        }
        self = whole
    }
}

extension CallSummary {
    /// What the columns of a row of `record` say, and nothing else.
    fileprivate init(columnsOf record: Int64, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT tenant, callId, observer, attempt, rulesVersion, start, lastActivity, lastReceivedAt, endedAt,
                outcome, score, worstScore FROM record WHERE id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [record]) else {
            throw CallStoreError.damaged("record \(record)", reason: "it is not there")
        }
        self.init(
            key: CallKey(row), rulesVersion: row[4], start: Timestamp(milliseconds: row[5]),
            lastActivity: Timestamp(milliseconds: row[6]), lastReceivedAt: Timestamp(milliseconds: row[7]))
        close(at: (row[8] as Int64?).map(Timestamp.init(milliseconds:)))
        outcome = CallOutcome(rawValue: row[9]) ?? .unknown
        (score, worstScore) = (row[10], row[11])
    }
}
