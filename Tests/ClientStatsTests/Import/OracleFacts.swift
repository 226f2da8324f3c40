import CallModel

/// The facts of `oracle.json`, computed from normalised reports with its definitions: one connection.
struct OracleFacts {
    /// Figures of one stream, by the oracle's names.
    struct Stream: Hashable {
        var figures: [String: Double] = [:]
        var codec: String?
    }

    var reports = 0
    var firstMilliseconds: Double?
    var lastMilliseconds: Double?
    var pairRoundTrip: Double?
    var pairChanges = 0
    var path: [String: String] = [:]
    var streams: [String: Stream] = [:]

    init(_ reports: [StatsReport]) {
        self.reports = reports.count
        firstMilliseconds = reports.map { Double($0.time.milliseconds) }.min()
        lastMilliseconds = reports.map { Double($0.time.milliseconds) }.max()
        var samples: [String: [(time: Timestamp, report: StatsReport, object: StatsObject)]] = [:]
        for report in reports {
            for object in report.objects {
                guard let name = Self.name(of: object) else { continue }
                samples[name, default: []].append((report.time, report, object))
            }
        }
        for (name, samples) in samples {
            streams[name] = Self.stream(samples, isInbound: name.hasPrefix("in"))
        }
        readPairs(reports)
    }

    private static func name(of object: StatsObject) -> String? {
        guard object.type == .inboundRTP || object.type == .outboundRTP else { return nil }
        let direction = object.type == .inboundRTP ? "in" : "out"
        let ssrc = object.members["ssrc"]?.wholeNumber.map(String.init) ?? "None"
        return "\(direction):\(object.members["kind"]?.text ?? "None"):\(ssrc)"
    }

    // MARK: Streams

    private static func stream(
        _ samples: [(time: Timestamp, report: StatsReport, object: StatsObject)], isInbound: Bool
    ) -> Stream {
        var stream = Stream()
        var segments = 0
        var packets: [Double] = []
        var lost: [Double] = []
        var bits = 0.0
        var milliseconds = 0.0
        var before: (time: Timestamp, packets: Double?, bytes: Double?)?
        var jitters: [Double] = []
        var roundTrips: [Double] = []
        for (time, report, object) in samples {
            let far = report.objects.first { $0.type == .remoteInboundRTP && $0["ssrc"] == object["ssrc"] }
            let count = object[isInbound ? "packetsReceived" : "packetsSent"]
            let bytes = object[isInbound ? "bytesReceived" : "bytesSent"]
            let isRestart = before.map { ($0.packets ?? 0) > (count ?? .infinity) } ?? true
            if isRestart {
                segments += 1
                packets.append(0)
                lost.append(0)
            } else if let old = before, let now = bytes, let then = old.bytes, time > old.time {
                bits += 8 * (now - then)
                milliseconds += Double(time.milliseconds(since: old.time))
            }
            if let count { packets[segments - 1] = count }
            if let count = isInbound ? object["packetsLost"] : far?["packetsLost"] {
                lost[segments - 1] = count
                stream.figures["lost"] = 0
            }
            if count != nil { stream.figures["packets"] = 0 }
            if isInbound, let jitter = object["jitter"] { jitters.append(1000 * jitter) }
            if !isInbound, let time = far?["roundTripTime"] { roundTrips.append(1000 * time) }
            before = (time, count, bytes)
            let codec = object.members["codecId"]?.text.flatMap { id in report.objects.first { $0.id == id } }
            stream.codec = codec?.members["mimeType"]?.text ?? stream.codec
        }
        stream.figures["samples"] = Double(samples.count)
        stream.figures["segments"] = Double(segments)
        if stream.figures["packets"] != nil { stream.figures["packets"] = packets.reduce(0, +) }
        if stream.figures["lost"] != nil { stream.figures["lost"] = lost.reduce(0, +) }
        if milliseconds > 0 { stream.figures["kbps"] = bits / milliseconds }
        stream.figures["jitterMeanMs"] = mean(jitters)
        stream.figures["jitterMaxMs"] = jitters.max()
        stream.figures["rttMeanMs"] = mean(roundTrips)
        stream.figures["rttMaxMs"] = roundTrips.max()
        if let last = samples.last?.object, isInbound { addPlayout(of: last, to: &stream) }
        return stream
    }

    private static func addPlayout(of object: StatsObject, to stream: inout Stream) {
        if let concealed = object["concealedSamples"], let samples = object["totalSamplesReceived"], samples > 0 {
            stream.figures["concealedPct"] = 100 * concealed / samples
        }
        if let delay = object["jitterBufferDelay"], let count = object["jitterBufferEmittedCount"], count > 0 {
            stream.figures["jbAvgMs"] = 1000 * delay / count
        }
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    // MARK: The path

    private mutating func readPairs(_ reports: [StatsReport]) {
        var last: String?
        var roundTrips: [Double] = []
        for report in reports {
            guard let pair = Self.selected(in: report) else { continue }
            if let time = pair["currentRoundTripTime"] { roundTrips.append(1000 * time) }
            if let last, last != pair.id { pairChanges += 1 }
            last = pair.id
            let local = report.objects.first { $0.id == pair.members["localCandidateId"]?.text }
            let remote = report.objects.first { $0.id == pair.members["remoteCandidateId"]?.text }
            path["id"] = pair.id
            path["local"] = local?.members["candidateType"]?.text
            path["remote"] = remote?.members["candidateType"]?.text
            path["protocol"] = local?.members["protocol"]?.text
            path["relayProtocol"] = local?.members["relayProtocol"]?.text
            path["networkType"] = local?.members["networkType"]?.text
        }
        pairRoundTrip = Self.mean(roundTrips)
    }

    private static func selected(in report: StatsReport) -> StatsObject? {
        let pairs = report.objects.filter { $0.type == .candidatePair }
        for transport in report.objects where transport.type == .transport {
            let id = transport.members["selectedCandidatePairId"]?.text
            if let pair = pairs.first(where: { $0.id == id }) { return pair }
        }
        if let pair = pairs.first(where: { $0.members["selected"]?.truth == true }) { return pair }
        return pairs.filter { $0.members["nominated"]?.truth == true && $0.members["state"]?.text == "succeeded" }
            .max { ($0["bytesReceived"] ?? 0, $0.id) < ($1["bytesReceived"] ?? 0, $1.id) }
    }
}

extension StatsObject {
    /// A member as a number.
    fileprivate subscript(_ name: String) -> Double? { members[name]?.number }
}
