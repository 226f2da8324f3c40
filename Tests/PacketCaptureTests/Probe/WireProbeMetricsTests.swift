import CallModel
import Testing

/// What receivers say of themselves in extended reports
/// ([RFC 3611 §4.7](https://www.rfc-editor.org/rfc/rfc3611#section-4.7)).
@Suite struct WireProbeMetricsTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// Loss 16/256, discards 8/256, densities 128/256 and 1/256, 200 and 5,000 ms, 100 and 40 ms, −20 and −70 dBm0, RERL 55,
    /// Gmin 16, R 93 and 80, MOS 4.2 and 4.1, standard concealment in a buffer that adapts at 5, of 40, 60 and 300 ms.
    private static let known: [UInt8] = [
        0x10, 0x08, 0x80, 0x01, 0x00, 0xC8, 0x13, 0x88, 0x00, 0x64, 0x00, 0x28, 0xEC, 0xBA, 55, 16, 93, 80, 42, 41,
        0xF5,
        0, 0x00, 0x28, 0x00, 0x3C, 0x01, 0x2C,
    ]

    /// The same, with 127 for all that may be unavailable, no round trip, and a buffer of which nothing is said.
    private static let unavailable: [UInt8] =
        known[0..<8] + [0, 0, 0x00, 0x28, 127, 127, 127, 16, 127, 127, 127, 127, 0, 0] + known[22...]

    /// A report about the caller's stream, behind a receiver's report without blocks, in the way of the callee's media.
    private static func report(
        _ values: [UInt8], by reporter: UInt8, at seconds: Double, into script: inout ProbeScript
    ) {
        let empty: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, reporter]
        let extended: [UInt8] = [0x80, 207, 0, 10, 0, 0, 0, reporter, 7, 0, 0, 8, 0, 0, 0, 10]
        script.udp(empty + extended + values, from: Calls.calleeMedia, to: Calls.callerMedia, at: seconds)
    }

    private static func metrics(by reporter: UInt32, _ reports: Int, at milliseconds: Int64) -> ReceiverMetrics {
        let time = Timestamp(milliseconds: ProbeScript.epoch / 1_000_000 + milliseconds)
        var metrics = ReceiverMetrics(reportedAt: time, reporter: reporter, reports: reports)
        (metrics.lossRate, metrics.discardRate) = (0.0625, 0.03125)
        (metrics.burstDensity, metrics.gapDensity) = (0.5, 1.0 / 256)
        (metrics.burstMilliseconds, metrics.gapMilliseconds, metrics.minimumGap) = (200, 5_000, 16)
        metrics.endSystemMilliseconds = 40
        (metrics.jitterBufferNominalMilliseconds, metrics.jitterBufferMaximumMilliseconds) = (40, 60)
        metrics.jitterBufferAbsoluteMaximumMilliseconds = 300
        return metrics
    }

    private static func whole(by reporter: UInt32, _ reports: Int, at milliseconds: Int64) -> ReceiverMetrics {
        var metrics = metrics(by: reporter, reports, at: milliseconds)
        (metrics.roundTripMilliseconds, metrics.residualEchoReturnLossDecibels) = (100, 55)
        (metrics.signalLevelDecibels, metrics.noiseLevelDecibels) = (-20, -70)
        (metrics.rFactor, metrics.externalRFactor) = (93, 80)
        (metrics.listeningMOS, metrics.conversationalMOS) = (4.2, 4.1)
        (metrics.lossConcealment, metrics.isJitterBufferAdaptive, metrics.jitterBufferRate) = (.standard, true, 5)
        return metrics
    }

    private static func call() -> ProbeScript {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth())
        script.media(Calls.back())
        script.hangUp(at: 10.2)
        return script
    }

    @Test func `all that a receiver says of itself comes with the stream that it is about, and into its record`() throws
    {
        var script = Self.call()
        Self.report(Self.known, by: 0xB, at: 3, into: &script)
        Self.report(Self.known, by: 0xB, at: 8, into: &script)
        let run = script.run()
        let told = try #require(run.reports[Calls.toCallee])
        #expect(told.first?.streams.map(\.receiverMetrics) == [[Self.whole(by: 0xB, 1, at: 3_000)]])
        #expect(told.last?.streams.map(\.receiverMetrics) == [[Self.whole(by: 0xB, 2, at: 8_000)]])
        let summary = try #require(run.summary(of: Calls.toCallee))
        #expect(summary.streams.map(\.wire?.receiverMetrics) == [[Self.whole(by: 0xB, 2, at: 8_000)]])
        #expect(try #require(run.reports[Calls.toCaller]).flatMap(\.streams).allSatisfy { $0.receiverMetrics == nil })
    }

    @Test func `what a receiver marks as unavailable is not known`() throws {
        var script = Self.call()
        Self.report(Self.unavailable, by: 0xB, at: 3, into: &script)
        let last = try #require(script.run().reports[Calls.toCallee]?.last)
        #expect(last.streams.map(\.receiverMetrics) == [[Self.metrics(by: 0xB, 1, at: 3_000)]])
        #expect(last.streams.map { $0[.receiverRFactor] } == [nil])
    }

    @Test func `of several that report each has its last word, four at most`() throws {
        var script = Self.call()
        for (second, reporter) in [(2, 1), (3, 2), (4, 3), (5, 4), (6, 2), (7, 5)] as [(Double, UInt8)] {
            Self.report(Self.known, by: reporter, at: second, into: &script)
        }
        let last = try #require(script.run().reports[Calls.toCallee]?.last)
        let expected = [(3, 1, 4), (4, 1, 5), (2, 2, 6), (5, 1, 7)] as [(UInt32, Int, Int64)]
        #expect(last.streams.map(\.receiverMetrics) == [expected.map { Self.whole(by: $0, $1, at: 1_000 * $2) }])
    }
}
