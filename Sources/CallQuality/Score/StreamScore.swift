import CallModel

/// The score of one stream: what was heard of it here, or at the far end as its RTCP tells.
///
/// Windows of 10 s and their aggregate as for the call, but of one stream alone.
struct StreamScore: Archivable {
    private let kind: MediaKind
    private var audio = AudioTotals()
    private var video = VideoTotals()
    private var start: Timestamp?
    private var end: Timestamp?
    private var isHeard = false
    private var squaredSeconds = 0.0
    private var scoredSeconds = 0.0
    private var worst: Int?
    private var lastControlAt: Timestamp?
    /// Packets that the far end told of as lost while nothing was sent: they were sent before, and count in the next span.
    private var lostBefore = 0.0

    /// Seconds without hold.
    private var activeSeconds: Double { kind == .audio ? audio.activeSeconds : video.activeSeconds }

    /// A window is complete when it is this long, and not on hold nearly all the time; reports come a little early.
    private static let windowMilliseconds: Int64 = 9_500

    init(kind: MediaKind) {
        self.kind = kind
    }

    /// Takes in a span of a stream that arrives here.
    mutating func add(_ delta: StreamDelta, reference: VideoReference?) {
        isHeard = true
        count(delta, reference: reference ?? VideoReference())
    }

    /// Takes in a span of a stream that is sent, of which the far end's RTCP says that `lost` packets did not arrive.
    ///
    /// Without RTCP since the last window nothing is known of it.
    mutating func add(sent delta: StreamDelta, lost: Double?) {
        if let farEnd = delta.sample.farEnd, let arrivedAt = farEnd.arrivedAt, farEnd.packetsLost != nil,
            arrivedAt > lastControlAt ?? delta.start
        {
            // What had been lost before is not known: what was sent until then is not scored.
            if !isHeard, lost == nil { self = StreamScore(kind: kind) }
            isHeard = true
            lastControlAt = arrivedAt
            guard lost != nil else { return }
        }
        lostBefore += lost ?? 0
        guard let sent = delta.firstArrivals, sent > 0 else { return }
        defer { lostBefore = 0 }
        var heard = delta
        heard.counted = CounterSet()
        heard.counted.packets = max(0, sent - max(0, lostBefore))
        heard.counted.packetsLost = lostBefore
        // Those that were sent again are not among the packets; that there were some tells that losses are repaired.
        if delta.counted.retransmittedPackets ?? 0 > 0 { heard.counted.retransmittedPackets = 0 }
        heard.sample.jitterSeconds = delta.sample.farEnd?.jitterSeconds
        count(heard, reference: VideoReference())
    }

    private mutating func count(_ delta: StreamDelta, reference: VideoReference) {
        start = start ?? delta.start
        end = delta.end
        if kind == .audio { return audio.add(delta) }
        var delta = delta
        // Sound that is missing as well makes frames that are missing a freeze; packets that are tell of themselves.
        if delta.counted.frames == nil { delta.isBesideDarkSound = false }
        video.add(delta, reference: reference, since: start)
    }

    /// Scores the window when it is complete. `roundTripMilliseconds` is the connection's, `nil` when not measured.
    mutating func closeWhenComplete(roundTripMilliseconds: Double?, model: ScoreModel) {
        guard let start, let end, end.milliseconds(since: start) >= Self.windowMilliseconds,
            activeSeconds * 1000 >= Double(ScoreTimeline.leastRemainderMilliseconds)
        else { return }
        close(roundTripMilliseconds, model)
    }

    private mutating func close(_ roundTrip: Double?, _ model: ScoreModel) {
        let seconds = activeSeconds + (kind == .audio ? 0 : video.earlierMissingSeconds)
        let part: PartScore?
        if kind == .audio {
            part = AudioScore(model: model, totals: audio, roundTripMilliseconds: roundTrip).evaluate()
            audio = AudioTotals()
        } else {
            let delay = OneWayDelay(network: roundTrip.map { $0 / 2 }, jitterBuffer: 0, codec: 0)
            part = VideoScore(totals: video, oneWayDelay: delay).evaluate()
            video = VideoTotals()
        }
        defer { (start, end, isHeard) = (nil, nil, false) }
        guard isHeard, let part, seconds > 0 else { return }
        scoredSeconds += seconds
        squaredSeconds += seconds * (100 - part.score) * (100 - part.score)
        worst = min(worst ?? 100, part.rounded)
    }

    /// The aggregate as if the stream ended now, and its lowest window; `nil` when nothing could be scored.
    func concluded(
        roundTripMilliseconds: Double?, model: ScoreModel, isOnWire: Bool
    ) -> (score: Int, worst: Int)? {
        var last = self
        let length = zip(start, end).map { $1.milliseconds(since: $0) } ?? 0
        if length >= ScoreTimeline.leastRemainder(isOnWire: isOnWire, isAlone: scoredSeconds == 0) {
            last.close(roundTripMilliseconds, model)
        }
        guard last.scoredSeconds > 0, let worst = last.worst else { return nil }
        return (PartScore.rounded(100 - (last.squaredSeconds / last.scoredSeconds).squareRoot()), worst)
    }
}

// MARK: - Archive

extension StreamScore {
    func write(to archive: inout ArchiveWriter) {
        archive.put(kind == .audio)
        if kind == .audio { archive.put(audio) } else { archive.put(video) }
        archive.put(start, end, isHeard)
        archive.put(squaredSeconds, scoredSeconds, worst, lastControlAt)
        archive.put(lostBefore)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        kind = try archive.get() ? .audio : .video
        if kind == .audio { audio = try archive.get() } else { video = try archive.get() }
        (start, end, isHeard) = try archive.get()
        (squaredSeconds, scoredSeconds, worst, lastControlAt) = try archive.get()
        lostBefore = try archive.get()
    }
}
