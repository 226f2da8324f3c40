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
        concealmentExponent: 0.304, stretchExponent: 1.052, lossExponent: 0.085)

    /// Percent of concealed audio from which on more of it matters less. Chosen from a coarse grid.
    static let concealmentKneePercent = 2.0
    /// Percent of time-stretched audio from which on more of it matters less. Chosen from a coarse grid.
    static let stretchKneePercent = 3.3

    /// Version of all rules that derive figures from facts; stored beside what they derived.
    public static let rulesVersion = 3
}
