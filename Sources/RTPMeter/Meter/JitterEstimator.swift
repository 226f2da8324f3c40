/// Interarrival jitter: J += (|D| − J) / 16 of [RFC 3550, section 6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1)
/// and its appendix A.8, with the mean and the maximum of J over all samples.
///
/// Which pairs of packets are a sample is the caller's decision. In seconds, so that it outlives a change of clock.
struct JitterEstimator: Sendable {
    /// J after the last sample, in seconds.
    private(set) var current = 0.0
    private(set) var sum = 0.0
    private(set) var maximum = 0.0
    private(set) var samples: UInt32 = 0

    /// Takes D, the change of transit time between two packets, in seconds.
    @inline(__always)
    mutating func update(transitStep: Double) {
        current += (abs(transitStep) - current) * (1.0 / 16)
        sum += current
        maximum = current > maximum ? current : maximum
        samples &+= 1
    }

    /// What is to be published; nil without a sample.
    var figures: JitterFigures? {
        guard samples > 0 else { return nil }
        return JitterFigures(
            currentSeconds: current, meanSeconds: sum / Double(samples), maximumSeconds: maximum, samples: Int(samples))
    }
}

/// Interarrival jitter of one stream, in seconds.
public struct JitterFigures: Hashable, Sendable {
    /// The running estimate after the last sample, as a receiver report would carry it.
    public var currentSeconds: Double
    /// Mean of the running estimate over all samples.
    public var meanSeconds: Double
    /// Highest value of the running estimate.
    public var maximumSeconds: Double
    /// Over how many pairs of packets. `meanSeconds * samples` is a running sum, for the mean over an interval.
    public var samples: Int
}
