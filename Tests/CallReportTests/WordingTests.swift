import CallModel
import Testing

@testable import CallReport

@Suite struct WordingTests {
    @Test(
        arguments: [
            (nil, "–"), (.nan, "–"), (.infinity, "–"), (0, "0"), (0.004, "<0.01"), (0.25, "0.25"), (0.996, "1.0"),
            (8.06, "8.1"), (34, "34.0"), (99.96, "100"), (612.4, "612"), (2584, "2580"), (999_500, "1000000"),
            (-35.25, "-35.3"), (-0.001, ">-0.01"),
        ] as [(Double?, String)])
    func `measured figures have at most three digits that mean something`(value: Double?, text: String) {
        #expect(Figures.number(value) == text)
    }

    @Test(
        arguments: [
            (nil, "–"), (0, "0.0 s"), (5.04, "5.0 s"), (59.94, "59.9 s"), (59.96, "1 min 00 s"), (75, "1 min 15 s"),
            (3599.6, "1 h 00 min"), (10_920, "3 h 02 min"),
        ] as [(Double?, String)])
    func `lengths of time read as people say them`(seconds: Double?, text: String) {
        #expect(Words.duration(seconds: seconds) == text)
    }

    @Test(arguments: [
        ("plain", "plain"), ("\u{1b}[31m", "\\u{1b}[31m"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{202e}x", "\\u{202e}x"),
        ("日本", "日本"), ("é", "é"), ("\u{e000}", "\\u{e000}"),
    ]) func `only what steers a terminal is escaped`(text: String, printable: String) {
        #expect(text.printable == printable)
    }

    @Test func `a long id keeps both ends when cut in the middle`() {
        #expect("0123456789".cutInMiddle(to: 10) == "0123456789")
        #expect("0123456789".cutInMiddle(to: 7) == "012…789")
        #expect("日本語の接続".cutInMiddle(to: 7) == "日…続")
        #expect("日本語".columnWidth == 6)
    }

    @Test func `costs are rounded so that they add up`() {
        var summary = Records.summary(lasting: 1000)
        summary.costs = [.loss: 0.14, .burst: 0.14, .late: 0.14, .delay: .nan, .freeze: -3, .stretch: 0.01]
        let shares = CostShares(summary)
        #expect(shares.totalTenths == 4)
        #expect(
            shares.rows == [
                .init(cause: .burst, tenths: 2), .init(cause: .late, tenths: 1), .init(cause: .loss, tenths: 1),
            ])
    }

    @Test(arguments: [(79, 78, 2), (78, 78, 1), (1080, 78, 14), (0, 78, 1)])
    func `a ribbon shows the worst of each group`(intervals: Int64, width: Int, group: Int) {
        let scores = (0..<intervals).map { Records.score($0, $0 == 7 ? 3 : 95) }
        let ribbon = Ribbon(scores, width: width)
        #expect(ribbon.groupSize == group)
        #expect(ribbon.steps.count <= width)
        #expect(ribbon.steps.filter { $0.cell == .score(3) }.count == (intervals > 0 ? 1 : 0))
        #expect(ribbon.steps.first?.start == (intervals > 0 ? Records.start : nil))
    }

    /// Five intervals of 10 s, with 2 s of blackout in the second and 6 s within the fourth.
    @Test func `a ribbon calls blackout what was dark for most of its time`() {
        let scores = (0..<5).map { Records.score($0, 40) }
        func outage(_ seconds: Double, in interval: Int) -> MediaOutage {
            MediaOutage(
                span: TimeSpan(start: scores[interval].start, end: scores[interval].end), seconds: seconds, evidence: []
            )
        }
        let length = scores[0].end.seconds(since: scores[0].start)
        let ribbon = Ribbon(scores, outages: [outage(0.2 * length, in: 1), outage(0.6 * length, in: 3)], width: 10)
        #expect(ribbon.steps.map(\.cell) == [.score(40), .score(40), .score(40), .blackout, .score(40)])
    }

    @Test func `where a blackout lies is said no more exactly than it is known`() {
        let start = Records.start
        func words(_ seconds: Double, _ milliseconds: Int64) -> String {
            Words.duration(
                seconds: seconds,
                within: TimeSpan(start: start, end: start.advanced(byMilliseconds: milliseconds)))
        }
        #expect(words(1.2, 10_000) == "1.2 s within 10.0 s")
        #expect(words(4.9, 4_930) == "4.9 s")
    }

