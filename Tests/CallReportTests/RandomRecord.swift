import CallModel
import TestSupport

/// Makes call records that no client would, to find out what a report cannot bear.
struct RandomRecord: RandomMaker {
    var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    mutating func make() -> CallRecord {
        var record = Records.record(summary(), events: list(40) { $0.event() }.sorted { $0.time < $1.time })
        record.isDirty = flip()
        record.scores = list(200) { $0.score() }
        record.windows = list(10) { $0.score() }
        record.intervals = list(20) { $0.interval(of: record.summary.streams) }
        record.others = list(3) { $0.summary() }
        return record
    }
}

extension RandomRecord {
    mutating func list<Value>(_ limit: Int, _ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...limit, using: &random)).map { _ in make(&self) }
    }

    mutating func text() -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "-", "é", "語", "🎧", "\u{1b}", "\u{0}", "\n", "\t", "\u{7f}", "\u{9b}", "\u{202e}",
            "\u{200d}", "\u{301}", "\u{fe0f}", "\u{2028}", "\\", "\"", "\u{e000}", "\u{10ffff}",
        ]
        var text = ""
        for scalar in list(60, { $0.pick(alphabet) }) { text.unicodeScalars.append(scalar) }
        return text
    }

    mutating func number() -> Double {
        let small = Double.random(in: 0...100, using: &random)
        return pick([0, small, small, small / 1000, small * 1e7, -small, .nan, .infinity, 1e300])
    }

    mutating func count() -> Int {
        pick([0, 1, 999, 123_456, .max, -3])
    }

    private mutating func length() -> Int64 {
        pick([0, 20, 2004, 99_999_999, -35, .max, .min])
    }

    mutating func time() -> Timestamp {
        let near = Records.at(Int64.random(in: 0...600_000, using: &random))
        return pick([near, near, near, near, near, near, .init(milliseconds: .max), .init(milliseconds: .min)])
    }

    mutating func span() -> TimeSpan {
        TimeSpan(start: time(), end: maybe { $0.time() })
    }

    private mutating func costs() -> [QualityCause: Double] {
        Dictionary(list(12) { ($0.pick(QualityCause.allCases), $0.number()) }) { first, _ in first }
    }

    private mutating func score() -> ScoreInterval {
        let start = time()
        return ScoreInterval(
            series: .live, start: start, end: start.advanced(byMilliseconds: pick([0, 5000, 10_000, -1, .max])),
            score: maybe { Int.random(in: 0...100, using: &$0.random) }, costs: costs(),
            absence: maybe { $0.pick([.held, .noMedia, .insufficient]) }, missing: list(2) { $0.text() })
    }

    private mutating func event() -> CallEvent {
        let type = pick(["callCreate", "iceConnected", "iceNoRelay", "INVITE", "486", text()])
        let members = JSONObject(list(8) { ($0.text(), JSONValue.string($0.text())) }) { first, _ in first }
        return CallEvent(time: time(), receivedAt: time(), action: pick([text(), "sip"]), type: type, members: members)
    }

    private mutating func stream() -> StreamSummary {
        var stream = Records.stream(pick([.inbound, .outbound]), pick([.audio, .video]), text())
        (stream.codec, stream.clockRate, stream.formatParameters) = (maybe { $0.text() }, count(), maybe { $0.text() })
        (stream.packets, stream.packetsLost, stream.lossPercent) = (count(), count(), number())
        (stream.jitterMilliseconds, stream.roundTripMilliseconds) = (maybe { $0.number() }, number())
        (stream.concealedPercent, stream.stretchedPercent) = (number(), number())
        (stream.bitrateKilobitsPerSecond, stream.jitterBufferMilliseconds) = (number(), number())
        (stream.frameWidth, stream.frameHeight, stream.frozenSeconds) = (count(), count(), number())
        (stream.freezeCount, stream.framesPerSecond) = (count(), number())
        (stream.lossyIntervals, stream.intervals) = (count(), count())
        stream.worstIntervalShareOfLossPercent = maybe { $0.number() }
        (stream.silentSeconds, stream.deadSeconds) = (maybe { $0.number() }, maybe { $0.number() })
        (stream.layer, stream.scalabilityMode) = (maybe { $0.text() }, maybe { $0.text() })
        (stream.implementation, stream.isPowerEfficient) = (maybe { $0.text() }, maybe { $0.flip() })
        stream.metrics = metrics()
        stream.wire = maybe { $0.wireStream() }
        return stream
    }

    private mutating func metrics() -> [StreamMetric: Double] {
        Dictionary(list(30) { ($0.pick(StreamMetric.allCases), $0.number()) }) { first, _ in first }
    }

    private mutating func transport() -> TransportSummary {
        var transport = TransportSummary()
        (transport.tlsVersion, transport.dtlsCipher) = (maybe { $0.text() }, maybe { $0.text() })
        (transport.srtpCipher, transport.dtlsRole) = (maybe { $0.text() }, maybe { $0.text() })
        transport.receivedKilobitsPerSecond = maybe { $0.number() }
        transport.sentKilobitsPerSecond = maybe { $0.number() }
        transport.leastAvailableKilobitsPerSecond = maybe { $0.number() }
        transport.meanAvailableKilobitsPerSecond = maybe { $0.number() }
        (transport.availableBitrateDrops, transport.answeredChecksPercent) = (count(), maybe { $0.number() })
        (transport.messagesSent, transport.messagesReceived) = (maybe { $0.count() }, maybe { $0.count() })
        (transport.playoutDelayMilliseconds, transport.synthesizedPercent) = (number(), maybe { $0.number() })
        transport.videoAfterAudioMilliseconds = maybe { $0.number() }
        return transport
    }

    private mutating func interval(of streams: [StreamSummary]) -> MediaInterval {
        let stream = streams.isEmpty ? stream().stream : pick(streams).stream
        var interval = MediaInterval(stream: stream, start: time(), end: time(), segment: 0)
        (interval.lossPercent, interval.jitterMilliseconds, interval.metrics) = (number(), number(), metrics())
        return interval
    }

    mutating func summary() -> CallSummary {
        let key = Records.key(
            text(), observer: pick([text(), "wire:" + text()]), attempt: Int.random(in: 1...3, using: &random))
        var summary = CallSummary(
            key: key, rulesVersion: 1, start: time(), lastActivity: time(), lastReceivedAt: time())
        (summary.endedAt, summary.createdAt, summary.endReason) = (maybe { $0.time() }, maybe { $0.time() }, text())
        summary.outcome = pick(CallOutcome.allCases)
        summary.score = maybe { Int.random(in: 0...100, using: &$0.random) }
        summary.worstScore = maybe { Int.random(in: 0...100, using: &$0.random) }
        (summary.worstSpan, summary.costs) = (maybe { $0.span() }, costs())
        (summary.scoredSeconds, summary.heldSeconds) = (number(), number())
        summary.secondsByBand = [.excellent: number(), .good: number(), .fair: number(), .bad: number()]
        summary.missing = list(30) { $0.text() }
        summary.setup = setup()
        (summary.iceDisconnects, summary.ipChanges) = (list(20) { $0.span() }, list(20) { $0.span() })
        summary.outages = list(3) { MediaOutage(span: $0.span(), seconds: $0.number(), evidence: [$0.text()]) }
        summary.streams = list(9) { $0.stream() }
        (summary.path, summary.transport, summary.isOneWay) = (path(), transport(), maybe { $0.flip() })
        (summary.dataQuality, summary.course) = (quality(), RandomCourse(&random).course)
        summary.issues = RandomIssues(&random).issues
        (summary.basis, summary.sensor) = (maybe { $0.basis() }, maybe { $0.sensor() })
        summary.rating = maybe { $0.rating() }
        (summary.secondaryStreams, summary.aliases) = (list(3) { $0.wireStream() }, list(12) { $0.text() })
        return summary
    }

    private mutating func setup() -> SetupLatencies {
        var setup = SetupLatencies()
        (setup.restSentDelay, setup.ringTime, setup.mediaSetup) = (maybe { $0.length() }, length(), length())
        setup.iceGatheringUpperBound = length()
        setup.iceOutcome = maybe { $0.pick([.normal, .oneRelay, .noRelay]) }
        (setup.firstMediaAfter, setup.firstMediaBy) = (maybe { $0.length() }, maybe { $0.length() })
        (setup.callDuration, setup.totalDuration) = (maybe { $0.length() }, maybe { $0.length() })
        (setup.sessionRequestDelay, setup.sessionDisconnectDelay) = (maybe { $0.length() }, maybe { $0.length() })
        setup.sessionDurationTime = maybe { $0.length() }
        setup.anomalies = list(3) { $0.text() }
        return setup
    }

    private mutating func path() -> PathSummary {
        var path = PathSummary()
        (path.localType, path.networkType, path.localAddress) = (maybe { $0.text() }, text(), maybe { $0.text() })
        (path.changes, path.roundTripMilliseconds) = (list(12) { $0.time() }, number())
        return path
    }

    private mutating func quality() -> DataQuality {
        var quality = DataQuality()
        (quality.reports, quality.contradictions, quality.counterResets) = (count(), count(), count())
        (quality.medianIntervalMilliseconds, quality.clockOffsetMilliseconds) = (maybe { $0.length() }, length())
        (quality.gaps, quality.unknownEvents, quality.notes) = (list(7) { $0.span() }, list(25) { $0.text() }, [text()])
        return quality
    }
}
