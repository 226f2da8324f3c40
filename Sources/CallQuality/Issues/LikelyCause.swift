import CallModel

/// Concludes what an issue comes from, from what happened at the same time.
struct LikelyCause {
    let facts: IssueFacts
    let issues: [CallIssue]
    /// Spans in which the delay was long, and longer than usual before.
    var grownDelays: [TimeSpan] = []

    /// Loss or jitter of this much is enough to have made an issue.
    private static let tellingLossPercent = 0.5
    private static let tellingJitterMilliseconds = 20.0

    /// The issue with its cause, where it has none yet.
    func explained(_ issue: CallIssue, by context: IssueContext?) -> CallIssue {
        guard issue.cause == nil else { return issue }
        var result = issue
        result.cause = cause(of: issue, context)
        return result
    }

    private func cause(of issue: CallIssue, _ context: IssueContext?) -> IssueCause? {
        switch issue.kind {
        case .blackout: blackout(issue)
        case .iceDisconnected: disconnect(issue)
        case .packetLoss, .lossBursts: isOfCapture(issue) ? nil : loss(issue, context)
        case .jitter: context?.hasGrowingRoundTrip == true ? .congestion : .networkJitter
        case .delay: delay(context)
        case .concealment: concealment(issue, context)
        case .freeze, .lowFrameRate: picture(issue, context)
        case .stuckDecoder: isBeside(issue, .packetLoss) ? .lostKeyFrame : .busyComputer
        case .bandwidthLimited: .bandwidth
        case .cpuLimited: .busyComputer
        case .silentMicrophone: .microphone
        default: nil
        }
    }

    private func isBeside(_ issue: CallIssue, _ kinds: IssueKind...) -> Bool {
        issues.contains { kinds.contains($0.kind) && facts.areTogether($0.span, issue.span) }
    }

    private func blackout(_ issue: CallIssue) -> IssueCause? {
        if isBeside(issue, .ipChange, .pathChange) { return .networkChange }
        // Of what nobody has seen lost, nobody can tell whether it was sent.
        let isUnseen = issue.kind == .blackout && issue.evidence.map(\.member) == ["packetsReceived"]
        let oneWay = issues.first { $0.isNothingHeard && facts.areTogether($0.span, issue.span) }
        return isUnseen ? oneWay?.cause ?? .pathDown : .pathDown
    }

    /// Engines tell of answers that are missing, and random loss takes them, too: nothing passed only where no sound came, or
    /// where it lasted.
    private func disconnect(_ issue: CallIssue) -> IssueCause? {
        if isBeside(issue, .blackout) || issue.severity == .critical { return .pathDown }
        return isBeside(issue, .packetLoss) ? .networkLoss : nil
    }

    private func loss(_ issue: CallIssue, _ context: IssueContext?) -> IssueCause {
        if context?.hasGrowingRoundTrip == true, isBeside(issue, .delay, .jitter) { return .congestion }
        return isOneDirectionOnly(issue) ? .networkLossOneWay : .networkLoss
    }

    /// Whether the receiver has most of what the capture lacks of the stream.
    private func isOfCapture(_ issue: CallIssue) -> Bool {
        guard let wire = facts.summary.streams.first(where: { $0.stream == issue.stream })?.wire else { return false }
        return 2 * Double(wire.packetsUnrecorded) > wire[.packetsLost] ?? 0
    }

    /// Whether the other direction was reported, and lost nothing to speak of. In a blackout engines count no packet as lost.
    private func isOneDirectionOnly(_ issue: CallIssue) -> Bool {
        guard let stream = issue.stream, !isBeside(issue, .blackout) else { return false }
        let others = facts.summary.streams.filter {
            $0.stream.direction != stream.direction && $0.stream.kind == stream.kind
                && $0.stream.connection == stream.connection
        }
        let shares = others.compactMap(\.lossPercent)
        return !shares.isEmpty && shares.allSatisfy { $0 < Self.tellingLossPercent / 2 }
    }

    private func delay(_ context: IssueContext?) -> IssueCause {
        if context?.hasGrowingRoundTrip == true { return .congestion }
        return facts.summary.path.isRelayed == true ? .relay : .distance
    }

    private func concealment(_ issue: CallIssue, _ context: IssueContext?) -> IssueCause? {
        guard let context else { return nil }
        if (context.lossPercent ?? 0) >= Self.tellingLossPercent { return .networkLoss }
        if isBeside(issue, .blackout) { return blackout(issue) }
        if (context.jitterMilliseconds ?? 0) >= Self.tellingJitterMilliseconds {
            return context.hasGrowingRoundTrip ? .congestion : .networkJitter
        }
        // The way became longer by more than the jitter buffer held, which the mean of the jitter has forgotten by the next report.
        if hasGrownDelay(issue.span) { return .congestion }
        // Of a network of which nothing is known nobody can say that it was not to blame.
        return facts.summary.sensor == nil && context.lossPercent != nil ? .busyComputer : nil
    }

    /// Whether the delay grew meanwhile: the first round trips of the longer way are measured after it.
    private func hasGrownDelay(_ span: TimeSpan) -> Bool {
        grownDelays.contains { facts.areTogether(TimeSpan(start: $0.start, end: $0.start), span) }
    }

    /// Fewer frames may be what the sender meant, as of a screen: only what stands still by itself is a busy computer, and not
    /// where the pictures did not come, for the far end may be the busy one. Without sound, what else came tells of the path.
    ///
    /// A blackout makes no low frame rate: its time is left out of it.
    private func picture(_ issue: CallIssue, _ context: IssueContext?) -> IssueCause? {
        let isBesideBlackout = isBeside(issue, .blackout)
        if issue.kind == .freeze, isBesideBlackout { return blackout(issue) }
        if (context?.lossPercent ?? 0) >= Self.tellingLossPercent { return .networkLoss }
        if isBeside(issue, .jitter) { return .networkJitter }
        if context?.hasGrowingRoundTrip == true { return .congestion }
        if isBeside(issue, .bandwidthLimited) { return .bandwidth }
        if context?.isPathDown == true, !isBesideBlackout { return blackout(issue) }
        return issue.kind == .freeze && context?.hasUndecodedFrames != false ? .busyComputer : nil
    }
}
