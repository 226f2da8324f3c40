import CallModel

/// How the call came about, or did not.
enum SetupDetectors {
    static let all = [neverConnected, slowSetup, lateGathering, unacknowledgedAnswer]

    /// A call that goes on may still connect.
    private static let patienceMilliseconds: Int64 = 10_000
    /// One that was over before its media could be called late had no time to.
    static let leastMilliseconds: Int64 = 3_000

    private static let neverConnected = CallDetector(
        kind: .neverConnected, members: ["callAnswerReceived", "iceConnected", "packetsReceived"],
        source: "answered, and nothing for 10 s, or to an end after 3 s or more (then media are late: own choice)"
    ) { facts in
        let summary = facts.summary
        guard summary.outcome == .notConnected else { return [] }
        let answered = summary.course.phases.first { $0.phase == .connecting }?.time ?? summary.start
        let silence = facts.end.milliseconds(since: answered)
        guard silence >= (summary.endedAt == nil ? patienceMilliseconds : leastMilliseconds) else { return [] }
        // A probe knows of no ICE.
        let path: [CallIssue.Evidence] = summary.sensor == nil ? [.init("iceConnected", text: "never")] : []
        return [
            CallIssue(
                kind: .neverConnected, severity: .critical, span: TimeSpan(start: answered, end: facts.end),
                isOpen: summary.endedAt == nil,
                worst: .init(Double(silence) / 1000, .seconds),
                evidence: path + [.init("packetsReceived", 0)], cause: .blockedMedia)
        ]
    }

    /// A part of the setup, and what it may take.
    private struct Limit {
        let member: String
        let length: @Sendable (IssueFacts) -> Int64?
        let warning: Int64
        let critical: Int64
        /// Whether it begins with the answer, and not with the call.
        var isFromAnswer = false
    }

    private static let limits = [
        Limit(member: "postDialDelay", length: \.summary.setup.postDialDelay, warning: 6_000, critical: 11_000),
        Limit(
            member: "mediaSetup", length: \.summary.setup.mediaSetup, warning: 3_000, critical: 8_000,
            isFromAnswer: true),
        Limit(
            member: "connectTime", length: \.summary.setup.connectTime, warning: 3_000, critical: 8_000,
            isFromAnswer: true),
        Limit(
            member: "sessionRequestDelay", length: \.summary.setup.sessionRequestDelay, warning: 6_000, critical: 11_000
        ),
        Limit(
            member: "answerToFirstMedia", length: firstMediaOnTheWire, warning: 3_000, critical: 8_000,
            isFromAnswer: true),
        Limit(member: "requestAccepted", length: \.summary.setup.requestAccepted, warning: 5_000, critical: 10_000),
    ]

    /// From the answer to the first packet, which a probe knows; reports of a client only come some time after it. A call
    /// that is answered on hold is not late.
    @Sendable private static func firstMediaOnTheWire(_ facts: IssueFacts) -> Int64? {
        let summary = facts.summary
        guard summary.sensor != nil, !facts.beganUnheard, let media = summary.setup.firstMediaBy,
            let answered = answer(of: summary), let answer = summary.setup.answerDelay
        else { return nil }
        let first = answered.advanced(byMilliseconds: media - answer)
        let isHeld = summary.course.lanes.contains { lane in
            lane.kind.isHold && lane.span.start < first && lane.span.end ?? first > answered
        }
        return isHeld ? nil : media - answer
    }

    /// `nil` where an answer or the beginning of the call was not told.
    private static func answer(of summary: CallSummary) -> Timestamp? {
        zip(summary.createdAt, summary.setup.answerDelay).map { $0.advanced(byMilliseconds: $1) }
    }

    private static let slowSetup = CallDetector(
        kind: .slowSetup,
        members: ["callCreate", "callRinging", "callAnswerReceived", "iceConnected", "INVITE", "packetsReceived"],
        source: "to ringing 6 s and 11 s: ITU-T E.721 (95 % of local and international calls); answer to media 3 s:"
            + " own choice; 5 s: ObserveRTC"
    ) { facts in
        let begin = facts.summary.createdAt ?? facts.summary.start
        // Ringing is mostly the first response, and the media what connects: told once.
        var told: Set<Int64> = []
        return limits.compactMap { limit in
            guard let length = limit.length(facts), length >= limit.warning, told.insert(length).inserted else {
                return nil
            }
            let start = limit.isFromAnswer ? answer(of: facts.summary) ?? begin : begin
            return CallIssue(
                kind: .slowSetup, severity: length >= limit.critical ? .critical : .warning,
                span: TimeSpan(start: start, end: start.advanced(byMilliseconds: length)),
                worst: .init(Double(length) / 1000, .seconds),
                evidence: [.init(limit.member, Double(length) / 1000)])
        }
    }

    private static let lateGathering = CallDetector(
        kind: .lateGathering, members: ["iceOneRelay", "iceNoRelay"],
        source: "any: gathering was cut off by its time-out (Kandy iceTimeout)"
    ) { facts in
        guard let outcome = facts.summary.setup.iceOutcome, outcome != .normal else { return [] }
        let start = facts.summary.createdAt ?? facts.summary.start
        let length = facts.summary.setup.iceGatheringUpperBound
        return [
            CallIssue(
                kind: .lateGathering, severity: .warning,
                span: TimeSpan(start: start, end: length.map { start.advanced(byMilliseconds: $0) } ?? start),
                worst: length.map { .init(Double($0) / 1000, .seconds) },
                evidence: [.init(outcome == .oneRelay ? "iceOneRelay" : "iceNoRelay", nil)],
                cause: .unreachableServer)
        ]
    }

    private static let unacknowledgedAnswer = CallDetector(
        kind: .unacknowledgedAnswer, members: ["200", "ACK MISSING", "ACK"],
        source: "the answer four times again (7.5 s) and no ACK after it: RFC 3261 §13.3.1.4, after 32 s the callee"
            + " ends it"
    ) { facts in
        guard let start = facts.unacknowledgedSince else { return [] }
        return [
            CallIssue(
                kind: .unacknowledgedAnswer,
                severity: facts.summary.course.endCause == .error ? .critical : .warning,
                span: TimeSpan(start: start, end: facts.end), isOpen: facts.summary.endedAt == nil,
                evidence: [.init("ACK", text: "missing")])
        ]
    }
}
