/// What a list of calls filters and sorts by, and what is counted over many, of one record: a few words of its summary.
public struct CallOutline: Hashable, Sendable {
    /// ``CallSummary/score``.
    public var score: Int?
    /// ``CallSummary/worstScore``.
    public var worstScore: Int?
    /// ``CallSummary/outcome``.
    public var outcome: CallOutcome
    /// How long media took from the answer on, in ms; see ``SetupLatencies/answerToMedia``.
    public var setupMilliseconds: Int64?
    /// From the start of the record to its end, or to the last that was heard of it, in ms.
    public var durationMilliseconds: Int64
    /// The cause that took the most points; `nil` when none took more than half a point.
    public var leadingCause: QualityCause?
    /// Whether either end of the path is a relay; `nil` when the path is not known.
    public var isRelayed: Bool?
    /// The MIME types of the streams' codecs, sorted, each once.
    public var codecs: [String]
    /// The kinds of its issues, sorted by name, each once.
    public var issues: [IssueKind]
    /// ``CallSummary/client``.
    public var client: String?

    public init(
        score: Int?, worstScore: Int?, outcome: CallOutcome, setupMilliseconds: Int64?, durationMilliseconds: Int64,
        leadingCause: QualityCause?, isRelayed: Bool?, codecs: [String] = [], issues: [IssueKind] = [],
        client: String? = nil
    ) {
        self.score = score
        self.worstScore = worstScore
        self.outcome = outcome
        self.setupMilliseconds = setupMilliseconds
        self.durationMilliseconds = durationMilliseconds
        self.leadingCause = leadingCause
        self.isRelayed = isRelayed
        self.codecs = codecs
        self.issues = issues
        self.client = client
    }

    /// What a summary says.
    public init(_ summary: CallSummary) {
        score = summary.score
        worstScore = summary.worstScore
        outcome = summary.outcome
        setupMilliseconds = summary.setup.answerToMedia
        durationMilliseconds = max(
            0, (summary.endedAt ?? summary.lastActivity).milliseconds(since: summary.start))
        leadingCause = summary.leadingCause
        isRelayed = summary.path.isRelayed
        codecs = Set(summary.streams.compactMap(\.codec)).sorted()
        issues = Set(summary.issues.all.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        client = summary.client
    }
}

extension SetupLatencies {
    /// How long media took from the answer on, in ms: L6, else L13 of `docs/setup-latencies.md`; 0 where the path stood
    /// before the answer. `nil` where the client tells of neither.
    public var answerToMedia: Int64? {
        (mediaSetup ?? connectTime).map { max(0, $0) }
    }
}

extension CallSummary {
    /// What became of the call as far as can be said now: of one that goes on and was not answered, nothing yet.
    public func outcome(isLive: Bool) -> CallOutcome {
        isLive && outcome == .notAnswered ? .unknown : outcome
    }

    /// The causes that took points, most first.
    public var causesByCost: [QualityCause] {
        costs.filter { $0.value.isFinite && $0.value > 0 }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map(\.key)
    }

    /// The cause that took the most points, when they are more than half a point.
    public var leadingCause: QualityCause? {
        causesByCost.first { (costs[$0] ?? 0) > 0.5 }
    }
}

extension QualityBand {
    /// The scores in it.
    public var scores: ClosedRange<Int> {
        switch self {
        case .excellent: 90...100
        case .good: 80...89
        case .fair: 70...79
        case .poor: 60...69
        case .bad: 0...59
        }
    }
}
