import CallModel

/// Finds what goes wrong in a call while it goes on; ``IssueList`` adds what the summary tells by itself.
struct IssueTracker: Archivable {
    private var watches: [LevelWatch] = []
    private var records: [LevelRecord] = []
    private(set) var leftOut = 0
    private var connections: [String: Connection] = [:]
    private var paths: [String: PathWatch] = [:]

    fileprivate struct Connection: Archivable {
        var roundTrips = UsualRoundTrip()
        var lastRoundTrip: Timestamp?
        var lastReport: Timestamp?
        /// Until when a limited bandwidth is the start of media, by stream.
        var rampEnds: [String: Timestamp] = [:]
        /// Seconds for which sound has been missing, while it is.
        var darkSeconds = 0.0
        /// Seconds of interruptions of which a stream has not counted its packets as lost yet.
        var owedSeconds: [StreamKey: Double] = [:]
        /// Frames that came and were not decoded while a stream has shown none, and has not told of a standstill yet.
        var heldFrames: [StreamKey: Double] = [:]
    }

    /// Bounds of what is remembered.
    private static let mostRecords = 200
    private static let mostWatches = 400
    private static let mostConnections = 100
    private static let mostStreams = 100
    /// The rate estimate of the sender climbs for 8 to 12 s (`docs/issues.md`).
    private static let rampMilliseconds: Int64 = 15_000
    /// A round trip stands for no longer.
    private static let longestRoundTripSeconds = 15.0

    /// Everything found so far, the open ones too.
    var found: [LevelRecord] { records + watches.compactMap(\.record) }

    /// Takes what one report says of the streams of a connection, and the round trip it measured. `gapPeriod` is as in
    /// ``ConnectionState``: what is measured after a gap tells nothing of it.
    mutating func take(
        _ samples: [IssueSample], of connection: String, roundTrip: RoundTripTotals, gapPeriod: Double?,
        at time: Timestamp
    ) {
        guard connections[connection] != nil || connections.count < Self.mostConnections else { return }
        var state = connections[connection] ?? Connection()
        if let gapPeriod, let last = state.lastRoundTrip ?? state.lastReport {
            state.lastRoundTrip = max(last, time.advanced(byMilliseconds: -gapPeriod.wholeMilliseconds))
        }
        let usual = state.roundTrips.milliseconds
        let roundTripMilliseconds = roundTrip.meanMilliseconds
        let darkBefore = state.darkSeconds
        let heard = samples.filter { $0.stream.isInboundAudio && $0.isSilence == false }.map(\.stream)
        for told in samples {
            var sample = told
            sample.darkBefore = darkBefore
            sample.isHeardBeside = sample.stream.isInboundAudio && heard.contains { $0 != sample.stream }
            if !state.owedSeconds.isEmpty { sample.owedSeconds = state.owedSeconds[sample.stream] ?? 0 }
            let isRamp = isRamp(sample, &state)
            var context = IssueContext(sample, roundTrip: roundTripMilliseconds, usual: usual)
            holdFrames(&context, sample, &state)
            let excused = sample.delta.seconds - sample.delta.activeSeconds
            for detector in IssueDetectors.looking(at: sample.stream) {
                if isRamp, detector.kind == .bandwidthLimited || detector.kind == .cpuLimited { continue }
                guard let reading = detector.reading(sample), reading.amount.isFinite, reading.base.isFinite else {
                    if excused > 0, let place = place(of: sample.stream, connection, detector) {
                        watches[place].pass(excusedSeconds: excused)
                    }
                    continue
                }
                feed(
                    reading, from: sample.delta.start, to: end(of: reading, sample),
                    seconds: sample.delta.activeSeconds, excusedSeconds: excused + reading.excusedSeconds,
                    context, of: sample.stream, connection, by: detector)
            }
        }
        takeRoundTrip(roundTrip, of: connection, &state, at: time)
        noteOwed(samples, &state)
        let dark = samples.filter { $0.stream.isInboundAudio }.compactMap {
            Self.openSeconds($0.delta, before: darkBefore)
        }
        state.darkSeconds = dark.max() ?? 0
        state.lastReport = time
        connections[connection] = state
        retire(at: time)
    }

