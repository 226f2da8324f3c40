import Testing

@testable import RTPMeter

@Suite struct ExtendedReportTests {
    private func blocks(_ bytes: [UInt8]) -> [ExtendedReport.Block] {
        guard case .extendedReport(let report) = compound(bytes).packets.first else { return [] }
        return report.blocks
    }

    private func report(_ block: [UInt8]) -> [UInt8] {
        rtcp(type: 207, count: 0, hex("01020304") + block)
    }

    private let voip = VoIPMetrics(
        ssrc: 0x0a0b_0c0d, lossRate: 0.0625, discardRate: 0.03125, burstDensity: 0.5, gapDensity: 1.0 / 256,
        burstDuration: 200, gapDuration: 5000, minimumGap: 16, roundTripDelay: 100, endSystemDelay: 40,
        signalLevel: -20, noiseLevel: nil, residualEchoReturnLoss: nil, rFactor: 93, externalRFactor: nil,
        listeningMOS: 4.2, conversationalMOS: 4.1, lossConcealment: .standard, isJitterBufferAdaptive: false,
        jitterBufferRate: 5, jitterBufferNominal: 40, jitterBufferMaximum: 60, jitterBufferAbsoluteMaximum: 300)

    @Test func `every block that is known, and a count of the others`() {
        let expected = ExtendedReport(
            ssrc: 0x0102_0304,
            blocks: [
                .receiverReferenceTime(ntpTimestamp: 0xeb1f_c0de_1234_5678),
                .delaySinceLastReceiverReport([
                    ReceiverReportDelay(
                        ssrc: 0x0a0b_0c0d, lastReceiverReport: 0xc0de_1234, delaySinceLastReceiverReport: 0x1_8000),
                    ReceiverReportDelay(
                        ssrc: 0x0e0f_1011, lastReceiverReport: 0, delaySinceLastReceiverReport: 0),
                ]),
                .statisticsSummary(
                    StatisticsSummary(
                        ssrc: 0x0a0b_0c0d, beginSequence: 100, endSequence: 200, lostPackets: 3, duplicatePackets: 2,
                        jitterTicks: .init(minimum: 1, maximum: 80, mean: 20, deviation: 10),
                        hopCounts: .timeToLive(.init(minimum: 63, maximum: 64, mean: 64, deviation: 1)))),
                .voipMetrics(voip),
            ], skippedBlocks: 1)
        #expect(compound(Sample.extended) == RTCPCompound(packets: [.extendedReport(expected)]))
    }

    /// RFC 3611, section 4.7: 127 for what is unavailable; numbers outside of the range are to be ignored.
    @Test(arguments: ["7f", "80", "ff"]) func `what is unavailable or impossible is nil`(byte: String) {
        let quality = String(repeating: byte, count: 4)
        let metrics = hex(
            "07000008 0a0b0c0d 00000000 00000000 00000000 7f7f7f10 \(quality) 00000000 00000000")
        let expected = VoIPMetrics(
            ssrc: 0x0a0b_0c0d, lossRate: 0, discardRate: 0, burstDensity: 0, gapDensity: 0, burstDuration: 0,
            gapDuration: 0, minimumGap: 16, roundTripDelay: nil, endSystemDelay: 0, signalLevel: nil, noiseLevel: nil,
            residualEchoReturnLoss: nil, rFactor: nil, externalRFactor: nil, listeningMOS: nil,
            conversationalMOS: nil, lossConcealment: .unspecified, isJitterBufferAdaptive: nil, jitterBufferRate: 0,
            jitterBufferNominal: 0, jitterBufferMaximum: 0, jitterBufferAbsoluteMaximum: 0)
        #expect(blocks(report(metrics)) == [.voipMetrics(expected)])
    }

    @Test func `an adaptive buffer is told from an unknown one`() {
        func isAdaptive(_ configuration: UInt8) -> Bool?? {
            var bytes = Sample.voip
            bytes[28] = configuration
            guard case .voipMetrics(let metrics) = blocks(report(bytes)).first else { return nil }
            return metrics.isJitterBufferAdaptive
        }
        #expect([0x00, 0x10, 0x20, 0x30].map(isAdaptive) == [.some(nil), .some(nil), false, true])
    }

    @Test func `what a statistics summary does not report is nil`() {
        var bytes = Sample.summary
        bytes[1] = 0
        let none = StatisticsSummary(ssrc: 0x0a0b_0c0d, beginSequence: 100, endSequence: 200)
        #expect(blocks(report(bytes)) == [.statisticsSummary(none)])
        bytes[1] = 0b0001_0000
        var hops = none
        hops.hopCounts = .hopLimit(.init(minimum: 63, maximum: 64, mean: 64, deviation: 1))
        #expect(blocks(report(bytes)) == [.statisticsSummary(hops)])
    }

    @Test func `a block that is too short for its type is an error, and the next one is read`() {
        let bytes = report(hex("07 00 0001 0a0b0c0d") + Sample.referenceTime)
        let expected = ExtendedReport(
            ssrc: 0x0102_0304, blocks: [.receiverReferenceTime(ntpTimestamp: 0xeb1f_c0de_1234_5678)], skippedBlocks: 1)
        #expect(
            compound(bytes)
                == RTCPCompound(
                    packets: [.extendedReport(expected)],
                    error: RTCPError(.missing(.block, needed: 44, found: 16), at: 0)))
    }

    @Test func `a block that reaches out of its packet ends the packet`() {
        let bytes = report(Sample.referenceTime + hex("04 00 0003 00000000"))
        #expect(
            compound(bytes).error == RTCPError(.missing(.block, needed: 36, found: 28), at: 0))
        #expect(blocks(bytes).count == 1)
    }
}
