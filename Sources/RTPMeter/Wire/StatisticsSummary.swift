/// Loss, duplicates, jitter and hop counts over a range of packets: a block of an extended report
/// ([RFC 3611, section 4.6](https://www.rfc-editor.org/rfc/rfc3611#section-4.6)).
public struct StatisticsSummary: Hashable, Sendable {
    /// Smallest, largest and mean value, and the standard deviation.
    public struct Spread: Hashable, Sendable {
        /// The smallest value.
        public var minimum: UInt32
        /// The largest value.
        public var maximum: UInt32
        /// The mean, rounded.
        public var mean: UInt32
        /// The standard deviation, rounded.
        public var deviation: UInt32

        /// A spread of known values.
        public init(minimum: UInt32, maximum: UInt32, mean: UInt32, deviation: UInt32) {
            self.minimum = minimum
            self.maximum = maximum
            self.mean = mean
            self.deviation = deviation
        }
    }

    /// Where the hop counts come from.
    public enum HopCounts: Hashable, Sendable {
        /// Time to live of IPv4.
        case timeToLive(Spread)
        /// Hop limit of IPv6.
        case hopLimit(Spread)
    }

    /// The source that the block is about.
    public var ssrc: UInt32
    /// The first sequence number of the range.
    public var beginSequence: UInt16
    /// The sequence number after the last of the range.
    public var endSequence: UInt16
    /// Packets of the range that did not come. Nil when the block does not say.
    public var lostPackets: UInt32?
    /// Packets of the range that came again. Nil when the block does not say.
    public var duplicatePackets: UInt32?
    /// Differences of transit time between two packets, in ticks of the payload's clock. Nil when it does not say.
    public var jitterTicks: Spread?
    /// Hops left of the packets' allowance. Nil when the block does not say.
    public var hopCounts: HopCounts?

    /// A summary of known fields.
    public init(
        ssrc: UInt32, beginSequence: UInt16, endSequence: UInt16, lostPackets: UInt32? = nil,
        duplicatePackets: UInt32? = nil, jitterTicks: Spread? = nil, hopCounts: HopCounts? = nil
    ) {
        self.ssrc = ssrc
        self.beginSequence = beginSequence
        self.endSequence = endSequence
        self.lostPackets = lostPackets
        self.duplicatePackets = duplicatePackets
        self.jitterTicks = jitterTicks
        self.hopCounts = hopCounts
    }
}

extension StatisticsSummary {
    static let size = 40

    /// Reads the block at `offset`; the caller has made sure of its 40 bytes.
    init(_ packet: RawSpan, at offset: Int) {
        let flags: UInt8 = packet.networkOrder(at: offset + 1)
        self.init(
            ssrc: packet.networkOrder(at: offset + 4),
            beginSequence: packet.networkOrder(at: offset + 8),
            endSequence: packet.networkOrder(at: offset + 10))
        if flags & 0b1000_0000 != 0 {
            lostPackets = packet.networkOrder(at: offset + 12)
        }
        if flags & 0b0100_0000 != 0 {
            duplicatePackets = packet.networkOrder(at: offset + 16)
        }
        if flags & 0b0010_0000 != 0 {
            jitterTicks = Spread(words: packet, at: offset + 20)
        }
        switch flags >> 3 & 0b11 {
        case 1: hopCounts = .timeToLive(Spread(bytes: packet, at: offset + 36))
        case 2: hopCounts = .hopLimit(Spread(bytes: packet, at: offset + 36))
        default: break
        }
    }
}

extension StatisticsSummary.Spread {
    fileprivate init(words packet: RawSpan, at offset: Int) {
        minimum = packet.networkOrder(at: offset)
        maximum = packet.networkOrder(at: offset + 4)
        mean = packet.networkOrder(at: offset + 8)
        deviation = packet.networkOrder(at: offset + 12)
    }

    fileprivate init(bytes packet: RawSpan, at offset: Int) {
        minimum = UInt32(packet.networkOrder(at: offset, as: UInt8.self))
        maximum = UInt32(packet.networkOrder(at: offset + 1, as: UInt8.self))
        mean = UInt32(packet.networkOrder(at: offset + 2, as: UInt8.self))
        deviation = UInt32(packet.networkOrder(at: offset + 3, as: UInt8.self))
    }
}
