import Foundation

/// What mouth-to-ear delay costs even without any echo: Idd of ITU-T G.107 (06/2015) §7.4.
enum DelayImpairment {
    /// How much delay disturbs: the delay classes of ITU-T G.107 (06/2015) Table 1.
    struct Sensitivity: Hashable {
        /// sT: how steeply quality falls with delay.
        var slope: Double
        /// mT: the least delay that is perceived, in ms.
        var leastPerceivedMilliseconds: Double

        /// Conversation without a special task; the class of G.107 before 2015.
        static let ordinary = Sensitivity(slope: 1, leastPerceivedMilliseconds: 100)
        /// People who seldom interrupt each other.
        static let low = Sensitivity(slope: 0.55, leastPerceivedMilliseconds: 120)
        /// People who hardly interact.
        static let veryLow = Sensitivity(slope: 0.4, leastPerceivedMilliseconds: 150)
    }

    /// Points of R lost, 0...50, for a one-way delay Ta in ms. Grows with Ta; 0 up to mT.
    ///
    /// The Recommendation states the formula up to about 500 ms; above, it goes on towards 50.
    static func points(oneWayMilliseconds delay: Double, _ listener: Sensitivity = .ordinary) -> Double {
        guard delay > listener.leastPerceivedMilliseconds else { return 0 }
        let x = log2(delay / listener.leastPerceivedMilliseconds)
        let exponent = 6 * listener.slope
        func root(_ value: Double) -> Double { pow(1 + pow(value, exponent), 1 / exponent) }
        return min(50, max(0, 25 * (root(x) - 3 * root(x / 3) + 2)))
    }

    /// The straight lines that many tools take for the whole of Id with default echo: Cole and Rosenbluth 2001.
    ///
    /// Only for comparison: nothing is scored with it. Points of R for a one-way delay in ms.
    static func coleRosenbluthPoints(oneWayMilliseconds delay: Double) -> Double {
        0.024 * max(0, delay) + 0.11 * max(0, delay - 177.3)
    }
}
