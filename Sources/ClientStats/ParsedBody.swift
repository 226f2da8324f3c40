public import CallModel

/// What a body held, ready for the collector, and what in it was refused.
public struct ParsedBody: Hashable, Sendable {
    /// Facts by call and observer, in the order in which they first appear.
    public var submissions: [Submission]
    /// What was not taken, in order of ``Refusal/index``.
    public var refusals: [Refusal]
    /// `action/type` of events, and types of statistics objects, that the product does not know; stored all the same.
    /// Sorted, each once, at most 100.
    public var unknownTypes: [String]
    /// Members of envelopes and events that the product does not know. Sorted, each once, at
    /// most 100.
    public var unknownProperties: [String]

    public init(
        submissions: [Submission] = [], refusals: [Refusal] = [], unknownTypes: [String] = [],
        unknownProperties: [String] = []
    ) {
        self.submissions = submissions
        self.refusals = refusals
        self.unknownTypes = unknownTypes
        self.unknownProperties = unknownProperties
    }
}

/// A part of a body that was not taken; the rest was.
public struct Refusal: Hashable, Sendable {
    /// Position in the body, from 0: the array element, or the line among those that are not blank.
    public var index: Int
    /// What it is counted under.
    public var reason: RefusalReason
    /// What was wrong, where, and what was expected.
    public var message: String

    public init(index: Int, reason: RefusalReason, message: String) {
        self.index = index
        self.reason = reason
        self.message = message
    }
}

/// What is known of a body besides its bytes.
public struct ParsingContext: Hashable, Sendable {
    /// Whose data the body brings.
    public var tenant: TenantID
    /// The call the request's path names, if it names one.
    public var call: CallID?
    /// Who the request says is watching (`?observer=` or the header `Sidetone-Observer`); the body overrides it.
    public var observer: ObserverID?
    /// When the request came in, on the collector's clock.
    public var receivedAt: Timestamp
    /// What is kept of IP addresses.
    public var addresses: AddressPolicy
    /// How much one body may hold.
    public var limits: BodyLimits

    public init(
        tenant: TenantID = .default, call: CallID? = nil, observer: ObserverID? = nil, receivedAt: Timestamp,
        addresses: AddressPolicy = .cut, limits: BodyLimits = BodyLimits()
    ) {
        self.tenant = tenant
        self.call = call
        self.observer = observer
        self.receivedAt = receivedAt
        self.addresses = addresses
        self.limits = limits
    }
}

/// What a body may hold at most.
public struct BodyLimits: Hashable, Sendable {
    /// Levels of arrays and objects.
    public var depth: Int
    /// Statistics objects and events of one body together.
    public var objects: Int
    /// Bytes of one text member; text that holds a whole report may be as long as the body.
    public var stringBytes: Int
    /// Bytes of an identifier: callId, observer, object id, action, type.
    public var identifierBytes: Int
    /// JSON values of one body.
    public var values: Int
    /// Parts of a file that bring no fact, be they empty or refused: a few kilobytes of gzip hold tens of millions.
    public var partsWithoutFact: Int

    public init(
        depth: Int = 64, objects: Int = 5_000, stringBytes: Int = 65_536, identifierBytes: Int = 256,
        values: Int = 500_000, partsWithoutFact: Int = 1_000_000
    ) {
        self.depth = depth
        self.objects = objects
        self.stringBytes = stringBytes
        self.identifierBytes = identifierBytes
        self.values = values
        self.partsWithoutFact = partsWithoutFact
    }
}

/// Why nothing of a body could be used.
public struct ClientStatsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it is counted under.
    public var reason: RefusalReason
    /// What was wrong, where, and what was expected.
    public var description: String

    public init(reason: RefusalReason, description: String) {
        self.reason = reason
        self.description = description
    }
}
