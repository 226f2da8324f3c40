import CallModel

/// Tells the gaps in the reports of a connection in which nothing happened: its client slept, or its clock was set forward, or
/// back so far that what it told later lies before all else. No hold, and no time of the call.
struct ReportPace: Archivable {
    private var last: Timestamp?
    /// Seconds between the last reports, and between those before them.
    private var before: Double?
    private var beforeThat: Double?

    /// So many periods, and so many seconds more than one, are a gap.
    private static let gap = (periods: 2.5, seconds: 5.0)
    /// Of so many periods at most, media went on in it.
    private static let mostPeriods = 1.5

    /// Takes the next report of the connection.
    /// - Returns: the usual seconds between reports, after a gap.
    mutating func take(_ time: Timestamp) -> Double? {
        defer { last = time }
        guard let start = last, time > start else { return nil }
        let seconds = time.seconds(since: start)
        defer { (before, beforeThat) = (seconds, before) }
        // A client may slow down: what it does twice is usual.
        guard let usual = zip(before, beforeThat).map({ max($0, $1) }), seconds > Self.gap.periods * usual,
            seconds >= usual + Self.gap.seconds
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
        archive.put(last, before, beforeThat)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (last, before, beforeThat) = try archive.get()
    }
}
