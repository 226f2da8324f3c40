import CallModel

/// Counts how complete and consistent the facts of a call are.
struct DataQualityTracker: Archivable {
    private var quality = DataQuality()
    /// Lengths between reports of one connection, in 100 ms: how often each occurred; see ``steps(of:)``.
    private var intervals: [Int64: Int] = [:]
    private var longest: [TimeSpan] = []
    private var lastReport: [String: Timestamp] = [:]
    private var unknownEvents: Set<String> = []
    private var notes: Set<String> = []
    private var clock = ClockTracker()
    private var clocks = ClockAgreement()

    private static let mostNamed = 50
    private static let mostGaps = 20

    mutating func take(_ report: StatsReport) {
        quality.contradictions += report.conflicts.count
        notes.formUnion(report.notes.prefix(Self.mostNamed))
        if report.objects.contains(where: \.isStreamOfUnknownKind) { notes.insert(Self.unknownKind) }
        clocks.take(statisticsAt: report.time, receivedAt: report.receivedAt)
        takeReport(of: report.connection.rawValue, time: report.time, receivedAt: report.receivedAt)
    }

    /// Takes a report of a probe; `isStill` says that nothing came since the last one, so that no report of what was between
    /// them is missing.
    mutating func take(_ report: WireReport, isStill: Bool) {
        if report.isContradicted { quality.contradictions += 1 }
        takeReport(
            of: ConnectionID.only.rawValue, time: report.time, receivedAt: report.receivedAt, isStill: isStill)
    }

    private mutating func takeReport(
        of connection: String, time: Timestamp, receivedAt: Timestamp, isStill: Bool = false
    ) {
        quality.reports += 1
        noteClock(time: time, receivedAt: receivedAt)
        if let last = lastReport[connection] ?? lastReport.values.max() {
            let milliseconds = time.milliseconds(since: last)
            // A connection that begins has no usual length yet, and ends a gap in what the others told.
            let isTold = lastReport[connection] != nil || isGap(milliseconds, beyond: median)
            let isSilence = isStill && isGap(milliseconds, beyond: median)
            if isTold, !isSilence, milliseconds >= ReportParts.milliseconds {
                intervals[Self.steps(of: milliseconds), default: 0] += 1
                keep(TimeSpan(start: last, end: time))
            }
        }
        if lastReport[connection] == nil, lastReport.count >= CallSession.mostConnections,
            let silent = lastReport.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key
        {
            lastReport[silent] = nil
        }
        lastReport[connection] = time
    }

    /// A length in 100 ms: exact to 1 s from a minute on and to 1 min from an hour on, and no more than a day, so that there are not
    /// many.
    private static func steps(of milliseconds: Int64) -> Int64 {
        let steps = (min(milliseconds, 86_400_000) + 50) / 100
        let coarse: Int64 = steps < 600 ? 1 : steps < 36_000 ? 10 : 600
        return (steps + coarse / 2) / coarse * coarse
    }

    private func isGap(_ milliseconds: Int64, beyond median: Int64?) -> Bool {
        median.map { Double(milliseconds) > Self.gapFactor * Double($0) } ?? false
    }

    /// The longest first; of those that are equally long, the latest.
    private mutating func keep(_ span: TimeSpan) {
        func isBefore(_ one: TimeSpan, _ other: TimeSpan) -> Bool {
            (one.milliseconds ?? 0, one.start) > (other.milliseconds ?? 0, other.start)
        }
        let place = longest.firstIndex { isBefore(span, $0) } ?? longest.endIndex
        guard place < Self.mostGaps else { return }
        if longest.count == Self.mostGaps { longest.removeLast() }
        longest.insert(span, at: place)
    }

    mutating func take(_ event: CallEvent) {
        quality.events += 1
        if event.isContradicted { quality.contradictions += 1 }
        noteClock(time: event.time, receivedAt: event.receivedAt)
        clocks.take(eventAt: event.time, receivedAt: event.receivedAt)
        if unknownEvents.count < Self.mostNamed, !event.isKnown {
            unknownEvents.insert("\(event.action)/\(event.type)")
        }
        if event.action == "sip", event.members["unreadDescription"] != nil { notes.insert(Self.unreadDescription) }
    }

