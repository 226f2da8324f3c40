/// Three simulated jitter buffers: how many packets would have come too late to be played.
///
/// A packet's delay is what it took beyond the fastest of the last 5 to 10 s (``TransitTracker``).
///
/// The two fixed buffers play everything 60 and 200 ms after the fastest packet: later ones are late.
///
/// The adaptive one works as a WebRTC receiver's does: every half second, the highest delay of that time enters a histogram
/// of 16 steps from 20 to 500 ms whose older entries fade by 1.7 %, which is half in 20 s; the first ones fade faster, so
/// that it learns quickly. The depth it aims at is the step that 95 % of the weight does not exceed, never below 20 ms nor
/// above 500 ms, and 80 ms before anything is known. It moves towards its aim by up to 50 ms each half second, which
/// stretches or shortens the sound by as much, and stays as it is within a band of 20 ms or a quarter of the aim. A packet whose delay exceeds the depth is late: the sound stands still until
/// it is there, and the depth is from then on what that packet needed. Any other packet waits for the rest of the depth.
///
/// For a packet that others have overtaken the sound does not stand still, for what follows it is there: late, it is missing,
/// and nothing else. Nor does it deepen the buffer, unless such packets are so frequent that waiting for them costs less
/// than losing them: 20 ms for each percent of packets, as in a WebRTC receiver.
struct JitterBufferModel: Sendable {
    /// Shares of 65,535.
    private var weights: SIMD16<UInt16> = .zero
    /// Depth of the adaptive buffer now, in seconds.
    private(set) var depth: Float = 0.080
    /// Sound that was missing because packets were late, in seconds.
    private(set) var stalled: Float = 0
    /// By how much the sound was stretched or shortened, in seconds.
    private(set) var stretched: Float = 0
    /// Highest delay of this half second.
    private var intervalMaximum: Float = 0
    /// Seconds that the packets in time waited in the adaptive buffer.
    private(set) var waited = 0.0
    private(set) var packets: UInt32 = 0
    private(set) var lateAdaptive: UInt32 = 0
    private(set) var late60: UInt32 = 0
    private(set) var late200: UInt32 = 0
    private var intervals: UInt8 = 0
    /// ``packets`` at the last overtaken one, cut, and how many packets there are to an overtaken one of late.
    private var lastOvertaken: UInt16 = 0
    private var packetsToOvertaken: Float = 100

    /// The delay, in seconds, that is worth to have all packets rather than none.
    private static let worthOfAll: Float = 2
    /// No packet is waited for longer, in seconds.
    private static let longestWait: Float = 1
    /// By how much the depth moves in half a second, in seconds.
    private static let largestStep: Float = 0.050
    /// The width of the band in which the depth is left as it is, and how far below its aim it may stay, in seconds.
    private static let tolerance: Float = 0.020
    private static let farthestBelow: Float = 0.085

    /// Upper ends of the steps, in seconds.
    private static let steps = SIMD16<Float>(
        0.020, 0.040, 0.060, 0.080, 0.100, 0.120, 0.140, 0.160, 0.180, 0.200, 0.240, 0.280, 0.320, 0.380, 0.440, 0.500)

    /// Puts a packet in that took `delay` seconds more than the fastest. Whether it is in time for the adaptive buffer.
    @inline(__always)
    mutating func take(delay: Float) -> Bool {
        packets &+= 1
        intervalMaximum = delay > intervalMaximum ? delay : intervalMaximum
        if delay > 0.060 {
            late60 &+= 1
            late200 &+= delay > 0.200 ? 1 : 0
        }
        guard delay <= depth else {
            lateAdaptive &+= 1
            let needed = min(delay, Self.longestWait)
            stalled += max(0, needed - depth)
            depth = max(depth, needed)
            return false
        }
        waited += Double(depth - delay)
        return true
    }

