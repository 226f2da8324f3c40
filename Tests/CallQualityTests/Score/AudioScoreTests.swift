import CallModel
import Testing

@testable import CallQuality

/// What the points are called that sound lost.
@Suite struct AudioScoreTests {
    private func costs(silent: Double, dark: Double, lost: Double = 0) -> [QualityCause: Double] {
        var totals = AudioTotals()
        (totals.activeSeconds, totals.silentSeconds, totals.darkSeconds) = (10, silent, dark)
        (totals.counted.packets, totals.packetsLost) = (500 - lost, lost)
        (totals.counted.samples, totals.counted.concealedSamples) = (480_000, 48_000 * silent)
        return AudioScore(model: .current, totals: totals, roundTripMilliseconds: nil).factors?.costs ?? [:]
    }

    @Test func `silence too short for a blackout is what was lost or came late`() {
        #expect(Set(costs(silent: 0.2, dark: 0).keys) == [.late])
        #expect(Set(costs(silent: 0.2, dark: 0, lost: 10).keys) == [.loss])
        #expect(Set(costs(silent: 2, dark: 2).keys) == [.blackout])
    }

    @Test func `what it is called does not change what it costs`() {
        let (short, long) = (costs(silent: 2, dark: 0), costs(silent: 2, dark: 2))
        #expect(abs(short.values.reduce(0, +) - long.values.reduce(0, +)) < 1e-9)
    }
}
