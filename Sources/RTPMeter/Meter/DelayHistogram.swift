/// How long packets took beyond the fastest ones: their delay relative to the smallest transit time of the last 5 to 10 s.
///
/// Holds for 8 limits how many packets took *at least* that long.
public struct DelayHistogram: Hashable, Sendable {
    /// The limits, in milliseconds.
    public static let limitsMilliseconds = [2, 5, 10, 20, 40, 80, 160, 320]

    /// Computed, for what is made once is asked for with every packet whether it was made.
    private static var limits: SIMD8<Float> { SIMD8(0.002, 0.005, 0.010, 0.020, 0.040, 0.080, 0.160, 0.320) }
    private var atLeast: SIMD8<UInt32> = .zero
    private var total: UInt32 = 0
    /// The longest delay, in seconds; once some have reached the last limit, the mean of these.
    private var farthest: Float = 0

    /// No packet.
    public init() {}

    /// How many packets were measured.
    public var packets: Int { Int(total) }

    /// A packet that took `seconds` longer than the fastest.
    @inline(__always)
    mutating func note(seconds: Float) {
        total &+= 1
        if seconds < 0.320 {
            farthest = seconds > farthest ? seconds : farthest
        }
        // Most packets of a good path are below the first limit and touch nothing else.
        guard seconds >= 0.002 else { return }
        let reached = Self.limits .<= SIMD8<Float>(repeating: seconds)
        atLeast &+= SIMD8<UInt32>.zero.replacing(with: 1, where: reached)
        if seconds >= 0.320 {
            noteBeyond(seconds: seconds)
        }
    }

    @inline(never)
    private mutating func noteBeyond(seconds: Float) {
        farthest = atLeast[7] > 1 ? farthest + (seconds - farthest) / Float(atLeast[7]) : seconds
    }

    /// How many packets took at least `limitsMilliseconds[index]`; 0 for an index that there is not.
    public func packets(atLeast index: Int) -> Int {
        atLeast.indices.contains(index) ? Int(atLeast[index]) : 0
    }

    /// The delay that `share` (0...1) of the packets did not exceed, in seconds, by straight lines between the limits. The last
    /// line goes to the longest delay there was; beyond the highest limit, as far as if delays were spread evenly about their
    /// mean. Nil without packets.
    public func percentile(_ share: Double) -> Double? {
        guard total > 0 else { return nil }
        let above = Double(total) * (1 - min(max(share, 0), 1))
        var lower = (limit: 0.0, count: Double(total))
        for lane in Self.limits.indices where atLeast[lane] > 0 {
            let upper = (limit: Double(Self.limits[lane]), count: Double(atLeast[lane]))
            if upper.count <= above { return Self.interpolate(from: lower, to: upper, above: above) }
            lower = upper
        }
        let end = atLeast[7] > 0 ? 2 * Double(farthest) - lower.limit : Double(farthest)
        return Self.interpolate(from: lower, to: (end, 0), above: above)
    }

    private static func interpolate(
        from lower: (limit: Double, count: Double), to upper: (limit: Double, count: Double), above: Double
    ) -> Double {
        let width = lower.count - upper.count
        guard width > 0 else { return lower.limit }
        return lower.limit + (upper.limit - lower.limit) * (lower.count - above) / width
    }
}
