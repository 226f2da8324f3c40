public import CallModel

// MARK: - Summary

extension CallSession {
    /// What the facts taken so far say of the call; `nil` before the first.
    public func summary() -> CallSummary? {
        let waiting = parts.waiting
        guard waiting.isEmpty else {
            var whole = self
            whole.parts = ReportParts()
            var rows = Rows()
            for report in waiting { whole.read(report, into: &rows) }
            return whole.summary()
        }
        guard let start, let lastActivity, let lastReceivedAt else { return nil }
        var result = CallSummary(
            key: key, rulesVersion: rulesVersion, start: start, lastActivity: lastActivity,
            lastReceivedAt: lastReceivedAt)
        fillCourse(&result, lastActivity: lastActivity)
        fillStreams(&result)
        result.iceDisconnects = ice.disconnects
        result.ipChanges = ipChanges.spans
        result.path = path.current
        result.transport = transport.current
        result.dataQuality = quality.current(
            counterResets: streams.reduce(0) { $0 + $1.segments - 1 },
            extraNotes: (ipChanges.strayEnds > 0 ? ["an IP change ended that had not started"] : []) + omissions,
            endedAt: wire.sensor == nil ? result.endedAt : nil)
        result.sensor = wire.sensor
        result.secondaryStreams = wire.secondaryStreams
        result.aliases = wire.aliases
        fillScore(&result)
        fillIssues(&result)
        return result
    }

    /// What the facts tell of more often than is kept.
    private var omissions: [String] {
        let counts = [
            ("spans of muting, holds and devices", course.lanes.leftOut),
            ("disconnections of ICE", ice.leftOut), ("changes of the IP address", ipChanges.leftOut),
            ("pauses of a sender", outages.reduce(0) { $0 + $1.holds.leftOut }),
        ]
        return counts.filter { $0.1 > 0 }.map { "\($0.0) that are not listed: \($0.1)" }
    }

    /// How the call came about, went and ended.
    private func fillCourse(_ result: inout CallSummary, lastActivity: Timestamp) {
        let endedAt = course.end.endedAt
        result.endedAt = endedAt
        result.endReason = course.end.reason
        result.outcome = setup.outcome(isOver: endedAt != nil)
        result.client = client.client
        result.createdAt = setup.createdAt
        result.firstMediaAt = setup.firstMediaReport
        result.course = course.current(
            end: endedAt ?? lastActivity, isConnected: result.outcome == .connected, activeSince: setup.activeSince)
        if result.outcome == .notConnected {
            let isKnown = !quality.hasUnreadDescription && !wasTooShortForMedia
            result.outcome = isKnown ? wire.outcome(of: key.observer) : .unknown
        }
        if result.outcome == .unknown, result.course.endCause?.meansUnanswered == true { result.outcome = .notAnswered }
        if result.outcome == .connected, rangInVain(result) { result.outcome = .notAnswered }
        result.setup = setup.latencies(endedAt: endedAt, lastActivity: lastActivity, course: result.course)
    }

    /// Whether a client's events tell that the call ended without an answer: what came meanwhile was early media (RFC 3960). Who
    /// gave up while it rang may have been answered, and no event told, unless they call its media early.
    private func rangInVain(_ result: CallSummary) -> Bool {
        guard wire.sensor == nil, setup.isUnanswered, let cause = result.course.endCause else { return false }
        return cause.meansUnanswered || cause == .cancelled && course.phases.hadEarlyMedia
    }

    /// Whether a call that a probe saw was over before its media could be called late.
    private var wasTooShortForMedia: Bool {
        guard wire.sensor != nil, let (answered, ended) = zip(setup.answeredAt, course.end.endedAt) else {
            return false
        }
        return ended.milliseconds(since: answered) < SetupDetectors.leastMilliseconds
    }

    private func fillStreams(_ result: inout CallSummary) {
        let silences = MediaOutage.joined(outages.flatMap(\.tracker.all))
        result.outages = silences.filter { !isHangUp($0, result) }
        let lastMoment = wire.sensor == nil ? result.endedAt : nil
        result.holds = MediaHold.distinct(outages.flatMap(\.holds.holds).compactMap { $0.cut(at: lastMoment) })
        let roundTrip = scores.recentRoundTripMilliseconds
        result.streams = streams.map { $0.summary(roundTripMilliseconds: roundTrip, model: .current) }
            .sorted { $0.stream < $1.stream }
        result.farEndScore = CombinedScore.farEnd(of: result.streams)
    }

