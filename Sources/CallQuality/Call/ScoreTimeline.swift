import CallModel

/// The two series of scores of a call: the live one at the cadence of the reports, and 10 s windows from first media.
struct ScoreTimeline: Archivable {
    private var live: ScoreAccumulator?
    private var window: ScoreAccumulator?
    /// The last complete window: with the next one it makes a stretch.
    private var windowBefore: ScoreAccumulator?
    /// Everything since first media, for what the score rests on.
    private var whole: ScoreAccumulator?
    private var windowCount = 0
    private var firstMedia: Timestamp?
    /// When all connections had reported last.
    private var lastReport: Timestamp?
    /// The last report of the round that is open, and the hold that its reports tell of.
    private var openReport: Timestamp?
    private var hold = RoundHold()
    private var lastEmitted: Int?
    private(set) var aggregate = CallAggregate()
    private(set) var missing: Set<String> = []
    private(set) var heldSeconds = 0.0
    private var roundTripBefore: Double?
    /// Whether the live series is wanted; not archived.
    private var hasLive = true

    /// The live series is not finer than 5 s; a report a little early still closes an interval.
    private static let leastLiveMilliseconds: Int64 = 4_750
    private static let windowMilliseconds: Int64 = 10_000
    /// A shorter remainder at the end of a call is no window, unless it is the only one: clients let go of their media before
    /// they stop reporting. Of the only one see ``leastAloneMilliseconds``.
    static let leastRemainderMilliseconds: Int64 = 2_500
    /// A probe sees until when media came; in less than this, one lost packet would be more than 2 %.
    private static let leastWireRemainderMilliseconds: Int64 = 1_000
    /// Media of less than this are no call to be scored, for the same reason, and no shorter blackout is told of.
    static let leastAloneMilliseconds: Int64 = 1_000
    /// A stretch is two windows; a single one that is nearly as long is one, too.
    private static let leastStretchMilliseconds: Int64 = 18_000

    init(hasLive: Bool = true) { self.hasLive = hasLive }

    /// What one report says of the inbound media.
    struct Contribution {
        var spans: [MeasuredSpan] = []
        var roundTrips = RoundTripTotals()
        var iceRoundTrips = RoundTripTotals()
        var heldSeconds = 0.0
        /// The time of which the spans tell; `nil` where no more is known than that they do.
        var covered: TimeSpan?

        /// The spans that say what was heard and seen: whoever is muted in a conference brings perfect silence, which is no
        /// part of it while others speak.
        var heard: [MeasuredSpan] {
            let isMuted = spans.map { $0.row.stream.kind == .audio && $0.delta.isWholeSilence }
            let isSpoken = zip(spans, isMuted).contains { $0.row.stream.kind == .audio && !$1 }
            return isSpoken && isMuted.contains(true) ? zip(spans, isMuted).filter { !$1 }.map(\.0) : spans
        }
    }

    /// Takes in a report and returns the intervals it completes.
    mutating func take(
        _ contribution: Contribution, _ turn: ReportRound.Turn, at time: Timestamp, model: ScoreModel
    ) -> [ScoreInterval] {
        let before = turn.endsRoundBefore ? settle(model) : []
        let isFirst = firstMedia == nil
        begin(with: contribution)
        if let covered = contribution.covered { window?.cover(covered, isFirst: isFirst) }
        if firstMedia != nil { feed(contribution) }
        openReport = time
        return before + (turn.endsRound ? settle(model) : [])
    }

    /// Leaves out what lies between the last report and `start`: no time of the call.
    /// - Returns: the intervals that end with that report.
    mutating func skip(to start: Timestamp, model: ScoreModel) -> [ScoreInterval] {
        guard let firstMedia, openReport == nil, let end = lastReport, start > end else { return [] }
        var ended: [ScoreInterval] = []
        if let window, end.milliseconds(since: window.start) >= Self.leastRemainderMilliseconds {
            ended.append(count(window, to: end, model: model))
        }
        live = live.map { _ in ScoreAccumulator(series: .live, start: start) }
        window = ScoreAccumulator(series: .window, start: start)
        windowCount = Int(clamping: start.milliseconds(since: firstMedia) / Self.windowMilliseconds)
        lastReport = start
        return ended
    }

    private mutating func begin(with contribution: Contribution) {
        if firstMedia == nil, let start = contribution.spans.map(\.delta.start).min() {
            firstMedia = start
            live = hasLive ? ScoreAccumulator(series: .live, start: start) : nil
            window = ScoreAccumulator(series: .window, start: start)
            whole = ScoreAccumulator(series: .window, start: start)
        }
    }

    /// Closes what is complete when all connections have reported.
    private mutating func settle(_ model: ScoreModel) -> [ScoreInterval] {
        guard let time = openReport else { return [] }
        defer { lastReport = time }
        let held = hold.seconds
        (openReport, hold) = (nil, RoundHold())
        guard firstMedia != nil else { return [] }
        live?.add(heldSeconds: held)
        window?.add(heldSeconds: held)
        whole?.add(heldSeconds: held)
        return [closeLive(at: time, model: model), closeWindow(at: time, model: model)].compactMap { $0 }
    }

    private mutating func feed(_ contribution: Contribution) {
        for span in contribution.heard {
            live?.add(span)
            window?.add(span)
            whole?.add(span)
        }
        hold.take(contribution.heldSeconds, isReceiving: !contribution.spans.isEmpty)
        live?.add(roundTrips: contribution.roundTrips, ice: contribution.iceRoundTrips)
        window?.add(roundTrips: contribution.roundTrips, ice: contribution.iceRoundTrips)
        whole?.add(roundTrips: contribution.roundTrips, ice: contribution.iceRoundTrips)
    }

