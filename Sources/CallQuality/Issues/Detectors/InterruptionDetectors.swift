import CallModel

/// Sound that is missing.
enum InterruptionDetectors {
    static let all = [blackout, oneWayAudio, iceDisconnected]

    /// Shorter silences are losses: 1 s, of which engines count 0.977 s.
    static let leastBlackoutSeconds = 0.95
    /// Own choice: whole words are gone, and people begin to ask whether the other is still there.
    private static let criticalBlackoutSeconds = 3.0

    /// Whether a silence that nothing ends is that of a far end that hung up: it stops sending, and this end learns of it a
    /// moment later, 1.5 s where a BYE must be sent three times (RFC 3261 §17.1.2.2). Nobody hangs up for a silence that
    /// people do not ask about yet.
    static func isHangUp(_ outage: MediaOutage, endedAt: Timestamp) -> Bool {
        (0..<criticalBlackoutSeconds).contains(endedAt.seconds(since: outage.span.start))
    }

    private static let blackout = CallDetector(
        kind: .blackout,
        members: [
            "silentConcealedSamples", "concealedSamples", "totalSamplesReceived", "lastPacketReceivedTimestamp",
            "packetsReceived",
        ],
        source:
            "1 s without sound, longer than any pause of DTX (RFC 7587: 400 ms), less the 3 % by which engines count"
            + " too little of it (our recordings)"
    ) { facts in
        facts.outages.map { outage in
            CallIssue(
                kind: .blackout, severity: outage.seconds >= criticalBlackoutSeconds ? .critical : .warning,
                span: outage.span, worst: .init(outage.seconds, .seconds),
                evidence: outage.evidence.map { .init($0, nil) })
        }
    }

    private static let oneWayAudio = CallDetector(
        kind: .oneWayAudio, members: ["packetsReceived", "packetsSent"],
        source:
            "three intervals of 5 s (Telnyx) with 10 packets a second one way and none the other; of what does not come,"
            + " while others do every 7.5 s (RFC 3550 §6.3.1, RFC 7675 §5.1); or nothing at all from the answer to an end"
            + " after 5 s (Telnyx) or more, and sound was sent; or, as a probe saw, sound that comes back as undeliverable as"
            + " long, to the end of the call"
    ) { facts in
        if let refused = refusedSound(facts) { return [refused] }
        return (unheardCall(facts).map { [$0] } ?? facts.oneWay).map { run in
            let undeliverable = undeliverableSound(in: run, facts)
            return CallIssue(
                kind: .oneWayAudio, severity: run.isInboundMissing ? .critical : .warning, span: run.span,
                worst: .init((run.span.end ?? facts.end).seconds(since: run.span.start), .seconds),
                evidence: [.init(run.isInboundMissing ? "packetsReceived" : "packetsSent", 0)] + undeliverable,
                cause: !undeliverable.isEmpty
                    ? .destinationUnreachable : run.isInboundMissing ? .farEndSendsNothing : .nothingSent)
        }
    }

    /// What came back meanwhile of the sound that does flow: where nobody takes it, nobody sends either.
    private static func undeliverableSound(in run: OneWayDetector.Run, _ facts: IssueFacts) -> [CallIssue.Evidence] {
        run.isInboundMissing
            ? facts.sentUndeliverable.evidence(in: run.span, as: "audioPacketsUndeliverable")
            : facts.receivedUndeliverable.evidence(in: run.span, as: "packetsUndeliverable")
    }

    /// Sound to the end that flows all through a call, and of which ICMP says as long that nobody takes it there
    /// ([RFC 1122 §3.2.2.1](https://www.rfc-editor.org/rfc/rfc1122#section-3.2.2.1)). Hosts say so about once a second at most.
    private static func refusedSound(_ facts: IssueFacts) -> CallIssue? {
        let refused = facts.receivedUndeliverable
        guard facts.oneWay.isEmpty, facts.summary.outcome == .connected, let latest = refused.latest,
            let answered = SetupDetectors.answer(of: facts.summary)
        else { return nil }
        let span = TimeSpan(start: answered, end: facts.end)
        let seconds = facts.end.seconds(since: answered)
        guard seconds >= OneWayDetector.leastSeconds,
            facts.end.seconds(since: latest) <= OneWayDetector.longestQuietSeconds,
            Double(refused.packets) * OneWayDetector.longestQuietSeconds >= seconds
        else { return nil }
        return CallIssue(
            kind: .oneWayAudio, severity: .critical, span: span, worst: .init(seconds, .seconds),
            evidence: refused.evidence(in: span, as: "packetsUndeliverable"), cause: .destinationUnreachable)
    }

    /// One interval, as Telnyx has it.
    private static let leastUnheardMilliseconds: Int64 = 5_000

    /// The whole of a client's call that was answered and had ended before a run was as long as it takes, without a packet
    /// that came.
    private static func unheardCall(_ facts: IssueFacts) -> OneWayDetector.Run? {
        let summary = facts.summary
        let sent = summary.streams.first { $0.stream.direction == .outbound && $0.stream.kind == .audio }
        let received = summary.streams.filter { $0.stream.direction == .inbound }
        guard facts.oneWay.isEmpty, summary.sensor == nil, summary.outcome == .connected, !facts.beganUnheard,
            let answered = SetupDetectors.answer(of: summary), let endedAt = summary.endedAt,
            let sent, sent.packets ?? 0 > 0, received.allSatisfy({ $0.packets == 0 }),
            sent.lastSeen.milliseconds(since: answered) >= leastUnheardMilliseconds,
            !SetupDetectors.isHeld(summary, from: answered, to: endedAt)
        else { return nil }
        return OneWayDetector.Run(span: TimeSpan(start: answered, end: endedAt), isInboundMissing: true)
    }

    /// ObserveRTC waits as long before it tells of it.
    private static let criticalDisconnectMilliseconds: Int64 = 5_000

    private static let iceDisconnected = CallDetector(
        kind: .iceDisconnected, members: ["iceDisconnected", "iceConnected"],
        source: "any: engines tell of it only after 5 s without an answer (RFC 7675); 5 s: ObserveRTC"
    ) { facts in
        guard facts.summary.outcome == .connected else { return [] }
        return facts.summary.iceDisconnects.map { span in
            let end = span.end ?? max(span.start, facts.end)
            let length = end.milliseconds(since: span.start)
            return CallIssue(
                kind: .iceDisconnected,
                severity: span.end == nil || length >= criticalDisconnectMilliseconds ? .critical : .warning,
                span: TimeSpan(start: span.start, end: end), isOpen: span.end == nil,
                worst: .init(Double(length) / 1000, .seconds), evidence: [.init("iceDisconnected", nil)])
        }
    }
}
