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
                calls: try page.map { try StoredSummary(text: $0[2], isDirty: $0[3], standsAlone: $0[4]) },
                next: rows.count > limit
                    ? page.last.map { list.order.cursor(value: $0[1], record: $0[0]) } : nil)
        }
    }
}

/// A list's `SELECT`.
private struct ListStatement: Sendable {
    var order: ListOrder
    private var conditions = ["tenant = ?", ClaimRow.isCall]
    private(set) var arguments: StatementArguments

    init(_ query: CallQuery, limit: Int) {
        order = ListOrder(query.sort)
        arguments = [StoredText.encode(query.tenant.rawValue)]
        require("start >= ?", query.startedFrom?.milliseconds)
        require("start < ?", query.startedBefore?.milliseconds)
        require("score >= ?", query.minimumScore)
        require("score <= ?", query.maximumScore)
        require("outcome = ?", query.outcome?.rawValue)
        require(
            "EXISTS (SELECT 1 FROM json_each(summary, '$.issues.all') WHERE json_extract(value, '$.kind') = ?)",
            query.issue?.rawValue)
        require(query.state, now: query.now)
        if let cursor = query.cursor {
            conditions.append("(\(order.expression), id) \(order.isDescending ? "<" : ">") (?, ?)")
            arguments += [order.value(of: cursor), cursor.recordNumber]
        }
        arguments += [limit]
    }

    var sql: String {
        let direction = order.isDescending ? "DESC" : "ASC"
        return """
            SELECT id, \(order.expression), summary, isDirty, standsAlone FROM record
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(order.expression) \(direction), id \(direction) LIMIT ?
            """
    }

    private mutating func require(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        conditions.append(condition)
        arguments += [value]
    }

    /// The rule of ``CallSummary/isLive(at:silenceLimitMilliseconds:)``.
    private mutating func require(_ state: CallQuery.State?, now: Timestamp) {
        let silence = now.advanced(byMilliseconds: -CallSummary.silenceLimitMilliseconds).milliseconds
        switch state {
        case .live: require("endedAt IS NULL AND lastReceivedAt > ?", silence)
        case .ended: require("(endedAt IS NOT NULL OR lastReceivedAt <= ?)", silence)
        case nil: break
        }
    }
}

/// What a list is sorted by; ties go by the record's id in the same direction, so the order is total.
private struct ListOrder: Sendable {
    /// As the schema's indexes have it.
    var expression: String
    var isDescending: Bool
    /// What stands for "no score" in the expression; above all scores where the lowest come first.
    private var unscored: Int64?

    /// What stands for "no score" in a cursor.
    private static let unscoredInCursor: Int64 = -1

    init(_ sort: CallQuery.Sort) {
        switch sort {
        case .newest: (expression, isDescending, unscored) = ("start", true, nil)
        case .oldest: (expression, isDescending, unscored) = ("start", false, nil)
        case .worst: (expression, isDescending, unscored) = ("coalesce(score, 101)", false, 101)
        case .best: (expression, isDescending, unscored) = ("coalesce(score, -1)", true, -1)
        }
    }

    func cursor(value: Int64, record: Int64) -> CallCursor {
        CallCursor(sortValue: value == unscored ? Self.unscoredInCursor : value, recordNumber: record)
    }

    func value(of cursor: CallCursor) -> Int64 {
        guard let unscored, cursor.sortValue == Self.unscoredInCursor else { return cursor.sortValue }
        return unscored
    }
}
