import CallModel

/// Follows what the transports of a call carry.
struct TransportTracker: Archivable {
    private var summary = TransportSummary()
    private var connections: [String: Connection] = [:]
    private var carried = Carried()
    private var available = Mean()
    private var videoAfterAudio = Mean()

    /// The last cumulative figures of one connection.
    fileprivate struct Connection: Archivable {
        var time: Timestamp
        var received: Double?
        var sent: Double?
        var available: Double?
        var playoutDelaySeconds: Double?
        var playedSamples: Double?
        var synthesizedSeconds: Double?
        var playedSeconds: Double?
        var requests: Double?
        var responses: Double?
        var messagesSent: Double?
        var messagesReceived: Double?
    }

    fileprivate struct Carried: Archivable {
        var received = 0.0
        var sent = 0.0
        var seconds = 0.0
        /// Up to when ``seconds`` are counted.
        var until: Timestamp?
    }

    fileprivate struct Mean: Archivable {
        var sum = 0.0
        var count = 0

        var value: Double? { count > 0 ? sum / Double(count) : nil }

        mutating func add(_ value: Double) {
            sum += value
            count += 1
        }
    }

    /// Takes the next report; `selected` is the candidate pair in use.
    mutating func take(_ reader: ReportReader, selected: StatsObject?) {
        let name = reader.report.connection.rawValue
        let last = connections[name]
        var next = last ?? Connection(time: reader.report.time)
        takeTransport(reader.objects(.transport), last: last, next: &next, at: reader.report.time)
        takePair(selected, last: last, next: &next)
        takePlayout(reader.objects(StatsType(rawValue: "media-playout")), &next)
        takeChannels(reader.objects(StatsType(rawValue: "data-channel")), &next)
        takeSynchronisation(reader)
        next.time = reader.report.time
        connections[name] = next
    }

    /// Forgets a connection that tells nothing any more.
    mutating func forget(_ connection: String) { connections[connection] = nil }

    private mutating func takeTransport(
        _ transports: [StatsObject], last: Connection?, next: inout Connection, at time: Timestamp
    ) {
        guard !transports.isEmpty else { return }
        for transport in transports {
            // Pion has them empty.
            func text(_ name: String) -> String? { transport.members[name]?.text.flatMap { $0.isEmpty ? nil : $0 } }
            summary.tlsVersion = text("tlsVersion") ?? summary.tlsVersion
            summary.dtlsCipher = text("dtlsCipher") ?? summary.dtlsCipher
            summary.srtpCipher = text("srtpCipher") ?? summary.srtpCipher
            summary.dtlsRole = text("dtlsRole") ?? summary.dtlsRole
        }
        next.received = Self.sum("bytesReceived", of: transports)
        next.sent = Self.sum("bytesSent", of: transports)
        guard let last, let receivedBefore = last.received, let sentBefore = last.sent, let received = next.received,
            let sent = next.sent, received >= receivedBefore, sent >= sentBefore
        else { return }
        carried.received += received - receivedBefore
        carried.sent += sent - sentBefore
        // Connections carry side by side: a time counts once.
        carried.seconds += max(0, time.seconds(since: max(last.time, carried.until ?? last.time)))
        carried.until = max(time, carried.until ?? time)
    }

    /// The estimate falls by this share for a drop.
    private static let dropShare = 0.3

    private mutating func takePair(_ pair: StatsObject?, last: Connection?, next: inout Connection) {
        guard let pair else { return }
        let (checks, consents) = (pair["requestsSent"], pair["consentRequestsSent"])
        // Newer engines count the consent checks among the requests, older ones beside them.
        next.requests = zip(checks, consents).map { $1 > $0 ? $0 + $1 : $0 } ?? checks ?? consents
        next.responses = pair["responsesReceived"]
        guard let bitrate = pair["availableOutgoingBitrate"], bitrate > 0 else { return }
        let kilobits = bitrate / 1000
        available.add(kilobits)
        summary.leastAvailableKilobitsPerSecond = min(summary.leastAvailableKilobitsPerSecond ?? kilobits, kilobits)
        if let before = last?.available, kilobits < (1 - Self.dropShare) * before { summary.availableBitrateDrops += 1 }
        next.available = kilobits
    }

