import CallModel

extension TransmissionRating {
    /// BurstR is stated for up to so much; above only for less loss than matters.
    private static let largestBurstRatio = 2.0

    /// The rating for what an audio score rests on; `nil` when nothing is known of the codec, or a figure is no number.
    ///
    /// Echo cannot be seen in statistics and is left at the defaults, which cost 0.15 points on the narrowband scale.
    init?(_ basis: ScoreBasis, choice: CodecTable.Choice?) {
        guard let choice, basis.concealedPercent.isFinite else { return nil }
        let row = choice.row
        let loss = min(100, max(0, basis.concealedPercent))
        let run = basis.meanLossRun.flatMap { $0.isFinite ? $0 : nil } ?? 1
        let ratio = min(
            Self.largestBurstRatio, max(1, EquipmentImpairment.burstRatio(meanRun: run, lossPercent: loss)))
        let scale = RatingScale(
            band: row.band,
            equipment: EquipmentImpairment(
                codec: row.equipmentImpairment.value, lossRobustness: row.lossRobustness.value, lossPercent: loss,
                burstRatio: ratio))
        let listening = scale.rating(oneWayMilliseconds: 0)
        let delay = basis.oneWayDelayMilliseconds
        let conversing = delay.map { scale.rating(oneWayMilliseconds: $0) }
        self.init(
            band: row.band, rFactor: conversing, listeningRFactor: listening, mosLQ: scale.mos(rating: listening),
            mosCQ: conversing.map { scale.mos(rating: $0) }, codecRow: row.name,
            isEstimate: choice.isAssumed || row.hasEstimate, equipmentImpairment: row.equipmentImpairment.value,
            lossRobustness: row.lossRobustness.value, lossPercent: loss, burstRatio: ratio,
            oneWayDelayMilliseconds: delay)
    }
}

/// The model of a band, for what can be measured of a call.
private struct RatingScale {
    let band: SpeechBand
    let equipment: EquipmentImpairment

    /// R of the narrowband model with all defaults: of a call only delay and equipment are known.
    private static let undisturbed = NarrowbandEModel().rating

    /// R for a delay from mouth to ear, cut at 0.
    func rating(oneWayMilliseconds delay: Double) -> Double {
        switch band {
        case .narrowband:
            let points = DelayImpairment.points(oneWayMilliseconds: delay)
            return max(0, Self.undisturbed - points - equipment.effective())
        case .wideband: return max(0, WidebandEModel(equipment: equipment, oneWayMilliseconds: delay).rating)
        case .fullband: return max(0, FullbandEModel(equipment: equipment, oneWayMilliseconds: delay).rating)
        }
    }

    func mos(rating: Double) -> Double {
        switch band {
        case .narrowband: EModel.mos(rating: rating)
        case .wideband: WidebandEModel.mos(rating: rating)
        case .fullband: FullbandEModel.mos(rating: rating)
        }
    }
}

extension ScoreBasis {
    /// From mouth to ear, in ms; `nil` when no round trip was measured.
    fileprivate var oneWayDelayMilliseconds: Double? {
        let delay = networkDelayMilliseconds.map { $0 + bufferDelayMilliseconds + codecDelayMilliseconds }
        return delay.flatMap { $0.isFinite ? $0 : nil }
    }
}
