/// What a probe has seen of one RTP stream so far.
public struct WireStream: Hashable, Sendable, Codable {
    /// Where the clock rate comes from.
    public enum ClockOrigin: String, Hashable, Sendable, Codable, CaseIterable {
        /// From SDP.
        case signalled
        /// From the table of RFC 3551.
        case `static`
        /// From the pace of the timestamps against arrival.
        case inferred
    }

    /// What the stream is for.
    public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        /// Audio or video itself.
        case primary
        /// Retransmissions of another stream (RFC 4588).
        case retransmission
        /// Repair packets of another stream (RFC 5109, RFC 8627).
        case repair
        /// Telephone events and nothing else (RFC 4733).
        case events
        /// Neither sound nor pictures ([RFC 8866 §5.14](https://www.rfc-editor.org/rfc/rfc8866#section-5.14)): real-time
        /// text (RFC 4103), control of a far camera (RFC 4573), messages; or nothing at all, to keep a path open (RFC 6263).
        case data
        /// Packets on their way to a relay of the call, which sends them on to the end: what the end hears is what comes
        /// from there, a stream of its own.
        case hop
    }

    /// Unique in its report: the SSRC in decimal; with `#2`, `#3`… where one end receives the same SSRC on several paths.
    public var id: String
    /// The synchronisation source (RFC 3550 §5.1).
    public var ssrc: UInt32
    /// Address, cut, and port of the sender, as the packets have it.
    public var source: String
    /// Address, cut, and port of the receiver, as the packets have it.
    public var destination: String
    /// Audio or video; a guess where nothing was signalled, and without meaning where ``role`` is ``Role/data``.
    public var kind: MediaKind
    /// What the stream is for.
    public var role: Role
    /// RTP payload type most packets have, 0...127.
    public var payloadType: Int
    /// Its meaning, such as `audio/PCMU`; `nil` when neither signalling nor the static table tells. May be a guess
    /// (``isCodecGuess``).
    public var codec: String?
    /// RTP ticks a second; `nil` while unknown: then there is no jitter.
    public var clockRate: Int?
    /// Where ``clockRate`` comes from.
    public var clockOrigin: ClockOrigin?
    /// `fmtp` of that payload type, as signalled; of a guess, what is known of who sends it: `useinbandfec=0` of Firefox.
    public var formatParameters: String?
    /// Media in one packet, in ms; `nil` while unknown, and of sound whose packets are more than 200 ms apart.
    public var packetMilliseconds: Double?
    /// Whether the payload is encrypted, as far as signalling tells.
    public var isEncrypted: Bool?
    /// When the first packet came.
    public var firstPacketAt: Timestamp
    /// When the last packet came.
    public var lastPacketAt: Timestamp
    /// When RTCP about the stream last passed by.
    public var lastControlAt: Timestamp?
    /// The last span in which packets were missing for 0.4 s or more: last packet before to first packet after.
    public var lastOutage: TimeSpan?
    /// How those who receive the stream say that they fare, by the last such report of each; `nil` without one.
    public var receiverMetrics: [ReceiverMetrics]?
    /// What was measured; a figure that is absent is not known.
    public var figures: WireFigures
    /// How often 1, 2, … 9 packets in a row were lost, and in the tenth place how often more.
    public var lossRuns: [Int]
    /// Packets by how much their delay differs from the one before: up to 50, 70, 90, 120, 150, 200, 300 ms and beyond.
    public var delayBuckets: [Int]

    public init(
        id: String, ssrc: UInt32, source: String, destination: String, kind: MediaKind, role: Role = .primary,
        payloadType: Int, firstPacketAt: Timestamp, lastPacketAt: Timestamp, figures: WireFigures = [:]
    ) {
        self.id = id
        self.ssrc = ssrc
        self.source = source
        self.destination = destination
        self.kind = kind
        self.role = role
        self.payloadType = payloadType
        self.firstPacketAt = firstPacketAt
        self.lastPacketAt = lastPacketAt
        self.figures = figures
        lossRuns = []
        delayBuckets = []
    }

    /// Packets that the capture has not and the receiver has, by its RTCP; 0 for as few as may have come late.
    public var packetsUnrecorded: Int {
        guard let behind = self[.packetsLostBehind], behind < -Self.mostLate else { return 0 }
        return Int(clamping: Int64(exactly: -behind.rounded()) ?? .max)
    }

    private static let mostLate = 10.0

    /// A figure; `nil` when it is not known.
    public subscript(figure: WireFigure) -> Double? {
        get { figures[figure] }
        set { figures[figure] = newValue }
    }
}

extension WireStream {
    /// Whether ``codec`` is concluded from the clock, which the packets alone tell. A payload type of the table means what
    /// that says, whatever its clock ([RFC 3551 §6](https://www.rfc-editor.org/rfc/rfc3551#section-6)).
    public var isCodecGuess: Bool { clockOrigin == .inferred && payloadType > 34 }
}
