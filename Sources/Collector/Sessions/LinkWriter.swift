import CallModel

/// The names of one record within one transaction: what was known, and what is new.
struct LinkWriter: Sendable {
    /// A claim as it was, if it was, and as it is.
    struct ClaimChange {
        var before: SessionClaim?
        var after: SessionClaim
    }

    private let key: CallKey
    private(set) var current: RecordLinks
    private(set) var newNames: Set<CallName> = []
    private var claimsBefore: [CallIdentity: SessionClaim]
    /// When what this transaction tells of the record was, as a claim would say it.
    private var told: SessionClaim?

    /// A record that tells more names tells nothing by them.
    private static let mostNames = 200
    private static let mostSessions = 20

    init(key: CallKey, known: RecordLinks) {
        self.key = key
        current = known
        claimsBefore = Dictionary(known.claims.map { ($0.session, $0) }) { first, _ in first }
    }

    var hasNews: Bool { !newNames.isEmpty || !changedClaims.isEmpty }

    var changedClaims: [ClaimChange] {
        current.claims.compactMap { claim in
            let before = claimsBefore[claim.session]
            return claim == before ? nil : ClaimChange(before: before, after: claim)
        }
    }

    /// Takes in a fact under the record's own id, and the names that its message gives the call.
    mutating func take(_ fact: Fact, names: [CallName]) {
        extend(by: fact)
        for name in fact.names + names { take(name) }
    }

    /// Takes in when a fact under the record's own id was.
    mutating func extend(by fact: Fact) {
        if told == nil { told = SessionClaim(on: key.identity, by: key, at: fact) } else { told?.extend(by: fact) }
        for index in current.claims.indices { current.claims[index].extend(by: fact) }
    }

    /// Takes in a name that the record has since its first fact.
    mutating func take(_ name: CallName) {
        guard name.kind == .session else {
            guard current.names.count < Self.mostNames, current.names.insert(name).inserted else { return }
            newNames.insert(name)
            return
        }
        let session = CallIdentity(tenant: key.identity.tenant, call: CallID(rawValue: name.text))
        guard session != key.identity, current.claims.count < Self.mostSessions, var claim = told,
            !current.claims.contains(where: { $0.session == session })
        else { return }
        claim.session = session
        current.claims.append(claim)
    }
}
