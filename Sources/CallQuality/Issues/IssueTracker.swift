import CallModel

/// Finds what goes wrong in a call while it goes on; ``IssueList`` adds what the summary tells by itself.
struct IssueTracker: Archivable {
    private var watches: [LevelWatch] = []
    private var records: [LevelRecord] = []
    private(set) var leftOut = 0
    private var connections: [String: Connection] = [:]
    private var paths: [String: PathWatch] = [:]

    fileprivate struct Connection: Archivable {
        var leastRoundTrip: Double?
        var lastRoundTrip: Timestamp?
        var lastReport: Timestamp?
        /// Until when a limited bandwidth is the start of media, by stream.
        var rampEnds: [String: Timestamp] = [:]
        /// Seconds for which sound has been missing, while it is.
        var darkSeconds = 0.0
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

    /// Takes what one report says of the streams of a connection, and the round trip it measured.
    mutating func take(_ samples: [IssueSample], of connection: String, roundTrip: Double?, at time: Timestamp) {
        guard connections[connection] != nil || connections.count < Self.mostConnections else { return }
        var state = connections[connection] ?? Connection()
        let least = state.leastRoundTrip
        let darkBefore = state.darkSeconds
        for told in samples {
            var sample = told
            sample.darkBefore = darkBefore
            let isRamp = isRamp(sample, &state)
            let context = IssueContext(sample, roundTrip: roundTrip, least: least)
            for detector in IssueDetectors.looking(at: sample.stream) {
                if isRamp, detector.kind == .bandwidthLimited || detector.kind == .cpuLimited { continue }
                guard let reading = detector.reading(sample), reading.amount.isFinite, reading.base.isFinite else {
                    continue
                }
                feed(
                    reading, from: sample.delta.start, to: end(of: reading, sample),
                    seconds: sample.delta.activeSeconds,
                    context, of: sample.stream, connection, by: detector)
            }
        }
        takeRoundTrip(roundTrip, of: connection, &state, at: time)
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
        _ milliseconds: Double?, of connection: String, _ state: inout Connection, at time: Timestamp
    ) {
        guard let milliseconds, milliseconds.isFinite else { return }
        let before = state.lastRoundTrip ?? state.lastReport
        state.lastRoundTrip = time
        state.leastRoundTrip = min(state.leastRoundTrip ?? milliseconds, milliseconds)
        guard let before else { return }
        let seconds = min(Self.longestRoundTripSeconds, max(0, time.seconds(since: before)))
        var context = IssueContext()
        context.add(roundTrip: milliseconds, least: state.leastRoundTrip)
        feed(
            IssueReading(amount: milliseconds, base: 1), from: before, to: time, seconds: seconds, context, of: nil,
            connection, by: IssueDetectors.delay)
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
        _ reading: IssueReading, from start: Timestamp, to end: Timestamp, seconds: Double, _ context: IssueContext,
        of stream: StreamKey?, _ connection: String, by detector: LevelDetector
    ) {
        guard let place = place(reading, of: stream, connection, by: detector) else { return }
        if let over = watches[place].take(reading, from: start, to: end, seconds: seconds, context, by: detector) {
            keep(over)
        }
    }

    /// The watch that is to take the reading; a new one where the reading would not clear an issue.
    private mutating func place(
        _ reading: IssueReading, of stream: StreamKey?, _ connection: String, by detector: LevelDetector
    ) -> Int? {
        let isBad = detector.value(reading).map { $0 >= detector.clear } ?? false
        guard isBad || !watches.isEmpty else { return nil }
        let id = detector.id
        let known = watches.firstIndex { $0.detector == id && $0.stream == stream && $0.connection == connection }
        guard known == nil, isBad, watches.count < Self.mostWatches else { return known }
        watches.append(LevelWatch(detector: detector, stream: stream, connection: connection))
        return watches.count - 1
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

    private mutating func keep(_ record: LevelRecord) {
        if records.count < Self.mostRecords { records.append(record) } else { leftOut += 1 }
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
        archive.put(leastRoundTrip, lastRoundTrip, lastReport, rampEnds)
        archive.put(darkSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (leastRoundTrip, lastRoundTrip, lastReport, rampEnds) = try archive.get()
        darkSeconds = try archive.get()
    }
}
