/// ITU-T G.107.1 (with Corrigendum 1): `R = 129 − Id − Ie,eff`, on a scale of its own that ends at 129.
///
/// Is and A are 0 in it. The echo terms are those of G.1070's wideband part, which is where they could be checked.
/// That Idd has the narrowband points, and not 1.29 times as many, could not be: `docs/e-model.md`.
struct WidebandEModel: Hashable {
    /// Ie, Bpl, Ppl and BurstR; Ie on the wideband scale.
    var equipment = EquipmentImpairment()
    /// Ta: absolute delay from mouth to ear, in ms.
    var oneWayMilliseconds = 0.0
    /// sT and mT.
    var delaySensitivity = DelayImpairment.Sensitivity.ordinary
    /// Echo; `nil`: none, as with echo cancelling on both sides.
    var echo: Echo?

    /// The echo that talkers and listeners hear.
    struct Echo: Hashable {
        /// T, in ms.
        var delayMilliseconds: Double
        /// TELR, in dB.
        var talkerEchoLoudness = 65.0
        /// WEPL, in dB.
        var weightedEchoPathLoss = 110.0
        /// Tr, in ms; `nil`: 2 · T.
        var roundTripMilliseconds: Double?
    }

    /// R without any impairment.
    static let largestRating = 129.0
    /// By this much the wideband scale is longer than the one of the mean opinion score.
    static let scale = 1.29

    /// R, at most 129; not cut at 0.
    var rating: Double { Self.largestRating - delayImpairment - equipment.effective() }

    /// MOS-CQEW, 1...4.5.
    var mos: Double { Self.mos(rating: rating) }

    /// The mean opinion score for a wideband R: G.107.1 Annex A.
    static func mos(rating: Double) -> Double { EModel.mos(rating: rating / scale) }

    /// Id = Idte + Idle + Idd.
    var delayImpairment: Double { talkerEchoImpairment + listenerEchoImpairment + absoluteDelayImpairment }

    /// Idd.
    var absoluteDelayImpairment: Double {
        DelayImpairment.points(oneWayMilliseconds: oneWayMilliseconds, delaySensitivity)
    }

    /// Idte.
    var talkerEchoImpairment: Double {
        guard let echo else { return 0 }
        let bandwidth = echo.delayMilliseconds < 100 ? 0.08 * echo.delayMilliseconds + 10 : 18
        let loudness = EchoImpairment.loudness(
            talkerEchoLoudness: echo.talkerEchoLoudness, delayMilliseconds: echo.delayMilliseconds)
        return EchoImpairment.talker(
            ratingWithoutEcho: Self.largestRating, echoRating: 80 + 3 * (loudness + bandwidth - 14),
            delayMilliseconds: echo.delayMilliseconds)
    }

    /// Idle.
    var listenerEchoImpairment: Double {
        guard let echo else { return 0 }
        return EchoImpairment.listener(
            ratingWithoutEcho: Self.largestRating, echoPathLoss: echo.weightedEchoPathLoss,
            roundTripMilliseconds: echo.roundTripMilliseconds ?? 2 * echo.delayMilliseconds)
    }
}
