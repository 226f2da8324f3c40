import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// Figures that come from differences of members only some engines report.
@Suite struct MetricTests {
    private func object(_ type: StatsType, _ members: JSONObject) -> StatsObject {
        StatsObject(id: "S1", type: type, timestamp: nil, members: members)
    }

    private func figures(
        _ kind: MediaKind, _ direction: MediaDirection, before: JSONObject, after: JSONObject
    ) -> [StreamMetric: Double] {
        let type: StatsType = direction == .inbound ? .inboundRTP : .outboundRTP
        let earlier = MetricCounters(of: object(type, before), direction: direction)
        let later = MetricCounters(of: object(type, after), direction: direction)
        let stream = StreamKey(connection: .only, direction: direction, kind: kind, source: "1")
        return later.difference(since: earlier, isRestart: false).figures(of: stream, seconds: 10)
    }

    @Test func `inbound video`() {
        let figures = figures(
            .video, .inbound,
            before: [
                "packetsReceived": 100, "nackCount": 1, "pliCount": 0, "framesDecoded": 100, "framesDropped": 0,
                "totalDecodeTime": 1.0, "keyFramesDecoded": 1, "retransmittedPacketsReceived": 0,
                "totalInterFrameDelay": 10, "totalSquaredInterFrameDelay": 1,
            ],
            after: [
                "packetsReceived": 600, "nackCount": 3, "pliCount": 1, "framesDecoded": 200, "framesDropped": 25,
                "totalDecodeTime": 1.5, "keyFramesDecoded": 2, "retransmittedPacketsReceived": 50,
                "totalInterFrameDelay": 20, "totalSquaredInterFrameDelay": 2,
            ])
        #expect(
            figures == [
                .packetsPerSecond: 50, .nacksPerMinute: 12, .pictureLossesPerMinute: 6, .keyFramesPerMinute: 6,
                .framesDroppedPercent: 20, .decodeMilliseconds: 5, .retransmittedPercent: 10,
                .frameIntervalVariation: 0,
            ])
    }

    @Test func `inbound audio: concealment that is heard, and how long it lasts`() {
        let figures = figures(
            .audio, .inbound,
            before: [
                "packetsReceived": 0, "totalSamplesReceived": 0, "totalSamplesDuration": 0, "concealedSamples": 0,
                "silentConcealedSamples": 0, "concealmentEvents": 0, "fecPacketsReceived": 0, "fecPacketsDiscarded": 0,
            ],
            after: [
                "packetsReceived": 500, "totalSamplesReceived": 480_000, "totalSamplesDuration": 10,
                "concealedSamples": 48_000, "silentConcealedSamples": 24_000, "concealmentEvents": 5,
                "fecPacketsReceived": 100, "fecPacketsDiscarded": 90,
            ])
        #expect(
            figures == [
                .packetsPerSecond: 50, .audibleConcealedPercent: 5, .concealmentsPerMinute: 30,
                .meanConcealmentMilliseconds: 200, .fecPercent: 20, .fecDiscardedPercent: 90,
            ])
    }

    @Test func `outbound video`() {
        let figures = figures(
            .video, .outbound,
            before: [
                "packetsSent": 0, "framesEncoded": 0, "framesSent": 0, "totalEncodeTime": 0, "hugeFramesSent": 0,
                "totalPacketSendDelay": 0, "qualityLimitationDurations": ["other": 0.5],
                "psnrSum": ["y": 0, "u": 0, "v": 0], "psnrMeasurements": 0,
            ],
            after: [
                "packetsSent": 1_000, "framesEncoded": 200, "framesSent": 200, "totalEncodeTime": 0.5,
                "hugeFramesSent": 2, "totalPacketSendDelay": 4, "qualityLimitationDurations": ["other": 1.5],
                "psnrSum": ["y": 80, "u": 90, "v": 90], "psnrMeasurements": 2,
            ])
        #expect(
            figures == [
                .packetsPerSecond: 100, .encodeMilliseconds: 2.5, .hugeFramesPercent: 1,
                .packetSendDelayMilliseconds: 4, .otherLimitedPercent: 10, .lumaSignalToNoiseDecibels: 40,
            ])
    }

    @Test func `what was not reported, fell or has nothing to be divided by has no figure`() {
        #expect(figures(.video, .inbound, before: [:], after: [:]).isEmpty)
        #expect(figures(.audio, .outbound, before: ["nackCount": 7], after: ["nackCount": 3]).isEmpty)
        #expect(
            figures(.video, .inbound, before: ["totalDecodeTime": 0], after: ["totalDecodeTime": 1]).isEmpty)
    }

    @Test(SharedData.required) func `a real call of Chromium has the figures its members allow`() async throws {
        let record = try #require(try RecordedCall.shared("03-loss5", .callee).record())
        let video = try #require(record.summary.streams.first { $0.stream.kind == .video })
        let audio = try #require(record.summary.streams.first)
        #expect((video.metrics[.nacksPerMinute] ?? 0) > 10)
        #expect((3...40).contains(video.metrics[.retransmittedPercent] ?? 0))
        #expect((0.05...50).contains(video.metrics[.decodeMilliseconds] ?? 0))
        #expect((audio.metrics[.fecPercent] ?? 0) > 10)
        #expect((0..<3).contains(audio.silentSeconds ?? -1) && audio.deadSeconds == 0)
        #expect(audio.lossyIntervals == audio.intervals - 1 || audio.lossyIntervals == audio.intervals)
        #expect((15...35).contains(audio.worstIntervalShareOfLossPercent ?? 0))

        let transport = record.summary.transport
        #expect(transport.tlsVersion == "FEFC" && transport.srtpCipher != nil)
        #expect((100...2_000).contains(transport.receivedKilobitsPerSecond ?? 0))
        #expect((20...5_000).contains(transport.meanAvailableKilobitsPerSecond ?? 0))
        #expect((80...100).contains(transport.answeredChecksPercent ?? 0))
        #expect(abs(transport.videoAfterAudioMilliseconds ?? 1_000) < 500)
        #expect(record.summary.isOneWay == false)
        #expect(record.intervals.allSatisfy { $0.metrics.values.allSatisfy { $0.isFinite && $0 >= -127 } })
    }

    @Test(SharedData.required) func `messages of data channels are counted`() async throws {
        let record = try #require(try RecordedCall.shared("44-datachannel", .caller).record())
        #expect(record.summary.transport.messagesSent == 40)
        #expect(record.summary.transport.messagesReceived == 0)
        #expect(record.summary.isOneWay == nil)
    }
}

