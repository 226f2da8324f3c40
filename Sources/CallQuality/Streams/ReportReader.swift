import CallModel

/// Finds the streams of a report and reads their members.
struct ReportReader {
    let report: StatsReport
    private let objects: [String: StatsObject]

    init(_ report: StatsReport) {
        self.report = report
        objects = Dictionary(report.objects.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The RTP streams of the report, inbound audio first, for it tells of a hold that concerns the video too.
    func samples() -> [KeyedSample] {
        var farEnds = FarEndObjects(report)
        let hasTracks = report.objects.contains { $0.type == .track }
        let paths = lastPackets
        return report.objects
            .compactMap { object in
                key(of: object).map { key in
                    var sample = sample(of: object, as: key, hasTracks: hasTracks)
                    let farEnd = farEnds.object(for: object, key: key, named: self.object)
                    sample.farEnd = farEnd.map { FarEndSample(remote: $0) }
                    if key.direction == .inbound {
                        sample.lastPacketOnPathAt = paths[object.members["transportId"]?.text ?? ""]
                    }
                    return KeyedSample(key, sample)
                }
            }
            .sorted { $0.key < $1.key }
    }

    /// Packets that arrived in all and were no media of a stream: RTCP and ICE checks; `nil` when it cannot be told.
    var controlPackets: Double? {
        let all = objects(.transport).compactMap { $0["packetsReceived"] }
        guard !all.isEmpty else { return nil }
        let media = objects(.inboundRTP).compactMap { $0["packetsReceived"] }.reduce(0, +)
        let sum = all.reduce(0, +)
        // Pion has 0 and counts none.
        return sum == 0 && media > 0 ? nil : sum - media
    }

    /// Checks of ICE that came, requests and answers, over all pairs of candidates; `nil` where nobody counts them.
    var checksReceived: Double? {
        let sum = objects(.candidatePair).flatMap { [$0["responsesReceived"], $0["requestsReceived"]] }
            .compactMap(\.self).reduce(0, +)
        return sum > 0 ? sum : nil
    }

    /// When the last packet came over a connection that one of its ends has closed (DTLS); `nil` while it is open, and where it
    /// is not told.
    ///
    /// `wasLeft` says whether it was closed before: later its transports are called failed (Firefox), and what a browser tells while
    /// it closes one itself has none (Chromium).
    func closedAt(wasLeft: Bool) -> Timestamp? {
        let states = objects(.transport).map { $0.members["dtlsState"]?.text }
        let isClosed = states.allSatisfy { $0 == "closed" || wasLeft && $0 == "failed" }
        guard isClosed, wasLeft || !states.isEmpty else { return nil }
        return report.objects.compactMap { $0.time("lastPacketReceivedTimestamp") }.max()
    }

    /// The object with this id; `nil` when the report has none.
    func object(_ id: String?) -> StatsObject? {
        id.flatMap { objects[$0] }
    }

    /// All objects of a type.
    func objects(_ type: StatsType) -> [StatsObject] {
        report.objects.filter { $0.type == type }
    }

    private func key(of object: StatsObject) -> StreamKey? {
        guard object.type == .inboundRTP || object.type == .outboundRTP,
            let kind = object.members["kind"]?.text.flatMap(MediaKind.init(rawValue:)),
            codec(of: object)?.isRepair != true
        else { return nil }
        let ssrc = object.members["ssrc"]?.wholeNumber.map(String.init)
        return StreamKey(
            connection: report.connection, direction: object.type == .inboundRTP ? .inbound : .outbound, kind: kind,
            source: ssrc ?? object.id)
    }

    private func sample(of object: StatsObject, as key: StreamKey, hasTracks: Bool) -> StreamSample {
        var sample = StreamSample(time: report.time)
        sample.counters = key.direction == .inbound ? inboundCounters(object) : outboundCounters(object)
        // Engines that still report `track` objects (Chromium up to 111) give nonsense for video: half a second and more
        // on a quiet link.
        let isJitterUsable = key.kind == .audio || key.direction == .outbound || !hasTracks
        sample.jitterSeconds = isJitterUsable ? object["jitter"] : nil
        sample.jitterBufferSeconds = object["googJitterBufferMs"].map { $0 / 1000 }
        sample.framesReceived = object["framesReceived"]
        // Firefox has 0 while nothing is sent: no picture, and not one of no size.
        sample.frameWidth = object["frameWidth"].flatMap { $0 > 0 ? $0.wholeNumber : nil }
        sample.frameHeight = object["frameHeight"].flatMap { $0 > 0 ? $0.wholeNumber : nil }
        sample.framesPerSecond = object["framesPerSecond"]
        sample.targetBitrate = object["targetBitrate"]
        sample.lastPacketReceivedAt = object.time("lastPacketReceivedTimestamp")
        sample.codec = codec(of: object).flatMap { $0.isBesideMedia ? nil : $0 }
        sample.isOfPion = object.isOfPion
        sample.metricCounters = MetricCounters(of: object, direction: key.direction)
        sample.labels = StreamLabels(of: object)
        sample.limitation = object.members["qualityLimitationReason"]?.text
        let source = self.object(object.members["mediaSourceId"]?.text)
        sample.echoReturnLoss = source?.members["echoReturnLoss"]?.number
        sample.echoReturnLossEnhancement = source?.members["echoReturnLossEnhancement"]?.number
        if key.direction == .outbound, key.kind == .audio {
            sample.counters.audioEnergy = source?["totalAudioEnergy"]
            sample.counters.samplesSeconds = source?["totalSamplesDuration"]
        }
        return sample
    }

    /// When each transport last brought anything but checks of ICE: a packet of any stream, RTCP.
    private var lastPackets: [String: Timestamp] {
        let times = objects(.candidatePair).compactMap { pair in
            pair.time("lastPacketReceivedTimestamp").map { (pair.members["transportId"]?.text ?? "", $0) }
        }
        return Dictionary(times, uniquingKeysWith: max)
    }

    private func inboundCounters(_ object: StatsObject) -> CounterSet {
        var counters = CounterSet()
        counters.packets = object["packetsReceived"]
        counters.packetsLost = object["packetsLost"]
        counters.packetsDiscarded = object["packetsDiscarded"]
        counters.retransmittedPackets = object["retransmittedPacketsReceived"]
        counters.bytes = object["bytesReceived"]
        counters.samples = object["totalSamplesReceived"]
        counters.samplesSeconds = object["totalSamplesDuration"]
        counters.concealedSamples = object["concealedSamples"]
        counters.silentConcealedSamples = object["silentConcealedSamples"]
        counters.concealmentEvents = object["concealmentEvents"]
        counters.insertedSamples = object["insertedSamplesForDeceleration"]
        counters.removedSamples = object["removedSamplesForAcceleration"]
        counters.audioEnergy = object["totalAudioEnergy"]
        counters.jitterBufferSeconds = object["jitterBufferDelay"]
        counters.jitterBufferEmitted = object["jitterBufferEmittedCount"]
        counters.frames = object["framesDecoded"]
        counters.quantizerSum = object["qpSum"]
        counters.freezes = object["freezeCount"]
        counters.frozenSeconds = object["totalFreezesDuration"]
        counters.pauses = object["pauseCount"]
        counters.pausedSeconds = object["totalPausesDuration"]
        return counters
    }

    private func outboundCounters(_ object: StatsObject) -> CounterSet {
        var counters = CounterSet()
        counters.packets = object["packetsSent"]
        counters.retransmittedPackets = object["retransmittedPacketsSent"]
        counters.bytes = object["bytesSent"]
        counters.frames = object["framesSent"] ?? object["framesEncoded"]
        counters.quantizerSum = object["qpSum"]
        let limits = object.members["qualityLimitationDurations"]?.members
        counters.cpuLimitedSeconds = limits?["cpu"]?.number
        counters.bandwidthLimitedSeconds = limits?["bandwidth"]?.number
        return counters
    }

    private func codec(of object: StatsObject) -> CodecDescription? {
        guard let codec = self.object(object.members["codecId"]?.text), let mimeType = codec.members["mimeType"]?.text
        else { return nil }
        return CodecDescription(
            mimeType: mimeType, clockRate: codec["clockRate"].map { $0.wholeNumber },
            formatParameters: codec.members["sdpFmtpLine"]?.text)
    }
}

extension CodecDescription {
    /// Whether its packets only replace packets of other streams: retransmissions (RFC 4588) and parity (RFC 5109, RFC 8627).
    /// RED carries media as well (RFC 2198).
    fileprivate var isRepair: Bool {
        let name = encodingName
        return name == "rtx" || name == "ulpfec" || name == "parityfec" || name.hasPrefix("flexfec")
    }

    /// Whether its packets come between those of the stream's codec, as comfort noise (RFC 3389) and tones (RFC 4733) do: it is
    /// the codec of the last packet, not of the stream.
    fileprivate var isBesideMedia: Bool {
        let name = encodingName
        return name == "cn" || name == "telephone-event"
    }

    private var encodingName: Substring { mimeType.lowercased().drop { $0 != "/" }.dropFirst() }
}

extension StatsObject {
    /// A numeric member; `nil` when it is absent, no finite number, or negative or large beyond anything countable.
    subscript(member: String) -> Double? {
        guard let value = members[member]?.number, value <= Double.largestExactWhole else { return nil }
        return value >= 0 || Self.signedMembers.contains(member) && value >= -Double.largestExactWhole ? value : nil
    }

    /// A member that is a moment in milliseconds; `nil` as for numbers.
    func time(_ member: String) -> Timestamp? {
        self[member].flatMap { Int64(exactly: $0.rounded()).map(Timestamp.init(milliseconds:)) }
    }

    /// Late and duplicate packets are subtracted (RFC 3550 A.3), so this one counts down too.
    private static let signedMembers: Set<String> = ["packetsLost"]
}
