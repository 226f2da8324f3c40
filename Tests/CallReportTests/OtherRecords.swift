import CallModel

extension Records {
    static let notAnswered: CallRecord = {
        var summary = Records.summary(lasting: 30_120)
        (summary.outcome, summary.createdAt) = (.notAnswered, start)
        summary.endReason = "No answer (487)"
        summary.setup.restSentDelay = 120
        summary.setup.postDialDelay = 410
        summary.setup.networkPostDialDelay = 290
        (summary.setup.totalDuration, summary.setup.isEndKnown) = (30_120, true)
        summary.dataQuality.events = 4
        return record(
            summary,
            events: [
                event(0, "callMetric", "callCreate"), event(120, "callMetric", "callRestSent"),
                event(410, "callMetric", "callRinging"),
                event(30_120, "callState", "ENDED", ["statusCode": 487, "reason": "No answer"]),
            ])
    }()

    static let iceFailed: CallRecord = {
        var summary = Records.summary(key(attempt: 2), lasting: 41_500)
        (summary.outcome, summary.createdAt) = (.notConnected, start)
        (summary.setup.restSentDelay, summary.setup.postDialDelay, summary.setup.answerDelay) = (4003, 4400, 9000)
        (summary.setup.networkPostDialDelay, summary.setup.ringTime) = (397, 4600)
        (summary.setup.iceGatheringUpperBound, summary.setup.iceOutcome) = (4001, .noRelay)
        (summary.setup.totalDuration, summary.setup.isEndKnown) = (41_500, true)
        (summary.dataQuality.reports, summary.dataQuality.events) = (3, 6)
        summary.dataQuality.medianIntervalMilliseconds = 10_000
        return record(
            summary,
            events: [
                event(0, "callMetric", "callCreate"), event(4001, "iceTimeout", "iceNoRelay"),
                event(4003, "callMetric", "callRestSent"), event(4400, "callMetric", "callRinging"),
                event(9000, "callMetric", "callAnswerReceived"), event(41_500, "callState", "ENDED"),
            ])
    }()

    /// Heard of 10 s before ``nowOfLive``; late facts wait.
    static let live: CallRecord = {
        var summary = Records.summary(key("c1", observer: "client"), lasting: 40_000, isEnded: false)
        summary.outcome = .connected
        (summary.score, summary.worstScore, summary.scoredSeconds) = (97, 95, 30)
        summary.costs = [.loss: 2.6]
        summary.secondsByBand = [.excellent: 30]
        summary.setup.callDuration = 30_000
        (summary.dataQuality.reports, summary.dataQuality.medianIntervalMilliseconds) = (4, 10_000)
        var record = Records.record(summary)
        record.isDirty = true
        record.scores = [score(1, 95), score(2, 98), score(3, 98)]
        return record
    }()

    static let nowOfLive = at(50_000)
    static let nowLongAfter = at(86_400_000)

    static let noScore: CallRecord = {
        var summary = Records.summary(key("x", observer: "callee"), lasting: 20_000, isEnded: false)
        summary.missing = ["packetsLost", "packetsReceived"]
        summary.streams = [stream(.inbound, .audio, "1")]
        return record(summary)
    }()

    /// Everything a stranger may name is meant to harm: escape sequences, direction overrides, endless and empty names.
    static let hostile: CallRecord = {
        let evil = "\u{1b}[2J\u{9b}31m\u{202e}\r\n\u{0}\u{2028}<script>\u{7f}"
        let long = String(repeating: "0123456789", count: 20) + "end"
        var summary = Records.summary(key(evil + long, observer: evil), lasting: 1000)
        summary.endReason = evil
        (summary.score, summary.worstScore) = (70, 70)
        summary.costs = [.loss: 30]
        summary.missing = [evil, long]
        summary.setup.anomalies = [evil]
        var evilStream = stream(.inbound, .audio, long)
        (evilStream.codec, evilStream.formatParameters) = (evil, long + evil)
        (evilStream.implementation, evilStream.layer, evilStream.scalabilityMode) = (long, evil, evil)
        evilStream.stream.connection = ConnectionID(rawValue: "日本語の接続" + evil)
        summary.streams = [evilStream]
        (summary.path.localType, summary.path.networkType, summary.path.localAddress) = (evil, long, "")
        (summary.transport.tlsVersion, summary.transport.dtlsCipher, summary.transport.srtpCipher) = (evil, long, evil)
        summary.outages = [MediaOutage(span: TimeSpan(start: start, end: nil), seconds: .nan, evidence: [evil])]
        (summary.dataQuality.unknownEvents, summary.dataQuality.notes) = ([evil, ""], [evil + long])
        return record(
            summary,
            events: [
                event(0, evil, long, [evil: .string(evil), "n": .array([.string(evil), .null])]),
                event(1, "", "", ["z": .string("a" + String(repeating: "\u{301}", count: 50))]),
            ])
    }()

    /// 3 hours in intervals of 10 s: good, with a blackout, a hold and a hole in the middle.
    static let threeHours: CallRecord = {
        var summary = Records.summary(key("long"), lasting: 10_800_000)
        summary.outcome = .connected
        (summary.score, summary.worstScore, summary.scoredSeconds) = (91, 40, 9800)
        summary.costs = [.delay: 9]
        summary.secondsByBand = [.excellent: 9000, .fair: 790, .bad: 10]
        summary.heldSeconds = 400
        var record = Records.record(summary)
        record.scores = (Int64(0)..<1080).filter { !(700..<760).contains($0) }.map { index in
            switch index {
            case 300..<340: score(index, nil, absence: .held)
            case 500: score(index, 0, costs: [.blackout: 100])
            case 900..<979: score(index, 72, costs: [.delay: 28])
            default: score(index, 94, costs: [.delay: 6])
            }
        }
        record.events = (Int64(0)..<60).map { event($0 * 1000, "iceState", "iceConnected") }
        return record
    }()

    static let all: [(name: String, record: CallRecord, now: Timestamp)] = [
        ("rich", rich, nowLongAfter), ("not-answered", notAnswered, nowLongAfter),
        ("ice-failed", iceFailed, nowLongAfter), ("live", live, nowOfLive), ("no-score", noScore, nowLongAfter),
        ("hostile", hostile, nowLongAfter), ("three-hours", threeHours, nowLongAfter),
        ("wire", wire, nowLongAfter), ("wire-bare", wireBare, nowLongAfter), ("wire-faults", wireFaults, nowLongAfter),
        ("sip-busy", sipBusy, nowLongAfter),
    ]
}
