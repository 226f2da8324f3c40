public import CallModel
import GRDB

extension SQLiteCallStore {
    public func outdatedRecords(
        _ query: RescoreQuery, before: Int64?, limit: Int
    ) async throws -> [OutdatedRecord] {
        let choice = Choice(query)
        return try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, tenant, callId, observer, attempt, score FROM record
                    WHERE \(choice.condition) AND id < ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: choice.arguments + [before ?? Int64.max, max(limit, 0)]
            ).map { row in
                let key = CallKey(
                    identity: CallIdentity(
                        tenant: TenantID(rawValue: StoredText.decode(row[1])),
                        call: CallID(rawValue: StoredText.decode(row[2]))),
                    observer: ObserverID(rawValue: StoredText.decode(row[3])), attempt: row[4])
                return OutdatedRecord(number: row[0], key: key, score: row[5])
            }
        }
    }

    public func countOutdated(_ query: RescoreQuery) async throws -> Int {
        let choice = Choice(query)
        return try await read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM record WHERE \(choice.condition)", arguments: choice.arguments) ?? 0
        }
    }

    public func markAllDirty(_ calls: Set<CallIdentity>) async throws {
        try await write { [outbox] db in
            guard !calls.isEmpty else {
                try outbox?.note(where: "isDirty = 0", [], db)
                return try db.execute(sql: "UPDATE record SET isDirty = 1")
            }
            let statement = try db.cachedStatement(
                sql: "UPDATE record SET isDirty = 1 WHERE tenant = ? AND callId = ?")
            for call in calls {
                try outbox?.note(where: "isDirty = 0 AND tenant = ? AND callId = ?", call.arguments, db)
                try statement.execute(arguments: call.arguments)
            }
        }
    }
}

/// A `WHERE` clause of a ``RescoreQuery``.
private struct Choice: Sendable {
    private(set) var condition = "(isDirty = 1 OR rulesVersion <> ?)"
    private(set) var arguments: StatementArguments

    init(_ query: RescoreQuery) {
        arguments = [query.rulesVersion]
        guard !query.calls.isEmpty else { return }
        let rows = Array(repeating: "(?, ?)", count: query.calls.count).joined(separator: ", ")
        condition += " AND (tenant, callId) IN (VALUES \(rows))"
        for identity in query.calls { arguments += identity.arguments }
    }
}
