public import CallModel
import StoreParts

extension ClickHouseCallStore {
    /// Calls removed in one step.
    private static let callsInStep = 100

    public func enforce(_ retention: Retention, now: Timestamp) async throws -> RetentionReport {
        try await write {
            let plan = try await self.plan(retention, now: now)
            let calls = plan.beyondCount + plan.beyondAge
            for part in calls.parts(of: Self.callsInStep) {
                let keys = part.map {
                    "(\(ClickHouseText.literal($0.tenant)), \(ClickHouseText.literal($0.call)), toInt64(\($0.attempt)))"
                }
                _ = try await remove(
                    where: "(tenant, call_id, attempt) IN (\(keys.joined(separator: ", ")))", now: now)
            }
            return RetentionReport(
                evictedByCount: plan.beyondCount.count, evictedByAge: plan.beyondAge.count, keptLive: plan.keptLive)
        }
    }

    public func erase(_ identity: CallIdentity, now: Timestamp) async throws -> Int {
        try await write {
            // Calls that had a part in what was told under the id of the session are folded anew without it.
            let claimants = try await claims(where: Condition.calls([identity], column: "session")).map(\.claim.key)
            for part in claimants.parts(of: Condition.keysInStatement) {
                try await mark(where: Condition.records(part))
            }
            let removed = try await remove(where: Condition.call(identity), now: now, isErasure: true)
            try await renameClaims(of: identity)
            return removed
        }
    }

    // MARK: Deciding

    private func plan(_ retention: Retention, now: Timestamp) async throws -> RetentionPlan {
        guard try await mayEvict(retention) else { return RetentionPlan(calls: [], retention: retention, now: now) }
        // What was told under the id of a session goes with the last call that claims it.
        let claimed = """
            (tenant, call_id) GLOBAL IN (SELECT tenant, session FROM claims FINAL WHERE deleted = 0
            AND (tenant, call_id, attempt, observer) GLOBAL IN (
            SELECT tenant, call_id, attempt, observer FROM records FINAL WHERE deleted = 0))
            AND (tenant, call_id) GLOBAL NOT IN (SELECT tenant, call_id FROM claims FINAL WHERE deleted = 0)
            """
        let calls = try await rows(
            """
            SELECT tenant, call_id, attempt, max(received_ms), countIf(end_ms IS NULL),
            maxIf(received_ms, end_ms IS NULL), min(number) AS first
            FROM records FINAL WHERE deleted = 0 AND NOT (\(claimed))
            GROUP BY tenant, call_id, attempt ORDER BY first
            """
        ) { row in
            let (tenant, call, attempt) = (try row.string(), try row.string(), Int(try row.int64()))
            let last = Timestamp(milliseconds: try row.int64())
            let unended = (count: try row.uint64(), last: Timestamp(milliseconds: try row.int64()))
            _ = try row.int64()
            return CallActivity(
                tenant: tenant, call: call, attempt: attempt, lastReceivedAt: last,
                lastReceivedUnended: unended.count > 0 ? unended.last : nil)
        }
        return RetentionPlan(calls: calls, retention: retention, now: now)
    }

    /// Whether anything can have to go, from the number of records alone: it is asked every few seconds.
    private func mayEvict(_ retention: Retention) async throws -> Bool {
        guard retention.milliseconds == nil else { return true }
        let records = try await rows("SELECT count() FROM records FINAL WHERE deleted = 0") { try $0.uint64() }
        return records.first ?? 0 > UInt64(max(0, retention.calls))
    }

    // MARK: Removing

    /// Removes records of calls; with the last call that claims a session goes what was told under the session's id.
    /// - Returns: how many records of calls there were.
    private func remove(where condition: String, now: Timestamp, isErasure: Bool = false) async throws -> Int {
        let gone = try await claims(where: condition)
        let removed = try await bury(where: condition, now: now, isErasure: isErasure)
        let sessions = Array(Set(gone.map(\.claim.session)))
        guard !sessions.isEmpty else { return removed }
        let all = try await claims(where: Condition.calls(sessions, column: "session"))
        let unclaimed = Set(sessions).subtracting(try await stillClaimed(by: all))
        if !unclaimed.isEmpty {
            _ = try await bury(
                where: """
                    \(Condition.calls(unclaimed)) AND (tenant, call_id) GLOBAL NOT IN (
                    SELECT tenant, call_id FROM claims FINAL WHERE deleted = 0)
                    """, now: now, isErasure: isErasure)
        }
        // What is known of a session stays while a call or the session itself is there.
        let heads = try await self.heads(where: "deleted = 0 AND \(Condition.calls(sessions))")
        let there = Set(heads.map(\.key.identity))
        try await delete(
            Set(gone.filter { !there.contains($0.claim.session) })
                .union(all.filter { unclaimed.contains($0.claim.session) }))
        return removed
    }

