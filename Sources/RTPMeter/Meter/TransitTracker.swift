/// The transit time of one stream relative to its first packet, and the smallest one of late.
///
/// The clocks of sender and observer differ by an unknown amount, so only changes mean something. The floor is the smallest
/// transit time of the last 5 to 10 s: it follows drifting clocks and new paths, and forgets a path that was faster.
struct TransitTracker: Sendable {
    /// Transit time minus that of the first packet, in seconds.
    private(set) var transit = 0.0
    /// The smallest transit of the block of ten intervals before, and of this one.
    private(set) var floor = 0.0
    private var intervalEnd: Int64 = .max
    private var intervalMinimum: Float = .infinity
    private var blockMinimum: Float = .infinity
    /// The transit that lay furthest from 0.
    private(set) var extreme: Float = 0
    private var intervals: UInt8 = 0

    /// Half a second, in nanoseconds.
    static let interval: Int64 = 500_000_000

    /// Starts anew at a packet, whose transit is 0 by definition.
    mutating func begin(at arrival: Int64) {
        transit = 0
        floor = 0
        intervalEnd = arrival &+ Self.interval
        intervalMinimum = 0
        blockMinimum = .infinity
        intervals = 0
    }

    @inline(__always)
    func isIntervalOver(at arrival: Int64) -> Bool {
        arrival >= intervalEnd
    }

    /// The packet's delay beyond the floor, in seconds, 0 or more, after its transit changed by `step`.
    @inline(__always)
    mutating func delay(step: Double) -> Float {
        transit += step
        floor = transit < floor ? transit : floor
        let rounded = Float(transit)
        intervalMinimum = rounded < intervalMinimum ? rounded : intervalMinimum
        extreme = abs(rounded) > abs(extreme) ? rounded : extreme
        return Float(transit - floor)
    }

    /// The transit changed by `step` without telling anything about the path.
    @inline(__always)
    mutating func shift(by step: Double) {
        transit += step
    }

    /// Ends the half second that is over at `arrival`, and returns its smallest transit.
    mutating func endInterval(at arrival: Int64) -> Double {
        let minimum = intervalMinimum
        blockMinimum = min(blockMinimum, minimum)
        intervals &+= 1
        if intervals >= 10 {
            floor = blockMinimum.isFinite ? Double(blockMinimum) : transit
            blockMinimum = .infinity
            intervals = 0
        }
        intervalEnd = arrival &+ Self.interval
        intervalMinimum = .infinity
        return Double(minimum)
    }
}
