/// What a probe has seen, up to a moment, of the media on their way to one end of a call: a fact.
public struct WireReport: Hashable, Sendable {
    /// Up to when, on the probe's clock: the capture's time stamps.
    public var time: Timestamp
    /// When the collector first received it, on the collector's clock.
    public var receivedAt: Timestamp
    /// The streams, sorted by ``WireStream/id``, each once.
    public private(set) var streams: [WireStream]
    /// Packets of audio that the end itself has sent so far, by the numbers of those that the probe saw: tells sound that goes
    /// one way only. `nil` when the probe cannot see that direction.
    public var audioPacketsSent: Int?
    /// Whether such packets are due where the probe could see them. They are not while the end has told that it sends none (by
    /// comfort noise, by RTCP, by pauses before), nor while they go elsewhere by agreement: what does not come then is no
    /// fault.
    public var isAudioDue: Bool
    /// How many of the end's packets of audio came back as undeliverable (ICMP), as far as the hosts that dropped them say it:
    /// they limit how often they do. `nil` where none is known to have.
    public var audioPacketsUndeliverable: Int?
    /// How well the capture did.
    public private(set) var sensor: SensorHealth
    /// Whether a different content was received for the same moment.
    public private(set) var isContradicted: Bool

    public init(
        time: Timestamp, receivedAt: Timestamp, streams: [WireStream], sensor: SensorHealth = SensorHealth(),
        audioPacketsSent: Int? = nil, isAudioDue: Bool = true, audioPacketsUndeliverable: Int? = nil,
        isContradicted: Bool = false
    ) {
        self.time = time
        self.receivedAt = receivedAt
        self.streams = streams.count < 2 ? streams : Self.unique(streams)
        self.sensor = sensor
        self.audioPacketsSent = audioPacketsSent
        self.isAudioDue = isAudioDue
        self.audioPacketsUndeliverable = audioPacketsUndeliverable
        self.isContradicted = isContradicted
    }

    private static func unique(_ streams: [WireStream]) -> [WireStream] {
        Dictionary(streams.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
    }

    /// Takes in another message of the same moment; the rule of ``StatsReport/merge(_:)``.
    public mutating func merge(_ other: WireReport) {
        receivedAt = min(receivedAt, other.receivedAt)
        isContradicted = isContradicted || other.isContradicted
        guard members != other.members else { return }
        isContradicted = true
        guard other.contentHash < contentHash else { return }
        (streams, sensor) = (other.streams, other.sensor)
        (audioPacketsSent, isAudioDue) = (other.audioPacketsSent, other.isAudioDue)
        audioPacketsUndeliverable = other.audioPacketsUndeliverable
    }

    private var contentHash: ContentHash {
        ContentHash(of: JSONValue.object(members).canonicalText)
    }
}
