import CallModel

/// Tells the gaps in the reports of a connection in which nothing happened: its client slept, or its clock was set forward, or
/// back so far that what it told later lies before all else. No hold, and no time of the call.
///
/// What comes within a moment of a report (``ReportParts``) is the rest of it.
struct ReportPace: Archivable {
    /// When the report before came; `nil` before there was one.
    private(set) var lastReport: Timestamp?
    /// When the last report came.
    private(set) var latest: Timestamp?
    /// Seconds between the last reports, and between those before them.
    private var before: Double?
    private var beforeThat: Double?
    /// The usual seconds between reports, where the last came after a gap.
    private var gap: Double?
    /// Whether what came last is the rest of the report before it.
    private(set) var isRest = false

    /// So many periods, and so many seconds more than one, are a gap.
    private static let leastGap = (periods: 2.5, seconds: 5.0)
    /// Of so many periods at most, media went on in it.
    private static let mostPeriods = 1.5

    /// Takes the next report of the connection, or the rest of it.
    /// - Returns: the usual seconds between reports, after a gap.
    mutating func take(_ time: Timestamp) -> Double? {
        isRest = latest.map { time.milliseconds(since: $0) < ReportParts.milliseconds } ?? false
        guard !isRest else { return gap }
        gap = usualSeconds(beforeGapUntil: time)
        (lastReport, latest) = (latest, time)
        return gap
    }

    private mutating func usualSeconds(beforeGapUntil time: Timestamp) -> Double? {
        guard let latest else { return nil }
        let seconds = time.seconds(since: latest)
        defer { (before, beforeThat) = (seconds, before) }
        // A client may slow down: what it does twice is usual.
        guard let usual = zip(before, beforeThat).map({ max($0, $1) }), seconds > Self.leastGap.periods * usual,
            seconds >= usual + Self.leastGap.seconds
        else { return nil }
        return usual
    }

    /// Whether media that came or went for so long up to a report tell of nothing in the gap before it.
    static func isIdle(_ flowSeconds: [Double], period: Double) -> Bool {
        !flowSeconds.isEmpty && flowSeconds.allSatisfy { $0 <= mostPeriods * period }
    }
}

// MARK: - Archive

extension ReportPace {
    func write(to archive: inout ArchiveWriter) {
        archive.put(lastReport, latest, before, beforeThat)
        archive.put(gap, isRest)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (lastReport, latest, before, beforeThat) = try archive.get()
        (gap, isRest) = try archive.get()
    }
}
