import CallModel

/// How loss, silence and stops of a stream are spread over its spans.
struct StreamCourse: Codable {
    private var intervals = 0
    private var lossyIntervals = 0
    private var lost = 0.0
    private var mostLost = 0.0
    private var silentSeconds: Double?
    private var deadSeconds: Double?
    private var codec: String?
    private var codecChanges = 0
    /// Width and height of the last picture.
    private var pictureSize: [Int]?
    private var resolutionChanges: Int?

    /// RMS of full scale at or below which sound is silence (`docs/metrics.md`).
    private static let silenceLevel = 0.001

    /// Two reports closer than this may well have no packet between them.
    private static let leastStoppedSeconds = 0.5

    mutating func take(_ delta: StreamDelta, lost lostInSpan: Int?) {
        intervals += 1
        noteChanges(delta.sample)
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

    private mutating func noteChanges(_ sample: StreamSample) {
        if let now = sample.codec?.mimeType {
            if let codec, codec != now { codecChanges += 1 }
            codec = now
        }
        if let width = sample.frameWidth, let height = sample.frameHeight {
            let isChanged = pictureSize.map { $0 != [width, height] } ?? false
            resolutionChanges = (resolutionChanges ?? 0) + (isChanged ? 1 : 0)
            pictureSize = [width, height]
        }
    }

    func fill(_ summary: inout StreamSummary) {
        summary.intervals = intervals
        summary.lossyIntervals = lossyIntervals
        summary.codecChanges = codecChanges
        summary.resolutionChanges = resolutionChanges
        if lost > 0 { summary.worstIntervalShareOfLossPercent = 100 * mostLost / lost }
        guard summary.stream.direction == .inbound else { return }
        summary.deadSeconds = deadSeconds
        summary.silentSeconds = silentSeconds
    }
}
