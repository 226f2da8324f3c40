import CallModel

/// What else a stream and its connection showed meanwhile: what causes are concluded from.
struct IssueContext: Hashable, Archivable {
    var seconds = 0.0
    /// Packets lost and expected, without those of blackouts where they are told apart.
    var lost = 0.0
    var expected = 0.0
    var concealedSeconds = 0.0
    var darkSeconds = 0.0
    var jitterMilliseconds: Double?
    /// Sum and number of the round trips measured, in ms, and what was usual in the call before.
    var roundTripSum = 0.0
    var roundTrips = 0
    var roundTripBefore: Double?
    /// Samples a second of the playout; `nil` where the client does not report samples.
    var sampleRate: Double?
    /// Whether the engine counts how long pictures stood still.
    var isFreezeCounted = false
    /// For how long they did, and moved; frames that were decoded, and that came and were not, `nil` where nobody counts those.
    var stillSeconds = 0.0
    var movingSeconds = 0.0
    var framesDecoded = 0.0
    var framesUndecoded: Double?
    /// Whether nothing else came over the connection while pictures did not.
    var isPathDown = false

    init() {}

    init(_ sample: IssueSample, roundTrip: Double?, usual: Double?) {
        let delta = sample.delta
        seconds = delta.activeSeconds
        if let told = sample.row.packetsLost {
            let apart = delta.counted.packetsLostInOutages ?? 0
            // A probe tells of runs apart that are no blackout yet.
            let isProbe = delta.counted.outageSeconds != nil
            lost = Double(told) - (isProbe ? min(apart, LossDetectors.takenByBlackout(sample)) : apart)
            // The sound tells of what a blackout took of it.
            if !isProbe, sample.stream.kind == .video {
                lost -= min(max(0, lost), LossDetectors.takenByBlackout(sample))
            }
            let packets = Double(sample.row.packets ?? 0)
            expected = sample.stream.direction == .inbound ? lost + packets : packets
        }
        concealedSeconds = (delta.counted.concealedSamples ?? 0) / delta.sampleRate
        darkSeconds = delta.darkSeconds
        if delta.counted.samples ?? 0 > 0 { sampleRate = delta.sampleRate }
        isFreezeCounted = delta.counted.frozenSeconds != nil
        stillSeconds = delta.unmovedSeconds ?? 0
        movingSeconds = max(0, seconds - stillSeconds)
        framesDecoded = delta.counted.frames ?? 0
        framesUndecoded = delta.metricCounters.framesUndecoded
        isPathDown = delta.isPathDown
        if sample.stream.kind == .audio { jitterMilliseconds = sample.row.jitterMilliseconds }
        add(roundTrip: roundTrip, usual: usual)
    }

    mutating func add(roundTrip milliseconds: Double?, usual: Double?) {
        guard let milliseconds, milliseconds.isFinite else { return }
        roundTripSum += milliseconds
        roundTrips += 1
        roundTripBefore = roundTripBefore ?? usual
    }

    static func += (left: inout IssueContext, right: IssueContext) {
        left.seconds += right.seconds
        left.lost += right.lost
        left.expected += right.expected
        left.concealedSeconds += right.concealedSeconds
        left.darkSeconds += right.darkSeconds
        left.jitterMilliseconds = greater(left.jitterMilliseconds, right.jitterMilliseconds)
        left.roundTripSum += right.roundTripSum
        left.roundTrips += right.roundTrips
        left.roundTripBefore = left.roundTripBefore ?? right.roundTripBefore
        left.sampleRate = right.sampleRate ?? left.sampleRate
        left.isFreezeCounted = left.isFreezeCounted || right.isFreezeCounted
        left.stillSeconds += right.stillSeconds
        left.movingSeconds += right.movingSeconds
        left.framesDecoded += right.framesDecoded
        left.isPathDown = left.isPathDown || right.isPathDown
        left.framesUndecoded =
            zip(left.framesUndecoded, right.framesUndecoded).map(+) ?? left.framesUndecoded
            ?? right.framesUndecoded
    }

    private static func greater(_ left: Double?, _ right: Double?) -> Double? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    /// Packets lost, in percent; `nil` where none was expected, or it is not known how many were lost.
    var lossPercent: Double? { expected > 0 ? min(100, 100 * max(0, lost) / expected) : nil }

    /// Whether half of the pictures that were missing had come: they are as many as there were while they moved, for as long as
    /// they stood still. `nil` where the client does not tell.
    var hasUndecodedFrames: Bool? {
        guard let undecoded = framesUndecoded else { return nil }
        return undecoded > 0 && undecoded * movingSeconds >= framesDecoded * stillSeconds / 2
    }

    /// Whether the round trip grew meanwhile in the mean, by more than a third of what was usual and at least 100 ms
    /// (ObserveRTC's congestion detector: 33 %, 50 to 150 ms).
    var hasGrowingRoundTrip: Bool {
        guard roundTrips > 0, let before = roundTripBefore else { return false }
        return roundTripSum / Double(roundTrips) - before > max(100, before / 3)
    }
}

// MARK: - Archive

extension IssueContext {
    func write(to archive: inout ArchiveWriter) {
        archive.put(seconds, lost, expected, concealedSeconds)
        archive.put(darkSeconds, jitterMilliseconds, roundTripSum, roundTrips)
        archive.put(roundTripBefore, sampleRate, isFreezeCounted, stillSeconds)
        archive.put(movingSeconds, framesDecoded, framesUndecoded, isPathDown)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (seconds, lost, expected, concealedSeconds) = try archive.get()
        (darkSeconds, jitterMilliseconds, roundTripSum, roundTrips) = try archive.get()
        (roundTripBefore, sampleRate, isFreezeCounted, stillSeconds) = try archive.get()
        (movingSeconds, framesDecoded, framesUndecoded, isPathDown) = try archive.get()
    }
}
