import CallModel

/// Collects what happened to a call's inbound media until a span is complete, and scores it.
struct ScoreAccumulator: Archivable {
    let series: ScoreInterval.Series
    private(set) var start: Timestamp
    private var audio = AudioTotals()
    private var video = VideoTotals()
    private var roundTrips = RoundTripTotals()
    private var iceRoundTrips = RoundTripTotals()
    private(set) var heldSeconds = 0.0
    private var hasMedia = false
    /// Until when some stream told of the span, and the times before in which none did.
    private var coveredUntil: Timestamp?
    private var gaps: [TimeSpan] = []

    /// Shorter ones are of reports that do not come at once. More are not kept apart.
    private static let leastGapSeconds = 1.0
    private static let mostGaps = 20

    init(series: ScoreInterval.Series, start: Timestamp) {
        self.series = series
        self.start = start
    }

    /// Seconds before it in which pictures were missing, as is known only now.
    var earlierMissingSeconds: Double { video.earlierMissingSeconds }

    /// Takes in one inbound stream's span.
    mutating func add(_ span: MeasuredSpan) {
        hasMedia = true
        guard let reference = span.reference else { return audio.add(span.delta) }
        video.add(span.delta, reference: reference, since: start)
    }

    /// Takes in the round trips that a report tells of.
    mutating func add(roundTrips more: RoundTripTotals, ice: RoundTripTotals) {
        roundTrips.add(seconds: more.seconds, measurements: more.measurements)
        iceRoundTrips.add(seconds: ice.seconds, measurements: ice.measurements)
    }

    /// Takes in for how long the call was on hold.
    mutating func add(heldSeconds held: Double) { heldSeconds += held }

    /// Notes that streams tell of a time, and of all before it where they are the first.
    mutating func cover(_ span: TimeSpan, isFirst: Bool) {
        let (begin, end) = (isFirst ? start : span.start, span.end ?? span.start)
        let until = coveredUntil ?? start
        gaps = gaps.flatMap { gap in
            [
                TimeSpan(start: gap.start, end: min(gap.end ?? begin, begin)),
                TimeSpan(start: max(gap.start, end), end: gap.end),
            ].filter { $0.end ?? $0.start > $0.start }
        }
        if begin > until, gaps.count < Self.mostGaps { gaps.append(TimeSpan(start: until, end: begin)) }
        coveredUntil = max(until, end)
    }

    /// Seconds before the last that a stream told of in which none told of anything: nobody knows what was heard.
    var uncoveredSeconds: Double {
        gaps.map { ($0.end ?? $0.start).seconds(since: $0.start) }.filter { $0 >= Self.leastGapSeconds }.reduce(0, +)
    }

    /// This span and the one that follows it, as one.
    func followed(by next: ScoreAccumulator) -> ScoreAccumulator {
        var both = self
        both.audio += next.audio
        both.video += next.video
        both.hasMedia = hasMedia || next.hasMedia
        both.add(roundTrips: next.roundTrips, ice: next.iceRoundTrips)
        both.add(heldSeconds: next.heldSeconds)
        return both
    }

    /// Scores the span up to `end`.
    /// - Returns: the interval, and its score before rounding.
    func close(at end: Timestamp, model: ScoreModel) -> (interval: ScoreInterval, exactScore: Double) {
        let held = min(end.seconds(since: start), heldSeconds)
        var interval = ScoreInterval(series: series, start: start, end: end, score: nil, heldSeconds: held)
        if isHeld(to: end) {
            interval.absence = .held
            return (interval, 0)
        }
        let audioScore = audioScore(model)
        let audioPart = audioScore.evaluate()
        let videoPart = VideoScore(totals: video, oneWayDelay: audioScore.delay).evaluate()
        guard let combined = CombinedScore.combine(audio: audioPart, video: videoPart) else {
            interval.absence = hasMedia ? .insufficient : .noMedia
            return (interval, 0)
        }
        interval.score = combined.rounded
        interval.audioScore = audioPart?.rounded
        interval.videoScore = videoPart?.rounded
        interval.costs = combined.costs
        interval.missing = combined.missing.sorted()
        interval.rating = audioScore.rating
        return (interval, combined.score)
    }

    /// Whether nothing is left of the span up to `end` that could be scored.
    private func isHeld(to end: Timestamp) -> Bool {
        let seconds = end.seconds(since: start)
        return min(seconds, heldSeconds) > 0.9 * seconds
    }

    /// The score of the span up to `end`, without what explains it; `nil` where it has none.
    func score(at end: Timestamp, model: ScoreModel) -> Int? {
        guard !isHeld(to: end) else { return nil }
        let audioScore = audioScore(model)
        let video = VideoScore(totals: video, oneWayDelay: audioScore.delay)
        return CombinedScore.combine(audio: audioScore.factors?.bare, video: video.factors?.bare)?.rounded
    }

    private func audioScore(_ model: ScoreModel) -> AudioScore {
        AudioScore(model: model, totals: audio, roundTripMilliseconds: roundTripMilliseconds)
    }

    /// Mean round trip in ms, by RTCP, else by ICE; `nil` when none was measured.
    var roundTripMilliseconds: Double? {
        roundTrips.meanMilliseconds ?? iceRoundTrips.meanMilliseconds
    }

    /// What the audio part of the score rests on; `nil` without one.
    func basis(model: ScoreModel) -> ScoreBasis? {
        audioScore(model).basis
    }

    /// R and mean opinion scores of the audio; `nil` without an audio score or a known codec.
    func rating(_ model: ScoreModel) -> TransmissionRating? {
        audioScore(model).rating
    }
}

// MARK: - Archive

extension ScoreAccumulator {
    func write(to archive: inout ArchiveWriter) {
        archive.put(series, start, audio, video)
        archive.put(roundTrips, iceRoundTrips, heldSeconds, hasMedia)
        archive.put(coveredUntil)
        if coveredUntil != nil { archive.put(gaps) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (series, start, audio, video) = try archive.get()
        (roundTrips, iceRoundTrips, heldSeconds, hasMedia) = try archive.get()
        coveredUntil = try archive.get()
        if coveredUntil != nil { gaps = try archive.get() }
    }
}
