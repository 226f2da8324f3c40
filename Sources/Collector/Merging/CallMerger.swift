import CallModel
import CallQuality

/// Puts together what several nodes took of calls, as one node would have that took all of it in the order in which it
/// was received.
struct CallMerger {
    /// A fact, and the records that nodes stored it in.
    private struct Taken {
        var fact: Fact
        var holders: Set<CallKey>
    }

    /// Who tells something of which call: attempts are told apart by time, whatever number a node gave them.
    private struct Teller: Hashable {
        var identity: CallIdentity
        var observer: ObserverID
    }

    private let parts: CallParts
    private let silenceMilliseconds: Int64

    /// - Parameters:
    ///   - parts: what is stored of calls that have to do with each other.
    ///   - silenceMilliseconds: see ``CollectorLimits/attemptSilenceMilliseconds``.
    init(_ parts: CallParts, silenceMilliseconds: Int64) {
        self.parts = parts
        self.silenceMilliseconds = silenceMilliseconds
    }

    /// What the calls are as a whole.
    func merge() async throws -> CallMerge {
        let routed = route()
        let calls = MergedCalls(
            facts: routed.mapValues { $0.map(\.fact) }, links: links(of: routed),
            earlierClaims: parts.earlierClaims)
        var merge = CallMerge()
        var linker = SessionLinker(source: calls)
        let stored = Dictionary(parts.records.map { ($0.key, $0.links) }) { first, _ in first }
        for key in routed.keys.sorted(by: CallKey.areInOrder) {
            let facts = calls.facts(of: key)
            guard var change = RecordWriter.refold(key, facts: facts, part: try await linker.part(of: key)) else {
                continue
            }
            let links = calls.links(of: key)
            (change.names, change.claims) = (links.names.sorted(), links.claims)
            if let before = stored[key] {
                let sessions = Set(links.claims.map(\.session))
                let dropped = RecordLinks(
                    names: before.names.subtracting(links.names),
                    claims: before.claims.filter { !sessions.contains($0.session) })
                if dropped != RecordLinks() { merge.dropped[key] = dropped }
            }
            merge.changes.append(change)
            merge.facts[key] = facts.count
        }
        for (key, taken) in routed {
            for one in taken {
                for holder in one.holders where holder != key {
                    merge.moves[holder, default: [:]][key, default: []].append(one.fact.key)
                }
            }
        }
        merge.emptied = parts.records
            .filter { $0.head?.isEvicted == false && !$0.facts.isEmpty && routed[$0.key] == nil }.map(\.key)
        for record in parts.records { merge.versions[record.key] = record.version }
        return merge
    }

    // MARK: Whose a fact is

    /// The facts of each record, in the order in which they were received.
    private func route() -> [CallKey: [Taken]] {
        var taken: [Teller: [FactKey: Taken]] = [:]
        for record in parts.records where record.head?.isEvicted != true {
            let teller = Teller(identity: record.key.identity, observer: record.key.observer)
            for fact in record.facts {
                var one = taken[teller]?[fact.key] ?? Taken(fact: fact, holders: [])
                one.fact = one.fact.merged(with: fact)
                one.holders.insert(record.key)
                taken[teller, default: [:]][fact.key] = one
            }
        }
        let inOrder = taken.flatMap { teller, facts in facts.values.map { (teller, $0) } }
            .sorted { left, right in
                let (own, other) = (left.1.fact, right.1.fact)
                return (own.receivedAt, own.key, left.0.observer.rawValue)
                    < (other.receivedAt, other.key, right.0.observer.rawValue)
            }
        let evicted = Dictionary(grouping: parts.records.compactMap(\.head).filter(\.isEvicted)) { $0.key.identity }
        var routers: [CallIdentity: AttemptRouter] = [:]
        var routed: [CallKey: [Taken]] = [:]
        var placed: [Teller: [ContentHash: CallKey]] = [:]
        for (teller, one) in inOrder {
            let hash = one.fact.repeatHash
            // A retry that another node took is of the same attempt.
            if let hash, let key = placed[teller]?[hash] {
                routed[key, default: []].append(one)
                continue
            }
            let identity = teller.identity
            var router =
                routers[identity]
                ?? AttemptRouter(evicted[identity] ?? [], silenceMilliseconds: silenceMilliseconds)
            // What lies in the time of an attempt that went was taken before that: it stays where it is.
            let attempt = router.route(one.fact, of: teller.observer) ?? one.holders.map(\.attempt).max() ?? 1
            routers[identity] = router
            let key = CallKey(identity: identity, observer: teller.observer, attempt: attempt)
            if let hash { placed[teller, default: [:]][hash] = key }
            routed[key, default: []].append(one)
        }
        return routed
    }