    /// Mean round trip in ms of this window, else of the one before; `nil` when neither knows one.
    var recentRoundTripMilliseconds: Double? {
        window?.roundTripMilliseconds ?? roundTripBefore
    }

    /// Members that would have told more, and that were not reported; round trips are not measured in every window.
    var unreported: [String] {
        missing.filter { $0 != "roundTripTime" || whole?.roundTripMilliseconds == nil }.sorted()
    }

    /// What the audio scores so far rest on; `nil` without audio.
    func basis(model: ScoreModel) -> ScoreBasis? {
        whole?.basis(model: model)
    }

    /// R and mean opinion scores of all audio so far; `nil` without audio or a known codec.
    func rating(model: ScoreModel) -> TransmissionRating? {
        whole?.rating(model)
    }

    private mutating func closeLive(at time: Timestamp, model: ScoreModel) -> ScoreInterval? {
        guard let open = live, time.milliseconds(since: open.start) >= Self.leastLiveMilliseconds else { return nil }
        var interval = open.close(at: time, model: model).interval
        interval.isEmitted = interval.score != nil && interval.score != lastEmitted
        lastEmitted = interval.score ?? lastEmitted
        live = ScoreAccumulator(series: .live, start: time)
        return interval
    }

    /// A window ends at the report that lies nearest to its nominal end; the next report is guessed from the last.
    private mutating func closeWindow(at time: Timestamp, model: ScoreModel) -> ScoreInterval? {
        guard let open = window, let firstMedia, time > open.start else { return nil }
        let nominalEnd = firstMedia.advanced(byMilliseconds: Int64(windowCount + 1) &* Self.windowMilliseconds)
        let cadence = lastReport.map { time.milliseconds(since: $0) } ?? 0
        guard time.advanced(byMilliseconds: min(cadence, Self.windowMilliseconds) / 2) >= nominalEnd else { return nil }
        let interval = count(open, to: time, model: model)
        let passed = (time.milliseconds(since: firstMedia) + Self.windowMilliseconds / 2) / Self.windowMilliseconds
        windowCount = max(windowCount + 1, Int(clamping: passed))
        window = ScoreAccumulator(series: .window, start: time)
        roundTripBefore = open.roundTripMilliseconds
        return interval
    }

    /// Scores a window, and the stretch of it and the one before it.
    private mutating func count(_ window: ScoreAccumulator, to end: Timestamp, model: ScoreModel) -> ScoreInterval {
        let (interval, exactScore) = window.close(at: end, model: model)
        aggregate.add(
            interval, exactScore: exactScore, uncoveredSeconds: window.uncoveredSeconds,
            earlierSeconds: window.earlierMissingSeconds)
        missing.formUnion(interval.missing)
        heldSeconds += interval.heldSeconds
        if let stretch = Self.stretch(of: window, after: windowBefore, interval, model) {
            aggregate.add(stretch, endingWith: interval, uncoveredSeconds: window.uncoveredSeconds)
        }
        windowBefore = window
        return interval
    }

    /// A window and the one before it; the window alone where it is long and worse, or where both have no score together.
    private static func stretch(
        of window: ScoreAccumulator, after windowBefore: ScoreAccumulator?, _ interval: ScoreInterval,
        _ model: ScoreModel
    ) -> CallAggregate.Stretch? {
        let isLong = interval.end.milliseconds(since: interval.start) >= leastStretchMilliseconds
        guard let windowBefore else { return isLong ? CallAggregate.Stretch(interval) : nil }
        let pair = windowBefore.followed(by: window).score(at: interval.end, model: model)
        guard let pair else { return CallAggregate.Stretch(interval) }
        if isLong, let score = interval.score, score < pair { return CallAggregate.Stretch(interval) }
        return CallAggregate.Stretch(score: pair, span: TimeSpan(start: windowBefore.start, end: interval.end))
    }

    /// How long a remainder is at least that counts, in milliseconds; `isAlone` says that nothing was scored before it.
    static func leastRemainder(isOnWire: Bool, isAlone: Bool) -> Int64 {
        if isAlone { return leastAloneMilliseconds }
        return isOnWire ? leastWireRemainderMilliseconds : leastRemainderMilliseconds
    }

    /// The timeline as if the call ended now, and the remainder as a window: it counts when it is long enough, or all there
    /// is.
    func concluded(model: ScoreModel, isOnWire: Bool) -> (timeline: ScoreTimeline, remainder: ScoreInterval?) {
        guard var window, let lastReport = openReport ?? lastReport else { return (self, nil) }
        window.add(heldSeconds: hold.seconds)
        var result = self
        let length = lastReport.milliseconds(since: window.start)
        let hasRemainder = length >= Self.leastRemainder(isOnWire: isOnWire, isAlone: windowBefore == nil)
        let remainder = hasRemainder ? result.count(window, to: lastReport, model: model) : nil
        // Where there is one window, it is the stretch.
        if result.aggregate.worst == nil, let only = result.windowBefore {
            let interval = only.close(at: hasRemainder ? lastReport : window.start, model: model).interval
            if let stretch = CallAggregate.Stretch(interval) { result.aggregate.add(stretch, endingWith: interval) }
        }
        return (result, remainder)
    }
}

// MARK: - Archive

extension ScoreTimeline {
    func write(to archive: inout ArchiveWriter) {
        archive.put(live, window, windowBefore, whole)
        archive.put(windowCount, firstMedia, lastReport, lastEmitted)
        archive.put(aggregate, missing, heldSeconds, roundTripBefore)
        archive.put(openReport, hold)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (live, window, windowBefore, whole) = try archive.get()
        (windowCount, firstMedia, lastReport, lastEmitted) = try archive.get()
        (aggregate, missing, heldSeconds, roundTripBefore) = try archive.get()
        (openReport, hold) = try archive.get()
    }
}
