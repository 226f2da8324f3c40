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

    /// A packet carries three frames of 1,024 samples, and every second one is 5 ms late.
    @Test(arguments: [22_050, 24_000, 32_000, 44_100, 48_000] as [UInt32])
    func `few packets of AAC are taken for its rate of samples`(hertz: UInt32) {
        let packets = (0..<64).map { (index: Int) -> TestPacket in
            let sent = Double(index * 3_072) / Double(hertz)
            let late = index.isMultiple(of: 2) ? 0 : 0.005
            return TestPacket(
                number: UInt16(index), timestamp: UInt32(index * 3_072), seconds: sent + late, hasMarker: true,
                payloadType: 97)
        }
        #expect(infer(packets) == hertz)
    }

    /// 44,100 ticks a second have 441 in 10 ms.
    @Test(arguments: [24_000, 32_000, 44_100] as [UInt32], [0.010, 0.020, 0.030, 0.040, 0.060])
    func `few packets are taken for a rare rate where their pace is exactly that`(hertz: UInt32, length: Double) {
        let packets = (0..<12).map { index in
            TestPacket(
                number: UInt16(index), timestamp: UInt32(Double(index) * Double(hertz) * length),
                seconds: Double(index) * length, payloadType: 96)
        }
        #expect(infer(packets) == hertz)
    }

    @Test(arguments: [0.985, 1.03])
    func `a rare rate needs many packets where the pace is not exact`(pace: Double) {
        func packets(_ count: Int) -> [TestPacket] {
            (0..<count).map { index in
                TestPacket(
                    number: UInt16(index), timestamp: UInt32(index) * 882, seconds: Double(index) / 50 * pace,
                    payloadType: 96)
            }
        }
        #expect(infer(packets(100)) == nil)
        #expect(infer(packets(300)) == 44_100)
    }

    @Test func `a pace that no packet time explains is that of a rare rate only after many packets`() {
        func packets(_ count: Int) -> [TestPacket] {
            (0..<count).map { index in
                TestPacket(
                    number: UInt16(index), timestamp: UInt32(index) * 700, seconds: Double(index) * 700 / 24_000,
                    payloadType: 96)
            }
        }
        #expect(infer(packets(100)) == nil)
        #expect(infer(packets(300)) == 24_000)
    }

    /// The first packets came up to 55 ms late: 99 steps of 882 in 1.93 s are 45,360 a second, which is within 8 % of 48,000.
    @Test func `a pace that is nearer to a rare rate than to a common one waits for more packets`() {
        func packets(_ count: Int) -> [TestPacket] {
            (0..<count).map { index in
                let seconds = index < 4 ? 0.055 + Double(index) * 0.001 : Double(index) / 50
                return TestPacket(
                    number: UInt16(index), timestamp: UInt32(index) * 882, seconds: seconds, payloadType: 96)
            }
        }
        #expect(infer(packets(100)) == nil)
        #expect(infer(packets(300)) == 44_100)
    }

    /// By the pace alone 7 to 13 % of standstill make 44,100 of 48,000, 22,050 of 24,000 and 11,025 of 12,000.
    @Test(arguments: [48_000, 24_000, 12_000] as [UInt32], [0, 0.03, 0.06, 0.07, 0.08, 0.10, 0.13, 0.20])
    func `a sender that stands still now and then is not taken for one of a slower clock`(
        hertz: UInt32, standstill: Double
    ) {
        let packets = (0..<600).map { index in
            TestPacket(
                number: UInt16(index), timestamp: UInt32(index) * hertz / 50,
                seconds: Double(index) / 50 + Double(index / 50) * standstill, payloadType: 96)
        }
        for count in stride(from: 64, through: 600, by: 8) {
            #expect([nil, hertz].contains(infer(Array(packets.prefix(count)))))
        }
        if standstill < 0.08 { #expect(infer(packets) == hertz) }
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
