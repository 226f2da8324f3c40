import CallModel

/// Finds sound that goes one way only.
struct OneWayDetector: Archivable {
    private var hasInbound = false
    private var hasOutbound = false
    private var seconds = 0.0
    /// Seconds for which no other packets have come either; 0 when nobody counts them.
    private var quietSeconds = 0.0
    private(set) var runs: [Run] = []
    private var isOpen = false
    /// Packets a second that the end sends when sound goes both ways; `nil` before it did.
    private var usualOutbound: Double?

    /// One time for which sound went one way only.
    struct Run: Hashable, Archivable {
        var span: TimeSpan
        /// Whether it is the sound to this end that was missing.
        var isInboundMissing: Bool
    }

    private static let mostRuns = 50

    var isFound: Bool { !runs.isEmpty }

    /// A stream flows at this rate; comfort noise does not count.
    private static let leastPacketsPerSecond = 10.0
    /// Three intervals of 5 s, as Telnyx has it; reports may be a little early.
    static let leastSeconds = 14.5
    /// A far end that is reached sends RTCP at least so often (RFC 3550 §6.3.1: 5 s, at random up to half as much again), and
    /// checks of the path, too (RFC 7675 §5.1: 6 s).
    static let longestQuietSeconds = 7.5

    /// What one report tells of the audio of a connection, or one of each connection of the call.
    struct Span: Archivable {
        var inbound: Double?
        var outbound: Double?
        /// Packets that came and were no sound: pictures, RTCP, checks of the path; `nil` when nobody counts them.
        var others: Double?
        var seconds = 0.0
        var isHeld = false

        /// Takes in a stream of the connection.
        mutating func add(_ delta: StreamDelta, of stream: StreamKey) {
            guard stream.kind == .audio else {
                if stream.direction == .inbound, let packets = delta.counted.packets {
                    others = others.map { $0 + packets }
                }
                return
            }
            seconds = max(seconds, delta.seconds)
            // A sender that stopped without anybody telling of a hold is just what is looked for, unless it says so.
            isHeld = isHeld || delta.heldSeconds > delta.pausedSeconds || delta.isStoppedBySender
            guard let packets = delta.counted.packets else { return }
            if stream.direction == .inbound {
                inbound = (inbound ?? 0) + packets
            } else {
                outbound = (outbound ?? 0) + packets
            }
        }

        /// Takes in what another connection tells of the same time; one without sound tells nothing.
        mutating func add(_ other: Span) {
            others = Self.sum(others, other.others)
            guard other.inbound != nil || other.outbound != nil else { return }
            inbound = Self.sum(inbound, other.inbound)
            outbound = Self.sum(outbound, other.outbound)
            seconds = max(seconds, other.seconds)
            isHeld = isHeld || other.isHeld
        }

        private static func sum(_ one: Double?, _ other: Double?) -> Double? {
            [one, other].compactMap(\.self).reduce(nil) { ($0 ?? 0) + $1 }
        }
    }

    /// Takes what the next reports tell, the last of which came at `time`. While a call is not answered, sound that goes one way
    /// is early media, unless it went both ways before.
    /// - Parameters:
    ///   - span: what they tell together.
    ///   - time: of the last.
    ///   - awaitsAnswer: whether the call is yet to be answered.
    ///   - isOnWire: whether a probe tells.
    mutating func take(_ span: Span, at time: Timestamp, awaitsAnswer: Bool = false, isOnWire: Bool = false) {
        hasInbound = hasInbound || span.inbound != nil
        hasOutbound = hasOutbound || span.outbound != nil
        quietSeconds = Self.isQuiet(span) ? quietSeconds + span.seconds : 0
        guard let inbound = span.inbound, let outbound = span.outbound, span.seconds > 0, !span.isHeld,
            !awaitsAnswer || usualOutbound != nil || min(inbound, outbound) > 0
        else {
            close()
            return
        }
        if inbound > 0, outbound > 0 { takeBack(outbound, in: span.seconds, isOnWire: isOnWire) }
        let flows = max(inbound, outbound) / span.seconds >= Self.leastPacketsPerSecond
        let isSilentWay = isOpen ? runs.last?.isInboundMissing : nil
        guard flows, min(inbound, outbound) == 0, isSilentWay.map({ $0 == (inbound == 0) }) ?? true else {
            return close()
        }
        // Where nothing at all comes, nobody can tell whether what is sent arrives.
        guard inbound > 0 || quietSeconds <= Self.longestQuietSeconds else { return close() }
        seconds += span.seconds
        note(isInboundMissing: inbound == 0, at: time)
    }

