/// Many records at a glance: how many there are of each sort.
///
/// Every count is the number of records that a list gives with the filter that the count's comment names, beside the one
/// that was asked about.
public struct FleetSummary: Hashable, Sendable {
    /// Records in all.
    public var calls = 0
    /// The median of the scores, the lower one of two; `nil` when no record has one.
    public var medianScore: Int?
    /// Records whose worst 5 % of the time were poor or bad: ``CallFilter/maximumWorstScore`` ``badStretch``.
    public var callsWithBadStretch = 0
    /// By how the call came out: ``CallFilter/outcomes``.
    public var outcomes: [CallOutcome: Int] = [:]
    /// By the band of the score: ``CallFilter/narrow(to:)``.
    public var bands: [QualityBand: Int] = [:]
    /// Records without a score: ``CallFilter/isScored`` false.
    public var unscored = 0
    /// By the cause that took the most points: ``CallFilter/leading``.
    public var causes: [QualityCause: Int] = [:]
    /// Records that lost no more than half a point to any cause, or have no score: ``CallFilter/Leading/nothing``.
    public var withoutCause = 0
    /// Records with an issue of each kind, those that occur: ``CallFilter/issue``. A record counts for each of its kinds.
    public var issues: [IssueKind: Int] = [:]
    /// By which way media went: ``CallFilter/relay``.
    public var relay: [CallFilter.Relay: Int] = [:]
    /// How long media took from the answer on.
    public var setup = SetupDistribution()
    /// Records whose issues are not counted, for that cannot be understood; at most ``mostDamaged``.
    public var damage: [CallKey: RecordDamage] = [:]

    /// Of so many damaged records it is said which.
    public static let mostDamaged = 100

    /// A worst stretch of at most this is poor or bad: the lowest two bands.
    public static let badStretch = QualityBand.poor.scores.upperBound

    public init() {}

    /// Calls that did not come about: those of ``CallOutcome/notConnected`` and ``CallOutcome/notAnswered``.
    public var failedOrUnanswered: Int {
        Self.failures.reduce(0) { $0 + outcomes[$1, default: 0] }
    }

    /// The outcomes of calls that did not come about.
    public static let failures: [CallOutcome] = [.notConnected, .notAnswered]
}

/// How long media took from the answer on, over many records.
public struct SetupDistribution: Hashable, Sendable {
    /// Records of which it is known.
    public var calls = 0
    /// The median in ms, the lower one of two; `nil` when none is known.
    public var medianMilliseconds: Int64?
    /// The 95th percentile in ms (nearest rank); `nil` when none is known.
    public var p95Milliseconds: Int64?
    /// Records by length: how many lie from each of ``bounds`` on and below the next one.
    public var counts = [Int](repeating: 0, count: SetupDistribution.bounds.count)

    /// Where the parts of ``counts`` begin, in ms; the last one has no end.
    public static let bounds: [Int64] = [0, 100, 250, 500, 1_000, 2_000, 3_000, 5_000, 10_000]

    public init() {}
}
