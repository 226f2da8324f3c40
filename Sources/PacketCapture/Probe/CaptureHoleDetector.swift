import RTPMeter

/// Finds spans in which the capture recorded nothing at all although it should have.
///
/// A network that fails takes one call, one direction or one link; a capture that stalls takes everything at once. So a
/// silence counts as a hole of the capture only while several calls were flowing through it, fast enough that the silence
/// cannot be chance.
struct CaptureHoleDetector {
    /// Calls that must have been flowing.
    private static let leastCalls = 3
    /// Packets of media that must have come in the second before.
    private static let leastPacketsPerSecond = 200
    /// Shorter silences are scheduling.
    private static let leastNanoseconds: Int64 = 120_000_000

    private var lastFrame: ArrivalTime?
    private var packetsThisSecond = 0
    private var packetsLastSecond = 0
    /// Seconds that ended in the silence that lasts now: what flowed before it still counts when it is over.
    private var silentSeconds = 0

    /// Notes a packet of media.
    @inline(__always)
    mutating func noteMedia() { packetsThisSecond &+= 1 }

    /// Notes that a second of the capture is over.
    mutating func tick(at time: ArrivalTime) {
        if let lastFrame, time.nanoseconds(since: lastFrame) > Self.leastNanoseconds {
            silentSeconds &+= 1
        } else {
            endSecond()
        }
    }

    private mutating func endSecond() {
        packetsLastSecond = packetsThisSecond
        packetsThisSecond = 0
    }

    /// Notes any frame.
    /// - Returns: when the silence began, if there was a hole before this frame.
    @inline(__always)
    mutating func noteFrame(at time: ArrivalTime, liveCalls: Int) -> ArrivalTime? {
        defer { lastFrame = time }
        guard let lastFrame, time.nanoseconds(since: lastFrame) > Self.leastNanoseconds else { return nil }
        let flowed = max(packetsLastSecond, packetsThisSecond)
        // After two of them nothing is left of what flowed before.
        for _ in 0..<min(silentSeconds, 2) { endSecond() }
        silentSeconds = 0
        return liveCalls >= Self.leastCalls && flowed >= Self.leastPacketsPerSecond ? lastFrame : nil
    }
}
