import CallModel

/// How the call came about, or did not.
enum SetupDetectors {
    static let all = [neverConnected, slowSetup, lateGathering, unacknowledgedAnswer]

    /// A call that goes on may still connect.
    private static let patienceMilliseconds: Int64 = 10_000
    /// One that was over before its media could be called late had no time to.
    static let leastMilliseconds: Int64 = 3_000

    private static let neverConnected = CallDetector(
        kind: .neverConnected, members: ["callAnswerReceived", "iceConnected", "dtlsState", "packetsReceived"],
        source: "answered, and nothing for 10 s, or to an end after 3 s or more (then media are late: own choice)"
    ) { facts in
        let summary = facts.summary
        guard summary.outcome == .notConnected else { return [] }
        let answered = summary.course.phases.first { $0.phase == .connecting }?.time ?? summary.start
        let silence = facts.end.milliseconds(since: answered)
        guard silence >= (summary.endedAt == nil ? patienceMilliseconds : leastMilliseconds) else { return [] }
        // A probe knows of no ICE; where that connected, the keys did not come.
        let hasICE = summary.setup.iceConnectTime != nil
        let ice: [CallIssue.Evidence] = summary.sensor == nil ? [.init("iceConnected", text: "never")] : []
        let keys: [CallIssue.Evidence] = facts.lackingKeys.map { [.init("dtlsState", text: $0)] } ?? []
        let path = hasICE ? keys : ice
        let span = TimeSpan(start: answered, end: facts.end)
        let undeliverable = facts.sentUndeliverable.evidence(in: span, as: "audioPacketsUndeliverable")
        return [
            CallIssue(
                kind: .neverConnected, severity: .critical, span: span, isOpen: summary.endedAt == nil,
                worst: .init(Double(silence) / 1000, .seconds),
                evidence: path + [.init("packetsReceived", 0)] + undeliverable,
                cause: undeliverable.isEmpty ? .blockedMedia : .destinationUnreachable)
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
            member: "answerToFirstMedia", length: firstMedia, warning: 3_000, critical: 8_000,
            isFromAnswer: true),
        Limit(member: "requestAccepted", length: \.summary.setup.requestAccepted, warning: 5_000, critical: 10_000),
    ]

    /// From the answer to the first packet of sound or picture. A call that is answered on hold is not late.
    @Sendable private static func firstMedia(_ facts: IssueFacts) -> Int64? {
        let setup = facts.summary.setup
        let media = facts.summary.sensor == nil ? firstMediaAtClient(facts) : setup.firstMediaBy
        guard !facts.beganUnheard, let media, let answer = setup.answerDelay,
            let answered = Self.answer(of: facts.summary)
        else { return nil }
        let first = answered.advanced(byMilliseconds: media - answer)
        return isHeld(facts.summary, from: answered, to: first) ? nil : media - answer
    }

    /// When they had not come to a client yet, by its last report without any; `nil` where the path was late by as much, or
    /// sound is told of that went one way only.
    private static func firstMediaAtClient(_ facts: IssueFacts) -> Int64? {
        let setup = facts.summary.setup
        guard let media = setup.firstMediaAfter, let answer = setup.answerDelay,
            media - answer - max(0, setup.mediaSetup ?? 0, setup.connectTime ?? 0) >= leastMilliseconds,
            let first = facts.summary.createdAt?.advanced(byMilliseconds: media),
            !facts.oneWay.contains(where: { $0.isInboundMissing && $0.span.start < first })
        else { return nil }
        return media
    }

    /// Whether the call was on hold at some moment between two.
    static func isHeld(_ summary: CallSummary, from start: Timestamp, to end: Timestamp) -> Bool {
        summary.course.lanes.contains { lane in
            lane.kind.isHold && lane.span.start < end && lane.span.end ?? end > start
        }
    }

    /// `nil` where an answer or the beginning of the call was not told.
    static func answer(of summary: CallSummary) -> Timestamp? {
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
