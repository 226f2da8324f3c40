public import CallModel

/// The fold over the facts of one call record: everything that is derived comes out of here, and nowhere else.
///
/// Feed it facts in order of ``Fact/key``. It is a value without a clock: the same facts give the same figures,
/// live or years later. Archived, it goes on where it stopped.
///
/// It is large. A method that changes it and asks it something by a method that does not makes a copy of all of it first, for every
/// report: questions are put to the part that knows the answer (``StreamList``), or are written into who asks
/// (`@inline(__always)`). So does a closure in a method that does not change it; it names what it needs (`[streams]`).
public struct CallSession: Sendable, Archivable {
    /// The record this folds.
    public let key: CallKey
    /// The key of the last fact taken; an earlier one needs a new fold over all facts.
    public internal(set) var watermark: FactKey?
    let rulesVersion: Int

    var start: Timestamp?
    var lastActivity: Timestamp?
    /// When the last fact was received; `nil` before the first.
    public internal(set) var lastReceivedAt: Timestamp?
    var setup = SetupTimeline()
    var ice = ConnectivityTracker()
    var ipChanges = SpanTracker()
    var course = CourseTracker()
    var path = PathTracker()
    var transport = TransportTracker()
    var oneWay = OneWayDetector()
    var round = ReportRound()
    var sound = SoundRound()
    var streams = StreamList()
    var lastReport: [String: Timestamp] = [:]
    var lastControlPackets: [String: Double] = [:]
    var pictures: [String: PictureWatch] = [:]
    var sounds: [String: SoundWatch] = [:]
    var connections = ConnectionUse()
    var parts = ReportParts()
    var paces: [String: ReportPace] = [:]
    /// That of all connections together.
    var pace = ReportPace()
    var outages: [OutageRecord] = []
    var scores: ScoreTimeline
    var quality = DataQualityTracker()
    var wire = WireTracker()
    var issues = IssueTracker()
    var client = ClientReader()
    /// When the connection was closed whose report is being read; `nil` of one that is open. Not archived.
    var closedAt: Timestamp?

    /// What interrupted the sound of one inbound audio stream.
    struct OutageRecord: Archivable {
        var stream: StreamKey
        var tracker = OutageTracker()
        var holds = HoldTracker()
        /// Whether the last report of its connection had no inbound sound, and its client sent none: on hold.
        var isAway = false
    }

    /// - Parameters:
    ///   - key: The record to fold.
    ///   - hasLiveScores: Whether the live series is wanted. Without it, ``Rows/scores`` has the windows alone, and the
    ///     quality that a client tells by itself is compared with nothing; the rest is the same. Not archived.
    public init(key: CallKey, hasLiveScores: Bool = true) {
        self.key = key
        rulesVersion = ScoreModel.rulesVersion
        scores = ScoreTimeline(hasLive: hasLiveScores)
    }

    /// What a fact completed.
    public struct Rows: Hashable, Sendable {
        /// Rows of the streams' time series.
        public var intervals: [MediaInterval] = []
        /// Rows of the score's two series.
        public var scores: [ScoreInterval] = []

        public init() {}
    }

    /// Takes the next facts, sorted by key, each key once and none before ``watermark``.
    /// - Returns: the rows they complete.
    @inlinable
    public mutating func fold(_ facts: some Sequence<Fact>) -> Rows {
        var rows = Rows()
        for fact in facts { fold(fact, into: &rows) }
        return rows
    }

    /// Takes one fact.
    /// - Parameters:
    ///   - fact: the next, whose key is not before ``watermark``.
    ///   - rows: gets the rows that it completes.
    public mutating func fold(_ fact: Fact, into rows: inout Rows) {
        note(fact)
        for report in parts.takeWhole(before: fact) { read(report, into: &rows) }
        switch fact {
        case .event(let event): take(event)
        case .report(let report): take(report, into: &rows)
        case .wire(let report): take(report, into: &rows)
        }
    }

    /// Takes in a doubt about the facts that none of them carries, in words fit for the data-quality block.
    public mutating func note(_ doubt: String) {
        quality.take(note: doubt)
    }

    private mutating func note(_ fact: Fact) {
        watermark = max(watermark ?? fact.key, fact.key)
        start = min(start ?? fact.time, fact.time)
        lastActivity = max(lastActivity ?? fact.time, fact.time)
        lastReceivedAt = max(lastReceivedAt ?? fact.receivedAt, fact.receivedAt)
    }
}

// MARK: - Events

extension CallSession {
    private mutating func take(_ event: CallEvent) {
        quality.take(event)
        wire.take(event)
        course.takeConfiguration(of: event)
        client.take(event, of: key.observer)
        if event.action == "sip" { setup.takeSIP(event) }
        for meaning in event.meanings {
            setup.take(meaning, of: event)
            course.take(meaning, of: event)
            switch meaning {
            case .iceDisconnected, .iceConnected: ice.take(meaning, of: event)
            case .addressChangeStarted: ipChanges.open(at: event.time)
            case .addressChangeEnded: ipChanges.close(at: event.time)
            default: break
            }
        }
    }
}

