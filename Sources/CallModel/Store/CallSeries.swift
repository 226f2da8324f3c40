/// What a record has that is drawn over time.
public struct CallSeries: Hashable, Sendable {
    /// The time series of every stream, in order of time.
    public var intervals: [MediaInterval]
    /// The live series.
    public var scores: [ScoreInterval]
    /// The 10 s windows, ``CallSummary/openWindow`` the last.
    public var windows: [ScoreInterval]
    /// Whether facts have arrived that they do not take in yet.
    public var isDirty: Bool
    /// What is left out, for it cannot be understood.
    public var damage: [RecordDamage]

    public init(
        intervals: [MediaInterval], scores: [ScoreInterval], windows: [ScoreInterval], isDirty: Bool,
        damage: [RecordDamage] = []
    ) {
        self.intervals = intervals
        self.scores = scores
        self.windows = windows
        self.isDirty = isDirty
        self.damage = damage
    }
}

extension CallRecord {
    /// What is drawn over time.
    public var series: CallSeries {
        CallSeries(intervals: intervals, scores: scores, windows: windows, isDirty: isDirty, damage: damage)
    }
}