    /// Seconds of an interruption that goes on at the end of the span; `nil` without one.
    private static func openSeconds(_ delta: StreamDelta, before: Double) -> Double? {
        guard delta.darkSeconds > 0, delta.isDarkAtEnd else { return nil }
        let own = delta.darkSeconds + delta.carriedSilenceSeconds
        return delta.continuesInterruption == false ? own : before + own
    }

    /// Engines tell of a standstill when it is over: what came in it and was not decoded is told with it.
    private func holdFrames(_ context: inout IssueContext, _ sample: IssueSample, _ state: inout Connection) {
        guard let undecoded = context.framesUndecoded else { return }
        let held = undecoded + (state.heldFrames[sample.stream] ?? 0)
        let isUntold = held > 0 && sample.delta.counted.frames == 0 && context.stillSeconds == 0
        let isRoom = state.heldFrames.count < Self.mostStreams
        context.framesUndecoded = isUntold ? 0 : held
        state.heldFrames[sample.stream] = isUntold && (isRoom || state.heldFrames[sample.stream] != nil) ? held : nil
    }

    /// Notes of which interruption the packets of a stream are still to be counted as lost: engines miss them when the next one
    /// comes, and of what was sent when the far end says so. Where packets came after it in the same span, they have told of it.
    private func noteOwed(_ samples: [IssueSample], _ state: inout Connection) {
        let dark =
            samples.filter { $0.stream.isInboundAudio }.map { sample in
                let before = sample.delta.continuesInterruption == false ? 0 : sample.darkBefore
                return sample.delta.darkSeconds > 0
                    ? sample.delta.darkSeconds + sample.delta.carriedSilenceSeconds + before : 0
            }.max() ?? 0
        guard dark > 0 || !state.owedSeconds.isEmpty else { return }
        for sample in samples {
            let name = sample.stream
            let lost = Double(max(0, sample.row.packetsLost ?? 0))
            let packets = Double(sample.row.packets ?? 0)
            let hasArrived = name.direction == .inbound && packets > 0
            if dark >= InterruptionDetectors.leastBlackoutSeconds, !(hasArrived && !sample.delta.isDarkAtEnd) {
                let flowing = sample.delta.activeSeconds - sample.delta.darkSeconds
                let counted = packets > 0 && flowing > 0 ? lost * flowing / packets : 0
                let isRoom = state.owedSeconds.count < Self.mostStreams
                if isRoom || state.owedSeconds[name] != nil { state.owedSeconds[name] = max(0, dark - counted) }
            } else if lost > 0 || hasArrived {
                state.owedSeconds[name] = nil
            }
        }
    }

    /// Takes the round trips of a connection's checks before its first report: what its path is like when nothing fills it.
    mutating func takeEarlier(_ roundTrip: RoundTripTotals, of connection: String) {
        guard roundTrip.measurements > 0, connections[connection] != nil || connections.count < Self.mostConnections
        else { return }
        connections[connection, default: Connection()].roundTrips.take(roundTrip)
    }

    /// Takes the path that a connection uses.
    mutating func take(_ path: PathSummary, of connection: ConnectionID, at time: Timestamp) {
        let name = connection.rawValue
        guard paths[name] != nil || paths.count < Self.mostConnections else { return }
        paths[name, default: PathWatch()].take(path, at: time)
    }

    /// What the paths of all connections went through.
    var path: PathWatch { PathWatch(joining: paths.sorted { $0.key < $1.key }.map(\.value)) }

    /// A little after the last packet at the latest, where packets are what is read.
    private func end(of reading: IssueReading, _ sample: IssueSample) -> Timestamp {
        min(sample.delta.end, max(sample.delta.start, reading.until ?? sample.delta.end))
    }