    private func fillScore(_ result: inout CallSummary) {
        let (concluded, remainder) = scores.concluded(model: .current, isOnWire: wire.sensor != nil)
        result.score = concluded.aggregate.score
        result.worstScore = concluded.aggregate.worstScore
        result.worstSpan = concluded.aggregate.worst?.span
        result.costs = concluded.aggregate.costs
        result.scoredSeconds = concluded.aggregate.scoredSeconds
        let over = zip(start, paces.values.compactMap(\.latest).max()).map { secondsAfterEnd(from: $0, to: $1) } ?? 0
        result.heldSeconds = max(0, concluded.heldSeconds - over)
        result.secondsByBand = concluded.aggregate.secondsByBand
        result.openWindow = remainder
        result.missing = concluded.unreported
        result.basis = concluded.basis(model: .current)
        result.rating = concluded.rating(model: .current)
    }

    /// Whether it is the silence at the end of a client's call in which the far end hung up, and nothing tells of a path that failed.
    private func isHangUp(_ outage: MediaOutage, _ result: CallSummary) -> Bool {
        guard wire.sensor == nil, let endedAt = result.endedAt, result.course.endCause != .error,
            outages.contains(where: { $0.tracker.open?.span.end == outage.span.end })
        else { return false }
        let isPathInDoubt = (ice.disconnects + ipChanges.spans).contains { $0.end ?? endedAt >= outage.span.start }
        return !isPathInDoubt && InterruptionDetectors.isHangUp(outage, endedAt: endedAt)
    }

    /// Comes last, for detectors conclude from all of the rest.
    private func fillIssues(_ result: inout CallSummary) {
        let silences = MediaOutage.joined(
            outages.flatMap { $0.tracker.lasting(InterruptionDetectors.leastBlackoutSeconds) })
        let blackouts = silences.filter { !isHangUp($0, result) }
        var oneWay = wire.hasUnseenMedia ? OneWayDetector() : oneWay
        oneWay.leaveOut(lostIn: blackouts)
        result.isOneWay = oneWay.result
        let facts = IssueFacts(
            summary: result, outages: blackouts, hangUp: silences.first { isHangUp($0, result) }?.span,
            oneWay: oneWay.runs, sentUndeliverable: wire.sentUndeliverable,
            receivedUndeliverable: wire.receivedUndeliverable, path: issues.path,
            codecSteps: streams.flatMap(\.codecSteps), beganUnheard: wire.beganUnheard,
            unacknowledgedSince: setup.unacknowledgedSince, lackingKeys: setup.lackingKeys)
        result.issues = IssueList(tracker: issues, facts: facts).issues
    }
}

extension MediaHold {
    /// Streams tell of one hold at the moments of their own reports.
    private static let slackMilliseconds: Int64 = 1_000

    /// In order of time, each once, however many streams tell of it.
    fileprivate static func distinct(_ holds: [MediaHold]) -> [MediaHold] {
        let sorted = holds.sorted { ($0.span.start, $0.seconds) < ($1.span.start, $1.seconds) }
        return sorted.reduce(into: []) { kept, hold in
            let isKnown = kept.reversed().prefix {
                hold.span.start.milliseconds(since: $0.span.start) < slackMilliseconds
            }
            .contains { $0.isSenderPause == hold.isSenderPause && $0.endsWith(hold) }
            if !isKnown { kept.append(hold) }
        }
    }

    private func endsWith(_ other: MediaHold) -> Bool {
        guard let (end, otherEnd) = zip(span.end, other.span.end) else { return span.end == other.span.end }
        return abs(end.milliseconds(since: otherEnd)) < Self.slackMilliseconds
    }

    /// What of it lies before the end of the call; `nil` where nothing does.
    fileprivate func cut(at moment: Timestamp?) -> MediaHold? {
        guard let moment, span.end ?? moment > moment else { return self }
        guard span.start < moment else { return nil }
        let span = TimeSpan(start: span.start, end: moment)
        return MediaHold(
            span: span, seconds: min(seconds, moment.seconds(since: span.start)), isSenderPause: isSenderPause)
    }
}

// MARK: - Archive

extension CallSession {
    func write(to archive: inout ArchiveWriter) {
        archive.put(key, watermark, rulesVersion, start)
        archive.put(lastActivity, lastReceivedAt, setup, ice)
        archive.put(ipChanges, course, path, transport)
        archive.put(oneWay, sound, sounds, streams)
        archive.put(lastReport, lastControlPackets, round)
        archive.put(pictures, outages, scores, quality)
        archive.put(wire, issues, client, connections)
        archive.put(paces, pace, parts)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (key, watermark, rulesVersion, start) = try archive.get()
        (lastActivity, lastReceivedAt, setup, ice) = try archive.get()
        (ipChanges, course, path, transport) = try archive.get()
        (oneWay, sound, sounds, streams) = try archive.get()
        (lastReport, lastControlPackets, round) = try archive.get()
        (pictures, outages, scores, quality) = try archive.get()
        (wire, issues, client, connections) = try archive.get()
        (paces, pace, parts) = try archive.get()
    }
}

extension CallSession.OutageRecord {
    func write(to archive: inout ArchiveWriter) {
        archive.put(stream, tracker, holds, isAway)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (stream, tracker, holds, isAway) = try archive.get()
    }
}
