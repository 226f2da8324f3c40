public import CallModel

/// Something that happened to a call, for those who watch.
public struct LiveEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The first fact of a record came, or one that was taken for over is heard of again.
        case callStarted
        /// The inbound quality, 0...100, is another whole number than the one told before.
        case inboundQualityChanged(score: Int)
        /// Something goes wrong, or is worse than was told before.
        case issueRaised(IssueKind, IssueSeverity)
        /// It is over; with the severity that it had.
        case issueCleared(IssueKind, IssueSeverity)
        /// An event ended the call, nothing more was heard of it, or it was erased.
        case callEnded(LiveEnding)
    }

    /// The record it happened to.
    public var key: CallKey
    /// When, on the client's clock.
    public var time: Timestamp
    /// What happened.
    public var kind: Kind

    public init(key: CallKey, time: Timestamp, kind: Kind) {
        self.key = key
        self.time = time
        self.kind = kind
    }
}

/// How a call was when it was over; what comes late may change it.
public struct LiveEnding: Hashable, Sendable {
    /// Whether it came about.
    public var outcome: CallOutcome
    /// 0...100; `nil` when it has none.
    public var score: Int?
    /// The score of its worst 5 %; `nil` when it has none.
    public var worstScore: Int?
    /// A raw value of ``CallEndCause``, `silent` of calls of which no more was heard, by clients that tell no end, or
    /// `erased`, of which nothing else is told.
    public var reason: String

    /// Of calls that were erased.
    static let erased = "erased"

    public init(outcome: CallOutcome, score: Int?, worstScore: Int?, reason: String) {
        self.outcome = outcome
        self.score = score
        self.worstScore = worstScore
        self.reason = reason
    }

    init(_ summary: CallSummary) {
        self.init(
            outcome: summary.outcome, score: summary.score, worstScore: summary.worstScore,
            reason: CallEnding(summary).reason)
    }
}

extension LiveEvent.Kind {
    /// The name of the event, and the label under which it is counted.
    public var name: String {
        switch self {
        case .callStarted: "callStarted"
        case .inboundQualityChanged: "inboundQualityChanged"
        case .issueRaised: "issueRaised"
        case .issueCleared: "issueCleared"
        case .callEnded: "callEnded"
        }
    }

    /// All names.
    static let names = ["callStarted", "inboundQualityChanged", "issueRaised", "issueCleared", "callEnded"]
}
