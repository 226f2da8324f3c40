/// One object of a statistics report, in W3C names and units.
///
/// Members the product does not know stay in `members` as sent: a later version may use them.
public struct StatsObject: Hashable, Sendable {
    /// The `id` of the object, unique within its report.
    public var id: String
    /// The `type` (RTCStatsType), such as `inbound-rtp`; `unknown` when the sender gave none.
    public var type: StatsType
    /// When the object was sampled; on `remote-*` objects, when the RTCP report arrived. `nil` when not given.
    public var timestamp: Timestamp?
    /// Every other member, W3C name to value, W3C units.
    public var members: JSONObject

    public init(id: String, type: StatsType, timestamp: Timestamp?, members: JSONObject) {
        self.id = id
        self.type = type
        self.timestamp = timestamp
        self.members = members
    }

    /// What tells this object from the others of its report.
    public var key: Key {
        Key(type: type, id: id)
    }

    /// Whether a receiver of Pion has made it, a library of servers that plays and decodes nothing: by the ids of the receiver and
    /// of its transport.
    package var isOfPion: Bool {
        type == .inboundRTP && members["transportId"]?.text == "iceTransport"
            && members["ssrc"]?.wholeNumber.map { id == "inbound-rtp-\($0)" } ?? false
    }

    /// Type and id: two objects of one report with the same key are one object said twice.
    public struct Key: Hashable, Sendable, Comparable, Codable {
        /// The `type` of the object.
        public var type: StatsType
        /// The `id` of the object.
        public var id: String

        public init(type: StatsType, id: String) {
            self.type = type
            self.id = id
        }

        public static func < (left: Self, right: Self) -> Bool {
            (left.type.rawValue, left.id) < (right.type.rawValue, right.id)
        }
    }
}

/// `RTCStatsType` of [webrtc-stats §6](https://www.w3.org/TR/webrtc-stats/#rtcstatstype-str*); open, for clients invent more.
public struct StatsType: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A codec in use (RTCCodecStats).
    public static let codec = StatsType(rawValue: "codec")
    /// A stream received (RTCInboundRtpStreamStats).
    public static let inboundRTP = StatsType(rawValue: "inbound-rtp")
    /// A stream sent (RTCOutboundRtpStreamStats).
    public static let outboundRTP = StatsType(rawValue: "outbound-rtp")
    /// What the far end says of a stream sent (RTCRemoteInboundRtpStreamStats).
    public static let remoteInboundRTP = StatsType(rawValue: "remote-inbound-rtp")
    /// What the far end says of a stream received (RTCRemoteOutboundRtpStreamStats).
    public static let remoteOutboundRTP = StatsType(rawValue: "remote-outbound-rtp")
    /// A track that is sent (RTCMediaSourceStats).
    public static let mediaSource = StatsType(rawValue: "media-source")
    /// A DTLS and ICE transport (RTCTransportStats).
    public static let transport = StatsType(rawValue: "transport")
    /// A pair of ICE candidates (RTCIceCandidatePairStats).
    public static let candidatePair = StatsType(rawValue: "candidate-pair")
    /// An ICE candidate of this end (RTCIceCandidateStats).
    public static let localCandidate = StatsType(rawValue: "local-candidate")
    /// An ICE candidate of the far end (RTCIceCandidateStats).
    public static let remoteCandidate = StatsType(rawValue: "remote-candidate")
    /// A track of old engines; removed from the standard.
    public static let track = StatsType(rawValue: "track")
    /// An object without a `type`.
    public static let unknown = StatsType(rawValue: "unknown")

    /// Whether objects of this type carry this end's own figures of a stream.
    package var isLocalRTP: Bool {
        self == .inboundRTP || self == .outboundRTP
    }

    /// Whether objects of this type carry the far end's figures, stamped when RTCP brought them.
    public var isRemoteRTP: Bool {
        self == .remoteInboundRTP || self == .remoteOutboundRTP
    }
}

/// What one `getStats()` call returned: a fact of a call.
public struct StatsReport: Hashable, Sendable {
    /// The peer connection reported on.
    public var connection: ConnectionID
    /// When the client took the report, on the client's clock.
    public var time: Timestamp
    /// When the collector first received it, on the collector's clock.
    public var receivedAt: Timestamp
    /// Sorted by key, each key once.
    public private(set) var objects: [StatsObject]
    /// Keys for which different contents were received; the one with the smaller content hash stands.
    public private(set) var conflicts: [StatsObject.Key]
    /// What the normaliser changed or doubted, in words fit for the report's data-quality block; sorted, each once.
    public private(set) var notes: [String]

    public init(
        connection: ConnectionID, time: Timestamp, receivedAt: Timestamp, objects: [StatsObject], notes: [String] = []
    ) {
        self.connection = connection
        self.time = time
        self.receivedAt = receivedAt
        self.objects = []
        conflicts = []
        self.notes = Set(notes).sorted()
        merge(objects)
    }

    /// Rebuilds a report read from a store.
    public init(
        stored objects: [StatsObject], conflicts: [StatsObject.Key], notes: [String], connection: ConnectionID,
        time: Timestamp, receivedAt: Timestamp
    ) {
        self.init(connection: connection, time: time, receivedAt: receivedAt, objects: objects, notes: notes)
        self.conflicts = conflicts.sorted()
    }

    /// Takes in what another message said of the same moment of the same connection.
    ///
    /// The result is the same whatever came first and however often: objects are united by key, of two contents
    /// the one with the smaller hash stands, the earliest receipt counts.
    public mutating func merge(_ other: StatsReport) {
        receivedAt = min(receivedAt, other.receivedAt)
        notes = Set(notes).union(other.notes).sorted()
        conflicts = Set(conflicts).union(other.conflicts).sorted()
        merge(other.objects)
    }

    private mutating func merge(_ others: [StatsObject]) {
        let sorted = others.sorted { $0.key < $1.key }
        // Hardly any client sends two of one key.
        if objects.isEmpty, zip(sorted, sorted.dropFirst()).allSatisfy({ $0.key != $1.key }) {
            objects = sorted
            return
        }
        var byKey = Dictionary(objects.map { ($0.key, $0) }) { first, _ in first }
        var contradicted = Set(conflicts)
        for object in others {
            guard let standing = byKey[object.key] else {
                byKey[object.key] = object
                continue
            }
            guard standing != object else { continue }
            contradicted.insert(object.key)
            byKey[object.key] = min(standing, object, by: \.contentHash)
        }
        objects = byKey.values.sorted { $0.key < $1.key }
        conflicts = contradicted.sorted()
    }
}

extension StatsObject {
    /// A hash of everything the object says, the same in every process.
    public var contentHash: ContentHash {
        ContentHash(of: JSONValue.object(members).canonicalText + "@\(timestamp.map { String($0.milliseconds) } ?? "")")
    }
}

private func min<Value>(_ left: Value, _ right: Value, by hash: KeyPath<Value, ContentHash>) -> Value {
    left[keyPath: hash] <= right[keyPath: hash] ? left : right
}
