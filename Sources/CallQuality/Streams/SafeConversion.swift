import CallModel

/// Counters come from strangers: no value of theirs may trap.
extension Double {
    /// Up to here every whole number has a double of its own.
    static let largestExactWhole = 9_007_199_254_740_992.0

    /// As a whole number, towards zero; the nearest representable one when it is too large, 0 for NaN.
    var wholeNumber: Int {
        guard !isNaN else { return 0 }
        return Int(Swift.min(Self.largestExactWhole, Swift.max(-Self.largestExactWhole, self)))
    }

    /// Seconds as whole milliseconds; saturates.
    var wholeMilliseconds: Int64 {
        Int64((self * 1000).rounded().wholeNumber)
    }
}
