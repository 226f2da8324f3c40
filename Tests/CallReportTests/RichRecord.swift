import CallModel

extension Records {
    /// A call with something of everything: a blackout, loss, video, a hold, a relay, an ICE disconnect, an IP change.
    static let rich: CallRecord = {
        var record = Records.record(richSummary, events: richEvents)
        record.scores = richScores
        record.windows = richScores.map { score in
            var window = score
            window.series = .window
            window.isEmitted = false
            return window
        }
        record.intervals = richIntervals
        var other = Records.summary(key(observer: "callee"), lasting: 75_000)
        other.outcome = .connected
        (other.score, other.worstScore) = (86, 71)
        other.costs = [.loss: 9.2, .delay: 4.8]
        record.others = [other]
        return record
    }()

    private static var richSummary: CallSummary {
        var summary = Records.summary(lasting: 75_000)
        summary.outcome = .connected
        summary.endReason = "Call ended by the other end (9902)"
        (summary.createdAt, summary.firstMediaAt) = (start, at(10_000))
        (summary.score, summary.worstScore) = (41, 0)
        summary.worstSpan = TimeSpan(start: at(50_000), end: at(60_000))
        summary.costs = [.blackout: 33.333, .loss: 20.333, .stretch: 4.333, .freeze: 1.3]
        (summary.scoredSeconds, summary.heldSeconds) = (50, 10)
        summary.secondsByBand = [.excellent: 20, .good: 10, .poor: 10, .bad: 10]
        summary.missing = ["totalFreezesDuration"]
        summary.basis = ScoreBasis(
            rulesVersion: 2, codec: "audio/opus", isRepairAssumed: nil, lossPercent: 5.2333, meanLossRun: 1.84,
            latePercent: nil, concealedPercent: 9.04, stretchedPercent: 0.004, silentPercent: 0,
            networkDelayMilliseconds: 21, bufferDelayMilliseconds: 112.4, codecDelayMilliseconds: 26.5)
        summary.rating = TransmissionRating(
            band: .fullband, rFactor: 67.91, listeningRFactor: 70.31, mosLQ: 2.416, mosCQ: 2.3,
            codecRow: "Opus super-wideband 32 kbit/s", isEstimate: true, equipmentImpairment: 16.12,
            lossRobustness: 10.33, lossPercent: 9.04, burstRatio: 1.67, oneWayDelayMilliseconds: 159.9)
        summary.setup = richSetup
        summary.iceDisconnects = [TimeSpan(start: at(49_500), end: at(53_500)), TimeSpan(start: at(70_000), end: nil)]
        summary.ipChanges = [TimeSpan(start: at(49_000), end: at(52_250))]
        summary.outages = [
            MediaOutage(
                span: TimeSpan(start: at(50_000), end: at(60_000)), seconds: 5.04,
                evidence: ["concealedSamples", "packetsReceived"])
        ]
        summary.holds = [MediaHold(span: TimeSpan(start: at(20_000), end: at(30_000)), seconds: 10)]
        summary.streams = richStreams
        summary.path = richPath
        (summary.transport, summary.isOneWay) = (richTransport, true)
        (summary.dataQuality, summary.course, summary.issues) = (richQuality, richCourse, richIssues)
        return summary
    }

    private static var richSetup: SetupLatencies {
        var setup = SetupLatencies()
        (setup.restSentDelay, setup.postDialDelay, setup.networkPostDialDelay) = (2019, 3140, 1121)
        (setup.ringTime, setup.answerDelay, setup.iceConnectTime, setup.mediaSetup) = (6290, 9430, 9395, -35)
        (setup.iceGatheringUpperBound, setup.iceOutcome) = (2004, .oneRelay)
        (setup.firstMediaAfter, setup.firstMediaBy) = (0, 10_000)
        (setup.callDuration, setup.totalDuration, setup.isEndKnown) = (65_605, 75_000, true)
        setup.anomalies = ["duplicate_type"]
        return setup
    }

    private static var richPath: PathSummary {
        var path = PathSummary()
        (path.localType, path.remoteType, path.transportProtocol) = ("relay", "srflx", "udp")
        (path.relayProtocol, path.networkType) = ("tls", "cellular")
        (path.localAddress, path.remoteAddress) = ("192.0.2.0/24", "2001:db8::/48")
        (path.changes, path.roundTripMilliseconds) = ([at(52_250)], 40.4)
        return path
    }

    private static var richQuality: DataQuality {
        var quality = DataQuality()
        (quality.reports, quality.events, quality.medianIntervalMilliseconds) = (7, 12, 10_000)
        quality.gaps = [TimeSpan(start: at(30_000), end: at(56_000))]
        (quality.contradictions, quality.counterResets, quality.clockOffsetMilliseconds) = (1, 1, -400_000)
        quality.unknownEvents = ["callMetric/teleport"]
        quality.notes = ["jitter was in ms on inbound-rtp"]
        return quality
    }

    private static var richEvents: [CallEvent] {
        setupEvents + [
            event(49_000, "ipChange", "ipChangeStarted"), event(49_500, "iceState", "iceDisconnected"),
            event(52_250, "ipChange", "ipChangeEnded", ["from": "wifi", "to": "cellular"]),
            event(53_500, "iceState", "iceConnected"), event(70_000, "iceState", "iceDisconnected"),
            event(75_000, "callState", "ENDED", ["statusCode": 9902, "reason": "Call ended by the other end"]),
        ]
    }

    private static var richScores: [ScoreInterval] {
        [
            score(1, 95, costs: [.loss: 5]), score(2, 92, costs: [.loss: 8]), score(3, 84, costs: [.loss: 16]),
            score(4, nil, absence: .held), score(5, 0, costs: [.blackout: 90, .loss: 10]),
            score(7, 64, costs: [.stretch: 20, .freeze: 6, .loss: 10]),
        ]
    }

    private static var richIntervals: [MediaInterval] {
        let audio = richStreams[3].stream
        return (Int64(1)...7).map { index in
            var interval = MediaInterval(
                stream: audio, start: at(10_000 * index), end: at(10_000 * (index + 1)), segment: 0)
            (interval.packets, interval.packetsLost) = (406, Int(index))
            interval.lossPercent = Double(index) * 1.5
            interval.metrics = [.nacksPerMinute: 6 * Double(index), .discardedPercent: 0.25]
            (interval.jitterMilliseconds, interval.concealedPercent) = (Double(index) + 0.25, Double(index) * 2)
            return interval
        }
    }
}
