import CallModel
import CallReport

extension Records {
    /// A call that a probe saw with something of everything.
    static let wire: CallRecord = {
        var record = Records.record(wireSummary, events: sipEvents)
        record.scores = [score(1, 84, costs: [.loss: 16]), score(2, 71, costs: [.loss: 20, .late: 9])]
        record.windows = record.scores
        record.intervals = wireIntervals
        var other = Records.summary(key("a84b4c76e66710@gw.example.org", observer: "wire:caller"), lasting: 75_000)
        (other.outcome, other.score, other.worstScore) = (.connected, 97, 95)
        record.others = [other]
        return record
    }()

    private static var wireSummary: CallSummary {
        var summary = Records.summary(key("a84b4c76e66710@gw.example.org", observer: "wire:callee"), lasting: 75_000)
        (summary.outcome, summary.endReason) = (.connected, "BYE")
        (summary.createdAt, summary.firstMediaAt) = (start, at(4150))
        (summary.score, summary.worstScore) = (77, 71)
        summary.worstSpan = TimeSpan(start: at(20_000), end: at(30_000))
        summary.costs = [.loss: 18, .late: 4.5, .burst: 0.5]
        (summary.scoredSeconds, summary.secondsByBand) = (70, [.good: 35, .fair: 35])
        summary.missing = ["concealedSamples", "removedSamplesForAcceleration"]
        summary.basis = ScoreBasis(
            rulesVersion: 2, codec: "audio/PCMU", isRepairAssumed: false, lossPercent: 5.87, meanLossRun: 1.63,
            latePercent: 0.425, concealedPercent: 6.27, stretchedPercent: 1.2, silentPercent: 0,
            networkDelayMilliseconds: 21.3, bufferDelayMilliseconds: 62.4, codecDelayMilliseconds: 20)
        summary.rating = TransmissionRating(
            band: .narrowband, rFactor: 73.21, listeningRFactor: 73.26, mosLQ: 3.746, mosCQ: 3.744,
            codecRow: "G.711 with PLC", isEstimate: false, equipmentImpairment: 0, lossRobustness: 25.1,
            lossPercent: 6.27, burstRatio: 1.53, oneWayDelayMilliseconds: 103.7)
        summary.setup = wireSetup
        summary.streams = [wireVideo, wireAudio]
        summary.secondaryStreams = [wireRetransmission]
        summary.sensor = SensorHealth(packetsDroppedByKernel: 0, packetsDroppedByInterface: 0)
        summary.aliases = ["Session-ID: 4fa85f6457174562b3fc2c963f66afa6", "X-Call-Leg: b2bua-17"]
        (summary.dataQuality.reports, summary.dataQuality.events) = (15, 6)
        summary.dataQuality.medianIntervalMilliseconds = 5000
        return summary
    }

    private static var wireSetup: SetupLatencies {
        var setup = SetupLatencies()
        (setup.sessionRequestDelay, setup.sessionDisconnectDelay, setup.sessionDurationTime) = (341, 12, 70_850)
        (setup.postDialDelay, setup.ringTime, setup.answerDelay) = (341, 3779, 4120)
        (setup.firstMediaAfter, setup.firstMediaBy) = (nil, 4150)
        (setup.callDuration, setup.totalDuration, setup.isEndKnown) = (70_850, 75_000, true)
        return setup
    }

    static let sipEvents = [
        event(0, "sip", "INVITE", ["aliases": ["X-Call-Leg: b2bua-17"], "method": "INVITE"]),
        event(12, "sip", "100", ["statusCode": 100, "reason": "Trying"]),
        event(341, "sip", "180", ["statusCode": 180, "reason": "Ringing"]),
        event(4120, "sip", "200", ["statusCode": 200, "reason": "OK"]), event(4131, "sip", "ACK"),
        event(74_970, "sip", "BYE"), event(74_982, "sip", "BYE 200"),
    ]

    private static var wireIntervals: [MediaInterval] {
        (Int64(1)...15).map { index in
            var interval = MediaInterval(
                stream: wireAudio.stream, start: at(5000 * (index - 1)), end: at(5000 * index), segment: 0)
            (interval.lossPercent, interval.jitterMilliseconds) = (Double(index % 5) * 2, 1.5 + Double(index) / 10)
            return interval
        }
    }

