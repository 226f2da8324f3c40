import RTPMeter
import Testing

@Suite struct RoundTripEstimatorTests {
    private let ssrc: UInt32 = 0x0a0b_0c0d

    private func at(_ seconds: Double) -> ArrivalTime {
        ArrivalTime(nanoseconds: 1_763_726_400_000_000_000 + Int64(seconds * 1e9))
    }

    private func block(_ report: UInt32, held seconds: Double, about source: UInt32? = nil) -> ReportBlock {
        ReportBlock(
            ssrc: source ?? ssrc, fractionLost: 0, cumulativeLost: 0, highestSequence: 0, jitterTicks: 0,
            lastSenderReport: report, delaySinceLastSenderReport: UInt32(seconds * 65536))
    }

    /// RFC 3550, section 6.4.1, figure 2: the report leaves at 0xb44db705.2000 0000, the block has LSR b705:2000 and
    /// DLSR 0x0005.4000 and comes at A = 0xb710.8000 (all in 1/65536 s), so the delay is 0x0006.2000 = 6.125 s.
    @Test func `the example of RFC 3550`() throws {
        let sent = rtcp(type: 200, count: 0, hex("0a0b0c0d b44db705 20000000 00000000 00000000 00000000"))
        let answer = rtcp(
            type: 201, count: 1, hex("01020304 0a0b0c0d 00000000 00000000 00000000 b7052000 00054000"))
        guard case .senderReport(let report) = compound(sent).packets.first,
            case .receiverReport(let receiver) = compound(answer).packets.first
        else {
            Issue.record("the packets cannot be read")
            return
        }
        #expect(report.ntpMiddle == 0xb705_2000)
        var estimator = RoundTripEstimator()
        estimator.noteSenderReport(ssrc: report.ssrc, ntpMiddle: report.ntpMiddle, at: at(0))
        let passed = Double(0xb710_8000 - 0xb705_2000) / 65536
        #expect(estimator.roundTrip(try #require(receiver.reports.first), at: at(passed)) == 6.125)
    }

    @Test func `a report that is named again, and held for longer, is as good`() {
        var estimator = RoundTripEstimator()
        estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: 7, at: at(0))
        #expect(estimator.roundTrip(block(7, held: 0.5), at: at(0.625)) == 0.125)
        #expect(estimator.roundTrip(block(7, held: 16.25), at: at(16.5)) == 0.25)
    }

    @Test func `what names no report has no round trip`() {
        var estimator = RoundTripEstimator()
        #expect(estimator.roundTrip(block(7, held: 0.5), at: at(1)) == nil)
        estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: 7, at: at(0))
        estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: 0, at: at(0))
        #expect(estimator.roundTrip(block(0, held: 0.5), at: at(1)) == nil)
        #expect(estimator.roundTrip(block(8, held: 0.5), at: at(1)) == nil)
        #expect(estimator.roundTrip(block(7, held: 0), at: at(1)) == nil)
        #expect(estimator.roundTrip(block(7, held: 0.5, about: 1), at: at(1)) == nil)
    }

    @Test(
        arguments: [
            (10.5, 10.0), (10.501, nil), (0.5, 0.0), (0.4995, 0.0), (0.498, nil), (-3600, nil),
        ] as [(Double, Double?)])
    func `too long or below zero is no round trip`(passed: Double, expected: Double?) {
        var estimator = RoundTripEstimator()
        estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: 7, at: at(0))
        #expect(estimator.roundTrip(block(7, held: 0.5), at: at(passed)) == expected)
    }

    @Test func `the last reports are remembered, the oldest forgotten`() {
        var estimator = RoundTripEstimator()
        for number in 1...UInt32(40) {
            estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: number, at: at(Double(number)))
        }
        let known = (1...UInt32(40)).filter { estimator.roundTrip(block($0, held: 0.5), at: at(Double($0) + 1)) == 0.5 }
        #expect(known == Array(25...40))
        #expect(RoundTripEstimator.capacity == 16)
    }

    @Test func `a report that was captured twice counts from the first time`() {
        var estimator = RoundTripEstimator()
        estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: 7, at: at(0))
        estimator.noteSenderReport(ssrc: ssrc, ntpMiddle: 7, at: at(0.25))
        #expect(estimator.roundTrip(block(7, held: 0.5), at: at(1)) == 0.5)
    }

    @Test func `a receiver's reference time is answered in the same way`() {
        var estimator = RoundTripEstimator()
        estimator.noteReferenceTime(ssrc: ssrc, ntpTimestamp: 0xeb1f_c0de_1234_5678, at: at(0))
        let answer = ReceiverReportDelay(
            ssrc: ssrc, lastReceiverReport: 0xc0de_1234, delaySinceLastReceiverReport: 0x1_8000)
        #expect(estimator.roundTrip(answer, at: at(1.75)) == 0.25)
    }
}
