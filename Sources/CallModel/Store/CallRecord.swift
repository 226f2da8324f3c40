/// All that a report of one call record shows, as it is stored.
public struct CallRecord: Hashable, Sendable {
    /// What is derived of the call as a whole.
    public var summary: CallSummary
    /// Whether facts have arrived that the derived figures do not take in yet.
    public var isDirty: Bool
    /// The time series of every stream, in order of time.
    public var intervals: [MediaInterval]
    /// The live series.
    public var scores: [ScoreInterval]
    /// The 10 s windows.
    public var windows: [ScoreInterval]
    /// The events, in order of ``Fact/key``.
    public var events: [CallEvent]
    /// The other observers' records of the same attempt of this call.
    public var others: [CallSummary]

    public init(
        summary: CallSummary, isDirty: Bool, intervals: [MediaInterval], scores: [ScoreInterval],
        windows: [ScoreInterval], events: [CallEvent], others: [CallSummary]
    ) {
        self.summary = summary
        self.isDirty = isDirty
        self.intervals = intervals
        self.scores = scores
        self.windows = windows
        self.events = events
        self.others = others
    }
}

extension CallRecord {
    /// Puts a record together from what a store holds of it.
    ///
    /// `stored` is all records of the call; those of the same attempt are shown as ``others``.
    public init?(
        _ key: CallKey, of stored: [StoredSummary], intervals: [MediaInterval], scores: [ScoreInterval],
        windows: [ScoreInterval], events: [CallEvent]
    ) {
        guard let own = stored.first(where: { $0.summary.key == key }) else { return nil }
        self.init(
            summary: own.summary, isDirty: own.isDirty, intervals: intervals, scores: scores, windows: windows,
            events: events,
            others: stored.map(\.summary).filter { $0.key != key && $0.key.attempt == key.attempt }
                .sorted(by: CallSummary.areInReportOrder))
    }
}