    private mutating func close() {
        (seconds, isOpen) = (0, false)
    }

    /// Whether too few other packets came for a path that is up; not where nobody counts them.
    private static func isQuiet(_ span: Span) -> Bool {
        span.others.map { $0 < max(1, (span.seconds / longestQuietSeconds).rounded(.down)) } ?? false
    }

    /// Leaves out the last run where the end was sending in it, or had paused and goes on: what got lost before a probe is told of
    /// by the numbers of the packets after it, all at once, and where none are missing the record of the other end has a pause.
    private mutating func takeBack(_ outbound: Double, in spanSeconds: Double, isOnWire: Bool) {
        guard isOpen, let run = runs.last, !run.isInboundMissing, let end = run.span.end, let usual = usualOutbound
        else {
            usualOutbound = outbound / spanSeconds
            return
        }
        let late = outbound - usual * spanSeconds
        if isOnWire || late >= usual * end.seconds(since: run.span.start) / 2 { runs.removeLast() }
    }

    /// Leaves out the run that goes on, if it is of sound that this end did not send: it has told since that it meant to, or
    /// sends it elsewhere.
    mutating func excuseUnsent() {
        if isOpen, runs.last?.isInboundMissing == false { runs.removeLast() }
        close()
    }

    private mutating func note(isInboundMissing: Bool, at time: Timestamp) {
        guard seconds >= Self.leastSeconds else { return }
        if isOpen, let last = runs.indices.last {
            runs[last].span.end = time
        } else if runs.count < Self.mostRuns {
            let start = time.advanced(byMilliseconds: -seconds.wholeMilliseconds)
            runs.append(Run(span: TimeSpan(start: start, end: time), isInboundMissing: isInboundMissing))
            isOpen = true
        }
    }

    /// Leaves out what did not come because it was lost on the way, as the numbers of the packets after it tell: an outage by
    /// such numbers covers the run, and ends later, where packets came again.
    mutating func leaveOut(lostIn outages: [MediaOutage]) {
        let lost = outages.filter { $0.evidence == ["sequenceNumber"] }.map(\.span)
        runs.removeAll { run in
            guard run.isInboundMissing, let end = run.span.end else { return false }
            return lost.contains { $0.start <= run.span.start && $0.end ?? end >= end }
        }
    }

    /// `nil` when a direction was never reported.
    var result: Bool? {
        hasInbound && hasOutbound ? isFound : nil
    }
}

// MARK: - Archive

extension OneWayDetector {
    func write(to archive: inout ArchiveWriter) {
        archive.put(hasInbound, hasOutbound, seconds, runs)
        archive.put(isOpen, quietSeconds, usualOutbound)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (hasInbound, hasOutbound, seconds, runs) = try archive.get()
        (isOpen, quietSeconds, usualOutbound) = try archive.get()
    }
}

extension OneWayDetector.Span {
    func write(to archive: inout ArchiveWriter) {
        archive.put(inbound, outbound, seconds, isHeld)
        archive.put(others)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (inbound, outbound, seconds, isHeld) = try archive.get()
        others = try archive.get()
    }
}

extension OneWayDetector.Run {
    func write(to archive: inout ArchiveWriter) {
        archive.put(span, isInboundMissing)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (span, isInboundMissing) = try archive.get()
    }
}
