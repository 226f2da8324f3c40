public import CallModel
import GRDB
import StoreParts

extension SQLiteCallStore {
    /// The columns that repeat what a record's summary says, for lists and counts to go by, and say something else.
    ///
    /// - Returns: names such as `record.score` and `outline.codecs`, or `outline` when its row is not there; none when
    ///   there is no such record.
    /// - Throws: ``CallStoreError``.
    public func columnsUnlikeSummary(of key: CallKey) async throws -> [String] {
        try await read { db in
            guard let id = try RecordRow.id(of: key, in: db),
                let record = try Row.fetchOne(db, sql: "SELECT * FROM record WHERE id = ?", arguments: [id])
            else { return [] }
            let stored = try StoredSummary(
                text: record["summary"], isDirty: record["isDirty"], standsAlone: record["standsAlone"])
            let wrong = Self.columns(of: stored.summary).filter { name, value in
                // Of records of before it told that a probe stopped to watch, it tells ends alone.
                (name != "endedAt" || stored.summary.endedAt != nil || record[name] != nil)
                    && record[name] as DatabaseValue != value
            }.map { "record.\($0.name)" }
            guard
                let outline = try Row.fetchOne(db, sql: "SELECT * FROM outline WHERE recordId = ?", arguments: [id])
            else { return wrong + ["outline"] }
            let wanted = zip(OutlineRow.names, OutlineRow(stored.summary).values)
            return wrong
                + wanted.filter { name, value in
                    // Records of before there was this column have no client until they are derived anew.
                    (name != "client" || outline[name] != nil)
                        && outline[name] as DatabaseValue != (value?.databaseValue ?? .null)
                }.map { "outline.\($0.0)" }
        }
    }

    /// What the columns of `record` say of a summary.
    private static func columns(of summary: CallSummary) -> [(name: String, value: DatabaseValue)] {
        [
            ("start", summary.start.milliseconds.databaseValue),
            ("endedAt", summary.closedAt?.milliseconds.databaseValue ?? .null),
            ("lastActivity", summary.lastActivity.milliseconds.databaseValue),
            ("lastReceivedAt", summary.lastReceivedAt.milliseconds.databaseValue),
            ("score", summary.score?.databaseValue ?? .null),
            ("worstScore", summary.worstScore?.databaseValue ?? .null),
            ("outcome", summary.outcome.rawValue.databaseValue),
            ("rulesVersion", summary.rulesVersion.databaseValue),
        ]
    }
}
