/// How a receiver of voice says it fares: the VoIP metrics block of an extended report
/// ([RFC 3611, section 4.7](https://www.rfc-editor.org/rfc/rfc3611#section-4.7)).
///
/// The block writes 127 for what it does not know; here that is nil, and so is what lies outside of the range that the
/// RFC gives, which a receiver must ignore.
public struct VoIPMetrics: Hashable, Sendable {
    /// How the receiver fills in for packets that are missing.
    public enum LossConcealment: UInt8, Hashable, Sendable {
        /// It does not say.
        case unspecified = 0
        /// It plays silence.
        case disabled = 1
        /// It interpolates.
        case enhanced = 2
        /// It repeats what came last.
        case standard = 3
    }

    /// The source that the block is about.
    public var ssrc: UInt32

    /// Share of packets that never came, since the start; 0...255/256.
    public var lossRate: Double
    /// Share of packets that came but were too late or too early to play, since the start; 0...255/256.
    public var discardRate: Double
    /// Share of packets lost or discarded inside bursts, since the start; 0...255/256.
    public var burstDensity: Double
    /// Share of packets lost or discarded in the gaps between bursts, since the start; 0...255/256.
    public var gapDensity: Double
    /// Mean length of the bursts, in milliseconds.
    public var burstDuration: UInt16
    /// Mean length of the gaps between them, in milliseconds.
    public var gapDuration: UInt16
    /// How many packets in a row must come for a burst to be over; 16 is recommended.
    public var minimumGap: UInt8

    /// Latest round trip between the two RTP interfaces, in milliseconds.
    ///
    /// Nil for 0, which stands for "not measured yet" in the first reports.
    public var roundTripDelay: UInt16?
    /// Latest estimate of the delay inside the reporting end, in milliseconds: both the way in and the way out.
    public var endSystemDelay: UInt16

    /// Level of the speech, in dBm0. Nil when unavailable.
    public var signalLevel: Int8?
    /// Level of the background in its pauses, in dBm0. Nil when unavailable.
    public var noiseLevel: Int8?
    /// Residual echo return loss, in dB. Nil when unavailable.
    public var residualEchoReturnLoss: UInt8?

    /// Conversational quality on the RTP part of the call, 0...100 (ITU-T G.107). Nil when unavailable.
    public var rFactor: UInt8?
    /// The same for another network that the call runs over, 0...100. Nil when unavailable.
    public var externalRFactor: UInt8?
    /// Opinion score of listening, 1.0...5.0. Nil when unavailable.
    public var listeningMOS: Double?
    /// Opinion score of conversation, delay and echo included, 1.0...5.0. Nil when unavailable.
    public var conversationalMOS: Double?

    /// How the receiver fills in for packets that are missing.
    public var lossConcealment: LossConcealment
    /// Whether the jitter buffer adapts to the jitter. Nil when unknown.
    public var isJitterBufferAdaptive: Bool?
    /// How slowly it adapts, 0...15, in units that depend on the implementation.
    public var jitterBufferRate: UInt8
    /// Delay now set for a packet that comes on time, in milliseconds.
    public var jitterBufferNominal: UInt16
    /// Delay now set for the earliest packet that is not discarded, in milliseconds.
    public var jitterBufferMaximum: UInt16
    /// The largest delay that an adaptive buffer can reach, in milliseconds; a fixed one's own delay.
    public var jitterBufferAbsoluteMaximum: UInt16
}

extension VoIPMetrics {
    static let size = 36

    /// Reads the block at `offset`; the caller has made sure of its 36 bytes.
    init(_ packet: RawSpan, at offset: Int) {
        func byte(_ place: Int) -> UInt8 { packet.networkOrder(at: offset + place) }
        func word(_ place: Int) -> UInt16 { packet.networkOrder(at: offset + place) }

        ssrc = packet.networkOrder(at: offset + 4)
        lossRate = Double(byte(8)) / 256
        discardRate = Double(byte(9)) / 256
        burstDensity = Double(byte(10)) / 256
        gapDensity = Double(byte(11)) / 256
        burstDuration = word(12)
        gapDuration = word(14)
        roundTripDelay = word(16) == 0 ? nil : word(16)
        endSystemDelay = word(18)
        signalLevel = Self.level(byte(20))
        noiseLevel = Self.level(byte(21))
        residualEchoReturnLoss = byte(22) == 127 ? nil : byte(22)
        minimumGap = byte(23)
        rFactor = Self.value(byte(24), in: 0...100)
        externalRFactor = Self.value(byte(25), in: 0...100)
        listeningMOS = Self.value(byte(26), in: 10...50).map { Double($0) / 10 }
        conversationalMOS = Self.value(byte(27), in: 10...50).map { Double($0) / 10 }
        lossConcealment = LossConcealment(rawValue: byte(28) >> 6) ?? .unspecified
        isJitterBufferAdaptive = byte(28) & 0b0010_0000 == 0 ? nil : byte(28) & 0b0001_0000 != 0
        jitterBufferRate = byte(28) & 0x0f
        jitterBufferNominal = word(30)
        jitterBufferMaximum = word(32)
        jitterBufferAbsoluteMaximum = word(34)
    }

    private static func level(_ byte: UInt8) -> Int8? {
        byte == 127 ? nil : Int8(bitPattern: byte)
    }

    private static func value(_ byte: UInt8, in range: ClosedRange<UInt8>) -> UInt8? {
        range.contains(byte) ? byte : nil
    }
}