    /// Puts a packet in that others of its segment have overtaken, and that lasts `length` seconds. Whether it is in time.
    mutating func takeOvertaken(delay: Float, length: Float) -> Bool {
        packets &+= 1
        late60 &+= delay > 0.060 ? 1 : 0
        late200 &+= delay > 0.200 ? 1 : 0
        let distance = UInt16(truncatingIfNeeded: packets) &- lastOvertaken
        lastOvertaken = UInt16(truncatingIfNeeded: packets)
        packetsToOvertaken += (Float(distance) - packetsToOvertaken) / 8
        let missing = min(delay, Self.longestWait) - depth
        defer { wait(for: delay, missing: missing) }
        guard delay > depth else {
            waited += Double(depth - delay)
            return true
        }
        lateAdaptive &+= 1
        stalled += max(0, min(missing, length))
        return false
    }

    /// Lets the next overtaken packet be waited for as long, if they are frequent enough: the sound is stretched for it.
    private mutating func wait(for delay: Float, missing: Float) {
        guard missing <= Self.worthOfAll / packetsToOvertaken else { return }
        intervalMaximum = max(intervalMaximum, delay)
        let step = max(0, min(missing, Self.largestStep))
        depth += step
        stretched += step
    }

    /// Ends a half second: the highest delay of it decides the depth for the next.
    mutating func endInterval() {
        intervals = intervals < 255 ? intervals + 1 : 255
        let fading = min(0.983, 1 - 2 / (Float(intervals) + 1))
        let factor = UInt32(fading * 65536)
        let lane = Self.steps.indices.first { intervalMaximum <= Self.steps[$0] } ?? 15
        var sum: UInt32 = 0
        for index in weights.indices {
            let faded = (UInt32(weights[index]) &* factor) >> 16
            weights[index] = UInt16(truncatingIfNeeded: faded)
            sum &+= faded
        }
        weights[lane] &+= UInt16(truncatingIfNeeded: 65535 &- sum)
        approach(Self.steps[percentileLane()])
        intervalMaximum = 0
    }

    /// Moves into the band around the aim. Before the first sound is out that is for nothing.
    private mutating func approach(_ aim: Float) {
        let least = max(0.75 * aim, aim - Self.farthestBelow)
        let most = max(aim, least + Self.tolerance)
        let step = min(Self.largestStep, max(-Self.largestStep, min(max(depth, least), most) - depth))
        depth += step
        if intervals > 1 { stretched += abs(step) }
    }

    private func percentileLane() -> Int {
        var sum: UInt32 = 0
        for index in weights.indices {
            sum &+= UInt32(weights[index])
            if sum >= 62258 {  // 95 % of 65,535
                return index
            }
        }
        return 15
    }

    var figures: JitterBufferFigures {
        JitterBufferFigures(
            packets: Int(packets), lateAdaptive: Int(lateAdaptive), late60: Int(late60), late200: Int(late200),
            adaptiveDelaySumSeconds: waited, adaptiveDepthSeconds: Double(depth), lateSeconds: Double(stalled),
            stretchedSeconds: Double(stretched))
    }
}

/// What the simulated jitter buffers did, since the start of the stream.
public struct JitterBufferFigures: Hashable, Sendable {
    /// Packets put in.
    public var packets: Int
    /// Packets too late for the adaptive buffer (20 to 500 ms).
    public var lateAdaptive: Int
    /// Packets too late for a fixed buffer of 60 ms.
    public var late60: Int
    /// Packets too late for a fixed buffer of 200 ms.
    public var late200: Int
    /// Sum of the time that the packets in time spent in the adaptive buffer, in seconds; see ``adaptiveEmitted``.
    public var adaptiveDelaySumSeconds: Double
    /// Depth of the adaptive buffer at the end, in seconds, 0.02...1.
    public var adaptiveDepthSeconds: Double
    /// Sound missing in the adaptive buffer because packets were late, in seconds.
    public var lateSeconds: Double
    /// By how much the adaptive buffer stretched or shortened the sound, in seconds.
    public var stretchedSeconds: Double

    /// Packets that came out of the adaptive buffer: the divisor for ``adaptiveDelaySumSeconds``, as
    /// `jitterBufferEmittedCount` is for `jitterBufferDelay` in W3C statistics.
    public var adaptiveEmitted: Int { packets - lateAdaptive }
}
