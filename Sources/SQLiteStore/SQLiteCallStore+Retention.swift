public import CallModel
import GRDB
import StoreParts

extension SQLiteCallStore {
    public func enforce(_ retention: Retention, now: Timestamp) async throws -> RetentionReport {
        // To decide takes a look at every call, and is left to a connection that only reads: others write meanwhile.
        var rest = try await read { [outbox, retentionMemory] in
            try Eviction.plan($0, retention, now: now, outbox, retentionMemory)
        }
        var report = RetentionReport(evictedByCount: 0, evictedByAge: 0, keptLive: rest.keptLive)
        guard !rest.isEmpty else { return report }
        while !rest.isEmpty {
            let step = try await write { [outbox, rest] in try Eviction.step($0, rest, now: now, outbox) }
            report.evictedByCount += step.gone.beyondCount.count
            report.evictedByAge += step.gone.beyondAge.count
            rest = rest.dropFirst(step.asked)
        }
        let surplus = try await read(Eviction.surplusPages)
        for start in stride(from: 0, to: surplus, by: Eviction.pagesInStep) {
            try await maintain { try Eviction.release(min(Eviction.pagesInStep, surplus - start), $0) }
        }
        return report
    }

    public func erase(_ identity: CallIdentity, now: Timestamp) async throws -> Int {
        try await erase(identity, now: now, isNoted: true)
    }

    /// Removes a call; see ``ChangeOutbox``.
    public func removeErased(_ identity: CallIdentity, now: Timestamp) async throws -> Int {
        try await erase(identity, now: now, isNoted: false)
    }

    private func erase(_ identity: CallIdentity, now: Timestamp, isNoted: Bool) async throws -> Int {
        let erased = try await write { [outbox] db in
            try Eviction.markClaimants(of: identity, db, outbox)
            let sessions = try Eviction.sessions(db, "tenant = ? AND callId = ?", identity.arguments)
            let erased = try Eviction.removeCalls(db, "tenant = ? AND callId = ?", identity.arguments, now: now)
            for session in sessions { try SessionTrim(session, db).eraseShares(outbox) }
            try Eviction.renameClaims(of: identity, db, outbox)
            if isNoted { try outbox?.noteErasure(of: identity, at: now, db) }
            return erased
        }
        retentionMemory.forget()
        if erased > 0 { try await wipe(Eviction.wipe) }
        return erased
    }
}

/// Removing records and leaving tombstones.
private enum Eviction {
    /// Calls removed in one transaction: others write in between.
    static let callsInStep = 10
    /// Where most of what hangs on a record lies. To undo a statement that foreign keys extend to other tables, SQLite
    /// copies every page that it changes, long ones into a temporary file: a third of the work.
    static let largeTables = ["derived", "report", "wireReport"]
    /// Tombstones kept, the newest.
    static let tombstones = 100_000
    /// Free pages that stay in the file for what comes next (4 KiB each, 16 MiB), or this share of the file.
    static let sparePages = 4096
    static let spareShare = 8
    /// Pages given back at once: others write in between.
    static let pagesInStep = 1_024

    /// The calls to go; none when none of them may, for what is not shipped yet stays until it is.
    static func plan(
        _ db: Database, _ retention: Retention, now: Timestamp, _ outbox: OutboxKeeper?, _ memory: RetentionMemory
    ) throws -> RetentionPlan {
        guard try !memory.isClear(db, retention, now: now) else {
            return RetentionPlan(calls: [], retention: retention, now: now)
        }
        memory.forget()
        let calls = try activities(db)
        let plan = RetentionPlan(calls: calls, retention: retention, now: now)
        if plan.isEmpty, plan.keptLive == 0 { try memory.note(calls, db, retention, now: now) }
        let first = try plan.first(1) { try outbox?.holds($0, db) != true }
        return first.isEmpty ? first : plan
    }

