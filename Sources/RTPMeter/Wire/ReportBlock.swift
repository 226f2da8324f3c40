/// What a receiver says about one source it hears
/// ([RFC 3550, section 6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1)).
public struct ReportBlock: Hashable, Sendable {
    /// The source that the block is about.
    public var ssrc: UInt32
    /// Share of packets lost since the last report, in 1/256, rounded down; 0 when duplicates outnumber the losses.
    public var fractionLost: UInt8
    /// Packets lost since the start: expected less received. Negative when duplicates came; −8,388,608...8,388,607.
    public var cumulativeLost: Int32
    /// Highest sequence number received in the low 16 bits, how often it wrapped in the high ones.
    public var highestSequence: UInt32
    /// Interarrival jitter, in ticks of the payload's clock.
    public var jitterTicks: UInt32
    /// The middle 32 bits of the NTP time in the last sender report of the source; 0 when none came yet.
    public var lastSenderReport: UInt32
    /// From the arrival of that report to the sending of this block, in 1/65536 s; 0 when none came yet.
    public var delaySinceLastSenderReport: UInt32

    /// A block of known fields.
    public init(
        ssrc: UInt32, fractionLost: UInt8, cumulativeLost: Int32, highestSequence: UInt32, jitterTicks: UInt32,
        lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
    ) {
        self.ssrc = ssrc
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.highestSequence = highestSequence
        self.jitterTicks = jitterTicks
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }
}

extension ReportBlock {
    static let size = 24

    /// Reads the block at `offset`; the caller has made sure of its 24 bytes.
    init(_ packet: RawSpan, at offset: Int) {
        let loss: UInt32 = packet.networkOrder(at: offset + 4)
        ssrc = packet.networkOrder(at: offset)
        fractionLost = UInt8(loss >> 24)
        // The count is signed and 24 bits wide: moved up to the sign bit of 32 and back, its sign comes along.
        cumulativeLost = Int32(bitPattern: loss << 8) >> 8
        highestSequence = packet.networkOrder(at: offset + 8)
        jitterTicks = packet.networkOrder(at: offset + 12)
        lastSenderReport = packet.networkOrder(at: offset + 16)
        delaySinceLastSenderReport = packet.networkOrder(at: offset + 20)
    }

    /// Reads as many of the announced blocks as there are.
    static func list(_ packet: RawSpan, at start: Int, _ body: inout RTCPBody) -> [ReportBlock] {
        var blocks: [ReportBlock] = []
        for index in 0..<body.count {
            let offset = start + index * size
            guard body.has(.reportBlock, upTo: offset + size) else { break }
            blocks.append(ReportBlock(packet, at: offset))
        }
        return blocks
    }
}