    @Test func `of a transport only what is known is said`() {
        var transport = TransportSummary()
        #expect(TransportWords(transport).all.isEmpty)
        (transport.srtpCipher, transport.sentKilobitsPerSecond, transport.messagesReceived) = ("AEAD\n", 512, 1)
        (transport.synthesizedPercent, transport.videoAfterAudioMilliseconds) = (.nan, 35)
        #expect(
            TransportWords(transport).all == [
                "security: AEAD\\u{a}", "carried: 512 kbit/s out", "picture 35.0 ms after sound",
                "data channels: – messages sent, 1 received",
            ])
        var estimate = TransportSummary()
        (estimate.meanAvailableKilobitsPerSecond, estimate.availableBitrateDrops) = (812, 1)
        #expect(TransportWords(estimate).all == ["estimate to send 812 kbit/s on average, 1 drop"])
    }

    @Test func `a row that no stream has a figure for is left out, else a dash stands where one is missing`() {
        var summary = Records.summary(lasting: 1000)
        summary.streams = [
            Records.stream(.inbound, .audio, "1"), Records.stream(.inbound, .video, "2"),
            Records.stream(.outbound, .video, "3"),
        ]
        let labels = ["FEC", "NACK/PLI a minute", "retransmitted", "buffer target", "loss in worst span", "silent"]
        #expect(rows(labels + ["no packets for", "decode a frame", "encode a frame"], of: summary) == [])
        summary.streams[1].metrics = [.fecPercent: 5, .pictureLossesPerMinute: 0.5]
        summary.streams[0].packetsLost = 2
        summary.streams[0].worstIntervalShareOfLossPercent = 100
        (summary.streams[0].silentSeconds, summary.streams[1].deadSeconds) = (0.5, 0.6)
        #expect(
            rows(labels + ["no packets for"], of: summary) == [
                "  no packets for               0.6 s", "  FEC                –         5.0 %",
                "  NACK/PLI a minute  –         – / 0.50  –",
            ])
    }

    @Test func `latencies of SIP stand below those of clients where they are known`() {
        var setup = SetupLatencies()
        #expect(WireSetup(setup).dialog.isEmpty)
        (setup.sessionRequestDelay, setup.sessionDurationTime, setup.postDialDelay) = (402, 61_000, 410)
        #expect(
            WireSetup(setup).dialog.map { $0.rendered(isColoured: false) } == [
                "  SRD  session request  402 ms", "  SDT  session          1 min 01 s",
            ])
        #expect(
            WireSetup(setup).lines.map { $0.rendered(isColoured: false) } == [
                "  SRD  session request  402 ms      L2  post-dial delay  410 ms", "  SDT  session          1 min 01 s",
            ])
    }

    @Test(
        arguments: [
            (SensorHealth(), true, false, []),
            (SensorHealth(packetsDroppedByKernel: 0), false, false, []),
            (SensorHealth(packetsRecordedTwice: 1), true, false, ["1 packet recorded twice"]),
            (
                SensorHealth(packetsDroppedByKernel: 120), false, true,
                ["the kernel dropped 120 packets while this call or its file was captured: loss may be"]
            ),
        ] as [(SensorHealth, Bool, Bool, [String])])
    func `a fault of the capture is told as one`(
        sensor: SensorHealth, isFile: Bool, isDoubtful: Bool, faults: [String]
    ) {
        let words = SensorWords(sensor)
        #expect(words.limits.isEmpty == !isFile)
        #expect(sensor.isDoubtful == isDoubtful)
        #expect(zip(words.faults(since: Records.start), faults).allSatisfy { $0.hasPrefix($1) })
        #expect(words.faults(since: Records.start).count == faults.count)
    }

    @Test func `what the receiver has and the capture has not is a fault of the capture`() {
        let words = SensorWords(SensorHealth(), unrecorded: 62).faults(since: Records.start)
        #expect(
            words == [
                "the receiver has 62 packets that the capture has not, by its reports (RTCP): this loss may be the "
                    + "sensor's, not the network's"
            ])
    }

    private func rows(_ labels: [String], of summary: CallSummary) -> [String] {
        let context = ReportContext(record: Records.record(summary), now: Records.start, columns: 80)
        return StreamSection(context: context).lines.map { $0.rendered(isColoured: false) }
            .filter { line in labels.contains { line.hasPrefix("  \($0)  ") } }
    }
}
