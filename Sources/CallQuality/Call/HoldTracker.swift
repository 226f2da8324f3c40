import CallModel

/// Joins the spans in which media were on hold, and those in which their sender paused.
struct HoldTracker: Archivable {
    private(set) var holds: [MediaHold] = []
    /// Whether the last span ended in a hold.
    private(set) var isOpen = false
    /// Whether all of the last span was on hold, so that the hold most likely goes on.
    private var isWhole = false
    /// How many gave way to later ones.
    private(set) var leftOut = 0

    private static let wholeShare = 0.95
    /// A probe tells of a pause that goes on when it has lasted so long.
    private static let leastOpenSeconds = 1.0
    /// Times are told in whole milliseconds: what is less is left by rounding.
    private static let leastSeconds = 0.001

    /// Takes the next span of the inbound audio of a connection.
    ///
    /// What events told of lies where they told; else a hold that fills only a part of a span lies at its end when it begins there,
    /// at its start when it ends there.
    /// - Parameters:
    ///   - delta: what happened in it.
    ///   - isAgreed: whether anybody said that media were not to be expected.
    ///   - holds: the parts of the span in which events told of a hold, in order of time.
    mutating func take(_ delta: StreamDelta, isAgreed: Bool, holds: [TimeSpan] = []) {
        guard holds.isEmpty else { return take(delta, told: holds) }
        let isPause = !isAgreed && max(delta.pausedSeconds, delta.counted.senderPausedSeconds ?? 0) > 0
        if isPause, delta.counted.senderPausedSeconds != nil {
            isWhole = false
            return takePause(delta)
        }
        take(from: delta.start, to: delta.end, held: delta.heldSeconds, isPause: isPause)
    }

    /// Takes the holds that events told of, and what the span was on hold beyond them: before the first where that one reaches to
    /// the end of the span or another goes on from the span before, else after the last.
    private mutating func take(_ delta: StreamDelta, told: [TimeSpan]) {
        let seconds = told.reduce(0) { $0 + ($1.end ?? delta.end).seconds(since: $1.start) }
        let beyond = delta.heldSeconds - seconds >= Self.leastSeconds ? delta.heldSeconds - seconds : 0
        let isPause = beyond > 0 && delta.pausedSeconds >= beyond
        let first = told.first?.start ?? delta.end
        let last = told.last?.end ?? delta.end
        let isBefore = first > delta.start && (isOpen || last == delta.end)
        if first > delta.start { take(from: delta.start, to: first, held: isBefore ? beyond : 0, isPause: isPause) }
        var end = first
        for span in told {
            if span.start > end { isOpen = false }
            end = span.end ?? delta.end
            take(from: span.start, to: end, held: end.seconds(since: span.start))
        }
        if last < delta.end { take(from: last, to: delta.end, held: isBefore ? 0 : beyond, isPause: isPause) }
    }

    /// Takes a span of which so many seconds were on hold.
    mutating func take(from start: Timestamp, to end: Timestamp, held: Double, isPause: Bool = false) {
        isWhole = held >= Self.wholeShare * end.seconds(since: start)
        // One that was open and does not fill the span has ended in it.
        let hasEnded = isOpen && !isWhole
        defer { isOpen = held > 0 && !hasEnded }
        guard held > 0 else { return }
        if isOpen, continues(isPause) {
            extend(by: held, to: start.advanced(byMilliseconds: held.wholeMilliseconds))
        } else {
            let earliest = end.advanced(byMilliseconds: -held.wholeMilliseconds)
            add(TimeSpan(start: max(start, earliest), end: end), held, isPause: isPause)
        }
    }

    /// What a probe saw: after the last packet of a span nothing came. Where the rest lies it does not tell: at the start,
    /// after a pause that went on; else somewhere in the span.
    private mutating func takePause(_ delta: StreamDelta) {
        let last = max(delta.start, delta.sample.lastPacketReceivedAt ?? delta.end)
        let silence = delta.end.seconds(since: last)
        let goesOn = isOpen && continues(true)
        let isOpenAtEnd = silence > Self.leastOpenSeconds || goesOn && last == delta.start
        let atEnd = isOpenAtEnd ? min(silence, delta.heldSeconds) : 0
        let before = delta.heldSeconds - atEnd
        if before >= Self.leastSeconds, goesOn {
            extend(by: before, to: min(last, delta.start.advanced(byMilliseconds: before.wholeMilliseconds)))
        } else if before >= Self.leastSeconds {
            add(TimeSpan(start: delta.start, end: last), before, isPause: true)
        }
        if atEnd > 0, goesOn, last == delta.start {
            extend(by: atEnd, to: delta.end)
        } else if atEnd > 0 {
            add(TimeSpan(start: last, end: delta.end), atEnd, isPause: true)
        }
        isOpen = atEnd > 0
    }

    /// Seconds of a span in which media were on hold, not counting pauses of their sender. A hold that filled the last report is
    /// taken to have gone on since.
    func heldSeconds(from start: Timestamp, to end: Timestamp) -> Double {
        guard let latest = holds.last, isWhole || (latest.span.end ?? end) > start else { return 0 }
        return holds.filter { $0.isSenderPause != true }.reduce(0) { seconds, hold in
            let until = isWhole && hold == latest ? end : min(end, hold.span.end ?? end)
            return seconds + max(0, until.seconds(since: max(start, hold.span.start)))
        }
    }

    private func continues(_ isPause: Bool) -> Bool {
        holds.last?.isSenderPause == isPause
    }

    private mutating func extend(by seconds: Double, to end: Timestamp) {
        guard let last = holds.indices.last else { return }
        holds[last].seconds += seconds
        holds[last].span.end = end
    }

    private mutating func add(_ span: TimeSpan, _ seconds: Double, isPause: Bool) {
        if holds.count >= MediaHold.mostKept { makeRoom() }
        holds.append(MediaHold(span: span, seconds: seconds, isSenderPause: isPause))
    }

    /// The shortest pause of the sender goes, a hold only where all are holds; the last one stays.
    private mutating func makeRoom() {
        let earlier = holds.indices.dropLast()
        let pauses = earlier.filter { holds[$0].isSenderPause == true }
        let candidates = pauses.isEmpty ? Array(earlier) : pauses
        guard let place = candidates.min(by: { holds[$0].seconds < holds[$1].seconds }) else { return }
        holds.remove(at: place)
        leftOut += 1
    }
}

// MARK: - Archive

extension HoldTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(holds, isOpen, isWhole, leftOut)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (holds, isOpen, isWhole, leftOut) = try archive.get()
    }
}
