public import CallModel
import GRDB

extension SQLiteCallStore {
    public func calls(_ query: CallQuery) async throws -> CallPage {
        let limit = min(max(query.limit, 1), 1000)
        let list = ListStatement(query, limit: limit + 1)
        return try await read { db in
            let rows = try Row.fetchAll(db.cachedStatement(sql: list.sql), arguments: list.arguments)
            let page = rows.prefix(limit)
            return CallPage(
                calls: try page.map {
                    try StoredSummary(text: $0[2], isDirty: $0[3], standsAlone: $0[4], record: $0[0], in: db)
                },
                next: rows.count > limit
                    ? page.last.map { list.order.cursor(value: $0[1], record: $0[0]) } : nil)
        }
    }

    public func ribbons(of keys: [CallKey], parts: Int) async throws -> [CallKey: PartlyRead<ScoreRibbon>] {
        try await read { db in
            var ribbons: [CallKey: PartlyRead<ScoreRibbon>] = [:]
            for key in keys {
                guard let record = try RecordRow.id(of: key, in: db) else { continue }
                var damage = DamageLog()
                let complete = try DerivedRows.windows(db, record: record, &damage)
                let windows = try complete + DerivedRows.openWindow(db, record: record, &damage)
                let ribbon = ScoreRibbon(windows.map { ($0.start, $0.end, $0.score) }, parts: parts)
                ribbons[key] = PartlyRead(ribbon, damage: damage.found)
            }
            return ribbons
        }
    }
}

/// A list's `SELECT`.
private struct ListStatement: Sendable {
    var order: ListOrder
    private var choice: RecordChoice
    private let limit: Int

    init(_ query: CallQuery, limit: Int) {
        order = ListOrder(query.sort)
        choice = RecordChoice(query.filter)
        self.limit = limit
        if let cursor = query.cursor {
            choice.require(
                "(\(order.expression), record.id) \(order.isDescending ? "<" : ">") (?, ?)",
                [order.value(of: cursor), cursor.recordNumber])
        }
    }

    var arguments: StatementArguments { choice.arguments + [limit] }

    var sql: String {
        let direction = order.isDescending ? "DESC" : "ASC"
        return """
            SELECT record.id, \(order.expression), record.summary, record.isDirty, record.standsAlone
            \(choice.clause())
            ORDER BY \(order.expression) \(direction), record.id \(direction) LIMIT ?
            """
    }
}

/// What a list is sorted by; ties go by the record's id in the same direction, so the order is total.
private struct ListOrder: Sendable {
    /// Where there is an index in the schema, as that has it.
    var expression: String
    var isDescending: Bool
    /// What stands for "none" in the expression; above all values where the lowest come first.
    private var absent: Int64?

    /// What stands for "none" in a cursor.
    private static let absentInCursor: Int64 = -1

    init(_ sort: CallQuery.Sort) {
        switch sort {
        case .newest: (expression, isDescending, absent) = ("record.start", true, nil)
        case .oldest: (expression, isDescending, absent) = ("record.start", false, nil)
        case .worst: (expression, isDescending, absent) = ("coalesce(record.score, 101)", false, 101)
        case .best: (expression, isDescending, absent) = ("coalesce(record.score, -1)", true, -1)
        case .worstStretch: (expression, isDescending, absent) = ("coalesce(outline.worstScore, 101)", false, 101)
        case .slowestSetup: (expression, isDescending, absent) = ("coalesce(outline.setupMilliseconds, -1)", true, -1)
        case .active: (expression, isDescending, absent) = ("record.lastReceivedAt", true, nil)
        case .longest: (expression, isDescending, absent) = ("outline.durationMilliseconds", true, nil)
        }
    }

    func cursor(value: Int64, record: Int64) -> CallCursor {
        CallCursor(sortValue: value == absent ? Self.absentInCursor : value, recordNumber: record)
    }

    func value(of cursor: CallCursor) -> Int64 {
        guard let absent, cursor.sortValue == Self.absentInCursor else { return cursor.sortValue }
        return absent
    }
}
