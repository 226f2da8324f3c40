import CallModel
import Testing

@testable import CallQuality

/// Idd of ITU-T G.107 (06/2015) 7.4.
@Suite struct DelayImpairmentTests {
    /// Computed from the formula outside the product.
    @Test(
        arguments: [
            (0, 0), (100, 0), (100.001, 0), (200, 3.0444), (400, 24.0701), (1e9, 50),
        ] as [(Double, Double)])
    func `has the values of the formula`(_ delay: Double, _ points: Double) {
        #expect(abs(DelayImpairment.points(oneWayMilliseconds: delay) - points) < 0.0005)
    }

    @Test func `never falls as delay grows, and stays within 0 and 50`() {
        var before = 0.0
        for delay in stride(from: -50.0, through: 5_000, by: 0.5) {
            let points = DelayImpairment.points(oneWayMilliseconds: delay)
            #expect(points >= before && points <= 50, "\(delay) ms")
            before = points
        }
    }

    @Test func `what the jitter buffer adds beyond the ordinary is its own cost`() throws {
        var factors = ImpairmentFactors()
        OneWayDelay(network: 150, jitterBuffer: 140, codec: 26.5).apply(to: &factors)
        let whole = DelayImpairment.points(oneWayMilliseconds: 316.5)
        let path = DelayImpairment.points(oneWayMilliseconds: 216.5)
        #expect(abs(factors.score - (100 - whole)) < 1e-9)
        #expect(abs(try #require(factors.costs[.delay]) - path) < 1e-9)
        #expect(abs(try #require(factors.costs[.jitterBuffer]) - (whole - path)) < 1e-9)
    }

    @Test func `a short delay costs nothing`() {
        var factors = ImpairmentFactors()
        OneWayDelay(network: nil, jitterBuffer: 40, codec: 26.5).apply(to: &factors)
        #expect(factors.score == 100)
        #expect(factors.costs == [:])
    }
}
