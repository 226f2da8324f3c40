import CallModel

/// How loss, silence and stops of a stream are spread over its spans.
struct StreamCourse: Codable {
    private var intervals = 0
    private var lossyIntervals = 0
    private var lost = 0.0
    private var mostLost = 0.0
    private var silentSeconds: Double?
    private var deadSeconds: Double?

    /// RMS of full scale at or below which sound is silence (`docs/metrics.md`).
    private static let silenceLevel = 0.001

    /// Two reports closer than this may well have no packet between them.
    private static let leastStoppedSeconds = 0.5

    mutating func take(_ delta: StreamDelta, lost lostInSpan: Int?) {
        intervals += 1
        if let lostInSpan, lostInSpan > 0 {
            lossyIntervals += 1
            lost += Double(lostInSpan)
            mostLost = max(mostLost, Double(lostInSpan))
        }
        guard let packets = delta.counted.packets else { return }
        let isStopped = packets == 0 && delta.seconds >= Self.leastStoppedSeconds
        deadSeconds = (deadSeconds ?? 0) + (isStopped ? delta.activeSeconds : 0)
        guard packets > 0, let energy = delta.counted.audioEnergy, let seconds = delta.counted.samplesSeconds,
            seconds > 0
        else { return }
        let level = max(0, energy / seconds).squareRoot()
        silentSeconds = (silentSeconds ?? 0) + (level <= Self.silenceLevel ? delta.activeSeconds : 0)
    }

    func fill(_ summary: inout StreamSummary) {
        summary.intervals = intervals
        summary.lossyIntervals = lossyIntervals
        if lost > 0 { summary.worstIntervalShareOfLossPercent = 100 * mostLost / lost }
        guard summary.stream.direction == .inbound else { return }
        summary.deadSeconds = deadSeconds
        summary.silentSeconds = silentSeconds
    }
}
