public import CallModel
import GRDB

extension SQLiteCallStore {
    public func fleet(_ filter: CallFilter) async throws -> FleetSummary {
        let choice = RecordChoice(filter)
        return try await read { db in
            var tally = FleetTally()
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT outline.score, outline.worstScore, \(RecordChoice.outcome), outline.setupMilliseconds,
                        outline.durationMilliseconds, outline.leadingCause, outline.isRelayed,
                        \(RecordChoice.isOutlineLegible), record.id \(choice.clause())
                        """), arguments: [choice.silence] + choice.arguments)
            var damaged: [Int64] = []
            while let row = try rows.next() {
                tally.add(CallOutline(row))
                if !(row[7] as Bool), damaged.count < FleetSummary.mostDamaged { damaged.append(row[8]) }
            }
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT issue.value, count(*)
                    \(choice.clause(joining: "json_each(\(RecordChoice.list("issues"))) issue")) GROUP BY 1
                    """,
                arguments: choice.arguments)
            {
                // A kind that this version does not know is left out.
                if let issue = IssueKind(rawValue: row[0]) { tally.add(row[1], with: issue) }
            }
            for record in damaged {
                if let key = try CallKey(ofRecord: record, in: db) { tally.note(.outlineIsNoJSON, of: key) }
            }
            return tally.summary
        }
    }
}

extension CallOutline {
    /// From the columns of `outline` up to `isRelayed`, without codecs and issues.
    fileprivate init(_ row: Row) {
        self.init(
            score: row[0], worstScore: row[1], outcome: CallOutcome(rawValue: row[2]) ?? .unknown,
            setupMilliseconds: row[3], durationMilliseconds: row[4],
            leadingCause: (row[5] as String?).flatMap(QualityCause.init(rawValue:)), isRelayed: row[6])
    }
}
