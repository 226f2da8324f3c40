/// What the receiver made up in a span, told apart into one long interruption and short gaps beside it.
struct Concealment: Hashable {
    /// Seconds made up, and those of them that were silence: the receiver fades after a tenth of a second or more.
    var seconds: Double
    var silentSeconds: Double
    /// In how many stretches.
    var events: Double

    /// Silences shorter than this are losses (`docs/score.md`).
    static let leastDarkSeconds = 0.4
    /// A short gap beside a long one is taken for this long: two packets.
    private static let shortGapSeconds = 0.04
    /// A long one among short ones is silent for this share at least.
    private static let leastSilentShare = 0.6

    /// Length of the interruption if there was one, and all else were short gaps.
    var longestSeconds: Double { max(0, seconds - Self.shortGapSeconds * max(0, events - 1)) }

    /// Whether there was an interruption.
    var isInterruption: Bool {
        guard silentSeconds > 0 else { return false }
        if events <= 1 { return seconds >= Self.leastDarkSeconds }
        return silentSeconds >= Self.leastDarkSeconds * events
            || longestSeconds >= OutageTracker.leastSeconds && silentSeconds >= Self.leastSilentShare * longestSeconds
    }
}
