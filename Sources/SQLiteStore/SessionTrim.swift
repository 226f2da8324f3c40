import CallModel
import GRDB

/// Takes out of a session that several calls share what was told of those that went; what is of a call that stays, or of
/// none for certain while it goes on, is left.
struct SessionTrim {
    private let session: CallIdentity
    private let db: Database
    private let claims: [SessionClaim]
    /// Those of calls that are not there any more.
    private let gone: [SessionClaim]

    init(_ session: CallIdentity, _ db: Database) throws {
        self.session = session
        self.db = db
        claims = try ClaimRow.fetchAll(db, on: session)
        gone = try ClaimRow.fetchOrphans(db, on: session)
    }

    // MARK: Erasing

    /// Removes all that was of calls that went, to the last row: they were erased.
    func eraseShares(_ outbox: OutboxKeeper?) throws {
        guard !gone.isEmpty, gone.count < claims.count else { return }
        var items: [SessionShare.Item] = []
        for head in try SQLiteCallStore.heads(db, of: session) where !head.isEvicted {
            guard let record = try RecordRow.id(of: head.key, in: db) else { continue }
            items += try facts(of: record).map { SessionShare.Item(holder: head.key, fact: $0) }
        }
        let shares = SessionShare(claims: claims, items: items).items(of: Set(gone.map(\.key)))
        for (holder, items) in Dictionary(grouping: shares, by: \.holder) {
            guard let record = try RecordRow.id(of: holder, in: db) else { continue }
            for item in items { try delete(item.fact.key, of: record) }
            try settle(record, outbox)
        }
    }

    /// What was told of a record. What cannot be understood may be of a call that went, where it is of its time: it goes,
    /// for nobody could ever tell whose it is.
    private func facts(of record: Int64) throws -> [Fact] {
        var damage = DamageLog()
        let facts =
            try SQLiteCallStore.reports(db, "recordId = ?", [record], &damage).map(Fact.report)
            + SQLiteCallStore.events(db, "recordId = ?", [record], &damage).map(Fact.event)
        guard !damage.found.isEmpty else { return facts }
        let legible = Set(facts.map(\.key))
        for key in try keys(of: record) where !legible.contains(key) {
            if gone.contains(where: { $0.reach.contains(key.time) }) { try delete(key, of: record) }
        }
        return facts
    }

    /// The keys of a record's reports and events, as their columns say.
    private func keys(of record: Int64) throws -> [FactKey] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT time, \(FactKey.reportRank), connection FROM report WHERE recordId = ?1
                UNION ALL SELECT time, rank, name FROM event WHERE recordId = ?1
                """)
        return try Row.fetchAll(statement, arguments: [record]).map { row in
            FactKey(time: Timestamp(milliseconds: row[0]), rank: row[1], name: StoredText.decode(row[2]))
        }
    }

    private func delete(_ key: FactKey, of record: Int64) throws {
        let (time, name) = (key.time.milliseconds, StoredText.encode(key.name))
        if key.rank == FactKey.reportRank {
            try db.cachedStatement(sql: "DELETE FROM report WHERE recordId = ? AND time = ? AND connection = ?")
                .execute(arguments: [record, time, name])
        } else {
            try db.cachedStatement(sql: "DELETE FROM event WHERE recordId = ? AND time = ? AND rank = ? AND name = ?")
                .execute(arguments: [record, time, key.rank, name])
        }
    }

    /// What was derived from what is gone goes, too. Of a record of which nothing is left no tombstone is: the session
    /// goes on.
    private func settle(_ record: Int64, _ outbox: OutboxKeeper?) throws {
        try DerivedRow.deleteAll(db, record: record)
        let isEmpty = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM report WHERE recordId = ?1)
                    AND NOT EXISTS (SELECT 1 FROM event WHERE recordId = ?1)
                    AND NOT EXISTS (SELECT 1 FROM wireReport WHERE recordId = ?1)
                    """), arguments: [record])
        guard isEmpty == false else {
            return try db.cachedStatement(sql: "DELETE FROM record WHERE id = ?").execute(arguments: [record])
        }
        try outbox?.note(where: "isDirty = 0 AND id = ?", [record], db)
        try db.cachedStatement(sql: "UPDATE record SET isDirty = 1 WHERE id = ?").execute(arguments: [record])
    }

    // MARK: Retention

    /// Removes what was told before any call that stays, and claims that nothing needs any more. It is decided by time
    /// alone: sessions of softphones are years long.
    func removeOld() throws {
        let keys = Set(gone.map(\.key))
        let staying = claims.filter { !keys.contains($0.key) }
        guard !staying.isEmpty, let first = SessionShare.beginning(of: staying, among: claims) else { return }
        let records = "SELECT id FROM record WHERE tenant = ? AND callId = ? AND \(ClaimRow.claimsNothing)"
        let old = session.arguments + [first.milliseconds]
        for table in ["report", "event"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE recordId IN (\(records)) AND time < ?")
                .execute(arguments: old)
        }
        try db.cachedStatement(sql: "UPDATE record SET isDirty = 1 WHERE id IN (\(records)) AND start < ?")
            .execute(arguments: old)
        for claim in SessionShare.spent(gone, before: first) {
            try db.cachedStatement(
                sql: """
                    DELETE FROM claim WHERE tenant = ? AND callId = ? AND observer = ? AND attempt = ? AND session = ?
                    """
            ).execute(arguments: StoredKey(claim.key).arguments + [StoredText.encode(session.call.rawValue)])
        }
    }
}
