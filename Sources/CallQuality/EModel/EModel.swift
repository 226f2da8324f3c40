import Foundation

/// The E-model of ITU-T G.107 and its mapping between the transmission rating R and a mean opinion score.
enum EModel {
    /// The mean opinion score for R on the narrowband scale: G.107 Annex B, 1...4.5.
    ///
    /// The cubic dips below 1 between R = 0 and 6.5; a mean opinion cannot, so it is cut there. NaN gives 1.
    static func mos(rating: Double) -> Double {
        guard rating > 0 else { return 1 }
        guard rating < 100 else { return 4.5 }
        return max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6)
    }

    /// R for a mean opinion score: the closed form of G.107 Appendix I, 6.5...100.
    ///
    /// Below 1 and above 4.5, where no R has that score, the end of the scale.
    static func rating(mos: Double) -> Double {
        guard mos > 1 else { return leastRating }
        guard mos < 4.5 else { return 100 }
        let root = 15 * max(0, -903_522 + 1_113_960 * mos - 202_500 * mos * mos).squareRoot()
        let angle = atan2(root, 18_566 - 6_750 * mos) / 3
        return 20 / 3 * (8 - 226.0.squareRoot() * cos(angle + .pi / 3))
    }

    /// The largest R whose mean opinion score is 1: the root of the cubic.
    private static let leastRating = 80 - 5_400.0.squareRoot()
}
