import RTPMeter
import TestSupport
import Testing

@Suite struct ClockInferenceTests {
    private func infer(_ packets: [TestPacket]) -> UInt32? {
        var inference = ClockInference()
        for packet in packets {
            inference.take(packet.header, arrival: packet.arrival)
        }
        return inference.clock?.hertz
    }

    @Test(arguments: ClockInference.candidates)
    func `a rate in use is found under jitter and loss`(hertz: UInt32) {
        var random = RandomSource(seed: UInt64(hertz))
        let packets = (0..<400).map { index in
            TestPacket(
                number: UInt16(index), timestamp: UInt32(index) * hertz / 50,
                seconds: Double(index) * 0.020 + Double.random(in: 0...0.008, using: &random), payloadType: 96)
        }
        #expect(infer(packets.filter { _ in Int.random(in: 0..<50, using: &random) > 0 }) == hertz)
    }

    @Test func `video with many packets a frame is measured from frame to frame`() {
        let packets = (0..<240).map { index in
            let seconds = Double(index / 8) / 30 + Double(index % 8) * 0.0005
            return TestPacket(
                number: UInt16(index), timestamp: UInt32(index / 8 * 3000), seconds: seconds,
                hasMarker: index % 8 == 7, payloadType: 96)
        }
        #expect(infer(packets) == 90_000)
    }

    @Test func `silence between packets is media time and does not disturb`() {
        let talk = (0..<20).map { Double($0) * 0.020 }
        let quiet = (0..<20).map { 0.4 + Double($0) * 0.4 }
        let times = talk + quiet
        let packets = times.enumerated().map { index, seconds in
            TestPacket(
                number: UInt16(index), timestamp: UInt32(seconds * 48000), seconds: seconds, payloadType: 111)
        }
        #expect(infer(packets) == 48_000)
    }

    @Test(arguments: [30_000.0, 70_000, 1000])
    func `a rate that nobody uses is refused`(hertz: Double) {
        let packets = (0..<100).map { index in
            TestPacket(
                number: UInt16(index), timestamp: UInt32(Double(index) * hertz / 50), seconds: Double(index) / 50,
                payloadType: 96)
        }
        #expect(infer(packets) == nil)
    }

    @Test func `few packets are taken for a common rate, and a rare one needs many`() {
        func packets(_ count: Int) -> [TestPacket] {
            (0..<count).map { index in
                TestPacket(
                    number: UInt16(index), timestamp: UInt32(index) * 882, seconds: Double(index) / 50, payloadType: 96)
            }
        }
        #expect(infer(packets(100)) == nil)
        #expect(infer(packets(300)) == 44_100)
    }

    /// The first packet came 10 ms late: 99 steps of 882 in 1.97 s are 44,324 a second, which is within 8 % of 48,000.
    @Test func `a pace that is nearer to a rare rate than to a common one waits for more packets`() {
        func packets(_ count: Int) -> [TestPacket] {
            (0..<count).map { index in
                TestPacket(
                    number: UInt16(index), timestamp: UInt32(index) * 882,
                    seconds: index == 0 ? 0.010 : Double(index) / 50, payloadType: 96)
            }
        }
        #expect(infer(packets(100)) == nil)
        #expect(infer(packets(300)) == 44_100)
    }

    @Test func `ten seconds tell the rate even when no two packets in a row are consecutive`() {
        let packets = (0..<600).map { index in
            TestPacket(
                number: UInt16(index ^ 1), timestamp: UInt32(index ^ 1) * 960, seconds: Double(index) / 50,
                payloadType: 111)
        }
        #expect(infer(packets) == 48_000)
    }

    @Test func `fewer than 8 pairs decide nothing`() {
        #expect(infer(steady(0..<8)) == nil)
        #expect(infer(steady(0..<9)) == 8000)
    }
}
