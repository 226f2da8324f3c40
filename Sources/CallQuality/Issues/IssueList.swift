import CallModel

/// Puts together what all detectors found, with the likely cause of each.
struct IssueList {
    let tracker: IssueTracker
    let facts: IssueFacts

    /// The issues of the call as it is known now.
    var issues: CallIssues {
        let concluded = IssueDetectors.calls.flatMap { $0.find(facts) }
        let blackouts = concluded.filter { $0.kind == .blackout }.map(\.span) + [facts.hangUp].compactMap { $0 }
        let lasting = tracker.found.compactMap { found(in: $0, blackouts: blackouts) }
        let grown = lasting.filter { $0.issue.kind == .delay && $0.context.hasGrowingRoundTrip }
        let causes = LikelyCause(
            facts: facts, issues: concluded + lasting.map(\.issue), grownDelays: grown.map(\.issue.span))
        let all =
            concluded.map { causes.explained($0, by: nil) } + lasting.map { causes.explained($0.issue, by: $0.context) }
        let kept = kept(of: all.sorted(by: CallIssue.areInReportOrder))
        return CallIssues(kept, leftOut: tracker.leftOut + all.count - kept.count)
    }

    /// As many as are told, with the weightiest of each kind and direction.
    private func kept(of issues: [CallIssue]) -> [CallIssue] {
        guard issues.count > CallIssues.most else { return issues }
        return issues.sorted(by: CallIssue.isWeightier).prefix(CallIssues.most, withFirstOfEach: \.group)
            .sorted(by: CallIssue.areInReportOrder)
    }

    /// An issue that a blackout explains is not told a second time.
    private func found(
        in record: LevelRecord, blackouts: [TimeSpan]
    ) -> (issue: CallIssue, context: IssueContext)? {
        guard let detector = IssueDetectors.byID[record.detector] else { return nil }
        // A client may tell of a freeze that is longer than the call.
        let start = min(max(record.start, facts.summary.start), record.end)
        let span = TimeSpan(start: start, end: record.end)
        let near = blackouts.filter { facts.areTogether($0, span) }
        // What was taken for a blackout until its sender was known to have stopped.
        let pauses = facts.summary.holds.filter { $0.isSenderPause == true }.map(\.span)
        let isBesidePause = record.explained > 0 && pauses.contains { facts.areTogether($0, span) }
        if isExplained(record, detector, by: near, isBesidePause: isBesidePause) { return nil }
        var record = record
        if !near.isEmpty || isBesidePause, record.explained > 0 {
            record.worst = max(detector.raise, record.worstUnexplained ?? record.worst)
            record.amount -= record.explained
        }
        let worst =
            detector.unit == .seconds ? record.amount : min(record.worst, detector.unit == .percent ? 100 : .infinity)
        let issue = CallIssue(
            kind: detector.kind, severity: detector.severity(of: record.worst), stream: record.stream, span: span,
            isOpen: record.isOpen,
            worst: .init(worst, detector.unit), evidence: detector.evidence(record))
        return (issue, record.context)
    }

    private func isExplained(
        _ record: LevelRecord, _ detector: LevelDetector, by blackouts: [TimeSpan], isBesidePause: Bool
    ) -> Bool {
        guard !blackouts.isEmpty || isBesidePause, case .share(let scale) = detector.form, record.base > 0 else {
            return false
        }
        let explained = record.explained + takenElsewhere(record, detector, by: blackouts)
        return explained > 0 && scale * (record.amount - explained) / record.base < detector.raise
    }

    /// Packets that blackouts took of a connection that brings no sound: only others could tell it of them (a client that sends
    /// over one connection and receives over another).
    private func takenElsewhere(_ record: LevelRecord, _ detector: LevelDetector, by blackouts: [TimeSpan]) -> Double {
        let bringsSound = facts.summary.streams.contains {
            $0.stream.isInboundAudio && $0.stream.connection.rawValue == record.connection
        }
        guard detector.kind == .packetLoss, !bringsSound, record.context.seconds > 0 else { return 0 }
        let dark = blackouts.reduce(0) { $0 + ($1.end ?? facts.end).seconds(since: $1.start) }
        return (dark * record.base / record.context.seconds).rounded(.up)
    }
}

extension CallIssue {
    /// What one of must be kept: a kind, on sound or pictures of one direction.
    fileprivate var group: Group { Group(kind: kind, media: stream?.kind, direction: stream?.direction) }

    fileprivate struct Group: Hashable {
        var kind: IssueKind
        var media: MediaKind?
        var direction: MediaDirection?
    }
}

extension Array {
    /// As many as there is room for, in their order: the first of each group, and of the others those that come first.
    func prefix<Group: Hashable>(_ most: Int, withFirstOfEach group: (Element) -> Group) -> [Element] {
        guard count > most else { return self }
        var groups: Set<Group> = []
        let areFirst = map { groups.insert(group($0)).inserted }
        var room = most - groups.count
        let kept = zip(self, areFirst).filter { _, isFirst in
            if !isFirst { room -= 1 }
            return isFirst || room >= 0
        }
        return kept.prefix(most).map(\.0)
    }
}
