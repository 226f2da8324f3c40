import TestSupport
import Testing

@testable import CallQuality

/// What holds of the E-model beyond single figures.
@Suite struct EModelTests {
    @Test func `R and the mean opinion score lead to each other over the whole scale`() {
        for tenths in 66...999 {
            let rating = Double(tenths) / 10
            #expect(abs(EModel.rating(mos: EModel.mos(rating: rating)) - rating) < 1e-3, "\(rating)")
        }
    }

    @Test func `no opinion is below 1 or above 4.5, whatever the rating`() {
        var before = 1.0
        for rating in stride(from: -200.0, through: 200, by: 0.25) {
            let mos = EModel.mos(rating: rating)
            #expect(mos >= before && mos <= 4.5, "\(rating)")
            before = mos
        }
        #expect([Double.nan, -.infinity].map(EModel.mos(rating:)) == [1, 1])
        #expect(EModel.mos(rating: .infinity) == 4.5)
    }

    @Test func `a score that no rating has is the end of the scale`() {
        #expect([4.5, 5, .infinity].map(EModel.rating(mos:)) == [100, 100, 100])
        let least = EModel.rating(mos: 1)
        #expect(abs(least - 6.5153) < 1e-4)
        #expect([0, -3, .nan].map(EModel.rating(mos:)) == [least, least, least])
    }

    @Test func `more random loss never raises R, on any scale`() {
        for codec in [0.0, 11, 40] {
            for robustness in [4.3, 10, 25.1] {
                var before = (Double.infinity, Double.infinity, Double.infinity)
                for loss in stride(from: 0.0, through: 100, by: 0.5) {
                    let equipment = EquipmentImpairment(codec: codec, lossRobustness: robustness, lossPercent: loss)
                    var parameters = EModelParameters()
                    parameters.equipment = equipment
                    let now = (
                        NarrowbandEModel(parameters).rating, WidebandEModel(equipment: equipment).rating,
                        FullbandEModel(equipment: equipment).rating
                    )
                    #expect(now.0 <= before.0 && now.1 <= before.1 && now.2 <= before.2, "\(codec) \(loss)")
                    before = now
                }
            }
        }
    }

    /// Where both begin to perceive it, the classes cross by less than a thousandth of a point.
    @Test func `people who are less sensitive to delay lose less by it`() {
        for delay in stride(from: 0.0, through: 1_000, by: 10) {
            func points(_ listener: DelayImpairment.Sensitivity) -> Double {
                DelayImpairment.points(oneWayMilliseconds: delay, listener)
            }
            #expect(points(.ordinary) >= points(.low) - 0.001 && points(.low) >= points(.veryLow), "\(delay) ms")
        }
    }

    @Test func `without delay or loss each scale ends where it should`() {
        #expect(abs(NarrowbandEModel().rating - 93.2062) < 1e-4)
        #expect((WidebandEModel().rating, WidebandEModel().mos) == (129, 4.5))
        #expect((FullbandEModel().rating, FullbandEModel().mos) == (148, 4.5))
    }
}
