import CallModel

// MARK: - From one connection to the next

extension CallSession {
    /// A report of another connection without packets tells nothing of the one over which they came. Where no event tells when the
    /// call began, the first report says since when it has had media; nothing came before what events tell.
    mutating func noteFirstMedia(_ media: Timestamp?, of connection: String, at time: Timestamp) {
        guard setup.firstMediaReport == nil, streams.contains(where: \.hasReceivedPackets) else { return }
        if let last = lastReport[connection] { setup.takeReport(at: last, hasInboundPackets: false) }
        guard setup.createdAt == nil, let media, media < time else {
            return setup.takeReport(at: time, hasInboundPackets: true)
        }
        if start == time { start = media }
        setup.takeReport(at: max(media, start ?? media), hasInboundPackets: true)
    }

    /// Counts as missing what lies between the last sound of streams that are gone and the first of those that took their place,
    /// as after a client made a new connection: where sound was missing at the last report of the old one, or as far as events
    /// of ICE tell. Of other such time nobody knows.
    /// - Returns: whether sound was missing.
    mutating func noteHandover(_ contribution: inout ScoreTimeline.Contribution, newFrom known: Int) -> Bool {
        // Most reports tell of no stream that is new.
        guard streams.count > known || streams.isFull else { return false }
        let sounds = contribution.spans.filter { $0.row.stream.kind == .audio }
        guard let next = sounds.min(by: { $0.delta.start < $1.delta.start }),
            sounds.allSatisfy({ [streams] in streams.isNew($0.row.stream, from: known) }),
            let (old, heard) = heardLast(before: known), heard < next.delta.start,
            let (missing, continues) = missingSpan(of: outages[old], from: heard, to: next),
            excusedSeconds(of: .audio, since: missing.start, to: next.delta.start) == 0
        else { return false }
        let delta = next.delta.missing(in: missing, continues: continues)
        outages[old].tracker.take(delta)
        let row = MediaInterval(stream: next.row.stream, start: delta.start, end: delta.end, segment: delta.segment)
        contribution.spans.append(MeasuredSpan(delta, reference: nil, row: row))
        return true
    }

    /// The sound that was reported last, of the streams before `known`, and when.
    private func heardLast(before known: Int) -> (record: Int, time: Timestamp)? {
        var latest: (record: Int, time: Timestamp)?
        for record in outages.indices where !streams.isNew(outages[record].stream, from: known) {
            guard let time = streams.lastSeen(outages[record].stream), latest.map({ $0.time < time }) ?? true else {
                continue
            }
            latest = (record, time)
        }
        return latest
    }

    /// Reports that still came over the old connection, and had no sound, say that it was there: who spoke may have left.
    private func missingSpan(
        of old: OutageRecord, from heard: Timestamp, to next: MeasuredSpan
    ) -> (span: TimeSpan, continues: Bool)? {
        let start = next.delta.start
        let connection = old.stream.connection
        let isSame = connection == next.row.stream.connection
        let told = isSame ? lastReport[connection.rawValue] : paces[connection.rawValue]?.latest
        if old.tracker.open != nil, told.map({ $0.milliseconds(since: heard) < ReportParts.milliseconds }) ?? true {
            return (TimeSpan(start: heard, end: start), true)
        }
        let lost = ice.disconnects.last { $0.start < start && $0.end ?? start > heard }
        return lost.map { (TimeSpan(start: max(heard, $0.start), end: min($0.end ?? start, start)), false) }
    }
}

extension StreamList {
    /// The time of which a report tells what was heard and seen, where the streams from `known` on are new. Of pictures that are
    /// new nobody knows since when they came.
    func covered(by spans: [MeasuredSpan], newFrom known: Int) -> TimeSpan? {
        guard var start = spans.first?.delta.start, var end = spans.first?.delta.end else { return nil }
        var told: Timestamp?
        for span in spans {
            (start, end) = (Swift.min(start, span.delta.start), Swift.max(end, span.delta.end))
            guard span.row.stream.kind == .audio || !isNew(span.row.stream, from: known) else { continue }
            told = Swift.min(told ?? span.delta.start, span.delta.start)
        }
        return TimeSpan(start: told ?? start, end: end)
    }

    /// Whether a stream is at `known` or behind it, or none of these.
    fileprivate func isNew(_ stream: StreamKey, from known: Int) -> Bool {
        index(of: stream, near: known).map { $0 >= known } ?? true
    }
}

extension StreamDelta {
    /// A span before this one in which its sound was missing. `continues` says whether it was before that already.
    fileprivate func missing(in span: TimeSpan, continues: Bool) -> StreamDelta {
        let end = span.end ?? start
        var sample = StreamSample(time: end)
        sample.codec = self.sample.codec
        var missing = StreamDelta(start: span.start, end: end, segment: segment, counted: CounterSet(), sample: sample)
        (missing.silentSeconds, missing.darkSeconds) = (missing.seconds, missing.seconds)
        (missing.continuesInterruption, missing.goesOnDark) = (continues, false)
        missing.darkEvidence = continues ? [] : ["iceDisconnected"]
        guard counted.concealedSamples != nil, counted.samples != nil else { return missing }
        let samples = missing.seconds * sampleRate
        (missing.counted.samples, missing.counted.samplesSeconds) = (samples, missing.seconds)
        (missing.counted.concealedSamples, missing.counted.silentConcealedSamples) = (samples, samples)
        missing.counted.concealmentEvents = continues ? 0 : 1
        return missing
    }
}
