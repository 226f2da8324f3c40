import CallModel
import Testing

@testable import CallQuality

/// One second of a call, as it really was: what the counters of a client grow by.
struct ScriptedSecond {
    var packets = 50.0
    var lost = 0.0
    var concealedSeconds = 0.0
    var concealments = 0.0
    var silentSeconds = 0.0
    var jitterSeconds = 0.002
    var loudness = 0.1
    var roundTripSeconds = 0.040
    var videoPackets = 60.0
    var videoLost = 0.0
    var videoBytes = 40_000.0
    var frames = 20.0
    var freezes = 0.0
    var frozenSeconds = 0.0
    var sent = 50.0
    var sentLoudness = 0.1
    var sentLost = 0.0
    var cpuLimited = 0.0
    var bandwidthLimited = 0.0
    var echoReturnLoss: Double?
    var echoReturnLossEnhancement = 0.0
    var codec = "audio/opus"
    var pair = "CP1"
    var relayProtocol: String?

    /// A second in which packets are lost, half of them repaired.
    static func losing(_ percent: Double) -> ScriptedSecond {
        var second = ScriptedSecond()
        second.lost = 50 * percent / 100
        second.packets = 50 - second.lost
        second.concealedSeconds = 0.01 * second.lost
        second.concealments = second.lost / 2
        return second
    }
}

/// A call written down second by second, told by reports at any cadence.
struct ScriptedCall {
    var seconds: [ScriptedSecond]
    var events: [CallEvent] = []
    var hasVideo = true

    static let start = Timestamp(milliseconds: 1_800_000_000_000)

    static func at(_ second: Double) -> Timestamp { start.advanced(byMilliseconds: Int64(1000 * second)) }

    /// `length` seconds, with others in `bad`.
    init(_ length: Int, bad: [Range<Int>] = [], _ other: ScriptedSecond = ScriptedSecond()) {
        seconds = (0..<length).map { second in
            bad.contains { $0.contains(second) } ? other : ScriptedSecond()
        }
    }

    static func event(_ action: String, _ type: String, at second: Double) -> CallEvent {
        CallEvent(time: at(second), receivedAt: at(second), action: action, type: type)
    }

    /// The issues that reports every `cadence` seconds give, of which the first comes after `first` seconds.
    func issues(every cadence: Int, from first: Int = 0) -> [CallIssue] {
        summary(every: cadence, from: first)?.issues.all ?? []
    }

    func summary(every cadence: Int, from first: Int = 0) -> CallSummary? {
        Self.summary(of: facts(every: cadence, from: first))
    }

    static func summary(of facts: [Fact]) -> CallSummary? {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "scripted"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        _ = session.fold(facts)
        return session.summary()
    }

    func facts(every cadence: Int, from first: Int = 0) -> [Fact] {
        var counters = Counters()
        var facts: [Fact] = [.report(report(counters, ScriptedSecond(), at: 0))]
        for (index, second) in seconds.enumerated() {
            counters.add(second)
            if (index + 1 - first).isMultiple(of: cadence) || index + 1 == seconds.count {
                facts.append(.report(report(counters, second, at: index + 1)))
            }
        }
        return (facts + events.map(Fact.event)).sorted { $0.key < $1.key }
    }
}

// MARK: - As others tell it

extension ScriptedCall {
    /// What the reports give when their objects are others.
    func summary(
        every cadence: Int, from first: Int = 0, objects change: (_ seconds: Double, [StatsObject]) -> [StatsObject]
    ) throws -> CallSummary {
        let facts = facts(every: cadence, from: first).map { fact -> Fact in
            guard case .report(let report) = fact else { return fact }
            let objects = change(report.time.seconds(since: Self.start), report.objects)
            return .report(
                StatsReport(
                    connection: report.connection, time: report.time, receivedAt: report.receivedAt, objects: objects))
        }
        return try #require(Self.summary(of: facts))
    }
}

// MARK: - Statistics

extension ScriptedCall {
    /// Sums over the seconds so far, by a name of ours.
    private struct Counters {
        var values: [String: Double] = [:]
        var seconds = 0
        var lastPacketSecond = 0

        mutating func add(_ second: ScriptedSecond) {
            let steps: [String: Double] = [
                "packets": second.packets, "lost": second.lost, "concealed": 48_000 * second.concealedSeconds,
                "concealments": second.concealments, "silent": 48_000 * second.silentSeconds, "samples": 48_000,
                "energy": second.loudness * second.loudness, "duration": 1, "video": second.videoPackets,
                "videoLost": second.videoLost, "videoBytes": second.videoBytes, "frames": second.frames,
                "freezes": second.freezes, "frozen": second.frozenSeconds,
                "sentEnergy": second.sentLoudness * second.sentLoudness, "sent": second.sent,
                "sentLost": second.sentLost, "cpu": second.cpuLimited, "bandwidth": second.bandwidthLimited,
                "roundTrips": second.roundTripSeconds, "measurements": 1,
            ]
            values.merge(steps) { $0 + $1 }
            seconds += 1
            if second.packets > 0 { lastPacketSecond = seconds }
        }