    /// Whether what the ends agreed on could not be read everywhere, so that a probe may not know their media.
    var hasUnreadDescription: Bool { notes.contains(Self.unreadDescription) }

    private static let unknownKind = "a stream that says of itself neither audio nor video was left out"
    private static let unreadDescription =
        "a session description could not be read: media of this call may be told of as another call"

    /// Takes in what is known of the client's clock, by which all facts were put right.
    mutating func take(_ clock: ClientClock) {
        quality.clock = clock
        if let note = clock.note { notes.insert(note) }
    }

    mutating func take(note: String) {
        notes.insert(note)
    }

    private mutating func noteClock(time: Timestamp, receivedAt: Timestamp) {
        clock.take(time: time, receivedAt: receivedAt)
        let offset = receivedAt.milliseconds(since: time)
        quality.clockOffsetMilliseconds = min(quality.clockOffsetMilliseconds ?? offset, offset)
    }

    /// A gap counts for no more.
    private static let mostMissed: Int64 = 1_000_000
    /// A span this many times the median is a gap.
    private static let gapFactor = 2.5

    /// `endedAt` is when the call ended, where reports were due until then.
    func current(counterResets: Int, extraNotes: [String], endedAt: Timestamp? = nil) -> DataQuality {
        var result = quality
        result.counterResets = counterResets
        result.medianIntervalMilliseconds = median
        let setBack = quality.clock?.steps.last.map { -$0.offsetMilliseconds }
        result.clockStepMilliseconds = setBack ?? clock.stepMilliseconds
        result.unknownEvents = unknownEvents.sorted()
        let doubts = [clocks.note].compactMap(\.self) + extraNotes + unreported(until: endedAt)
        result.notes = notes.union(doubts).sorted()
        if let median {
            result.gaps = longest.filter { isGap($0.milliseconds ?? 0, beyond: median) }
                .sorted { $0.start < $1.start }
            // Of all gaps, those that are not kept too.
            result.missedReports = intervals.reduce(0) { sum, interval in
                let length = 100 * interval.key
                guard isGap(length, beyond: median) else { return sum }
                return sum + interval.value * Int(min(max(1, length / max(1, median)), Self.mostMissed) - 1)
            }
        }
        return result
    }

    /// The last report of a call may never have been sent: what is known of the call ends before the call.
    private func unreported(until end: Timestamp?) -> [String] {
        guard let end, let last = lastReport.values.max() else { return [] }
        let length = end.milliseconds(since: last)
        guard isGap(length, beyond: median ?? Self.usualMilliseconds), length > Self.leastTailMilliseconds else {
            return []
        }
        return ["the last \(length / 1000) s of the call were not reported"]
    }

    /// How often clients report, where one report says nothing of it.
    private static let usualMilliseconds: Int64 = 10_000
    private static let leastTailMilliseconds: Int64 = 5_000

    /// Of two in the middle the longer: a last report at the end of a call often follows soon after the one before.
    private var median: Int64? {
        let total = intervals.values.reduce(0, +)
        var seen = 0
        for (step, count) in intervals.sorted(by: { $0.key < $1.key }) {
            seen += count
            if 2 * seen > total { return step * 100 }
        }
        return nil
    }
}

extension StatsObject {
    /// Whether it is a stream of which nobody knows what it carries.
    fileprivate var isStreamOfUnknownKind: Bool {
        guard type == .inboundRTP || type == .outboundRTP else { return false }
        return members["kind"]?.text.flatMap(MediaKind.init(rawValue:)) == nil
    }
}

// MARK: - Archive

extension DataQualityTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(quality, intervals, longest, lastReport)
        archive.put(unknownEvents, notes, clock, clocks)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (quality, intervals, longest, lastReport) = try archive.get()
        (unknownEvents, notes, clock, clocks) = try archive.get()
    }
}
