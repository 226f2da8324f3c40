import CallModel

/// Follows the selected candidate pair of each connection.
struct PathTracker: Archivable {
    /// Changes and times of all connections.
    private var summary = PathSummary()
    private var connections: [String: ConnectionPath] = [:]
    private var roundTrips = RoundTripTotals()

    fileprivate struct ConnectionPath: Archivable {
        var pair: String?
        var kind: PathSummary.Kind?
        /// Who its ends are.
        var ends = PathSummary()
        /// Bytes that the pair in use has carried.
        var carried = 0.0
        var lastReport: Timestamp?
        var changes: Double?
        var roundTripSeconds: Double?
        var responses: Double?
        /// The last round trip of its first report, while that is the only one.
        var onlyRoundTripSeconds: Double?
        var bytes: [String: Double] = [:]
        /// Checks of ICE that have come, as last counted, and those of them that came since the report before.
        var checks: Double?
        var newChecks: Double?
    }

    /// More changes than a report can show.
    private static let mostChanges = 100

    /// Leaves out round trips of the last report: an interruption held up the answers, and not the way.
    mutating func leaveOut(_ measured: inout RoundTripTotals) {
        roundTrips.add(seconds: -measured.seconds, measurements: -measured.measurements)
        measured = RoundTripTotals()
    }

    /// Takes the next report.
    /// - Returns: the round trips that ICE measured in its span, those before the first report, and the pair in use.
    mutating func take(
        _ reader: ReportReader
    ) -> (roundTrips: RoundTripTotals, earlier: RoundTripTotals, selected: StatsObject?) {
        let name = reader.report.connection.rawValue
        var path = connections[name] ?? ConnectionPath()
        noteTime(reader.report.time, on: path)
        let isFirst = path.lastReport == nil
        path.lastReport = reader.report.time
        path.onlyRoundTripSeconds = nil
        path.noteChecks(reader.checksReceived)
        defer { connections[name] = path }
        let pairs = reader.report.objects.filter { $0.type == .candidatePair }
        let selected = selectedPair(pairs, reader: reader, before: path)
        path.bytes = Dictionary(pairs.map { ($0.id, bytes(of: $0)) }) { first, _ in first }
        guard let selected else { return (RoundTripTotals(), RoundTripTotals(), nil) }
        let earlier = path.pair == nil ? roundTripsSoFar(of: selected) : RoundTripTotals()

        let changes = reader.report.objects.first { $0.type == .transport }?["selectedCandidatePairChanges"]
        // Names are only good for one report: where the counter stands and the bytes go on, the pair is the one before.
        let stands = zip(changes, path.changes).map { $0 == $1 } ?? false
        let isRenamed = stands && bytes(of: selected) >= max(path.carried, 1)
        let isChanged = !isRenamed && path.pair.map { $0 != selected.id } ?? false
        let isCounted = zip(changes, path.changes).map { $0 > $1 } ?? false
        if isChanged || isCounted, summary.changes.count < Self.mostChanges {
            summary.changes.append(reader.report.time)
        }
        let measured = path.pair == nil ? RoundTripTotals() : roundTrip(of: selected, isNew: isChanged, since: path)
        roundTrips.add(seconds: measured.seconds, measurements: measured.measurements)
        path.pair = selected.id
        path.changes = changes ?? path.changes
        path.roundTripSeconds = selected["totalRoundTripTime"]
        path.responses = selected["responsesReceived"]
        path.onlyRoundTripSeconds = isFirst ? selected["currentRoundTripTime"] : nil
        path.ends = ends(of: selected, reader: reader) ?? path.ends
        path.carried = bytes(of: selected)
        path.kind = kind(of: selected, reader: reader) ?? path.kind
        return (measured, earlier, selected)
    }

    /// Forgets a connection that tells nothing any more.
    mutating func forget(_ connection: String) { connections[connection] = nil }

    /// Checks of ICE that came over a connection in the span that its last report ended; `nil` where they have never been counted.
    func checksReceived(of connection: ConnectionID) -> Double? {
        connections[connection.rawValue]?.newChecks
    }

    /// The path that a connection uses now, without changes and means.
    func latest(of connection: ConnectionID) -> PathSummary {
        connections[connection.rawValue]?.ends ?? PathSummary()
    }

    /// The path of the connection that carried the most; changes, times and round trips of all.
    var current: PathSummary {
        let most = connections.max { ($0.value.carried, $1.key) < ($1.value.carried, $0.key) }
        var result = most?.value.ends ?? PathSummary()
        (result.changes, result.secondsByKind) = (summary.changes, summary.secondsByKind)
        result.roundTripMilliseconds =
            roundTrips.meanMilliseconds ?? most?.value.onlyRoundTripSeconds.map { 1000 * $0 }
        return result
    }

