import CallModel
import TestSupport

/// Wire reports of which every member takes every form it may have, absence included.
struct RandomWireReports: RandomMaker {
    var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    mutating func report(_ time: Int64) -> WireReport {
        WireReport(
            time: at(time), receivedAt: moment(), streams: (0..<count(4)).map { stream(String($0)) },
            sensor: sensor(), audioPacketsSent: maybe { Int(Int64.random(in: 0...1 << 53, using: &$0.random)) },
            isAudioDue: flip(), audioPacketsUndeliverable: maybe { $0.count(.max) },
            isContradicted: flip())
    }

    private mutating func stream(_ id: String) -> WireStream {
        var stream = WireStream(
            id: id + text(), ssrc: .random(in: 0...UInt32.max, using: &random), source: text(), destination: text(),
            kind: pick(MediaKind.allCases), role: pick(WireStream.Role.allCases),
            payloadType: .random(in: 0...127, using: &random), firstPacketAt: moment(), lastPacketAt: moment())
        stream.codec = maybe { $0.text() }
        stream.clockRate = maybe { Int(UInt32.random(in: 1...UInt32.max, using: &$0.random)) }
        stream.clockOrigin = maybe { $0.pick(WireStream.ClockOrigin.allCases) }
        stream.formatParameters = maybe { $0.text() }
        stream.packetMilliseconds = maybe { $0.figure() }
        stream.isEncrypted = maybe { $0.flip() }
        stream.lastControlAt = maybe { $0.moment() }
        stream.lastOutage = maybe { $0.span() }
        stream.receiverMetrics = maybe { maker in (0..<1 + maker.count(3)).map { _ in maker.metrics() } }
        for figure in WireFigure.allCases { stream[figure] = maybe { $0.figure() } }
        stream.lossRuns = counts(10)
        stream.delayBuckets = counts(8)
        return stream
    }

    private mutating func metrics() -> ReceiverMetrics {
        var metrics = ReceiverMetrics(
            reportedAt: moment(), reporter: .random(in: 0...UInt32.max, using: &random), reports: count(.max))
        (metrics.lossRate, metrics.discardRate) = (share(), share())
        (metrics.burstDensity, metrics.gapDensity) = (share(), share())
        (metrics.burstMilliseconds, metrics.gapMilliseconds) = (count(65_535), count(65_535))
        (metrics.minimumGap, metrics.endSystemMilliseconds) = (count(255), count(65_535))
        metrics.roundTripMilliseconds = maybe { $0.count(65_535) }
        (metrics.signalLevelDecibels, metrics.noiseLevelDecibels) = (maybe { -$0.count(128) }, maybe { $0.count(127) })
        metrics.residualEchoReturnLossDecibels = maybe { $0.count(255) }
        (metrics.rFactor, metrics.externalRFactor) = (maybe { $0.count(100) }, maybe { $0.count(100) })
        (metrics.listeningMOS, metrics.conversationalMOS) = (maybe { 1 + $0.share() }, maybe { 1 + $0.share() })
        metrics.lossConcealment = maybe { $0.pick(ReceiverMetrics.LossConcealment.allCases) }
        (metrics.isJitterBufferAdaptive, metrics.jitterBufferRate) = (maybe { $0.flip() }, count(15))
        metrics.jitterBufferNominalMilliseconds = count(65_535)
        metrics.jitterBufferMaximumMilliseconds = count(65_535)
        metrics.jitterBufferAbsoluteMaximumMilliseconds = count(65_535)
        return metrics
    }

    private mutating func share() -> Double { .random(in: 0...1, using: &random) }

    private mutating func sensor() -> SensorHealth {
        SensorHealth(
            packetsDroppedByKernel: maybe { $0.count(.max) }, packetsDroppedByInterface: maybe { $0.count(.max) },
            holes: (0..<count(3)).map { _ in span() }, packetsRecordedTwice: count(.max),
            packetsCutShort: count(.max), unseenMedia: maybe { $0.pick(UnseenMedia.allCases) },
            watchedUntil: maybe { $0.moment() })
    }

    // MARK: Values

    private mutating func figure() -> Double {
        let limit = 9_007_199_254_740_992.0
        let figures: [Double] = [0, 1, -1, 0.1, 1.0 / 3, .leastNonzeroMagnitude, limit, -limit]
        return flip() ? pick(figures) : .random(in: -limit...limit, using: &random)
    }

    private mutating func text() -> String {
        pick(["", "audio/opus", "10.77.0.0/24:5004", "e\u{301}", "\u{0}\u{FFFF}\"\\\n", "\u{1F600}"])
    }

    private mutating func moment() -> Timestamp {
        at(.random(in: -1_000...1_000_000, using: &random))
    }

    private mutating func span() -> TimeSpan {
        TimeSpan(start: moment(), end: maybe { $0.moment() })
    }

    private mutating func count(_ limit: Int32) -> Int {
        Int(Int32.random(in: 0...limit, using: &random))
    }

    private mutating func counts(_ most: Int32) -> [Int] {
        (0..<count(most)).map { _ in count(.max) }
    }
}
