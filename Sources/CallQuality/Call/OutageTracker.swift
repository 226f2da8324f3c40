import CallModel

/// Joins the spans in which no sound arrived into outages.
struct OutageTracker: Archivable {
    private var outages: [MediaOutage] = []
    private var isOpen = false
    /// Whether the last one was not kept, for there are too many.
    private var isLeftOut = false

    /// Shorter silences are losses, not outages. Engines of the libwebrtc family count no gap of 49 packets (0.98 s) and
    /// more as lost, and conceal up to a tenth less than is missing: those must be found here.
    static let leastSeconds = 0.75

    /// Outages so far, in order of time.
    var all: [MediaOutage] { lasting(Self.leastSeconds) }

    /// Outages so far that lasted so long or longer, in order of time.
    func lasting(_ seconds: Double) -> [MediaOutage] {
        outages.filter { $0.seconds >= seconds }
    }

    /// The one that goes on at the last report.
    var open: MediaOutage? { isOpen && !isLeftOut ? outages.last : nil }

    /// Takes the next span of an inbound audio stream.
    mutating func take(_ delta: StreamDelta) {
        if delta.revokesInterruption, isOpen, !outages.isEmpty { outages.removeLast() }
        guard delta.darkSeconds > 0 else {
            (isOpen, isLeftOut) = (false, false)
            return
        }
        guard earlierSeconds(in: delta) > 0 else { return note(delta) }
        // The one that was over is told apart from the one that goes on.
        var (first, second) = (delta, delta)
        first.darkSeconds = max(0, delta.darkSeconds - age(of: delta))
        (first.goesOnDark, second.continuesInterruption) = (false, false)
        (second.darkSeconds, second.carriedSilenceSeconds) = (age(of: delta), 0)
        second.earlierSilenceSeconds = 0
        note(first)
        if !isLeftOut, let last = outages.indices.last, let end = outages[last].span.end {
            outages[last].span.end = min(end, max(outages[last].span.start, silentSince(in: delta)))
        }
        note(second)
    }

    private mutating func note(_ delta: StreamDelta) {
        isLeftOut = outages.count >= MediaOutage.mostKept && (isLeftOut || !(delta.continuesInterruption ?? isOpen))
        if isLeftOut {
            // It is not one of those that are kept.
        } else if delta.continuesInterruption ?? isOpen, !outages.isEmpty {
            extend(by: delta)
        } else {
            outages.append(
                MediaOutage(
                    span: span(of: delta), seconds: delta.darkSeconds + delta.carriedSilenceSeconds,
                    evidence: delta.darkEvidence.sorted()))
        }
        isOpen = delta.isDarkAtEnd
    }

    /// Seconds of silence that were over before the one that goes on at the end of the span began with the last packet; 0 where
    /// they are too few to be an outage.
    private func earlierSeconds(in delta: StreamDelta) -> Double {
        guard delta.isDarkAtEnd, delta.sample.lastOutage == nil, delta.sample.lastPacketReceivedAt != nil,
            age(of: delta) > SilenceMeter.packetGapSeconds
        else { return 0 }
        let isOld = delta.continuesInterruption ?? isOpen
        let seconds = delta.darkSeconds + (isOld ? 0 : delta.carriedSilenceSeconds) - age(of: delta)
        return seconds >= Self.leastSeconds ? seconds : 0
    }

    /// Seconds since the last packet, and since the end of a hold that came after it.
    private func age(of delta: StreamDelta) -> Double {
        guard let last = delta.sample.lastPacketReceivedAt else { return 0 }
        return max(0, delta.end.seconds(since: last) - (delta.hold.isOver ? delta.hold.atEndSeconds : 0))
    }

    /// When the silence at the end of a span began.
    private func silentSince(in delta: StreamDelta) -> Timestamp {
        delta.end.advanced(byMilliseconds: -age(of: delta).wholeMilliseconds)
    }

    /// The last packet before the report says where the silence began, or the end of a hold that came after it; how long one lasted
    /// whose beginning the report before has seen says where it ended.
    private func span(of delta: StreamDelta) -> TimeSpan {
        if let outage = delta.sample.lastOutage, outage.start < delta.end, (outage.end ?? delta.end) > delta.start {
            return TimeSpan(start: outage.start, end: min(outage.end ?? delta.end, delta.end))
        }
        let before = max(delta.carriedSilenceSeconds, delta.earlierSilenceSeconds)
        let start = delta.start.advanced(byMilliseconds: -before.wholeMilliseconds)
        if !delta.isDarkAtEnd, delta.earlierSilenceSeconds > SilenceMeter.packetGapSeconds {
            let seconds = delta.darkSeconds + delta.carriedSilenceSeconds
            return TimeSpan(start: start, end: end(of: start, lasting: seconds, in: delta))
        }
        guard delta.isDarkAtEnd, delta.sample.lastPacketReceivedAt != nil else {
            return TimeSpan(start: start, end: delta.end)
        }
        return TimeSpan(start: max(start, silentSince(in: delta)), end: delta.end)
    }

    /// When a silence ended in a span into which it lasted from before.
    private func end(of start: Timestamp, lasting seconds: Double, in delta: StreamDelta) -> Timestamp {
        min(max(start.advanced(byMilliseconds: seconds.wholeMilliseconds), delta.start), delta.end)
    }

    private mutating func extend(by delta: StreamDelta) {
        let last = outages.count - 1
        outages[last].seconds += delta.darkSeconds
        let isOver = !delta.isDarkAtEnd
        outages[last].span.end =
            isOver
            ? end(of: outages[last].span.start, lasting: outages[last].seconds, in: delta) : delta.end
        outages[last].evidence = Set(outages[last].evidence).union(delta.darkEvidence).sorted()
    }
}

extension MediaOutage {
    /// In order of time, those as one that several streams had at once: the path was down once.
    static func joined(_ outages: [MediaOutage]) -> [MediaOutage] {
        outages.sorted { $0.span.start < $1.span.start }.reduce(into: []) { joined, outage in
            guard let last = joined.indices.last, let end = joined[last].span.end, outage.span.start < end else {
                return joined.append(outage)
            }
            joined[last].span.end = max(end, outage.span.end ?? end)
            joined[last].seconds = max(joined[last].seconds, outage.seconds)
            joined[last].evidence = Set(joined[last].evidence).union(outage.evidence).sorted()
        }
    }
}

extension StreamDelta {
    /// Whether the silence in it goes on past the report.
    var isDarkAtEnd: Bool { goesOnDark ?? sample.isSilent(at: end) }
}

extension StreamSample {
    /// Whether the last packet is older than packets in a stream are, so that a silence goes on past this report.
    ///
    /// Where the client does not say when it came, a silence is taken to go on.
    func isSilent(at time: Timestamp) -> Bool {
        lastPacketReceivedAt.map { time.seconds(since: $0) > 0.2 } ?? true
    }
}

// MARK: - Archive

extension OutageTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(outages, isOpen, isLeftOut)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (outages, isOpen, isLeftOut) = try archive.get()
    }
}
