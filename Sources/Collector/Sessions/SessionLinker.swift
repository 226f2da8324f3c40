import CallModel

/// What a fold over all facts of a record needs to know of sessions.
struct SessionPart {
    /// Facts told under the ids of its sessions that are of this record.
    var facts: [Fact] = []
    /// What cannot be told whose it is, in words.
    var doubts: [String] = []
    var outcome = SessionOutcome()
}

/// Keeps calls and the sessions they claim together: the one place that says which facts of a session a call has.
///
/// Facts stay where they were told. A fold over all facts of a record takes in its part of its sessions; whatever may
/// change that part marks the record for a new fold, in the transaction that brings it.
///
/// One linker is for one state of the store: it reads a session once for all records that claim it.
struct SessionLinker {
    let store: any SessionSource
    private var shares: [CallIdentity: SessionShare] = [:]

    /// Sessions whose facts are held at a time.
    private static let mostShares = 16

    init(source: any SessionSource) { store = source }

    init(store: any CallStore) { self.init(source: StoredSessions(store: store)) }

    // MARK: Folding

    /// What a record has of the sessions it claims, and whether it is to be listed if it is a session itself.
    mutating func part(of key: CallKey) async throws -> SessionPart {
        var part = SessionPart()
        let links = try await store.links(of: key)
        for claim in links.claims {
            let share = try await share(of: claim.session)
            let items = share.items(of: key)
            part.facts += items.map(\.fact)
            for item in items {
                if case .event = item.fact { part.outcome.events[item.holder, default: []].append(item.fact.key) }
            }
            let rivals = share.rivals(of: key).map(\.call.rawValue)
            if !rivals.isEmpty { part.doubts.append(Self.doubt(claim.session.call, rivals)) }
        }
        let isSession = try await !store.standing(of: key.identity).claims.isEmpty
        if isSession {
            let hasRest = links.claims.isEmpty ? try await share(of: key.identity).hasRest(in: key) : true
            part.outcome.standsAlone = hasRest
        }
        return part
    }

    /// Why a call lacks what was told of a session, in words.
    static func doubt(_ session: CallID, _ rivals: [String]) -> String {
        "session \(session.rawValue) is claimed at the same time by call \(rivals.joined(separator: ", ")): "
            + "what was told under the session's id is in neither"
    }

    private mutating func share(of session: CallIdentity) async throws -> SessionShare {
        if let known = shares[session] { return known }
        let standing = try await store.standing(of: session)
        var items: [SessionShare.Item] = []
        for head in standing.heads where !head.isEvicted {
            items += try await store.facts(of: head.key).map { SessionShare.Item(holder: head.key, fact: $0) }
        }
        if shares.count >= Self.mostShares { shares = [:] }
        let share = SessionShare(claims: standing.claims, items: items)
        shares[session] = share
        return share
    }

    // MARK: Marking

    /// Marks the records whose part of a session may change by a transaction.
    /// - Returns: those that are not in the transaction themselves.
    func mark(_ transaction: inout Transaction) async throws -> Set<CallKey> {
        for (key, writer) in transaction.records where writer.hasNewClaim && !transaction.isNew(key) {
            transaction.records[key]?.learnTimes(from: try await store.facts(of: key))
        }
        var marked: Set<CallKey> = []
        for session in transaction.touchedSessions {
            if !transaction.knows(session) {
                transaction.learn(session, standing: try await store.standing(of: session))
            }
            marked.formUnion(transaction.affected(by: session))
        }
        for key in marked { transaction.records[key]?.markDirty() }
        return marked.filter { transaction.records[$0] == nil }
    }
}

extension Transaction {
    /// Records whose part of a session may change by this transaction: the session's own, and its calls at that time.
    fileprivate func affected(by session: CallIdentity) -> [CallKey] {
        let told = records.values.filter { $0.key.identity == session }
        let holders = Set(told.map(\.key)).union(storedHeads(of: session).map(\.key))
        guard !holders.isEmpty else { return [] }
        let changes = records.values.flatMap(\.changedClaims).filter { $0.after.session == session }
        let reaches = changes.flatMap { [$0.before ?? $0.after, $0.after].map(\.reach) }
        let times = told.compactMap(\.changedTimes) + reaches
        guard !times.isEmpty else { return [] }
        let others = claims(on: session).filter { claim in times.contains { $0.overlaps(claim.reach) } }.map(\.key)
        if told.isEmpty, changes.count == 1, let change = changes.first, others.allSatisfy({ $0 == change.after.key }),
            onlyGoesOn(change, holders: storedHeads(of: session))
        {
            return []
        }
        return Array(holders) + others
    }

    /// Whether a call only goes on after all that was told of its session: then it has no other part of it than before.
    private func onlyGoesOn(_ change: LinkWriter.ClaimChange, holders: [RecordHead]) -> Bool {
        guard let before = change.before, before.start == change.after.start,
            before.isBegun == change.after.isBegun
        else { return false }
        return holders.allSatisfy { $0.lastActivity <= before.lastActivity }
    }
}
