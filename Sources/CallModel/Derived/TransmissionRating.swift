/// What the E-model says of the sound of a span: R and mean opinion scores under the names of RFC 3611 and RFC 6035.
///
/// Computed beside the score, from codec, loss and delay alone, so that calls can be held against other tools and
/// against planning limits. Of the audio only; `docs/e-model.md`.
public struct TransmissionRating: Hashable, Sendable, Codable {
    /// The scale that the ratings are on. Those of different bands must not be compared; mean opinion scores may be,
    /// with care.
    public var band: SpeechBand
    /// R with delay (RCQ of RFC 6035), 0...``SpeechBand/largestRating``; `nil` when no round trip was measured.
    public var rFactor: Double?
    /// R without delay (RLQ of RFC 6035), 0...``SpeechBand/largestRating``.
    public var listeningRFactor: Double
    /// Listening quality, 1...4.5.
    public var mosLQ: Double
    /// Conversational quality, with delay, 1...4.5; `nil` when no round trip was measured.
    public var mosCQ: Double?
    /// The row of the codec table, in words.
    public var codecRow: String
    /// Whether a figure of the row is an estimate, or the row itself is assumed: its bit rate or mode was not told.
    public var isEstimate: Bool
    /// Ie of the row: points of R that the codec costs without loss.
    public var equipmentImpairment: Double
    /// Bpl of the row, in percent.
    public var lossRobustness: Double
    /// Ppl: sound that was made up and not repaired, in percent; estimated from lost and late packets where concealment
    /// was not reported.
    public var lossPercent: Double
    /// BurstR: mean length of a loss against that of random loss, 1...2, to where the model is stated.
    public var burstRatio: Double
    /// Ta: delay from mouth to ear, in ms; `nil` when no round trip was measured.
    public var oneWayDelayMilliseconds: Double?

    public init(
        band: SpeechBand, rFactor: Double?, listeningRFactor: Double, mosLQ: Double, mosCQ: Double?, codecRow: String,
        isEstimate: Bool, equipmentImpairment: Double, lossRobustness: Double, lossPercent: Double, burstRatio: Double,
        oneWayDelayMilliseconds: Double?
    ) {
        self.band = band
        self.rFactor = rFactor
        self.listeningRFactor = listeningRFactor
        self.mosLQ = mosLQ
        self.mosCQ = mosCQ
        self.codecRow = codecRow
        self.isEstimate = isEstimate
        self.equipmentImpairment = equipmentImpairment
        self.lossRobustness = lossRobustness
        self.lossPercent = lossPercent
        self.burstRatio = burstRatio
        self.oneWayDelayMilliseconds = oneWayDelayMilliseconds
    }
}

/// What a codec carries of the voice, and with it the scale of its rating.
public enum SpeechBand: String, Hashable, Sendable, Codable, CaseIterable {
    /// 300 to 3,400 Hz.
    case narrowband
    /// 100 to 7,000 Hz.
    case wideband
    /// Up to 14,000 Hz (super-wideband) or 20,000 Hz.
    case fullband

    /// R without any impairment on the scale of the band.
    public var largestRating: Double {
        switch self {
        case .narrowband: 93.2
        case .wideband: 129
        case .fullband: 148
        }
    }

    /// The Recommendation with the scale.
    public var recommendation: String {
        switch self {
        case .narrowband: "ITU-T G.107"
        case .wideband: "ITU-T G.107.1"
        case .fullband: "ITU-T G.107.2"
        }
    }
}
