import CallModel

/// Finds out whether a client stamps its statistics by another clock than its events, from when it made and sent them.
///
/// Each takes about the same time to the collector. Where both do, all along, and the times differ, the clocks do: then what events
/// tell of lies elsewhere in the media. Which of the two is right nobody can tell, and facts are folded in order of their own times.
struct ClockAgreement: Archivable {
    private var statistics = Delivery()
    private var events = Delivery()

    /// How long facts of one kind took, by their own clock.
    fileprivate struct Delivery: Archivable {
        var first: Timestamp?
        var last: Timestamp?
        var leastMilliseconds: Int64?
        var mostMilliseconds: Int64?

        mutating func take(time: Timestamp, receivedAt: Timestamp) {
            let most = ClockAgreement.mostOffsetMilliseconds
            let offset = min(max(-most, receivedAt.milliseconds(since: time)), most)
            first = min(first ?? time, time)
            last = max(last ?? time, time)
            leastMilliseconds = min(leastMilliseconds ?? offset, offset)
            mostMilliseconds = max(mostMilliseconds ?? offset, offset)
        }

        /// What its clock is behind, and the way; `nil` where facts were kept back, or too few came to tell.
        var offsetMilliseconds: Int64? {
            guard let first, let last, let leastMilliseconds, let mostMilliseconds,
                last.milliseconds(since: first) >= ClockAgreement.leastSpanMilliseconds,
                mostMilliseconds - leastMilliseconds <= ClockAgreement.mostSpreadMilliseconds
            else { return nil }
            return leastMilliseconds
        }
    }

    /// What is kept back and sent together is of different ages: facts that lie so far apart are.
    fileprivate static let leastSpanMilliseconds: Int64 = 10_000
    /// Less is the way facts take.
    fileprivate static let mostSpreadMilliseconds: Int64 = 2_000
    /// Times come from strangers: differences of larger ones would not fit.
    fileprivate static let mostOffsetMilliseconds: Int64 = 1 << 60
    /// As for statistics that are put right (`docs/ingest.md`).
    private static let mostDifferenceMilliseconds: Int64 = 5_000

    /// Takes the times of the next report.
    mutating func take(statisticsAt time: Timestamp, receivedAt: Timestamp) {
        statistics.take(time: time, receivedAt: receivedAt)
    }

    /// Takes the times of the next event.
    mutating func take(eventAt time: Timestamp, receivedAt: Timestamp) {
        events.take(time: time, receivedAt: receivedAt)
    }

    /// The doubt, in words; `nil` where there is none.
    var note: String? {
        guard let (late, usual) = zip(statistics.offsetMilliseconds, events.offsetMilliseconds) else { return nil }
        let lag = late - usual
        guard abs(lag) > Self.mostDifferenceMilliseconds else { return nil }
        let seconds = (abs(lag) + 500) / 1000
        return "the clock of the statistics is \(seconds) s \(lag > 0 ? "behind" : "ahead of") that of the events: "
            + "what events tell of, such as holds, is misplaced by as much"
    }
}

// MARK: - Archive

extension ClockAgreement {
    func write(to archive: inout ArchiveWriter) {
        archive.put(statistics, events)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (statistics, events) = try archive.get()
    }
}

extension ClockAgreement.Delivery {
    func write(to archive: inout ArchiveWriter) {
        archive.put(first)
        if first != nil { archive.put(last, leastMilliseconds, mostMilliseconds) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        first = try archive.get()
        if first != nil { (last, leastMilliseconds, mostMilliseconds) = try archive.get() }
    }
}