// MARK: - Reports

extension CallSession {
    private mutating func take(_ report: StatsReport, into rows: inout Rows) {
        quality.take(report)
        let isPart = streams.isPart(report, after: paces[report.connection.rawValue]?.latest)
        if !parts.take(report, isPart: isPart) { read(report, into: &rows) }
    }

    /// Takes in what a report says, once it is whole.
    mutating func read(_ report: StatsReport, into rows: inout Rows) {
        let connection = report.connection.rawValue
        let reader = ReportReader(report)
        closedAt = reader.closedAt(wasLeft: connections.isLeft(connection))
        defer {
            if closedAt != nil { connections.close(connection) }
            closedAt = nil
        }
        if let closedAt { ice.close(report.connection, at: closedAt, isOnly: paces.count <= 1) }
        guard !isOver(connection, at: report.time) else {
            return quality.take(note: course.end.endedAt == nil ? Self.afterCloseNote : Self.afterEndNote)
        }
        makeRoom(for: connection)
        let gap = takePace(of: connection, at: report.time)
        let isRest = paces[connection]?.isRest == true
        var contribution = ScoreTimeline.Contribution()
        let (iceRoundTrips, earlier, selected) = path.take(reader)
        issues.takeEarlier(earlier, of: connection)
        contribution.iceRoundTrips = iceRoundTrips
        transport.take(reader, selected: selected)
        setup.takeKeys(reader)
        var state = ConnectionState()
        state.disconnectedAt = ice.disconnectedAt(report.connection, since: lastReport[connection])
        let samples = reader.samples()
        if isRest {
            // It tells nothing of all streams of the connection together.
            connections.forget(connection)
        } else {
            state.controlPackets = zip(reader.controlPackets, lastControlPackets[connection]).map { $0 - $1 }
                .flatMap { $0 >= 0 ? $0 : nil }
            state.checksReceived = path.checksReceived(of: report.connection)
            let missing = pictures[connection, default: PictureWatch()].take(samples, at: report.time)
            (state.missingPictureSeconds, state.mostMissingPictureSeconds) = (missing.seconds, missing.most)
            state.lostPictureSeconds = missing.lost
            state.missingSoundSeconds = sounds[connection, default: SoundWatch()].take(samples, at: report.time)
            state.leftSeconds = connections.take(samples, of: connection, at: report.time)
        }
        lastControlPackets[connection] = reader.controlPackets
        // What the client says of a gap tells more than how long it was.
        let last = lastReport[connection]
        let told = excusedSeconds(of: .audio, since: last, to: report.time)
        if let period = gap.own, 2 * told < last.map({ report.time.seconds(since: $0) }) ?? 0,
            ReportPace.isIdle(streams.flowSeconds(until: samples), period: period)
        {
            state.gapPeriod = period
        }
        let isKnown = samples.contains { streams.index(of: $0.key, near: 0) != nil }
        let unsent = connections.unsent(of: connection)
        (state.unsentSeconds, state.isSending) = (unsent.inAll, unsent.isSending)
        issues.take(path.latest(of: report.connection), of: report.connection, at: report.time)
        let known = streams.count
        var sound = take(samples, of: connection, state, at: report.time, &contribution, &rows)
        let isInterrupted = noteHandover(&contribution, newFrom: known)
        contribution.covered = streams.covered(by: contribution.spans, newFrom: known)
        let hasSound = sound.inbound != nil || sound.outbound != nil
        if sound.inbound == nil, hasSound, isSoundAwaited(since: lastReport[connection]) { sound.inbound = 0 }
        // What is left behind tells nothing of the sound of the call.
        if state.leftSeconds > 0 { sound = OneWayDetector.Span() }
        if let answered = setup.answeredAt {
            sound.seconds = min(sound.seconds, max(0, report.time.seconds(since: answered)))
        }
        let turn = round.take(connection, at: report.time, isRest: isRest)
        for (span, time) in self.sound.take(sound, turn, at: report.time) {
            oneWay.take(span, at: time, awaitsAnswer: setup.awaitsAnswer)
        }
        noteFirstMedia(contribution.spans.map(\.delta.start).min(), of: connection, at: report.time)
        let goesOn =
            state.gapPeriod.map { report.time.advanced(byMilliseconds: -$0.wholeMilliseconds) }
            ?? resumption(after: gap.ofAll, contribution, isKnown: isKnown, at: report.time)
        if let goesOn, !isInterrupted { rows.scores += scores.skip(to: goesOn, model: .current) }
        score(contribution, of: connection, turn, at: report.time, into: &rows)
    }

