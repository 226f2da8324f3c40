/// Something that happened to a call, as its client told it (`callAdditionalInfo` and its relatives): a fact.
public struct CallEvent: Hashable, Sendable {
    /// When it happened, on the client's clock.
    public var time: Timestamp
    /// When the collector first received it, on the collector's clock.
    public var receivedAt: Timestamp
    /// The category: `callMetric`, `iceTimeout`, `iceState`, `ipChange`, `callState`, or anything a client invents.
    public var action: String
    /// The kind within the category: `callCreate`, `iceConnected`, …
    public var type: String
    /// The sender's running number, when it gave one.
    public var sequence: Int64?
    /// Every other member as sent (`source`, `statusCode`, `reason`, `value`, `detail`, …), secrets dropped.
    public var members: JSONObject
    /// Whether a different content was received under the same key.
    public var isContradicted: Bool

    public init(
        time: Timestamp, receivedAt: Timestamp, action: String, type: String, sequence: Int64? = nil,
        members: JSONObject = [:], isContradicted: Bool = false
    ) {
        self.time = time
        self.receivedAt = receivedAt
        self.action = action
        self.type = type
        self.sequence = sequence
        self.members = members
        self.isContradicted = isContradicted
    }

    /// Takes in another message with the same key; the rule of ``StatsReport/merge(_:)``.
    public mutating func merge(_ other: CallEvent) {
        receivedAt = min(receivedAt, other.receivedAt)
        isContradicted = isContradicted || other.isContradicted
        guard members != other.members else { return }
        isContradicted = true
        if other.contentHash < contentHash { members = other.members }
    }

    private var contentHash: ContentHash {
        ContentHash(of: JSONValue.object(members).canonicalText)
    }
}
