/// What took points from a score. The costs of an interval add up to the points it lost.
public enum QualityCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// Audio concealed because packets did not arrive, or repaired from redundancy at a price.
    case loss
    /// Audio concealed because losses came in runs.
    case burst
    /// Audio concealed because packets arrived too late to be played.
    case late
    /// Audio sped up or slowed down by the jitter buffer.
    case stretch
    /// No sound at all, while the far end was sending.
    case blackout
    /// Mouth-to-ear delay from the path (ITU-T G.107 Idd).
    case delay
    /// Mouth-to-ear delay that the jitter buffer added.
    case jitterBuffer
    /// Video stood still.
    case freeze
    /// Fewer frames a second than usual for this call.
    case frameRate
    /// A smaller picture than the call has shown.
    case resolution
    /// A coarsely quantised picture.
    case blockiness
    /// Video packets lost for good.
    case videoLoss
}

/// The named bands of a score (`docs/score.md`; limits after ITU-T G.109).
public enum QualityBand: String, Hashable, Sendable, Codable, CaseIterable {
    case excellent, good, fair, poor, bad

    /// The band of a score of 0...100.
    public init(score: Int) {
        switch score {
        case 90...: self = .excellent
        case 80..<90: self = .good
        case 70..<80: self = .fair
        case 60..<70: self = .poor
        default: self = .bad
        }
    }
}
