import CallModel

/// Tells the gaps in the reports of a connection in which nothing happened: its client slept, or its clock was set forward, or
/// back so far that what it told later lies before all else. No hold, and no time of the call.
///
/// What comes within a moment is one report in parts: of a client that asks each sender and receiver for its own
/// (`RTCRtpReceiver.getStats()`), or of several connections that name none.
struct ReportPace: Archivable {
    /// When the first part of the report before came; `nil` before there was one.
    private(set) var lastReport: Timestamp?
    /// When the first part of the last report came.
    private var latest: Timestamp?
    /// Seconds between the last reports, and between those before them.
    private var before: Double?
    private var beforeThat: Double?
    /// The usual seconds between reports, where the last came after a gap.
    private var gap: Double?
    /// Whether the last report is one of several parts so far, and whether the one before was.
    private(set) var isPart = false
    private var hadParts = false

    /// So many periods, and so many seconds more than one, are a gap.
    private static let leastGap = (periods: 2.5, seconds: 5.0)
    /// Of so many periods at most, media went on in it.
    private static let mostPeriods = 1.5
    /// What comes closer together is of one report.
    static let partMilliseconds: Int64 = 200

    /// Whether a report is one part of several, as far as can be told before the others have come.
    var isInParts: Bool { isPart || hadParts }

    /// Takes the next report of the connection, or the next part of it.
    /// - Returns: the usual seconds between reports, after a gap.
    mutating func take(_ time: Timestamp) -> Double? {
        if let latest, time.milliseconds(since: latest) < Self.partMilliseconds {
            isPart = true
            return gap
        }
        gap = usualSeconds(beforeGapUntil: time)
        (lastReport, latest) = (latest, time)
        (hadParts, isPart) = (isPart, false)
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
        archive.put(gap, isPart, hadParts)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (lastReport, latest, before, beforeThat) = try archive.get()
        (gap, isPart, hadParts) = try archive.get()
    }
}