    private mutating func take(_ report: WireReport, into rows: inout Rows) {
        quality.take(report, isStill: isStill(report))
        let connection = ConnectionID.only.rawValue
        var contribution = ScoreTimeline.Contribution()
        let reader = WireReader(report: report)
        let samples = reader.samples()
        var state = ConnectionState()
        state.missingSoundSeconds = sounds[connection, default: SoundWatch()].take(samples, at: report.time)
        var sound = take(samples, of: connection, state, at: report.time, &contribution, &rows)
        var place = 0
        for stream in report.streams where stream.role == .primary {
            let key = reader.key(of: stream)
            guard let index = streams.index(of: key, near: place) else { continue }
            streams[index].note(stream)
            place = index + 1
        }
        // Sound is due both ways from the answer on, for the end that sends it and for the one that gets none.
        let dueSince = [lastReport[connection], setup.answeredAt].compactMap { $0 }.max()
        wire.take(report, sound: &sound, since: dueSince)
        if setup.awaitsAnswer || wire.isOneWayAgreed || !report.isAudioDue { sound.isHeld = true }
        if !report.isAudioDue { oneWay.excuseUnsent() }
        oneWay.take(sound, at: report.time, isOnWire: true)
        let firstPacket = report.streams.filter { $0.role != .hop }.map(\.firstPacketAt).min()
        start = [start, firstPacket].compactMap { $0 }.min()
        let begun = firstPacket ?? report.time
        if refusedAt.map({ begun < $0 }) ?? true {
            setup.takeReport(at: begun, hasInboundPackets: firstPacket != nil)
        }
        let turn = round.take(connection, at: report.time)
        score(contribution, of: connection, turn, at: report.time, into: &rows)
        lastReport[connection] = report.time
    }

    /// When media came again after a gap in which no connection reported, so that nobody knows of a stream that went on in it;
    /// `nil` where there was no gap, or one did.
    private func resumption(
        after gap: Double?, _ contribution: ScoreTimeline.Contribution, isKnown: Bool, at time: Timestamp
    ) -> Timestamp? {
        guard let gap, let start = contribution.spans.map(\.delta.start).min() ?? (isKnown ? nil : time) else {
            return nil
        }
        return ReportPace.isIdle([time.seconds(since: start)], period: gap) ? start : nil
    }

    private mutating func score(
        _ contribution: ScoreTimeline.Contribution, of connection: String, _ turn: ReportRound.Turn,
        at time: Timestamp, into rows: inout Rows
    ) {
        var contribution = contribution
        if let refusedAt { contribution.spans.removeAll { $0.delta.start >= refusedAt } }
        let completed = scores.take(contribution, turn, at: time, model: .current)
        course.compare(with: completed)
        rows.scores += completed
        let roundTrip = scores.recentRoundTripMilliseconds
        for index in streams.indices { streams[index].closeScore(roundTripMilliseconds: roundTrip, model: .current) }
    }

    /// When the call ended without an answer: what still comes is nothing that anybody hears.
    @inline(__always)
    private var refusedAt: Timestamp? {
        guard let endedAt = course.end.endedAt, setup.outcome(isOver: true) == .notAnswered else { return nil }
        return endedAt
    }