    private func takePlayout(_ playouts: [StatsObject], _ next: inout Connection) {
        guard !playouts.isEmpty else { return }
        next.playoutDelaySeconds = Self.sum("totalPlayoutDelay", of: playouts)
        next.playedSamples = Self.sum("totalSamplesCount", of: playouts)
        next.synthesizedSeconds = Self.sum("synthesizedSamplesDuration", of: playouts)
        next.playedSeconds = Self.sum("totalSamplesDuration", of: playouts)
    }

    private func takeChannels(_ channels: [StatsObject], _ next: inout Connection) {
        guard !channels.isEmpty else { return }
        next.messagesSent = Self.sum("messagesSent", of: channels)
        next.messagesReceived = Self.sum("messagesReceived", of: channels)
    }

    /// `nil` when no object has the member.
    private static func sum(_ member: String, of objects: [StatsObject]) -> Double? {
        let values = objects.compactMap { $0[member] }
        return values.isEmpty ? nil : values.reduce(0, +)
    }

    /// Further apart than this is no lip-sync but another clock.
    private static let mostOffsetMilliseconds = 10_000.0

    private mutating func takeSynchronisation(_ reader: ReportReader) {
        let streams = reader.objects(.inboundRTP).filter { ($0["packetsReceived"] ?? 0) > 0 }
        func playout(_ kind: String) -> Double? {
            streams.first { $0.members["kind"]?.text == kind }?["estimatedPlayoutTimestamp"]
        }
        guard let audio = playout("audio"), let video = playout("video"), audio > 0, video > 0,
            abs(audio - video) < Self.mostOffsetMilliseconds
        else { return }
        // Shown later is a media time that lags behind.
        videoAfterAudio.add(audio - video)
    }
}

extension TransportTracker {
    /// What is known so far.
    var current: TransportSummary {
        var result = summary
        let all = connections.sorted { $0.key < $1.key }.map(\.value)
        func sum(_ member: (Connection) -> Double?) -> Double? {
            let values = all.compactMap(member)
            return values.isEmpty ? nil : values.reduce(0, +)
        }
        if carried.seconds > 0 {
            result.receivedKilobitsPerSecond = 0.008 * carried.received / carried.seconds
            result.sentKilobitsPerSecond = 0.008 * carried.sent / carried.seconds
        }
        result.meanAvailableKilobitsPerSecond = available.value
        result.videoAfterAudioMilliseconds = videoAfterAudio.value
        if let requests = sum(\.requests), let responses = sum(\.responses), requests > 0 {
            result.answeredChecksPercent = min(100, 100 * responses / requests)
        }
        result.messagesSent = sum(\.messagesSent).map(\.wholeNumber)
        result.messagesReceived = sum(\.messagesReceived).map(\.wholeNumber)
        if let samples = sum(\.playedSamples), samples > 0, let delay = sum(\.playoutDelaySeconds) {
            result.playoutDelayMilliseconds = 1000 * delay / samples
        }
        if let seconds = sum(\.playedSeconds), seconds > 0, let made = sum(\.synthesizedSeconds) {
            result.synthesizedPercent = min(100, 100 * made / seconds)
        }
        return result
    }
}

// MARK: - Archive

extension TransportTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(summary, connections, carried, available)
        archive.put(videoAfterAudio)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (summary, connections, carried, available) = try archive.get()
        videoAfterAudio = try archive.get()
    }
}

extension TransportTracker.Connection {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, received, sent, available)
        archive.put(playoutDelaySeconds, playedSamples, synthesizedSeconds, playedSeconds)
        archive.put(requests, responses, messagesSent, messagesReceived)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, received, sent, available) = try archive.get()
        (playoutDelaySeconds, playedSamples, synthesizedSeconds, playedSeconds) = try archive.get()
        (requests, responses, messagesSent, messagesReceived) = try archive.get()
    }
}

extension TransportTracker.Carried {
    func write(to archive: inout ArchiveWriter) {
        archive.put(received, sent, seconds, until)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (received, sent, seconds, until) = try archive.get()
    }
}

extension TransportTracker.Mean {
    func write(to archive: inout ArchiveWriter) {
        archive.put(sum, count)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (sum, count) = try archive.get()
    }
}