    // MARK: Names and sessions

    /// What a record is called, and which sessions it claims: what its facts say, and what messages said beside them, which
    /// is stored of the records in which its facts are. Of those that are several now, what the facts of one say is that
    /// one's alone.
    private func links(of routed: [CallKey: [Taken]]) -> [CallKey: RecordLinks] {
        let stored = Dictionary(parts.records.map { ($0.key, $0.links.withSessions) }) { first, _ in first }
        var told: [CallKey: Set<CallName>] = [:]
        var heirs: [CallKey: Set<CallKey>] = [:]
        for (key, taken) in routed {
            for one in taken {
                told[key, default: []].formUnion(one.fact.names)
                for holder in one.holders { heirs[holder, default: []].insert(key) }
            }
        }
        var links: [CallKey: RecordLinks] = [:]
        for (key, taken) in routed {
            var known: Set<CallName> = []
            for holder in taken.reduce(into: Set<CallKey>(), { $0.formUnion($1.holders) }) {
                let others = heirs[holder, default: []].subtracting([key])
                let explained = others.reduce(into: Set<NameWithoutSource>()) { names, other in
                    names.formUnion((told[other] ?? []).map(NameWithoutSource.init))
                }
                known.formUnion((stored[holder] ?? []).filter { !explained.contains(NameWithoutSource($0)) })
            }
            var writer = LinkWriter(key: key, known: RecordLinks(names: known.filter { $0.kind != .session }))
            let sessions = known.filter { $0.kind == .session }.sorted()
            for (index, one) in taken.enumerated() { writer.take(one.fact, names: index == 0 ? sessions : []) }
            links[key] = writer.current
        }
        return links
    }
}

/// The names of sessions are stored without the member that said them.
private struct NameWithoutSource: Hashable {
    var kind: CallName.Kind
    var text: String

    init(_ name: CallName) {
        kind = name.kind
        text = name.text
    }
}

extension RecordLinks {
    /// All names, those of its sessions, too.
    fileprivate var withSessions: Set<CallName> {
        names.union(claims.map { CallName(.session, $0.session.call.rawValue, source: "") })
    }
}

/// Calls that are put together, as sessions are looked at.
private struct MergedCalls: SessionSource {
    private let facts: [CallKey: [Fact]]
    private let links: [CallKey: RecordLinks]
    private let claims: [CallIdentity: [SessionClaim]]

    init(facts: [CallKey: [Fact]], links: [CallKey: RecordLinks], earlierClaims: [SessionClaim]) {
        self.facts = facts.mapValues { $0.sorted { $0.key < $1.key } }
        self.links = links
        claims = Dictionary(grouping: links.values.flatMap(\.claims) + earlierClaims, by: \.session)
    }

    func standing(of identity: CallIdentity) -> CallStanding {
        let heads = facts.filter { $0.key.identity == identity && !$0.value.isEmpty }.map { key, facts in
            RecordHead(
                key: key, start: facts.first?.time ?? Timestamp(milliseconds: 0),
                lastActivity: facts.last?.time ?? Timestamp(milliseconds: 0), hasEnded: false, isEvicted: false,
                isDirty: false)
        }
        return CallStanding(
            heads: heads.sorted { CallKey.areInOrder($0.key, $1.key) },
            claims: claims[identity, default: []].sorted { left, right in
                left.start == right.start ? CallKey.areInOrder(left.key, right.key) : left.start < right.start
            })
    }

    func links(of key: CallKey) -> RecordLinks { links[key] ?? RecordLinks() }

    func facts(of key: CallKey) -> [Fact] { facts[key] ?? [] }
}

extension CallKey {
    /// By tenant, call, attempt and observer.
    fileprivate static func areInOrder(_ left: CallKey, _ right: CallKey) -> Bool {
        let (own, other) = (left.identity, right.identity)
        return (own.tenant.rawValue, own.call.rawValue, left.attempt, left.observer.rawValue)
            < (other.tenant.rawValue, other.call.rawValue, right.attempt, right.observer.rawValue)
    }
}
