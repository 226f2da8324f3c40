/// The constants of the score, each with where it comes from. A change of any is a new version.
public struct ScoreModel: Hashable, Sendable {
    /// Exponent of concealed audio. Fitted; see `docs/score.md`.
    public var concealmentExponent: Double
    /// Exponent of time-stretched audio. Fitted.
    public var stretchExponent: Double
    /// Exponent of packets lost, whether repaired or not: what forward error correction costs. Fitted.
    public var lossExponent: Double

    public init(concealmentExponent: Double, stretchExponent: Double, lossExponent: Double) {
        self.concealmentExponent = concealmentExponent
        self.stretchExponent = stretchExponent
        self.lossExponent = lossExponent
    }

    /// The model calls are scored with.
    public static let current = ScoreModel(
        concealmentExponent: 0.219, stretchExponent: 1.222, lossExponent: 0.224)

    /// Percent of concealed audio from which on more of it matters less. Chosen from a coarse grid.
    static let concealmentKneePercent = 1.5
    /// Percent of time-stretched audio from which on more of it matters less. Chosen from a coarse grid.
    static let stretchKneePercent = 3.3

    /// Percent of lost packets from which on more of them matters less. Chosen from a coarse grid.
    static let lossKneePercent = 5.0
    /// Exponent of the share of time with sound. Chosen from a coarse grid; any above 0 leaves nothing of a dead call.
    static let silenceExponent = 0.5

    /// Version of all rules that derive figures from facts; stored beside what they derived.
    public static let rulesVersion = 26
}
