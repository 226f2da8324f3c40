import RTPMeter
import Testing

/// Time between packets.
@Suite struct DeltaTests {
    @Test func `the longest time between packets is not below their mean where each is sent twice`() throws {
        let packets = steady(0..<1000).flatMap { packet in
            var copy = packet
            copy.seconds += 0.008
            return [packet, copy]
        }
        let figures = RTPStreamMeter(packets).figures()
        let delta = try #require(figures.delta)
        #expect(abs(delta.meanMilliseconds - 20) < 0.02 && abs(delta.minimumMilliseconds - 12) < 1e-3)
        #expect(abs((figures.longestGapSeconds ?? 0) - 0.020) < 1e-6)
    }

    @Test func `the longest time without a packet counts where it is longer than any between two that measure time`() {
        let figures = RTPStreamMeter(steady(Array(0..<50) + Array(250..<300))).figures()
        #expect(abs((figures.longestGapSeconds ?? 0) - 4.02) < 1e-6)
        #expect(abs((figures.delta?.maximumMilliseconds ?? 0) - 20) < 1e-3)
    }
}
