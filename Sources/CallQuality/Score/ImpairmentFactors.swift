import CallModel
import Foundation

/// A score as a product: each cause leaves a share of the quality, 1 = none taken.
///
/// The points lost are dealt to the causes in proportion to the logarithm of their share, so they add up exactly
/// and do not depend on an order.
struct ImpairmentFactors {
    /// By place in ``causes``.
    private var weights = SIMD16<Double>(repeating: 0)
    private(set) var product = 1.0

    /// Below this a share is taken as "nothing left"; keeps the logarithm finite.
    private static let leastShare = 1e-6
    private static let causes = QualityCause.allCases

    /// Multiplies in what `causes` left, dealt among them by weight. Shares outside 0...1 are clamped, NaN is 1.
    mutating func multiply(_ share: Double, causes: KeyValuePairs<QualityCause, Double>) {
        let weight = take(share)
        let total = causes.reduce(0) { $0 + ($1.value > 0 ? $1.value : 0) }
        guard weight > 0, total > 0 else { return }
        for (cause, part) in causes where part > 0 { add(weight * part / total, to: cause) }
    }

    /// Multiplies in what one cause left.
    mutating func multiply(_ share: Double, cause: QualityCause) {
        let weight = take(share)
        if weight > 0 { add(weight, to: cause) }
    }

    /// - Returns: the weight of what was taken; 0 for nothing.
    private mutating func take(_ share: Double) -> Double {
        let clamped = share.isNaN ? 1 : min(1, max(0, share))
        product *= clamped
        return clamped < 1 ? -log(max(Self.leastShare, clamped)) : 0
    }

    private mutating func add(_ weight: Double, to cause: QualityCause) {
        if let place = Self.causes.firstIndex(of: cause) { weights[place] += weight }
    }

    /// The quality left, 0...100.
    var score: Double { 100 * product }

    /// The quality left, and nothing else.
    var bare: PartScore { PartScore(score: score, costs: [:], missing: []) }

    /// Points lost by cause; adds up to 100 minus ``score``.
    var costs: [QualityCause: Double] {
        let total = weights.sum()
        guard total > 0 else { return [:] }
        var costs: [QualityCause: Double] = [:]
        costs.reserveCapacity(Self.causes.indices.count { weights[$0] > 0 })
        for place in Self.causes.indices where weights[place] > 0 {
            costs[Self.causes[place]] = (100 - score) * weights[place] / total
        }
        return costs
    }
}

/// The quality of one medium, and what it lacks.
struct PartScore: Hashable {
    /// 0...100.
    var score: Double
    var costs: [QualityCause: Double]
    /// W3C members that were absent and would have made the score better founded; each once, in no order.
    var missing: [String]

    /// `score` as a whole number: 100 only for a perfect one, 0 only where nothing is left.
    var rounded: Int { Self.rounded(score) }

    /// Rounds a score; an imperfect one never shows as 100.
    static func rounded(_ score: Double) -> Int {
        let whole = Int(score.rounded())
        return whole == 100 && score < 99.95 ? 99 : whole
    }
}
