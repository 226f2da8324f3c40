/// Facts that one sender tells of one call in one message, on their way into the store.
public struct Submission: Hashable, Sendable {
    /// The call the facts are about.
    public var identity: CallIdentity
    /// Who tells them.
    public var observer: ObserverID
    /// The facts, in order of the message.
    public var facts: [Item]

    public init(identity: CallIdentity, observer: ObserverID, facts: [Item]) {
        self.identity = identity
        self.observer = observer
        self.facts = facts
    }

    /// A fact and where in the message it stood.
    public struct Item: Hashable, Sendable {
        /// Position in the message, from 0: array element or line.
        public var index: Int
        /// The fact itself.
        public var fact: Fact
        /// Names that the message gives the call beside the fact; see also ``Fact/names``.
        public var names: [CallName]

        public init(index: Int, fact: Fact, names: [CallName] = []) {
            self.index = index
            self.fact = fact
            self.names = names
        }
    }
}

/// What became of one fact of a submission.
public enum FactOutcome: Hashable, Sendable {
    /// Stored; it will survive a crash.
    case accepted
    /// Known already; nothing changed.
    case repeated
    /// Stored beside a different content under the same key; the one with the smaller hash stands.
    case contradicted
    /// Not stored.
    case refused(RefusalReason)
}

/// Why something a client sent was not stored. The raw value is the label it is counted under.
public enum RefusalReason: String, Hashable, Sendable, CaseIterable {
    /// The text is not JSON.
    case malformed
    /// JSON, but not of a shape that is known to carry statistics or events.
    case unrecognised
    /// A required member is missing.
    case missingMember = "missing_member"
    /// A member has a type that cannot be read as what it should be.
    case wrongType = "wrong_type"
    /// A limit of size, depth or number was exceeded.
    case tooLarge = "too_large"
    /// The call was evicted or erased; what comes late does not revive half of it.
    case evicted
    /// The tenant has as many calls going on as it may; the same may be taken later.
    case tooManyCalls = "too_many_calls"
}
