import CallModel

/// Conditions of statements, as text.
enum Condition {
    static func tenant(_ tenant: TenantID) -> String {
        "tenant = \(literal(tenant.rawValue))"
    }

    static func call(_ identity: CallIdentity) -> String {
        "tenant = \(literal(identity.tenant.rawValue)) AND call_id = \(literal(identity.call.rawValue))"
    }

    static func record(_ key: CallKey) -> String {
        "\(call(key.identity)) AND attempt = \(key.attempt) AND observer = \(literal(key.observer.rawValue))"
    }

    /// One of at least one record.
    static func records(_ keys: some Collection<CallKey>) -> String {
        let rows = keys.map { "(\(values(of: $0)))" }
        return "(tenant, call_id, attempt, observer) IN (\(rows.joined(separator: ", ")))"
    }

    /// The columns of ``ClickHouseTable/recordKey``, as literals.
    static func values(of key: CallKey) -> String {
        let identity = key.identity
        return "\(literal(identity.tenant.rawValue)), \(literal(identity.call.rawValue)), "
            + "toInt64(\(key.attempt)), \(literal(key.observer.rawValue))"
    }

    /// One of at least one call.
    static func calls(_ identities: some Collection<CallIdentity>, column: String = "call_id") -> String {
        let rows = identities.map { "(\(literal($0.tenant.rawValue)), \(literal($0.call.rawValue)))" }
        return "(tenant, \(column)) IN (\(rows.joined(separator: ", ")))"
    }

    /// One of at least one fact.
    static func facts(_ keys: some Collection<FactKey>) -> String {
        let rows = keys.map { "(toInt64(\($0.time.milliseconds)), toInt64(\($0.rank)), \(literal($0.name)))" }
        return "(time_ms, rank, name) IN (\(rows.joined(separator: ", ")))"
    }

    /// Of pages that go by the moment `latest`, and by name where several calls have the same: what is behind the last call
    /// of the page before, as `HAVING`.
    static func having(behind last: (seconds: Int64, identity: CallIdentity)?) -> String {
        guard let last else { return "" }
        let key = [last.identity.tenant.rawValue, last.identity.call.rawValue].map(literal)
        return """
            HAVING latest > \(last.seconds) OR (latest = \(last.seconds)
            AND (tenant > \(key[0]) OR (tenant = \(key[0]) AND call_id > \(key[1]))))
            """
    }

    /// Sessions that calls of a tenant claim.
    private static func claimedSessions(of tenant: TenantID?) -> String {
        "SELECT tenant, session FROM claims FINAL WHERE deleted = 0"
            + (tenant.map { " AND \(Self.tenant($0))" } ?? "")
    }

    /// Whether a row of `records` is one of a call, and not only what was told under the id of a call's session.
    static func isCall(of tenant: TenantID? = nil) -> String {
        "(stands_alone = 1 OR (tenant, call_id) GLOBAL NOT IN (\(claimedSessions(of: tenant))))"
    }

    static func literal(_ text: String) -> String {
        ClickHouseText.literal(StoredName.encode(text))
    }

    /// So many keys go into one statement.
    static let keysInStatement = 1000
}
