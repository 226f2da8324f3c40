import CallModel
import Testing

@testable import CallQuality

@Suite struct VideoScoreTests {
    /// So many pictures, each of which froze for a second in every ten.
    private func freezeCost(pictures: Double, seconds: Double) -> Double {
        var totals = VideoTotals()
        totals.activeSeconds = pictures * seconds
        totals.counted.packets = 100
        (totals.counted.freezes, totals.counted.frozenSeconds) = (pictures * seconds / 10, pictures * seconds / 10)
        return VideoScore(totals: totals, oneWayDelay: OneWayDelay(network: nil, jitterBuffer: 0, codec: 0)).freezeCost
    }

    @Test(arguments: [1.0, 4.0, 16.0], [10.0, 30.0, 60.0])
    func `the same freezes cost the same, however many pictures there are and however rarely they are told of`(
        pictures: Double, seconds: Double
    ) {
        let one = freezeCost(pictures: 1, seconds: 10)
        #expect(one > 0.2 && abs(freezeCost(pictures: pictures, seconds: seconds) - one) < 1e-12)
    }
}