    /// As `docs/ingest.md` orders it: the transport names it; Firefox marks it; else the nominated one that carries
    /// the most new bytes.
    private func selectedPair(
        _ pairs: [StatsObject], reader: ReportReader, before path: ConnectionPath
    ) -> StatsObject? {
        let transports = reader.report.objects.filter { $0.type == .transport }
        let named = transports.compactMap { reader.object($0.members["selectedCandidatePairId"]?.text) }.first
        if let named { return named }
        if let marked = pairs.first(where: { $0.members["selected"]?.truth == true }) { return marked }
        let usable = pairs.filter {
            $0.members["nominated"]?.truth == true && $0.members["state"]?.text == "succeeded"
        }
        func newBytes(_ pair: StatsObject) -> Double { bytes(of: pair) - (path.bytes[pair.id] ?? 0) }
        return usable.max { (newBytes($0), $1.id) < (newBytes($1), $0.id) }
    }

    private func bytes(of pair: StatsObject) -> Double {
        (pair["bytesSent"] ?? 0) + (pair["bytesReceived"] ?? 0)
    }

    private func roundTripsSoFar(of pair: StatsObject) -> RoundTripTotals {
        var result = RoundTripTotals()
        if let total = pair["totalRoundTripTime"], let count = pair["responsesReceived"], count > 0 {
            result.add(seconds: total, measurements: count)
        } else if let latest = pair["currentRoundTripTime"], latest > 0 {
            result.add(seconds: latest, measurements: 1)
        }
        return result
    }

    /// What was measured on the selected pair since the report before: by its totals, else, for clients without them and on a pair
    /// that is newly selected, by its latest measurement, once for each report that has a new one.
    private func roundTrip(of pair: StatsObject, isNew: Bool, since path: ConnectionPath) -> RoundTripTotals {
        var result = RoundTripTotals()
        let (total, count) = (pair["totalRoundTripTime"], pair["responsesReceived"])
        if !isNew, let total, let count {
            guard let totalBefore = path.roundTripSeconds, let countBefore = path.responses, count > countBefore,
                total >= totalBefore
            else { return result }
            result.add(seconds: total - totalBefore, measurements: count - countBefore)
        } else if let latest = pair["currentRoundTripTime"], latest > 0,
            isNew || count == nil || count != path.responses
        {
            result.add(seconds: latest, measurements: 1)
        }
        return result
    }

    /// The time since the report before was spent on the path it named.
    private mutating func noteTime(_ time: Timestamp, on path: ConnectionPath) {
        guard let kind = path.kind, let last = path.lastReport else { return }
        summary.secondsByKind[kind, default: 0] += max(0, time.seconds(since: last))
    }

    private func kind(of pair: StatsObject, reader: ReportReader) -> PathSummary.Kind? {
        let local = reader.object(pair.members["localCandidateId"]?.text)?.members["candidateType"]?.text
        let remote = reader.object(pair.members["remoteCandidateId"]?.text)?.members["candidateType"]?.text
        guard let local, let remote else { return nil }
        return PathSummary.Kind(localType: local, remoteType: remote)
    }

    /// `nil` where nothing is told of its candidates.
    private func ends(of pair: StatsObject, reader: ReportReader) -> PathSummary? {
        let local = reader.object(pair.members["localCandidateId"]?.text)
        let remote = reader.object(pair.members["remoteCandidateId"]?.text)
        guard local != nil || remote != nil else { return nil }
        var ends = PathSummary()
        ends.localType = local?.members["candidateType"]?.text
        ends.remoteType = remote?.members["candidateType"]?.text
        ends.transportProtocol = local?.members["protocol"]?.text
        ends.relayProtocol = local?.members["relayProtocol"]?.text
        ends.networkType = local?.members["networkType"]?.text
        ends.localAddress = local?.members["address"]?.text
        ends.remoteAddress = remote?.members["address"]?.text
        return ends
    }
}

extension PathTracker.ConnectionPath {
    /// Pairs that are given up are counted no more: that tells of no check that came.
    fileprivate mutating func noteChecks(_ count: Double?) {
        newChecks = checks.map { max(0, (count ?? $0) - $0) }
        checks = count ?? checks
    }
}

// MARK: - Archive

extension PathTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(summary, connections, roundTrips)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (summary, connections, roundTrips) = try archive.get()
    }
}

extension PathTracker.ConnectionPath {
    func write(to archive: inout ArchiveWriter) {
        archive.put(pair, kind, lastReport, changes)
        archive.put(roundTripSeconds, responses, bytes)
        archive.put(ends, carried, onlyRoundTripSeconds)
        archive.put(checks, newChecks)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (pair, kind, lastReport, changes) = try archive.get()
        (roundTripSeconds, responses, bytes) = try archive.get()
        (ends, carried, onlyRoundTripSeconds) = try archive.get()
        (checks, newChecks) = try archive.get()
    }
}
