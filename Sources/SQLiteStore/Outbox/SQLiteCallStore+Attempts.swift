public import CallModel
import GRDB

extension SQLiteCallStore {
    /// Counts attempts of a call behind those of the other store; see ``ChangeOutbox``.
    public func renumber(
        _ identity: CallIdentity, from attempt: Int, behind others: [RecordHead], now: Timestamp
    ) async throws -> [CallKey] {
        guard let last = others.map(\.key.attempt).max(), last >= attempt else { return [] }
        return try await write { db in
            for table in ["record", "claim", "tombstone"] {
                // In two steps, for no two rows may have one number in between.
                for (numbers, shift) in [(attempt, Self.far + last + 1 - attempt), (Self.far, -Self.far)] {
                    try db.execute(
                        sql:
                            "UPDATE \(table) SET attempt = attempt + ? WHERE tenant = ? AND callId = ? AND attempt >= ?",
                        arguments: [shift] + identity.arguments + [numbers])
                }
            }
            for head in others where head.isEvicted && head.key.attempt >= attempt {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO tombstone
                        (tenant, callId, observer, attempt, start, lastActivity, hasEnded, evictedAt)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: StoredKey(head.key).arguments + [
                        head.start.milliseconds, head.lastActivity.milliseconds, head.hasEnded, now.milliseconds,
                    ])
            }
            // What was derived of them names the number.
            try db.execute(
                sql: "UPDATE record SET isDirty = 1 WHERE tenant = ? AND callId = ? AND attempt > ?",
                arguments: identity.arguments + [last])
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT tenant, callId, observer, attempt FROM record WHERE tenant = ? AND callId = ? AND attempt > ?
                    ORDER BY attempt, observer
                    """,
                arguments: identity.arguments + [last]
            ).map { CallKey($0) }
        }
    }

    /// More attempts no call has.
    private static let far = 1 << 40
}
