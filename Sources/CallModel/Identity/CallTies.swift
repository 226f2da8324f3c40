/// What else a call is called, and which other calls are the same one, seen from elsewhere.
public struct CallTies: Hashable, Sendable {
    /// The other names of the record, sorted.
    public var names: [CallName]
    /// Other calls that are this one, in order of id and attempt.
    public var related: [RelatedCall]

    public init(names: [CallName] = [], related: [RelatedCall] = []) {
        self.names = names
        self.related = related
    }
}

/// Another call that is the same one, as far as a name tells that both have.
public struct RelatedCall: Hashable, Sendable {
    /// The other call.
    public var identity: CallIdentity
    /// Which use of its id.
    public var attempt: Int
    /// What says so, sorted, at least one.
    public var links: [CallName]

    public init(identity: CallIdentity, attempt: Int, links: [CallName]) {
        self.identity = identity
        self.attempt = attempt
        self.links = links
    }

    /// Whether it may be another call after all: nothing but the same SSRC at the same time speaks for it.
    public var isGuess: Bool { !links.contains(where: \.isCertain) }
}