        subscript(name: String) -> JSONValue { .double(values[name] ?? 0) }
    }

    private func report(_ counters: Counters, _ last: ScriptedSecond, at second: Int) -> StatsReport {
        let time = Self.at(Double(second))
        return StatsReport(
            connection: .only, time: time, receivedAt: time.advanced(byMilliseconds: 80),
            objects: audio(counters, last, time) + (hasVideo ? video(counters, last, time) : []) + path(last, time))
    }

    private func object(
        _ id: String, _ type: StatsType, _ time: Timestamp, _ members: JSONObject
    ) -> StatsObject {
        StatsObject(id: id, type: type, timestamp: time, members: members)
    }

    private func audio(_ counters: Counters, _ last: ScriptedSecond, _ time: Timestamp) -> [StatsObject] {
        var source: JSONObject = [
            "kind": "audio", "totalAudioEnergy": counters["sentEnergy"], "totalSamplesDuration": counters["duration"],
        ]
        if let loss = last.echoReturnLoss {
            source["echoReturnLoss"] = .double(loss)
            source["echoReturnLossEnhancement"] = .double(last.echoReturnLossEnhancement)
        }
        return [
            object("CA", .codec, time, ["mimeType": .string(last.codec), "clockRate": 48_000]),
            object("SA", .mediaSource, time, source),
            object(
                "IA", .inboundRTP, time,
                [
                    "kind": "audio", "ssrc": 1, "codecId": "CA", "packetsReceived": counters["packets"],
                    "packetsLost": counters["lost"], "bytesReceived": counters["packets"],
                    "jitter": .double(last.jitterSeconds), "totalSamplesReceived": counters["samples"],
                    "totalSamplesDuration": counters["duration"], "concealedSamples": counters["concealed"],
                    "silentConcealedSamples": counters["silent"], "concealmentEvents": counters["concealments"],
                    "totalAudioEnergy": counters["energy"],
                    "lastPacketReceivedTimestamp": .double(
                        Double(Self.at(Double(counters.lastPacketSecond)).milliseconds - 20)),
                ]),
            object(
                "OA", .outboundRTP, time,
                ["kind": "audio", "ssrc": 2, "mediaSourceId": "SA", "remoteId": "RA", "packetsSent": counters["sent"]]),
            object(
                "RA", .remoteInboundRTP, time,
                [
                    "kind": "audio", "ssrc": 2, "packetsLost": counters["sentLost"], "jitter": 0.001,
                    "totalRoundTripTime": counters["roundTrips"], "roundTripTimeMeasurements": counters["measurements"],
                    "roundTripTime": .double(last.roundTripSeconds),
                ]),
        ]
    }

    private func video(_ counters: Counters, _ last: ScriptedSecond, _ time: Timestamp) -> [StatsObject] {
        [
            object(
                "IV", .inboundRTP, time,
                [
                    "kind": "video", "ssrc": 3, "packetsReceived": counters["video"],
                    "packetsLost": counters["videoLost"], "bytesReceived": counters["videoBytes"],
                    "framesDecoded": counters["frames"], "framesPerSecond": .double(last.frames),
                    "freezeCount": counters["freezes"],
                    "totalFreezesDuration": counters["frozen"], "frameWidth": 640, "frameHeight": 480,
                ]),
            object(
                "OV", .outboundRTP, time,
                [
                    "kind": "video", "ssrc": 4, "packetsSent": counters["sent"], "framesSent": counters["duration"],
                    "qualityLimitationDurations": ["cpu": counters["cpu"], "bandwidth": counters["bandwidth"]],
                ]),
        ]
    }

    private func path(_ last: ScriptedSecond, _ time: Timestamp) -> [StatsObject] {
        var local: JSONObject = [
            "candidateType": .string(last.relayProtocol == nil ? "host" : "relay"), "protocol": "udp",
        ]
        local["relayProtocol"] = last.relayProtocol.map(JSONValue.string)
        return [
            object("T1", .transport, time, ["selectedCandidatePairId": .string(last.pair)]),
            object(
                last.pair, .candidatePair, time,
                ["localCandidateId": "L1", "remoteCandidateId": "M1", "nominated": true, "state": "succeeded"]),
            object("L1", .localCandidate, time, local),
            object("M1", .remoteCandidate, time, ["candidateType": "host"]),
        ]
    }
}
