/// ITU-T G.107.2: `R = 148 − Id − Ie,eff`, on a scale of its own that ends at 148; for super-wideband and fullband.
///
/// Loss counts as random (BurstR is not in it), echo is left out, Idd is stretched with the scale.
struct FullbandEModel: Hashable {
    /// Ie, Bpl and Ppl; Ie on the fullband scale.
    var equipment = EquipmentImpairment()
    /// Ta: absolute delay from mouth to ear, in ms.
    var oneWayMilliseconds = 0.0
    /// sT and mT.
    var delaySensitivity = DelayImpairment.Sensitivity.ordinary

    /// R without any impairment.
    static let largestRating = 148.0
    /// By this much the fullband scale is longer than the one of the mean opinion score.
    static let scale = 1.48

    /// R, at most 148; not cut at 0.
    var rating: Double { Self.largestRating - delayImpairment - equipmentImpairment }

    /// MOS-CQEF, 1...4.5.
    var mos: Double { Self.mos(rating: rating) }

    /// The mean opinion score for a fullband R.
    static func mos(rating: Double) -> Double { EModel.mos(rating: rating / scale) }

    /// Idd.
    var delayImpairment: Double {
        Self.scale * DelayImpairment.points(oneWayMilliseconds: oneWayMilliseconds, delaySensitivity)
    }

    /// Ie,eff.
    var equipmentImpairment: Double {
        var random = equipment
        random.burstRatio = 1
        return random.effective(largest: EquipmentImpairment.largestFullband)
    }
}
