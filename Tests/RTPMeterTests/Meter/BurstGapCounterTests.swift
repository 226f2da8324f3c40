import Testing

@testable import RTPMeter

@Suite struct BurstGapCounterTests {
    private func count(_ pattern: [(received: Int, lost: UInt32)]) -> BurstGapCounter {
        var counter = BurstGapCounter()
        for part in pattern {
            for _ in 0..<part.received {
                counter.receive()
            }
            counter.lose(part.lost)
        }
        return counter
    }

    @Test func `an isolated loss, then a burst of three losses in four packets, by hand`() {
        // 20 received, loss, 20 received, then L r L L, then 20 received: c11 60, c14 1, c13 1, c22 0, c23 1, c33 1.
        let metrics = count([(20, 1), (20, 1), (1, 2), (20, 0)]).metrics(packetSeconds: 0.020)
        #expect(
            metrics
                == BurstGapMetrics(
                    burstDensity: 0.75, gapDensity: 1.0 / 61, burstSeconds: 4 * 0.020, gapSeconds: 62 * 0.020,
                    bursts: 1, isolatedLosses: 1))
    }

    @Test func `no loss is one gap without a burst`() {
        #expect(
            count([(100, 0)]).metrics(packetSeconds: 0.020)
                == BurstGapMetrics(
                    burstDensity: 0, gapDensity: 0, burstSeconds: 0, gapSeconds: 2, bursts: 0, isolatedLosses: 0))
    }

    @Test func `losses in a row alone have density 1`() {
        let metrics = count([(50, 10), (50, 0)]).metrics(packetSeconds: nil)
        #expect(
            metrics
                == BurstGapMetrics(
                    burstDensity: 1, gapDensity: 0, burstSeconds: nil, gapSeconds: nil, bursts: 1, isolatedLosses: 0))
    }

    @Test(arguments: [(15, 1, 0), (16, 0, 2)])
    func `sixteen packets received in a row end a burst`(between: Int, bursts: Int, isolated: Int) {
        let metrics = count([(50, 1), (between, 1), (50, 0)]).metrics(packetSeconds: nil)
        #expect(metrics?.bursts == bursts)
        #expect(metrics?.isolatedLosses == isolated)
    }

    @Test func `nothing counted is nothing known`() {
        #expect(BurstGapCounter().metrics(packetSeconds: 0.020) == nil)
    }
}
