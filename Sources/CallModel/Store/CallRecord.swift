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

extension CallStore {
    /// Reads everything about one record, and what the other observers of the call saw.
    /// - Returns: `nil` when there is no such record.
    public func record(_ key: CallKey) async throws -> CallRecord? {
        let summaries = try await summaries(of: key.identity)
        guard let own = summaries.first(where: { $0.summary.key == key }) else { return nil }
        return CallRecord(
            summary: own.summary, isDirty: own.isDirty,
            intervals: try await intervals(of: key),
            scores: try await scores(of: key, series: .live),
            windows: try await scores(of: key, series: .window),
            events: try await events(of: key),
            others: summaries.map(\.summary).filter { $0.key != key && $0.key.attempt == key.attempt }
                .sorted(by: CallSummary.areInReportOrder))
    }
}