    /// What calls did last: all, or those of a condition.
    private static func activities(
        _ db: Database, where condition: String = "1", _ arguments: StatementArguments = []
    ) throws -> [CallActivity] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT tenant, callId, attempt, max(lastReceivedAt), max(iif(endedAt IS NULL, lastReceivedAt, NULL))
                FROM record WHERE \(condition) AND \(ClaimRow.isUnclaimed) GROUP BY tenant, callId, attempt
                """)
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            CallActivity(
                tenant: row[0], call: row[1], attempt: row[2], lastReceivedAt: Timestamp(milliseconds: row[3]),
                lastReceivedUnended: (row[4] as Int64?).map(Timestamp.init(milliseconds:)))
        }
    }

    /// Removes the first of the calls that were decided to go. One of which something came meanwhile stays: it may have
    /// come to life.
    /// - Returns: what has gone, and after how many calls was asked for that.
    static func step(
        _ db: Database, _ plan: RetentionPlan, now: Timestamp, _ outbox: OutboxKeeper?
    ) throws -> (gone: RetentionPlan, asked: Int) {
        let isCall = "tenant = ? AND callId = ? AND attempt = ?"
        var asked = 0
        let part = try plan.first(callsInStep) { call in
            asked += 1
            return try activities(db, where: isCall, call.arguments) == [call] && outbox?.holds(call, db) != true
        }
        let remove = {
            var left: Set<CallIdentity> = []
            for call in part.beyondCount + part.beyondAge {
                left.formUnion(try sessions(db, isCall, call.arguments))
                _ = try removeCalls(db, isCall, call.arguments, now: now)
            }
            // Each once: a softphone's session is that of all its calls.
            for session in left { try SessionTrim(session, db).removeOld() }
        }
        if let outbox { try outbox.countingDropped(db, remove) } else { try remove() }
        return (part, asked)
    }

    /// The sessions that records of calls claim.
    static func sessions(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [CallIdentity] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT DISTINCT tenant, session FROM claim WHERE \(condition)"),
            arguments: arguments
        ).map { row in
            let (tenant, call) = (StoredText.decode(row[0]), StoredText.decode(row[1]))
            return CallIdentity(tenant: TenantID(rawValue: tenant), call: CallID(rawValue: call))
        }
    }

    /// Removes records of calls; with the last call that claims a session goes what was told under the session's id.
    /// - Returns: how many records of calls there were.
    static func removeCalls(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, now: Timestamp
    ) throws -> Int {
        let sessions = try sessions(db, condition, arguments)
        let removed = try remove(db, condition, arguments, now: now)
        for session in sessions where try !isClaimed(session, db) {
            let isSession = "tenant = ? AND callId = ? AND \(ClaimRow.claimsNothing)"
            _ = try remove(db, isSession, session.arguments, now: now)
        }
        // What is known of a session stays while a call or the session itself is there.
        try db.cachedStatement(
            sql: """
                DELETE FROM claim WHERE \(condition) AND NOT EXISTS (SELECT 1 FROM record
                WHERE record.tenant = claim.tenant AND record.callId = claim.session)
                """
        ).execute(arguments: arguments)
        for session in sessions where try !isClaimed(session, db) {
            try db.cachedStatement(sql: "DELETE FROM claim WHERE tenant = ? AND session = ?")
                .execute(arguments: session.arguments)
        }
        return removed
    }

    /// Whether a call that is there claims the session.
    private static func isClaimed(_ session: CallIdentity, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM claim c JOIN record r \(ClaimRow.ofRecord)"
                    + " WHERE c.tenant = ? AND c.session = ?)"),
            arguments: session.arguments) ?? false
    }

    /// Calls that had a part in what was told under the id of a session are folded anew without it.
    static func markClaimants(of session: CallIdentity, _ db: Database, _ outbox: OutboxKeeper?) throws {
        let claimants = """
            id IN (SELECT r.id FROM claim c JOIN record r \(ClaimRow.ofRecord) WHERE c.tenant = ? AND c.session = ?)
            """
        try outbox?.note(where: "isDirty = 0 AND \(claimants)", session.arguments, db)
        try db.cachedStatement(sql: "UPDATE record SET isDirty = 1 WHERE \(claimants)")
            .execute(arguments: session.arguments)
    }

    /// Removes records with all that hangs on them, and leaves tombstones.
    /// - Returns: how many records there were.
    private static func remove(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, now: Timestamp
    ) throws -> Int {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO tombstone
                (tenant, callId, observer, attempt, start, lastActivity, hasEnded, evictedAt)
                SELECT tenant, callId, observer, attempt, start, lastActivity, \(RecordRow.isEnded("record")), ?
                FROM record WHERE \(condition)
                """
        ).execute(arguments: [now.milliseconds] + arguments)
        for table in largeTables {
            try db.cachedStatement(
                sql: "DELETE FROM \(table) WHERE recordId IN (SELECT id FROM record WHERE \(condition))"
            ).execute(arguments: arguments)
        }
        try db.cachedStatement(sql: "DELETE FROM record WHERE \(condition)").execute(arguments: arguments)
        let removed = db.changesCount
        try db.cachedStatement(sql: "DELETE FROM tombstone WHERE id <= (SELECT max(id) FROM tombstone) - ?")
            .execute(arguments: [tombstones])
        return removed
    }

    /// What a session must know of an erased call, from when to when it had a part in it, goes without its id.
    static func renameClaims(of erased: CallIdentity, _ db: Database, _ outbox: OutboxKeeper?) throws {
        try outbox?.note(
            .names, where: "(tenant, callId) IN (SELECT tenant, session FROM claim WHERE tenant = ? AND callId = ?)",
            erased.arguments, db)
        let name = "erased-" + String(UInt64.random(in: 0 ... .max), radix: 16)
        try db.execute(
            sql: "UPDATE claim SET callId = ? WHERE tenant = ? AND callId = ?", arguments: [name] + erased.arguments)
    }

    /// Takes the free pages out of the file, and with them what they held before.
    static func wipe(_ db: Database) throws {
        let steps = try Row.fetchCursor(db, sql: "PRAGMA incremental_vacuum")
        while try steps.next() != nil {}
    }

    /// How many free pages to give back to the file system; none unless there are many, for others have to be moved to
    /// their places.
    static func surplusPages(_ db: Database) throws -> Int {
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let spare = max(sparePages, pages / spareShare)
        return free > 2 * spare ? spare : 0
    }

    /// Gives free pages back to the file system.
    static func release(_ count: Int, _ db: Database) throws {
        // The pragma frees a page a step; all must be taken.
        let steps = try Row.fetchCursor(db, sql: "PRAGMA incremental_vacuum(\(count))")
        while try steps.next() != nil {}
    }
}

extension CallActivity {
    /// In the order tenant, callId, attempt.
    fileprivate var arguments: StatementArguments { [tenant, call, attempt] }
}

extension OutboxKeeper {
    /// Whether something of a call is not shipped yet.
    fileprivate func holds(_ call: CallActivity, _ db: Database) throws -> Bool {
        try holds(tenant: call.tenant, call: call.call, attempt: call.attempt, db)
    }
}
