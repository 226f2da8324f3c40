import CallModel

/// The path that media take, and its changes.
enum PathDetectors {
    static let all = [relayOverTCP, pathChange, ipChange]

    private static let relayOverTCP = CallDetector(
        kind: .relayOverTCP, members: ["relayProtocol", "protocol"],
        source: "any (peermetrics tcp_used): RFC 8656 §1, one lost packet holds up all behind it"
    ) { facts in
        facts.path.overTCP.map { span in
            let relay = facts.summary.path.relayProtocol
            return CallIssue(
                kind: .relayOverTCP, severity: .notice, span: TimeSpan(start: span.start, end: span.end ?? facts.end),
                isOpen: span.end == nil,
                evidence: [.init(relay == nil ? "protocol" : "relayProtocol", text: relay ?? "tcp")])
        }
    }

    /// While a path is being found, better ones take its place.
    private static let settlingMilliseconds: Int64 = 10_000

    /// Whether a moment lies in the call proper.
    private static func isMidCall(_ time: Timestamp, _ facts: IssueFacts) -> Bool {
        guard let media = facts.summary.firstMediaAt else { return false }
        return time.milliseconds(since: media) > settlingMilliseconds
    }

    private static let pathChange = CallDetector(
        kind: .pathChange, members: ["selectedCandidatePairChanges", "selectedCandidatePairId"],
        source: "any after the first 10 s of media without iceDisconnected near (our recordings)"
    ) { facts in
        let told = facts.summary.iceDisconnects
        let changes = facts.summary.path.changes.filter { change in
            let span = TimeSpan(start: change, end: change)
            return isMidCall(change, facts) && !told.contains { facts.areTogether($0, span) }
        }
        return together(changes).map { span in
            let isMove =
                facts.path.moves.contains { $0.time >= span.start && $0.time <= span.end ?? span.start }
                || facts.summary.ipChanges.contains { facts.areTogether($0, span) }
            return CallIssue(
                kind: .pathChange, severity: .notice, span: span, evidence: [.init("selectedCandidatePairId", nil)],
                cause: isMove ? .networkChange : nil)
        }
    }

    /// Changes soon after one another are one.
    private static let togetherMilliseconds: Int64 = 20_000

    private static func together(_ changes: [Timestamp]) -> [TimeSpan] {
        changes.reduce(into: []) { spans, change in
            if let last = spans.indices.last, let end = spans[last].end,
                change.milliseconds(since: end) <= togetherMilliseconds
            {
                spans[last].end = change
            } else {
                spans.append(TimeSpan(start: change, end: change))
            }
        }
    }

    private static let ipChange = CallDetector(
        kind: .ipChange, members: ["ipChangeStarted", "ipChangeEnded", "address", "networkType"],
        source: "any in the call proper"
    ) { facts in
        let events = facts.summary.ipChanges.map { span in
            CallIssue(
                kind: .ipChange, severity: .warning, span: TimeSpan(start: span.start, end: span.end ?? facts.end),
                isOpen: span.end == nil,
                worst: span.milliseconds.map { .init(Double($0) / 1000, .seconds) },
                evidence: [.init("ipChangeStarted", nil)], cause: .networkChange)
        }
        let moves = facts.path.moves.filter { move in
            let span = TimeSpan(start: move.time, end: move.time)
            return isMidCall(move.time, facts) && !facts.summary.ipChanges.contains { facts.areTogether($0, span) }
        }
        return events
            + moves.map { move in
                CallIssue(
                    kind: .ipChange, severity: .warning, span: TimeSpan(start: move.time, end: move.time),
                    evidence: [.init("networkType", text: "\(move.from) to \(move.to)")], cause: .networkChange)
            }
    }
}