    /// Takes the streams of one report of a connection.
    /// - Returns: what it tells of the way sound goes.
    private mutating func take(
        _ samples: [KeyedSample], of connection: String, _ known: ConnectionState,
        at time: Timestamp, _ contribution: inout ScoreTimeline.Contribution, _ rows: inout Rows
    ) -> OneWayDetector.Span {
        var sound = OneWayDetector.Span()
        sound.others = known.controlPackets
        var state = known
        var stopped: [Double] = []
        let last = lastReport[connection]
        state.lastReport = last
        let before = last ?? StreamSample.begin(of: samples)
        // The first report of a probe tells of all since the first packet.
        let begun = last ?? samples.compactMap(\.sample.firstPacketAt).min()
        let excusedAudio = excusedSeconds(of: .audio, since: begun, to: time)
        let excusedVideo = excusedSeconds(of: .video, since: begun, to: time)
        let away = awaySeconds(samples, of: connection, since: last, to: time)
        state.heldSeconds = max(min(excusedAudio, excusedVideo), heldElsewhere(samples, since: last, to: time), away)
        let quiet = last.map { course.lanes.quietSeconds(from: $0, to: time) } ?? 0
        let missing = streams.missingSeconds(until: samples)
        let unplayed = streams.unplayedSeconds(until: samples, since: last)
        var observed: [IssueSample] = []
        var isOnWire = false
        var place = 0
        for stream in samples {
            let key = stream.key
            var told = state
            told.otherMissingSeconds = [missing.first { $0.key != key }?.seconds, state.missingSoundSeconds]
                .compactMap { $0 }.min()
            told.excusedSeconds = key.kind == .audio ? excusedAudio : excusedVideo
            noteExcuse(in: &told, of: stream, at: time)
            told.excusedOutageSeconds = excusedSeconds(in: stream.sample.lastOutage, of: key.kind, to: time)
            guard let index = index(of: stream, near: place, since: before) else { continue }
            place = index + 1
            guard let span = streams[index].take(stream.sample, connection: told) else { continue }
            rows.intervals.append(span.row)
            if span.delta.isUndecoded { quality.take(note: Self.undecodedNote) }
            let excused = max(told.heldSeconds, told.excusedSeconds, told.leftSeconds)
            let heard = key.isInboundAudio ? span.delta.held(atMost: max(unplayed, excused)) : span.delta
            sound.add(heard, of: key)
            if key.isInboundAudio {
                let away = noteOutage(heard, of: key, isLeft: told.leftSeconds > 0, since: last)
                state.heldSeconds = max(state.heldSeconds, away)
                isOnWire = span.delta.counted.senderPausedSeconds != nil
                // A stream that a probe sees begin was not played before.
                let late = isOnWire ? last.map { max(0, span.delta.start.seconds(since: $0)) } ?? 0 : 0
                stopped.append(late + span.delta.stoppedSeconds)
                state.learn(from: heard, excusedSeconds: excusedAudio)
            }
            observed.append(IssueSample(span: span, darkSeconds: state.darkSeconds, quietSeconds: quiet))
            add(span, of: key, to: &contribution)
        }
        if state.isInterrupted, contribution.iceRoundTrips.isLong { path.leaveOut(&contribution.iceRoundTrips) }
        let measured = contribution.roundTrips.measurements > 0 ? contribution.roundTrips : contribution.iceRoundTrips
        issues.take(observed, of: connection, roundTrip: measured, gapPeriod: known.gapPeriod, at: time)
        // Who is muted may send nothing at all.
        if quiet > 0 && sound.outbound == 0 || excusedAudio > 0 { sound.isHeld = true }
        let pictures = contribution.spans.lazy.filter { $0.reference != nil }.map { $0.delta.heldSeconds }.min()
        // Where one stream stops when another begins, the call is not on hold.
        let paused = [stopped.min(), state.missingSoundSeconds].compactMap { $0 }.min() ?? 0
        let own = pictures.map { isOnWire ? min(paused, $0) : 0 } ?? max(excusedAudio, paused)
        contribution.heldSeconds = max(state.heldSeconds, own)
        return sound
    }

    private static let afterEndNote = "reports went on after the event that ended the call; they are left out"
    private static let afterCloseNote = "reports of a connection went on after it had been closed; they are left out"
    private static let undecodedNote = "video that this end takes in and does not decode; no picture is judged"

    /// Whether the call had been answered by the last report, and sound has come over none of its connections: engines show
    /// a stream only when its first packet has come.
    @inline(__always)
    private func isSoundAwaited(since last: Timestamp?) -> Bool {
        guard let last, let answeredAt = setup.answeredAt, answeredAt <= last else { return false }
        return !streams.hasInboundAudio
    }

    /// Seconds since the last report of a connection in which media of this kind were not to be expected.
    @inline(__always)
    func excusedSeconds(of kind: MediaKind, since last: Timestamp?, to time: Timestamp) -> Double {
        guard let last else { return 0 }
        return course.lanes.excusedSeconds(of: kind, from: last, to: time) + secondsAfterEnd(from: last, to: time)
    }

    @inline(__always)
    private func excusedSeconds(in outage: TimeSpan?, of kind: MediaKind, to time: Timestamp) -> Double {
        guard let outage else { return 0 }
        return course.lanes.excusedSeconds(of: kind, from: outage.start, to: outage.end ?? time)
    }

    /// `nil` when there are too many.
    private mutating func index(of stream: KeyedSample, near place: Int, since before: Timestamp?) -> Int? {
        if let index = streams.index(of: stream.key, near: place) { return index }
        guard !streams.isFull else {
            quality.take(note: "more than \(StreamList.most) streams, the later ones left out")
            return nil
        }
        streams.append(StreamRecord(stream: stream.key, first: stream.sample, previousReport: before))
        return streams.count - 1
    }

    /// A stream that never brought a packet says nothing about quality.
    private func add(_ span: MeasuredSpan, of key: StreamKey, to contribution: inout ScoreTimeline.Contribution) {
        if key.kind == .audio || span.delta.roundTripMeasurements > 0 {
            contribution.roundTrips.add(
                seconds: span.delta.roundTripSeconds, measurements: span.delta.roundTripMeasurements)
        }
        guard key.direction == .inbound, (span.delta.sample.counters.packets ?? 1) > 0 else { return }
        contribution.spans.append(span)
    }
}