    private mutating func takeRoundTrip(
        _ roundTrip: RoundTripTotals, of connection: String, _ state: inout Connection, at time: Timestamp
    ) {
        guard let milliseconds = roundTrip.meanMilliseconds, milliseconds.isFinite else { return }
        let before = state.lastRoundTrip ?? state.lastReport
        state.lastRoundTrip = time
        state.roundTrips.take(roundTrip)
        guard let before else { return }
        let seconds = min(Self.longestRoundTripSeconds, max(0, time.seconds(since: before)))
        var context = IssueContext()
        context.add(roundTrip: milliseconds, usual: state.roundTrips.milliseconds)
        feed(
            IssueReading(amount: milliseconds, base: 1), from: before, to: time, seconds: seconds, excusedSeconds: 0,
            context, of: nil, connection, by: IssueDetectors.delay)
    }

    /// Whether the sample may lie in the start of media, or of media after a hold.
    private func isRamp(_ sample: IssueSample, _ state: inout Connection) -> Bool {
        guard sample.stream.direction == .outbound, sample.stream.kind == .video else { return false }
        let source = sample.stream.source
        let isStart = state.rampEnds[source] == nil || sample.quietSeconds > 0 || sample.delta.counted.packets == 0
        if isStart, state.rampEnds[source] != nil || state.rampEnds.count < Self.mostStreams {
            let start = state.rampEnds[source] == nil ? sample.delta.start : sample.delta.end
            state.rampEnds[source] = start.advanced(byMilliseconds: Self.rampMilliseconds)
        }
        return state.rampEnds[source].map { sample.delta.start < $0 } ?? true
    }

    private mutating func feed(
        _ reading: IssueReading, from start: Timestamp, to end: Timestamp, seconds: Double, excusedSeconds: Double,
        _ context: IssueContext, of stream: StreamKey?, _ connection: String, by detector: LevelDetector
    ) {
        guard let place = place(reading, of: stream, connection, by: detector) else { return }
        let over = watches[place].take(
            reading, from: start, to: end, seconds: seconds, excusedSeconds: excusedSeconds, context, by: detector)
        if let over { keep(over) }
    }

    /// The watch that is to take the reading; a new one where the reading would not clear an issue.
    private mutating func place(
        _ reading: IssueReading, of stream: StreamKey?, _ connection: String, by detector: LevelDetector
    ) -> Int? {
        let isBad = detector.value(reading).map { $0 >= detector.clear } ?? false
        guard isBad || !watches.isEmpty else { return nil }
        let known = place(of: stream, connection, detector)
        guard known == nil, isBad, watches.count < Self.mostWatches else { return known }
        watches.append(LevelWatch(detector: detector, stream: stream, connection: connection))
        return watches.count - 1
    }

    /// The watch that is there; `nil` without one.
    private func place(of stream: StreamKey?, _ connection: String, _ detector: LevelDetector) -> Int? {
        let id = detector.id
        return watches.firstIndex { $0.detector == id && $0.stream == stream && $0.connection == connection }
    }

    /// Lets go of the watches that have nothing to look at.
    private mutating func retire(at time: Timestamp) {
        guard !watches.isEmpty else { return }
        var kept: [LevelWatch] = []
        for watch in watches {
            if let detector = IssueDetectors.byID[watch.detector], !watch.isIdle(at: time, detector) {
                kept.append(watch)
            } else if let record = watch.record {
                keep(record)
            }
        }
        watches = kept
    }

    /// Of more than there is room for the one that weighs least goes, but none that is the only one of its detector.
    private mutating func keep(_ record: LevelRecord) {
        records.append(record)
        guard records.count > Self.mostRecords else { return }
        records = records.sorted(by: LevelRecord.isWeightier).prefix(Self.mostRecords, withFirstOfEach: \.detector)
        leftOut += 1
    }
}

// MARK: - Archive

extension IssueTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(watches, records, leftOut, connections)
        archive.put(paths)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (watches, records, leftOut, connections) = try archive.get()
        paths = try archive.get()
    }
}

extension IssueTracker.Connection {
    func write(to archive: inout ArchiveWriter) {
        archive.put(roundTrips, lastRoundTrip, lastReport, rampEnds)
        archive.put(darkSeconds, owedSeconds, heldFrames)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (roundTrips, lastRoundTrip, lastReport, rampEnds) = try archive.get()
        (darkSeconds, owedSeconds, heldFrames) = try archive.get()
    }
}
