import CallModel

/// What was told of one record to those who watch, so that only news is told.
struct CallWatch {
    let key: CallKey
    private var issues = IssueWatch()
    private var ending: LiveEnding
    private var lastActivity: Timestamp
    /// The inbound quality as last told.
    private(set) var score: Int?
    /// When something was heard of it, on the collector's clock.
    private(set) var heardAt: Timestamp
    /// Whether its end was told.
    private(set) var isOver = false

    /// A record of which nothing was told yet.
    init(_ summary: CallSummary, now: Timestamp) {
        key = summary.key
        ending = LiveEnding(summary)
        lastActivity = summary.lastActivity
        heardAt = now
    }

    /// Takes in how a record stands that went on before anybody watched: of that nothing is told.
    mutating func learn(_ summary: CallSummary) {
        issues.learn(summary.issues.all)
        isOver = summary.closedAt != nil
    }

    /// Takes in what was committed.
    /// - Parameters:
    ///   - change: what was committed.
    ///   - isNew: whether it made the record.
    ///   - now: the collector's clock.
    /// - Returns: what is to be told.
    mutating func take(_ change: RecordChange, isNew: Bool, now: Timestamp) -> [LiveEvent] {
        let summary = change.summary
        var events: [LiveEvent] = []
        if isNew { tell(.callStarted, at: summary.start, in: &events) }
        if !change.facts.isEmpty {
            heardAt = now
            // It was silent for so long that it was taken for over, or is watched again.
            if isOver, summary.closedAt == nil {
                isOver = false
                tell(.callStarted, at: summary.start, in: &events)
            }
        }
        ending = LiveEnding(summary)
        lastActivity = summary.lastActivity
        if !isOver { takeScores(change.derived, in: &events) }
        for change in issues.changes(to: summary.issues.all) where !isOver {
            tell(change, at: summary.lastActivity, in: &events)
        }
        if summary.closedAt != nil, !isOver {
            isOver = true
            tell(.callEnded(ending), at: summary.endedAt ?? lastActivity, in: &events)
        }
        return events
    }

    /// Something was heard of its other end by the probe that tells of both: silence of one may be a long pause, of
    /// which the probe tells nothing until it knows what it was.
    mutating func hearOfOtherEnd(now: Timestamp) {
        if !isOver { heardAt = max(heardAt, now) }
    }

    /// The record is over, for nothing more was heard of it.
    mutating func end() -> LiveEvent {
        isOver = true
        return LiveEvent(key: key, time: lastActivity, kind: .callEnded(ending))
    }

    /// What is told of the record when its call was erased: nothing of how it was. `nil` of one that was over.
    func erasure() -> LiveEvent? {
        guard !isOver else { return nil }
        let ending = LiveEnding(outcome: .unknown, score: nil, worstScore: nil, reason: LiveEnding.erased)
        return LiveEvent(key: key, time: lastActivity, kind: .callEnded(ending))
    }

    /// As the SDKs tell their apps: the first score, and each that is another whole number. What is derived anew is told
    /// as it stands at its end.
    private mutating func takeScores(_ rows: RecordChange.DerivedRows, in events: inout [LiveEvent]) {
        switch rows {
        case .append(_, let scores):
            for interval in scores where interval.series == .live && interval.isEmitted {
                takeScore(interval, in: &events)
            }
        case .replace(_, let scores):
            let last = scores.last { $0.series == .live && $0.isEmitted }
            if let last { takeScore(last, in: &events) }
        }
    }

    private mutating func takeScore(_ interval: ScoreInterval, in events: inout [LiveEvent]) {
        guard let points = interval.score, points != score else { return }
        score = points
        tell(.inboundQualityChanged(score: points), at: interval.end, in: &events)
    }

    private func tell(_ kind: LiveEvent.Kind, at time: Timestamp, in events: inout [LiveEvent]) {
        events.append(LiveEvent(key: key, time: time, kind: kind))
    }
}
