import RTPMeter
import TestSupport
import Testing

@Suite struct DelayHistogramTests {
    /// 1500 packets of 20 ms that take so many seconds longer than the fastest.
    private func variation95(_ delay: (Int) -> Double) throws -> Double {
        let packets = steady(0..<1500).enumerated().map { index, packet in
            var packet = packet
            packet.seconds += delay(index)
            return packet
        }
        return try #require(RTPStreamMeter(packets).figures().delayVariation95Seconds)
    }

    @Test func `packets at a perfect pace have no delay variation`() throws {
        #expect(try variation95 { _ in 0 } < 1e-6)
    }

    @Test(arguments: [0.001, 0.003, 0.015, 0.019])
    func `delays of equal chance have the percentile of their range`(most: Double) throws {
        var random = RandomSource(seed: 95)
        let found = try variation95 { _ in Double.random(in: 0...most, using: &random) }
        #expect(abs(found - 0.95 * most) < 0.03 * most)
    }

    @Test(arguments: [(0.041, 0.040...0.041), (0.090, 0.085...0.090)])
    func `the percentile lies between the limit below it and the longest delay`(
        delay: Double, range: ClosedRange<Double>
    ) throws {
        #expect(range.contains(try variation95 { ($0 / 50) % 8 == 7 ? delay : 0 }))
    }

    @Test(arguments: [0.350, 0.450, 0.900])
    func `beyond 320 ms the percentile is near the mean of such delays`(delay: Double) throws {
        #expect(try abs(variation95 { ($0 / 50) % 8 == 7 ? delay : 0 } / delay - 1) < 0.15)
    }

    @Test func `a single packet that is very late does not draw the percentile to it`() throws {
        let found = try variation95 { $0 == 700 ? 2.5 : ($0 / 50) % 8 == 7 ? 0.400 : 0 }
        #expect(abs(found - 0.400) < 0.060)
    }
}