    /// The sessions that a call claims that is there.
    private func stillClaimed(by claims: [ClaimRow]) async throws -> Set<CallIdentity> {
        let heads = try await self.heads(Set(claims.map(\.claim.key)))
        return Set(claims.filter { heads[$0.claim.key]?.isThere == true }.map(\.claim.session))
    }

    /// Puts tombstones in the place of records, and takes out what hangs on them. One that was evicted may be erased.
    private func bury(where condition: String, now: Timestamp, isErasure: Bool) async throws -> Int {
        let wanted = isErasure ? condition : "NOT (\(RecordHeadRow.isTombstone)) AND \(condition)"
        let found = try await self.heads(where: wanted)
        let heads = found.filter { !$0.isErased }
        try await insert(
            heads.map { head in
                var tombstone = RecordRow(tombstone: head, at: now, isErased: isErasure)
                tombstone.head.version = node.lastVersion(after: head.version)
                return tombstone
            })
        // An erasure that failed half way goes on where it ended.
        let unfinished = try await withRows(found.filter(\.isErased).map(\.key))
        for part in (heads.map(\.key) + unfinished).parts(of: Condition.keysInStatement) {
            for table in ClickHouseTable.ofRecord {
                try await schema.delete(from: table, where: Condition.records(part))
            }
            let rest = "\(Condition.records(part)) AND NOT (\(RecordHeadRow.isTombstone))"
            try await schema.delete(from: .records, where: rest)
        }
        return heads.count(where: \.isThere)
    }

    /// Those of records of which anything is there that hangs on them. Where rows cannot be deleted, none: their keys stay.
    private func withRows(_ keys: [CallKey]) async throws -> [CallKey] {
        guard schema.canDelete else { return [] }
        var found: Set<CallKey> = []
        for part in keys.parts(of: Condition.keysInStatement) {
            for table in ClickHouseTable.ofRecord {
                found.formUnion(
                    try await rows(
                        """
                        SELECT DISTINCT tenant, call_id, attempt, observer FROM \(table.name)
                        WHERE \(Condition.records(part))
                        """
                    ) { try $0.callKey() })
            }
        }
        return Array(found)
    }

    /// See ``SharedCallStore``.
    public func erasedCalls(
        since seconds: Int64, after last: ErasedCall?, limit: Int
    ) async throws -> [ErasedCall] {
        // No tombstone gives way to another row: without `FINAL`.
        try await rows(
            """
            SELECT tenant, call_id, max(last_ms), max(written_s) AS latest FROM records
            WHERE written_s >= \(seconds) AND \(RecordHeadRow.isOfErased) GROUP BY tenant, call_id
            \(Condition.having(behind: last.map { ($0.seconds, $0.identity) }))
            ORDER BY latest, tenant, call_id LIMIT \(max(0, limit))
            """
        ) { row in
            let identity = try row.callIdentity()
            return ErasedCall(
                identity: identity, lastActivity: Timestamp(milliseconds: try row.int64()), seconds: try row.int64())
        }
    }

    func delete(_ claims: Set<ClaimRow>) async throws {
        var rows = RowBinaryWriter()
        for row in claims {
            ClaimRow(row.claim, version: node.version(after: row.version), isDeleted: true).write(to: &rows)
        }
        try await insert(rows, into: .claims)
    }

    /// What a session must know of an erased call, from when to when it had a part in it, goes without its id.
    private func renameClaims(of erased: CallIdentity) async throws {
        let claims = try await self.claims(where: Condition.call(erased))
        guard !claims.isEmpty else { return }
        let name = "erased-" + String(UInt64.random(in: 0 ... .max), radix: 16)
        var rows = RowBinaryWriter()
        for row in claims {
            var claim = row.claim
            claim.key.identity.call = CallID(rawValue: name)
            ClaimRow(claim, version: row.version).write(to: &rows)
        }
        try await insert(rows, into: .claims)
        try await delete(Set(claims))
        try await schema.delete(from: .claims, where: Condition.call(erased))
    }
}