/// Sound that goes one way only.
@Suite struct OneWayTests {
    private func detector(_ spans: [(inbound: Double?, outbound: Double?, isHeld: Bool)]) -> OneWayDetector {
        var detector = OneWayDetector()
        for (index, span) in spans.enumerated() {
            detector.take(
                .init(inbound: span.inbound, outbound: span.outbound, seconds: 10, isHeld: span.isHeld),
                at: Timestamp(milliseconds: Int64(10_000 * (index + 1))))
        }
        return detector
    }

    @Test func `fifteen seconds of packets one way and none the other`() {
        #expect(detector(Array(repeating: (500, 0, false), count: 2)).result == true)
        #expect(detector(Array(repeating: (0, 500, false), count: 2)).result == true)
        #expect(detector(Array(repeating: (0, 500, false), count: 1)).result == false)
    }

    @Test(arguments: [(others: 0.0, found: false), (1, true)])
    func `where nothing at all comes nobody knows whether what is sent arrives`(others: Double, found: Bool) {
        var detector = OneWayDetector()
        for second in 1...30 {
            let span = OneWayDetector.Span(
                inbound: 0, outbound: 50, others: second.isMultiple(of: 7) ? others : 0, seconds: 1, isHeld: false)
            detector.take(span, at: Timestamp(milliseconds: Int64(1_000 * second)))
        }
        #expect(detector.result == found)
    }

    /// Sound ends at 70 s, and so does the path, for good or for 30 s.
    @Test(arguments: [1, 5, 10, 30], [[70.4], [71], [70.4, 95.5]])
    func `a path that is down is none, though a packet came over it`(cadence: Int, packets: [Double]) {
        var detector = OneWayDetector()
        for end in stride(from: 70 + cadence, through: 100, by: cadence) {
            let others = packets.count { $0 > Double(end - cadence) && $0 <= Double(end) }
            let span = OneWayDetector.Span(
                inbound: 0, outbound: Double(50 * cadence), others: Double(others), seconds: Double(cadence))
            detector.take(span, at: Timestamp(milliseconds: Int64(1_000 * end)))
        }
        #expect(detector.result == false)
    }

    @Test(arguments: [1, 5, 10, 30]) func `a far end that sends RTCP alone is one`(cadence: Int) {
        var detector = OneWayDetector()
        for end in stride(from: cadence, through: 60, by: cadence) {
            let others = (end - cadence + 1...end).count { $0.isMultiple(of: 5) }
            let span = OneWayDetector.Span(
                inbound: 0, outbound: Double(50 * cadence), others: Double(others), seconds: Double(cadence))
            detector.take(span, at: Timestamp(milliseconds: Int64(1_000 * end)))
        }
        let run = OneWayDetector.Run(
            span: TimeSpan(start: Timestamp(milliseconds: 0), end: Timestamp(milliseconds: 60_000)),
            isInboundMissing: true)
        #expect(detector.runs == [run])
    }

    @Test func `a hold, comfort noise and silence both ways are not one-way`() {
        #expect(detector(Array(repeating: (0, 500, true), count: 5)).result == false)
        #expect(detector(Array(repeating: (0, 20, false), count: 5)).result == false)
        #expect(detector(Array(repeating: (0, 0, false), count: 5)).result == false)
    }

    @Test func `without one direction nothing can be said`() {
        #expect(detector(Array(repeating: (nil, 500, false), count: 5)).result == nil)
    }
}