    private static var wireAudio: StreamSummary {
        var audio = stream(.inbound, .audio, "698760974")
        (audio.codec, audio.clockRate, audio.wire) = ("audio/PCMU", 8000, audioOnWire)
        (audio.packets, audio.packetsLost, audio.lossPercent) = (2821, 176, 5.87)
        (audio.bitrateKilobitsPerSecond, audio.deadSeconds) = (64, 1.24)
        (audio.worstIntervalShareOfLossPercent, audio.jitterBufferMilliseconds) = (18.8, 62.4)
        return audio
    }

    private static var audioOnWire: WireStream {
        var wire = WireStream(
            id: "698760974", ssrc: 698_760_974, source: "10.77.0.0/24:5004", destination: "2001:db8:77::/48:16384",
            kind: .audio, payloadType: 0, firstPacketAt: at(4150), lastPacketAt: at(74_990))
        (wire.codec, wire.clockRate, wire.clockOrigin) = ("audio/PCMU", 8000, .static)
        (wire.packetMilliseconds, wire.isEncrypted, wire.lastControlAt) = (20, false, at(71_000))
        wire.lastOutage = TimeSpan(start: at(50_000), end: at(51_240))
        wire.lossRuns = [90, 12, 4, 0, 0, 0, 0, 0, 0, 1]
        wire.delayBuckets = [2700, 80, 20, 10, 5, 3, 2, 1]
        for (figure, value) in audioCounts.merging(audioTimes, uniquingKeysWith: +).merging(
            audioControl, uniquingKeysWith: +)
        {
            wire[figure] = value
        }
        return wire
    }

    private static let audioCounts: [WireFigure: Double] = [
        .packetsReceived: 2821, .packetsLost: 176, .packetsLostInOutages: 62, .packetsDuplicated: 3,
        .packetsRecordedTwice: 4, .packetsReordered: 17, .packetsMissedByCapture: 0, .packetsSkipped: 250,
        .packetsRejected: 1, .sequenceRestarts: 1, .bytesReceived: 451_360, .paddingPackets: 0,
        .comfortNoisePackets: 6, .telephoneEventPackets: 21, .telephoneEvents: 3, .markers: 5,
        .packetsDiscarded: 12, .packetsLateFor60Milliseconds: 34, .packetsLateFor200Milliseconds: 2,
        .jitterBufferDelay: 176.2, .jitterBufferEmittedCount: 2809, .longestLossRun: 62,
    ]

    private static let audioTimes: [WireFigure: Double] = [
        .jitter: 0.002, .meanJitter: 0.00231, .maximumJitter: 0.01196, .plainJitter: 0.0026,
        .maximumPlainJitter: 0.376, .minimumDelta: 0.00021, .meanDelta: 0.02104, .maximumDelta: 1.26,
        .delayVariation95: 0.0344, .maximumSkew: -0.041, .clockDrift: 12.4, .outageSeconds: 1.24, .pauseSeconds: 5.02,
        .burstDensity: 0.31, .gapDensity: 0.006, .burstDuration: 0.84, .gapDuration: 11.2,
    ]

    private static let audioControl: [WireFigure: Double] = [
        .senderReports: 13, .packetsSent: 2996, .receiverReports: 12, .receiverPacketsLost: -2,
        .receiverJitter: 0.0032, .totalRoundTripTime: 0.5112, .roundTripTimeMeasurements: 12,
        .receiverListeningMOS: 4.1, .receiverConversationalMOS: 3.9, .receiverRFactor: 88,
    ]

    private static var wireVideo: StreamSummary {
        var video = stream(.inbound, .video, "1307321233#2")
        (video.codec, video.packets, video.packetsLost, video.lossPercent) = ("video/VP8", 9000, 0, 0)
        var wire = WireStream(
            id: "1307321233#2", ssrc: 1_307_321_233, source: "10.77.0.0/24:5006", destination: "10.77.1.0/24:16386",
            kind: .video, payloadType: 96, firstPacketAt: at(4150), lastPacketAt: at(74_990),
            figures: [
                .packetsReceived: 9000, .packetsLost: 0, .packetsDuplicated: 0, .packetsReordered: 0,
                .meanJitter: 0.0071, .maximumJitter: 0.0244, .nackedPackets: 12, .keyFrameRequests: 2,
            ])
        (wire.codec, wire.clockRate, wire.clockOrigin) = ("video/VP8", 90_000, .signalled)
        wire.isEncrypted = true
        video.wire = wire
        return video
    }

    private static var wireRetransmission: WireStream {
        var wire = WireStream(
            id: "77", ssrc: 77, source: "10.77.0.0/24:5006", destination: "10.77.1.0/24:16386", kind: .video,
            role: .retransmission, payloadType: 97, firstPacketAt: at(5000), lastPacketAt: at(60_000),
            figures: [.packetsReceived: 12, .packetsLost: 0])
        wire.codec = "video/rtx"
        return wire
    }
}

