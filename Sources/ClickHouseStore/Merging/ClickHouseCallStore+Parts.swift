public import CallModel

extension ClickHouseCallStore {
    /// See ``SharedCallStore``.
    public func writtenCalls(
        since seconds: Int64, after last: WrittenCall?, limit: Int
    ) async throws -> [WrittenCall] {
        try await rows(
            """
            SELECT tenant, call_id, max(written_s) AS latest FROM records
            WHERE written_s >= \(seconds) AND merged = 0 AND deleted = 0
            GROUP BY tenant, call_id \(Condition.having(behind: last.map { ($0.seconds, $0.identity) })) ORDER BY latest, tenant, call_id LIMIT \(max(0, limit))
            """
        ) { WrittenCall(identity: try $0.callIdentity(), seconds: try $0.int64()) }
    }

    // MARK: Groups

    /// See ``SharedCallStore``.
    public func groupsInParts(among calls: Set<CallIdentity>, settled: Int64) async throws -> [CallGroup] {
        guard !calls.isEmpty else { return [] }
        var groups = CallGroups(calls)
        try await groups.join(from: self)
        let all = Array(groups.identities)
        var nodes: [CallIdentity: Set<String>] = [:]
        var facts: [CallIdentity: UInt64] = [:]
        var unmerged: Set<CallIdentity> = []
        var waiting: Set<CallIdentity> = []
        for part in all.parts(of: Condition.keysInStatement) {
            let found = try await rows(
                """
                SELECT tenant, call_id, groupUniqArray(node), count() FROM facts WHERE \(Condition.calls(part))
                GROUP BY tenant, call_id
                """
            ) { (try $0.callIdentity(), try $0.strings(), try $0.uint64()) }
            for (identity, names, count) in found {
                nodes[identity] = Set(names)
                facts[identity] = count
            }
            let standing = try await rows(
                """
                SELECT tenant, call_id, min(merged), max(dirty = 1 AND written_s < \(settled))
                FROM records FINAL WHERE deleted = 0 AND \(Condition.calls(part)) GROUP BY tenant, call_id
                """
            ) { (try $0.callIdentity(), try $0.bool(), try $0.bool()) }
            for (identity, isMerged, isWaiting) in standing {
                if !isMerged { unmerged.insert(identity) }
                if isWaiting { waiting.insert(identity) }
            }
        }
        return groups.all.compactMap { group in
            let names = group.reduce(into: Set<String>()) { $0.formUnion(nodes[$1] ?? []) }
            guard names.count > 1 || !waiting.isDisjoint(with: group), !unmerged.isDisjoint(with: group) else {
                return nil
            }
            return CallGroup(identities: group, facts: Int(group.reduce(0) { $0 + (facts[$1] ?? 0) }))
        }
    }

    // MARK: Parts

    /// See ``SharedCallStore``.
    public func parts(of groups: [CallGroup]) async throws -> [CallParts] {
        let all = Array(groups.reduce(into: Set<CallIdentity>()) { $0.formUnion($1.identities) })
        var heads: [CallIdentity: [RecordHeadRow]] = [:]
        var names: [CallKey: Set<CallName>] = [:]
        var own: [CallKey: [SessionClaim]] = [:]
        var onSessions: [CallIdentity: [SessionClaim]] = [:]
        var facts: [CallIdentity: [CallKey: [Fact]]] = [:]
        // Versions before facts: whoever writes in between is noticed.
        for part in all.parts(of: Condition.keysInStatement) {
            for head in try await self.heads(where: Condition.calls(part)) {
                heads[head.key.identity, default: []].append(head)
            }
        }
        for part in all.parts(of: Condition.keysInStatement) {
            for row in try await self.names(where: Condition.calls(part)) {
                if let name = row.name { names[row.key, default: []].insert(name) }
            }
            for row in try await claims(where: Condition.calls(part)) {
                own[row.claim.key, default: []].append(row.claim)
            }
            for row in try await claims(where: Condition.calls(part, column: "session")) {
                onSessions[row.claim.session, default: []].append(row.claim)
            }
            for row in try await rows(FactRow.self, where: Condition.calls(part)) {
                facts[row.record.identity, default: [:]][row.record, default: []].append(row.fact)
            }
        }
        return groups.map { group in
            var parts = CallParts(records: [])
            for identity in group.identities.sorted(by: { $0.call.rawValue < $1.call.rawValue }) {
                var told = facts[identity] ?? [:]
                for head in heads[identity] ?? [] {
                    parts.records.append(
                        CallParts.Record(
                            key: head.key, version: head.version,
                            head: head.isEmptied ? nil : RecordHead(head, claim: nil),
                            links: RecordLinks(names: names[head.key] ?? [], claims: own[head.key] ?? []),
                            facts: Fact.united(told.removeValue(forKey: head.key) ?? [])))
                }
                for (key, found) in told {
                    parts.records.append(CallParts.Record(key: key, facts: Fact.united(found)))
                }
            }
            let there = Set(parts.records.filter { $0.head?.isEvicted != true }.map(\.key))
            parts.earlierClaims = group.identities.flatMap { onSessions[$0] ?? [] }.filter { !there.contains($0.key) }
            return parts
        }
    }
}

/// Calls, and those that have to be derived together with them.
private struct CallGroups {
    private(set) var identities: Set<CallIdentity>
    private var leaders: [CallIdentity: CallIdentity] = [:]

    /// Sessions of sessions: ids are joined over so many claims.
    private static let steps = 4

    init(_ calls: Set<CallIdentity>) { identities = calls }

    /// Reads who claims whom.
    mutating func join(from store: ClickHouseCallStore) async throws {
        var next = identities
        for _ in 0..<Self.steps where !next.isEmpty {
            var found: Set<CallIdentity> = []
            for part in Array(next).parts(of: Condition.keysInStatement) {
                let rows =
                    try await store.claims(where: Condition.calls(part))
                    + store.claims(where: Condition.calls(part, column: "session"))
                for row in rows {
                    join(row.claim.key.identity, row.claim.session)
                    found.formUnion([row.claim.key.identity, row.claim.session])
                }
            }
            next = found.subtracting(identities)
            identities.formUnion(found)
        }
    }

    private mutating func join(_ one: CallIdentity, _ other: CallIdentity) {
        let (first, second) = (leader(of: one), leader(of: other))
        if first != second { leaders[first] = second }
    }

    private func leader(of identity: CallIdentity) -> CallIdentity {
        var leader = identity
        while let next = leaders[leader] { leader = next }
        return leader
    }

    var all: [Set<CallIdentity>] {
        Dictionary(grouping: identities, by: leader).values.map(Set.init)
    }
}
