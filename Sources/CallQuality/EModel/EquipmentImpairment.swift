/// What a codec and the packets it does not get cost: Ie,eff of ITU-T G.107 §7.5, G.107.1 and G.107.2.
struct EquipmentImpairment: Hashable {
    /// Ie: points of R that the codec costs without loss.
    var codec = 0.0
    /// Bpl: how well it bears loss, in percent; at this much random loss half of the points left are gone.
    var lossRobustness = 4.3
    /// Ppl: packets lost, in percent.
    var lossPercent = 0.0
    /// BurstR: mean length of a loss over that of random loss at the same rate. The formula is stated up to 2, and
    /// above for less than 2 % of loss.
    var burstRatio = 1.0

    /// The points at which a narrowband or a wideband codec leaves nothing: the same 95 in G.107 and G.107.1.
    static let largest = 95.0
    /// The same in G.107.2.
    static let largestFullband = 132.0

    /// Ie,eff in points of R; at least ``codec``. Long bursts would take the formula beyond what is left; they do not.
    func effective(largest: Double = EquipmentImpairment.largest) -> Double {
        guard lossPercent > 0 else { return codec }
        return codec + (largest - codec) * min(1, lossPercent / (lossPercent / burstRatio + lossRobustness))
    }

    /// BurstR of a mean loss run in packets at a loss in percent: L · (1 − p), G.107 §7.5 for random loss solved for L.
    static func burstRatio(meanRun: Double, lossPercent: Double) -> Double {
        meanRun * (1 - lossPercent / 100)
    }
}
