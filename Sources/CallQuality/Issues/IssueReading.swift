import CallModel

/// What a detector reads from a sample: an amount and what it is an amount of, or a level and how long it held.
struct IssueReading: Hashable {
    /// Of a share: the numerator. Else the level.
    var amount: Double
    /// Of a share: the denominator. Else unused.
    var base: Double
    /// What of ``amount`` a blackout explains.
    var explained = 0.0
    /// Seconds before the sample in which it began, as far as the reading tells: a freeze is told when it ends.
    var leadSeconds = 0.0
    /// Seconds it is evidence for; `nil` for those of the sample.
    var seconds: Double?
    /// Seconds of the sample, beside those on hold, in which nothing was to be expected.
    var excusedSeconds = 0.0
    /// Where the evidence ends, when that is before the end of the sample: no packet came later.
    var until: Timestamp?
}
