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
    /// The 10 s windows, ``CallSummary/openWindow`` the last.
    public var windows: [ScoreInterval]
    /// The events, in order of ``Fact/key``.
    public var events: [CallEvent]
    /// The other observers' records of the same attempt of this call, and of the calls that ``ties`` relate to it.
    public var others: [CallSummary]
    /// How many more there are of these.
    public var othersLeftOut = 0
    /// The time series of ``others``, for those that may have seen the same streams.
    public var otherIntervals: [CallKey: [MediaInterval]] = [:]
    /// What else the record is called, and which other calls are the same one.
    public var ties: CallTies
    /// What is left out of all this, for it cannot be understood. The summary says so, too.
    public private(set) var damage: [RecordDamage] = []

    /// Of `windows` the complete ones; ``CallSummary/openWindow`` is added.
    public init(
        summary: CallSummary, isDirty: Bool, intervals: [MediaInterval], scores: [ScoreInterval],
        windows: [ScoreInterval], events: [CallEvent], others: [CallSummary],
        ties: CallTies = CallTies()
    ) {
        self.summary = summary
        self.isDirty = isDirty
        self.intervals = intervals
        self.scores = scores
        self.windows = windows + (summary.openWindow.map { [$0] } ?? [])
        self.events = events
        self.others = others
        self.ties = ties
    }
}

extension CallRecord {
    /// Of so many others the time series are kept here: a call has two ends and a few probes.
    public static let mostJoined = 16
    /// So many others are kept here: a conference has thousands of records, and each has all others beside it.
    public static let mostOthers = 64

    /// Puts a record together from what a store holds of it.
    ///
    /// `stored` is all records of the call and of those it is tied to; those of the same attempt, and those tied, are
    /// shown as ``others``, the call's own first, up to ``mostOthers``.
    public init?(
        _ key: CallKey, of stored: [StoredSummary], intervals: [MediaInterval], scores: [ScoreInterval],
        windows: [ScoreInterval], events: [CallEvent], ties: CallTies = CallTies()
    ) {
        guard let own = stored.first(where: { $0.summary.key == key }) else { return nil }
        let others = stored.inReportOrder { key.isBeside($0) }
        let tied = ties.related.flatMap { related in stored.inReportOrder { related.includes($0) } }
        let events = own.summary.dataQuality.clock?.putRight(events) ?? events
        self.init(
            summary: own.summary, isDirty: own.isDirty, intervals: intervals, scores: scores, windows: windows,
            events: events, others: (others + tied).prefix(Self.mostOthers).map { stored[$0].summary }, ties: ties)
        othersLeftOut = others.count + tied.count - self.others.count
        note(own.damage)
    }

    /// Notes what is left out, for it cannot be understood.
    public mutating func note(_ damage: [RecordDamage]) {
        self.damage += damage
        summary.dataQuality.notes += damage.map(\.words)
    }

    /// What says that another observer's record is of this call: nothing when it is of the same id.
    public func related(_ other: CallKey) -> RelatedCall? {
        guard other.identity != summary.key.identity else { return nil }
        return ties.related.first { $0.includes(other) }
    }
}

extension RelatedCall {
    /// Whether a record is one of this call.
    public func includes(_ key: CallKey) -> Bool {
        key.identity == identity && key.attempt == attempt
    }
}

extension CallKey {
    /// Whether a record is another observer's of the same attempt.
    fileprivate func isBeside(_ other: CallKey) -> Bool {
        other.identity == identity && other.attempt == attempt && other.observer != observer
    }
}

extension [StoredSummary] {
    /// Where the records are whose key is one of these; summaries are large, and are not copied for it.
    fileprivate func inReportOrder(_ isWanted: (CallKey) -> Bool) -> [Int] {
        indices.filter { isWanted(self[$0].summary.key) }
            .sorted { CallSummary.areInReportOrder(self[$0].summary, self[$1].summary) }
    }
}
