import CallModel

/// Finds out whether the client's clock was set during the call, from when facts came and when they say they were made.
///
/// The least difference of the two is the error of the clock plus the fastest delivery. It stays what it is over a call
/// unless the clock is set.
struct ClockTracker: Archivable {
    /// The least difference in each span of the call, in order of time.
    private var leasts: [Least] = []
    private var spanMilliseconds: Int64 = 1_000
    private var first: Timestamp?
    private var earliestReceipt: Timestamp?
    private var latestReceipt: Timestamp?
    /// When the facts that say they were made first and last were received.
    private var firstReceipt: Timestamp?
    private var lastReceipt: Timestamp?

    fileprivate struct Least: Archivable {
        var start: Int64
        var offset: Int64
    }

    private static let mostSpans = 120
    /// Times come from strangers: differences of larger ones would not fit.
    private static let mostOffset: Int64 = 1 << 60
    /// Less is the way facts take.
    private static let leastStepMilliseconds: Int64 = 2_000
    /// Facts that were kept back for a part of the call come in a time shorter than this share of the call less the step
    /// that they seem to tell of: that is their time less a third of the call.
    private static let leastReceivedShare = 0.8
    /// A step that is longer than the call seems to last by the receipts may be the first facts of a call that were kept
    /// back, which nobody does for so long while the call goes on: 10 min.
    private static let longestKeptBackMilliseconds: Int64 = 600_000

    /// Takes the times of the next fact, in order of ``Fact/key``.
    mutating func take(time: Timestamp, receivedAt: Timestamp) {
        let start = first ?? time
        first = start
        firstReceipt = firstReceipt ?? receivedAt
        lastReceipt = receivedAt
        earliestReceipt = min(earliestReceipt ?? receivedAt, receivedAt)
        latestReceipt = max(latestReceipt ?? receivedAt, receivedAt)
        let offset = min(max(-Self.mostOffset, receivedAt.milliseconds(since: time)), Self.mostOffset)
        let place = time.milliseconds(since: start) / spanMilliseconds
        if let last = leasts.last, last.start == place {
            leasts[leasts.count - 1].offset = min(last.offset, offset)
        } else {
            leasts.append(Least(start: place, offset: offset))
        }
        if leasts.count > Self.mostSpans { coarsen() }
    }

    /// Doubles the length of the spans.
    private mutating func coarsen() {
        spanMilliseconds &*= 2
        var merged: [Least] = []
        for least in leasts {
            let place = least.start / 2
            if let last = merged.last, last.start == place {
                merged[merged.count - 1].offset = min(last.offset, least.offset)
            } else {
                merged.append(Least(start: place, offset: least.offset))
            }
        }
        leasts = merged
    }

    /// How far the clock was set, positive forward; `nil` where it was not, or where facts came long after they were made.
    var stepMilliseconds: Int64? {
        guard let last = leasts.last?.start, let earliestReceipt, let latestReceipt, last > 0 else { return nil }
        let length = last &* spanMilliseconds
        let beginning = leasts.filter { 3 * $0.start <= last }
        let end = leasts.filter { 3 * $0.start >= 2 * last }
        guard let early = beginning.map(\.offset).min(), let late = end.map(\.offset).min(),
            abs(late - early) > Self.leastStepMilliseconds, late < early || isToldInTime(end)
        else { return nil }
        let received = latestReceipt.milliseconds(since: earliestReceipt)
        let step = abs(late - early)
        guard step <= received || step >= Self.longestKeptBackMilliseconds,
            Double(received) >= Self.leastReceivedShare * Double(max(0, length - step))
        else { return nil }
        // What was told after a clock was set back by more than the call lies before all that was told earlier.
        let isInverted = zip(firstReceipt, lastReceipt).map { $0 > $1 } ?? false
        return isInverted ? late - early : early - late
    }
}

// MARK: - Late facts

extension ClockTracker {
    /// Whether facts were told about as fast as they were made. What was kept back to the end of a call, by a client without a
    /// network or for want of a collector, comes all at once, and seems to be of a clock that was set back.
    private func isToldInTime(_ leasts: [Least]) -> Bool {
        guard let first = leasts.first, let last = leasts.last, first.start < last.start else { return false }
        let made = (last.start - first.start) &* spanMilliseconds
        return 2 * (made &+ last.offset &- first.offset) >= made
    }
}

// MARK: - Archive

extension ClockTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(leasts, spanMilliseconds, first, earliestReceipt)
        archive.put(latestReceipt, firstReceipt, lastReceipt)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (leasts, spanMilliseconds, first, earliestReceipt) = try archive.get()
        (latestReceipt, firstReceipt, lastReceipt) = try archive.get()
    }
}

extension ClockTracker.Least {
    func write(to archive: inout ArchiveWriter) {
        archive.put(start, offset)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (start, offset) = try archive.get()
    }
}
