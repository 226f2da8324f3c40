import CallModel

/// The quality that a client tells: each value holds until the next, and nothing is known before the first.
struct QualityStepTracker: Archivable {
    private var value: Double?
    private var since: Timestamp?
    private var minimum: Double?
    private var weightedSum = 0.0
    private var seconds = 0.0
    private var secondsBelow = 0.0
    private var changes = 0
    private var differences = 0.0
    private var compared = 0

    /// Below this the time counts as bad.
    private static let badBelow = 60.0

    mutating func take(_ next: Double?, at time: Timestamp) {
        advance(to: time)
        if let value, let next, value != next { changes += 1 }
        (value, since) = (next, time)
        if let next { minimum = min(minimum ?? next, next) }
    }

    /// Holds it against the score computed here.
    mutating func compare(with interval: ScoreInterval) {
        guard let value, let since, since <= interval.end, let score = interval.score else { return }
        differences += abs(value - Double(score))
        compared += 1
    }

    private mutating func advance(to time: Timestamp) {
        guard let value, let since else { return }
        let length = max(0, time.seconds(since: since))
        weightedSum += length * value
        seconds += length
        if value < Self.badBelow { secondsBelow += length }
    }

    /// What was told, if the call ended at `end`; `nil` when nothing was.
    func current(end: Timestamp) -> ReportedQuality? {
        guard let minimum else { return nil }
        var whole = self
        whole.advance(to: end)
        return ReportedQuality(
            mean: whole.seconds > 0 ? whole.weightedSum / whole.seconds : value ?? minimum, minimum: minimum,
            coveredSeconds: whole.seconds, secondsBelow60: whole.secondsBelow, changes: changes,
            meanDifference: compared > 0 ? differences / Double(compared) : nil)
    }
}

// MARK: - Archive

extension QualityStepTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(value, since, minimum, weightedSum)
        archive.put(seconds, secondsBelow, changes, differences)
        archive.put(compared)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (value, since, minimum, weightedSum) = try archive.get()
        (seconds, secondsBelow, changes, differences) = try archive.get()
        compared = try archive.get()
    }
}
