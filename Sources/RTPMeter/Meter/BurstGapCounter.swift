/// Losses as bursts and gaps, by the counting of [RFC 3611, section 4.7.2](https://www.rfc-editor.org/rfc/rfc3611#section-4.7.2)
/// and its appendix A.2.
///
/// A burst begins and ends with a loss and has fewer than ``gmin`` packets in a row received within it; everything else is
/// gap. "Lost" here includes packets that came too late for the simulated jitter buffer. Before the first and after the
/// last packet, ``gmin`` received ones are imagined.
public struct BurstGapCounter: Hashable, Sendable {
    /// The RFC's Gmin: so many packets received in a row end a burst. 16 is its recommended value.
    public static let gmin: UInt32 = 16

    // Named as in the RFC: state 1 is received in a gap, 2 received in a burst, 3 lost in a burst, 4 lost in a gap;
    // cXY counts transitions from X to Y.
    private var good: UInt32 = 0
    private var run: UInt32 = 0
    private var c11: UInt32 = 0
    private var c13: UInt32 = 0
    private var c14: UInt32 = 0
    private var c22: UInt32 = 0
    private var c23: UInt32 = 0
    private var c33: UInt32 = 0

    /// Nothing counted.
    public init() {}

    /// The next `count` packets in order of their numbers were received in time.
    @inline(__always)
    public mutating func receive(_ count: UInt32 = 1) {
        good &+= count
    }

    /// The next `count` packets in order of their numbers were lost or discarded.
    public mutating func lose(_ count: UInt32 = 1) {
        guard count > 0 else { return }
        if run == 0 || good >= Self.gmin {
            endPeriod()
            run = 1
        } else {
            run &+= 1
            if good == 0 {
                c33 &+= 1
            } else {
                c23 &+= 1
                c22 &+= good &- 1
            }
        }
        good = 0
        run &+= count - 1
        c33 &+= count - 1
    }

    /// The period of losses that was open is over, and the received packets since belong to a gap.
    private mutating func endPeriod() {
        if run == 1 {
            c14 &+= 1
        } else if run > 1 {
            c13 &+= 1
        }
        c11 &+= good
        good = 0
        run = 0
    }

    /// The counts as they are if nothing but received packets follow.
    public func closed() -> BurstGapCounter {
        var copy = self
        copy.endPeriod()
        return copy
    }

    /// The RFC's four metrics; nil before the first packet. Without the duration of a packet they have no durations.
    public func metrics(packetSeconds: Double?) -> BurstGapMetrics? {
        let counts = closed()
        let gap = Double(counts.c11) + Double(counts.c14) + Double(counts.c13)
        let lossesInARow = Double(counts.c33)
        let resumed = Double(counts.c23)
        let received = Double(counts.c22)
        let bursts = Double(counts.c13)
        // c31 = c13 and c32 = c23: what goes into a burst comes out of it.
        let all = gap + received + 2 * resumed + bursts + lossesInARow
        guard all > 0 else { return nil }

        let lossThenReceived = bursts > 0 ? resumed / (bursts + resumed + lossesInARow) : 0
        let receivedThenLoss = received + resumed > 0 ? 1 - received / (received + resumed) : 1
        let inGap = Double(counts.c11) + Double(counts.c14)
        let gapPackets = bursts > 0 ? gap / bursts : gap
        let burstPackets = bursts > 0 ? all / bursts - gapPackets : 0
        return BurstGapMetrics(
            burstDensity: bursts > 0 ? receivedThenLoss / (receivedThenLoss + lossThenReceived) : 0,
            gapDensity: inGap > 0 ? Double(counts.c14) / inGap : 0,
            burstSeconds: packetSeconds.map { $0 * burstPackets },
            gapSeconds: packetSeconds.map { $0 * gapPackets },
            bursts: Int(counts.c13),
            isolatedLosses: Int(counts.c14))
    }
}

/// How losses cluster, as the VoIP metrics block of [RFC 3611, section 4.7.2](https://www.rfc-editor.org/rfc/rfc3611#section-4.7.2) says it.
public struct BurstGapMetrics: Hashable, Sendable {
    /// Share of packets lost or discarded within bursts, 0...1; 0 without a burst.
    public var burstDensity: Double
    /// Share of packets lost or discarded outside of bursts, 0...1.
    public var gapDensity: Double
    /// Mean duration of a burst; 0 without a burst, nil when the duration of a packet is not known.
    public var burstSeconds: Double?
    /// Mean duration of the gaps; the whole stream without a burst, nil when the duration of a packet is not known.
    public var gapSeconds: Double?
    /// Bursts of two losses and more.
    public var bursts: Int
    /// Losses with at least 16 received packets on both sides.
    public var isolatedLosses: Int
}
