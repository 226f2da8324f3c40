import CallModel

/// The sessions of calls that no store keeps: which calls claim them, and what each call has of them.
///
/// The same division as that of ``SessionLinker``, made once, when all was told.
struct FoldedSessions {
    /// What a record has of the sessions that it claims.
    struct Part {
        var entries: [FactSpool.Entry] = []
        /// What cannot be told whose it is, in words.
        var doubts: [String] = []
    }

    private var links: [CallKey: LinkWriter] = [:]
    private var parts: [CallKey: Part] = [:]
    /// Records under the ids of sessions of which calls have all.
    private var absorbed: Set<CallKey> = []

    /// Takes in a fact under a record's own id, and the names that its message gives the call.
    mutating func take(_ fact: Fact, names: [CallName], of key: CallKey) {
        links[key, default: LinkWriter(key: key, known: RecordLinks())].extend(by: fact)
        var told = names
        if case .event(let event) = fact { told += event.names }
        for name in told where name.kind == .session { links[key]?.take(name) }
    }

    /// All claims, by the session that they are on.
    var claims: [CallID: [SessionClaim]] {
        Dictionary(grouping: links.values.flatMap(\.current.claims), by: \.session.call)
    }

    /// What a record has of its sessions; nothing before it was divided.
    func part(of key: CallKey) -> Part { parts[key] ?? Part() }

    /// The sessions that a record claims, as names of it.
    func names(of key: CallKey) -> [CallName] {
        let claims = links[key]?.current.claims ?? []
        return claims.map { CallName(.session, $0.session.call.rawValue, source: "sessionId") }.sorted()
    }

    /// Whether a record is of a session and calls have all of it.
    func isAbsorbed(_ key: CallKey) -> Bool { absorbed.contains(key) }

    /// Forgets a call that is let go of.
    mutating func forget(_ call: CallID) {
        guard !links.isEmpty else { return }
        for key in links.keys where key.identity.call == call {
            (links[key], parts[key]) = (nil, nil)
            absorbed.remove(key)
        }
    }

    /// Gives the calls of a session what was told under its id.
    /// - Parameters:
    ///   - session: the session.
    ///   - claims: all claims on it.
    ///   - told: what was told under its id, with where it lies.
    mutating func divide(_ session: CallID, claims: [SessionClaim], told: [(SessionShare.Item, FactSpool.Entry)]) {
        let share = SessionShare(claims: claims, items: told.map(\.0))
        let places = Dictionary(grouping: told) { Place($0.0) }
        for key in Set(claims.map(\.key)) {
            var seen: Set<Place> = []
            for item in share.items(of: key) where seen.insert(Place(item)).inserted {
                parts[key, default: Part()].entries += places[Place(item), default: []].map(\.1)
            }
            let rivals = share.rivals(of: key).map(\.call.rawValue)
            if !rivals.isEmpty { parts[key, default: Part()].doubts.append(SessionLinker.doubt(session, rivals)) }
        }
        for holder in Set(told.map(\.0.holder)) {
            let isCall = links[holder].map { !$0.current.claims.isEmpty } ?? false
            if !isCall, !share.hasRest(in: holder) { absorbed.insert(holder) }
        }
    }

    /// One fact of one record, however often it was told.
    private struct Place: Hashable {
        var holder: CallKey
        var fact: FactKey

        init(_ item: SessionShare.Item) { (holder, fact) = (item.holder, item.fact.key) }
    }
}
