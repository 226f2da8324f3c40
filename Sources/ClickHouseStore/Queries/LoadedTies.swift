import CallModel
import StoreParts

/// What the search for ties may ask for, read beforehand in a few statements.
struct LoadedTies: TieSource {
    private struct Name: Hashable {
        var kind: CallName.Kind
        var text: String
    }

    private var records: [CallIdentity: [TiedRecord]] = [:]
    private var claims: [CallIdentity: [CallKey]] = [:]
    private var sessionNames: [CallKey: [CallName]] = [:]
    private var holders: [Name: [(key: CallKey, name: CallName)]] = [:]

    mutating func load(
        from store: ClickHouseCallStore, for key: CallKey, names: [CallName], sessions: [CallIdentity]
    ) async throws {
        let tenant = key.identity.tenant
        let named = names.filter { $0.kind == .header }
            .map { CallIdentity(tenant: tenant, call: CallID(rawValue: $0.text)) }
        try await loadRecords(of: Set([key.identity] + sessions + named), from: store)
        if !sessions.isEmpty {
            for row in try await store.names(where: Condition.calls(Set(sessions))) {
                if let name = row.name { sessionNames[row.key, default: []].append(name) }
            }
        }
        let borrowed = try sessions.flatMap { try self.names(ofSession: $0) }
        let ids = ([key.identity] + sessions).map { Name(kind: .header, text: $0.call.rawValue) }
        let shared = (names + borrowed).filter { $0.kind != .header && $0.kind != .session }
            .map { Name(kind: $0.counterpart, text: $0.text) }
        try await loadHolders(of: Set(ids + shared), in: tenant, from: store)
    }

    /// The records of calls, the claims on them, and the records that claim.
    private mutating func loadRecords(of identities: Set<CallIdentity>, from store: ClickHouseCallStore) async throws {
        let wanted = identities.filter { records[$0] == nil || claims[$0] == nil }
        for part in Array(wanted).parts(of: Condition.keysInStatement) {
            for identity in part { claims[identity] = [] }
            for row in try await store.claims(where: Condition.calls(part, column: "session")) {
                claims[row.claim.session, default: []].append(row.claim.key)
            }
        }
        let claimants = wanted.flatMap { claims[$0, default: []].map(\.identity) }
        let missing = wanted.union(claimants).filter { records[$0] == nil }
        for part in Array(missing).parts(of: Condition.keysInStatement) {
            for identity in part { records[identity] = [] }
            for head in try await store.heads(where: "deleted = 0 AND \(Condition.calls(part))") {
                records[head.key.identity, default: []].append(TiedRecord(head))
            }
        }
    }

    private mutating func loadHolders(
        of names: Set<Name>, in tenant: TenantID, from store: ClickHouseCallStore
    ) async throws {
        for part in Array(names).parts(of: Condition.keysInStatement) {
            let wanted = part.map { "(\(Condition.literal($0.kind.rawValue)), \(Condition.literal($0.text)))" }
            let rows = try await store.names(
                where: """
                    \(Condition.tenant(tenant)) AND (kind, name) IN (\(wanted.joined(separator: ", ")))
                    LIMIT \(TieLimits.holders) BY kind, name
                    """)
            for row in rows {
                guard let name = row.name else { continue }
                holders[Name(kind: name.kind, text: name.text), default: []].append((row.key, name))
            }
        }
        try await loadRecords(of: Set(holders.values.joined().map(\.key.identity)), from: store)
    }

    // MARK: The search

    func holders(of name: CallName, in tenant: TenantID) -> [(record: TiedRecord, name: CallName)] {
        holders[Name(kind: name.kind, text: name.text), default: []].compactMap { holder in
            record(holder.key).map { ($0, holder.name) }
        }
    }

    func records(of identity: CallIdentity) -> [TiedRecord] {
        let isClaimed = !claims[identity, default: []].isEmpty
        return records[identity, default: []].filter { $0.standsAlone || !isClaimed }
    }

    func claimants(of session: CallIdentity) -> [TiedRecord] {
        claims[session, default: []].compactMap(record)
    }

    func names(ofSession session: CallIdentity) throws -> [CallName] {
        records[session, default: []].flatMap { record in
            sessionNames[record.key, default: []].filter { !record.standsAlone || $0.kind == .userToUser }
        }
    }

    private func record(_ key: CallKey) -> TiedRecord? {
        records[key.identity]?.first { $0.key == key }
    }
}