// MARK: - What is thinner

extension Records {
    /// RTP and nothing else: no signalling, no codec, no clock.
    static let wireBare: CallRecord = {
        var summary = Records.summary(key("rtp-3f2c", observer: "wire:callee"), lasting: 1000, isEnded: false)
        summary.outcome = .connected
        var audio = stream(.inbound, .audio, "0")
        audio.packets = 50
        audio.wire = WireStream(
            id: "0", ssrc: 0, source: "", destination: "192.0.2.0/24:4000", kind: .audio, payloadType: 111,
            firstPacketAt: start, lastPacketAt: at(1000), figures: [.packetsReceived: 50])
        (summary.streams, summary.sensor, summary.dataQuality.reports) = ([audio], SensorHealth(), 1)
        return record(summary)
    }()

    /// Loss that may well be the sensor's.
    static let wireFaults: CallRecord = {
        var record = wireBare
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (52, 48, [.loss: 46, .burst: 2])
        record.summary.streams[0].lossPercent = 9.09
        record.summary.streams[0].wire?.figures[.packetsLost] = 5
        record.summary.streams[0].wire?.figures[.packetsMissedByCapture] = 61
        record.summary.streams[0].wire?.lossRuns = [5]
        record.summary.basis = ScoreBasis(
            rulesVersion: 2, codec: nil, isRepairAssumed: true, lossPercent: 9.09, meanLossRun: 1, latePercent: 0,
            concealedPercent: 9.09, stretchedPercent: 0, silentPercent: 0, networkDelayMilliseconds: nil,
            bufferDelayMilliseconds: 40, codecDelayMilliseconds: 26.5)
        record.summary.sensor = SensorHealth(
            packetsDroppedByKernel: 120, packetsDroppedByInterface: 1,
            holes: [TimeSpan(start: at(200), end: at(1420)), TimeSpan(start: at(1900), end: nil)],
            packetsRecordedTwice: 969, packetsCutShort: 7, unseenMedia: .oneDirection)
        record.summary.dataQuality.clockOffsetMilliseconds = 86_400_000
        record.summary.streams.append(stream(.inbound, .audio, "9"))
        record.summary.streams[1].packets = 0
        return record
    }()

    /// An INVITE that was refused.
    static let sipBusy: CallRecord = {
        var summary = Records.summary(key("busy-1@pbx", observer: "wire:callee"), lasting: 420)
        (summary.outcome, summary.createdAt, summary.endReason) = (.notAnswered, start, "Busy Here (486)")
        summary.setup.sessionRequestDelay = 402
        (summary.setup.totalDuration, summary.setup.isEndKnown) = (402, true)
        summary.dataQuality.events = 4
        return record(
            summary,
            events: [
                event(0, "sip", "INVITE"), event(9, "sip", "100", ["statusCode": 100, "reason": "Trying"]),
                event(402, "sip", "486", ["statusCode": 486, "reason": "Busy Here"]), event(420, "sip", "ACK"),
            ])
    }()
}

// MARK: - A file

extension Records {
    static var capture: CaptureFigures {
        var figures = CaptureFigures(name: "edge.pcapng")
        (figures.linkType, figures.frames) = ("Ethernet", 4_023_861)
        (figures.firstFrameAt, figures.lastFrameAt) = (start, at(3_720_000))
        (figures.rtpPackets, figures.rtcpPackets, figures.sipMessages) = (3_980_112, 40_020, 1)
        (figures.streams, figures.calls) = (112, 56)
        figures.otherPackets = ["STUN": 120, "DTLS": 44, "QUIC": 0]
        figures.refusals = ["not IP": 3301, "ICMP error that quotes a packet": 5, "ESP, encrypted": 258]
        figures.notes = ["the file ends in the middle of a frame, at byte 891000000; what stands before it was read"]
        return figures
    }

    /// More than are listed.
    static var callsOfCapture: [CallSummary] {
        let good = (0..<50).map { index in
            var summary = Records.summary(key("call-\(index)", observer: "wire:caller"), lasting: 60_000)
            (summary.outcome, summary.score, summary.worstScore) = (.connected, 90 + index % 10, 88)
            return summary
        }
        let silent = Records.summary(key("silent", observer: "wire:callee"), lasting: 9000)
        return good + [wire, wireBare, wireFaults, sipBusy].map(\.summary)
            + [silent].map { summary in
                var summary = summary
                summary.outcome = .notConnected
                return summary
            }
    }
}
