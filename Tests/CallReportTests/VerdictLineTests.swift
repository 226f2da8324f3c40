import CallModel
import CallReport
import Testing

@Suite struct VerdictLineTests {
    @Test func `a short id stands in the line of the verdict`() {
        #expect(
            firstLines(Records.live, 1, at: Records.nowOfLive)
                == ["Call c1 (client): live: ● excellent 97/100, worst 95 — traces of packet loss"])
    }

    @Test func `a long id stands below the verdict`() {
        #expect(
            firstLines(Records.rich, 2) == [
                "✕ bad 41/100, worst 0 — blackout 5.0 s after 12:34:56; 9 % of the sound made up",
                "Call A551CA43-94A6-4B2C-9E0B-7D3F2C1B0A99 (caller)",
            ])
    }

    @Test func `calls without a score say why`() {
        #expect(firstLines(Records.notAnswered, 1) == ["not answered — ended: No answer (487)"])
        #expect(
            firstLines(Records.iceFailed, 1)
                == ["never connected: answered, but ICE never connected and no media flowed"])
        var record = Records.iceFailed
        record.summary.setup.iceConnectTime = 400
        #expect(
            firstLines(record, 1)
                == ["never connected: answered, but keys were never agreed on and no media flowed"])
        record = Records.live
        record.summary.score = nil
        #expect(firstLines(record, 1, at: Records.nowOfLive) == ["Call c1 (client): live: no score yet"])
    }

    @Test func `of a call that was reported once it is said why there is no score`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.outcome) = (nil, .connected)
        var stream = Records.stream(.inbound, .audio, "1")
        (stream.packets, stream.intervals) = (900, 0)
        record.summary.streams = [stream]
        #expect(
            firstLines(record, 2) == [
                "no score: reported once only, and what happened lies between two reports", "Call 1 (a)",
            ])
        record.summary.streams[0].intervals = 1
        #expect(firstLines(record, 1) == ["Call 1 (a): no score: nothing was reported that could be scored"])
    }

    @Test func `two ends under one name are told, with the mend`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.streams = [(.inbound, "7"), (.outbound, "9"), (.outbound, "7"), (.inbound, "9")].map {
            var stream = Records.stream($0, .audio, $1)
            stream.packets = 900
            return stream
        }
        let told =
            "two ends told of it as one observer, give each its own with observer= "
            + "(ssrc 7 was both sent and received)"
        let verdict = { (record: CallRecord) in
            JSONSummary(record.summary, at: Records.nowLongAfter, isDirty: false).value.members?["verdict"]?.text
        }
        #expect(verdict(record)?.contains(" — \(told); ") == true)
        record.summary.score = nil
        #expect(verdict(record)?.hasSuffix(" — \(told)") == true)
        // A relay may send on over another connection what it receives.
        for index in record.summary.streams.indices where record.summary.streams[index].stream.direction == .outbound {
            record.summary.streams[index].stream.connection = ConnectionID(rawValue: "pc1")
        }
        #expect(verdict(record)?.contains("two ends") == false)
    }

    @Test func `early media of a call that nobody answered are not its verdict`() {
        var record = Records.notAnswered
        (record.summary.score, record.summary.worstScore) = (100, 97)
        #expect(
            firstLines(record, 1)
                == ["not answered — ended: No answer (487); early media ● excellent 100/100, worst 97"])
    }

    @Test func `a call that an error ended is not one with nothing to complain of`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (100, nil, [:])
        record.summary.course.endCause = .error
        #expect(firstLines(record, 1) == ["Call 1 (a): ● excellent 100/100 — ended by an error"])
        record.summary.course.endCause = .hangup
        #expect(firstLines(record, 1) == ["Call 1 (a): ● excellent 100/100 — nothing to complain of"])
    }

    @Test func `a call without answer or end is not called unanswered`() {
        var record = Records.notAnswered
        (record.summary.outcome, record.summary.endedAt, record.summary.endReason) = (.unknown, nil, nil)
        #expect(
            firstLines(record, 1, at: Records.nowLongAfter)
                == ["no score: neither an answer nor an end of it was seen"])
    }

    @Test(
        arguments: [
            ([.loss: 12.0, .late: 3], "packet loss: 9 % of the sound made up; late packets"),
            ([.delay: 12.0], "path delay: round trip 612 ms"),
            ([.jitterBuffer: 8.0], "jitter buffer delay: 240 ms"),
            ([.stretch: 8.0], "time-stretching: 14 % of the sound"),
            ([.freeze: 8.0], "frozen video"),
            ([.loss: 0.7], "packet loss"),
            ([:], "nothing to complain of"),
        ] as [([QualityCause: Double], String)])
    func `the reason is the cause with its measure`(costs: [QualityCause: Double], reason: String) {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        record.summary.costs = costs
        (record.summary.score, record.summary.worstScore) = (8, nil)
        var stream = Records.stream(.inbound, .audio, "1")
        // With a pause of the sender, which the score leaves out.
        (stream.concealedPercent, stream.stretchedPercent) = (25, 14.2)
        record.summary.basis = ScoreBasis(
            rulesVersion: 1, codec: nil, isRepairAssumed: nil, lossPercent: 0, meanLossRun: nil, latePercent: nil,
            concealedPercent: 8.7, stretchedPercent: 14.2, silentPercent: 0, networkDelayMilliseconds: nil,
            bufferDelayMilliseconds: 240, codecDelayMilliseconds: 20)
        (stream.roundTripMilliseconds, stream.jitterBufferMilliseconds) = (612, 240)
        record.summary.streams = [stream]
        #expect(firstLines(record, 1) == ["Call 1 (a): ✕ bad 8/100 — \(reason)"])
    }

    /// Engines tell of a picture that stands still when the next one comes.
    @Test(
        arguments: [(nil, "frozen video"), (0, "frozen video"), (0.04, "frozen video"), (0.06, "frozen video: 0.1 s")]
            as [(Double?, String)])
    func `a picture that stands still to the end has no length`(seconds: Double?, reason: String) {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (8, nil, [.freeze: 20])
        var stream = Records.stream(.inbound, .video, "1")
        stream.frozenSeconds = seconds
        record.summary.streams = [stream]
        #expect(firstLines(record, 1) == ["Call 1 (a): ✕ bad 8/100 — \(reason)"])
    }

    /// A pause of the sender, or a hold, of so many seconds, so many before the end of the call.
    @Test(
        arguments: [
            (40.0, 0, true, "no sound for the last 40.0 s"), (40, 2_000, true, "no sound for the last 40.0 s"),
            (40, 5_000, true, "nothing to complain of"), (9, 0, true, "nothing to complain of"),
            (40, 0, false, "nothing to complain of"),
        ] as [(Double, Int64, Bool, String)])
    func `a silence to the end stands in the place of praise`(
        seconds: Double, before: Int64, isPause: Bool, reason: String
    ) {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        let end = record.summary.lastActivity
        (record.summary.endedAt, record.summary.costs) = (end, [:])
        let last = end.advanced(byMilliseconds: -before)
        let start = last.advanced(byMilliseconds: -Int64(1_000 * seconds))
        record.summary.holds = [
            MediaHold(span: TimeSpan(start: start, end: last), seconds: seconds, isSenderPause: isPause)
        ]
        (record.summary.score, record.summary.worstScore) = (100, nil)
        #expect(firstLines(record, 1) == ["Call 1 (a): ● excellent 100/100 — \(reason)"])
    }

    @Test func `a loss of which only the receiver tells stands in the place of praise`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "wire:a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (100, nil, [:])
        record.summary.issues = CallIssues([
            CallIssue(
                kind: .packetLoss, severity: .warning, span: TimeSpan(start: record.summary.start, end: nil),
                evidence: [.init("packetsLostBehind", 70)])
        ])
        #expect(
            firstLines(record, 1) == ["Call 1 (wire:a): ● excellent 100/100 — packet loss behind the probe (RTCP)"])
    }

    @Test func `of a call that went on when the capture ended, that is said, and not that it was lost`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "wire:callee")
        record.summary.course.tellsStates = true
        record.summary.sensor = SensorHealth(watchedUntil: record.summary.lastActivity)
        record.summary.outcome = .connected
        let cut = firstLines(record, 5).joined(separator: " ")
        #expect(cut.contains("the capture ended before the call did") && !cut.contains("reports stopped"))
        // It had been silent for 90 s.
        record.summary.sensor?.watchedUntil = record.summary.lastActivity.advanced(byMilliseconds: 90_000)
        let lost = firstLines(record, 5).joined(separator: " ")
        #expect(!lost.contains("the capture ended") && lost.contains("reports stopped, and nothing ended the call"))
    }

    @Test func `of more blackouts than are kept the length of all is not told`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (50, nil, [.blackout: 50])
        func lines(_ count: Int) -> [String] {
            record.summary.outages = (0..<count).map { index in
                let start = Records.at(Int64(10_000 * index))
                let span = TimeSpan(start: start, end: start.advanced(byMilliseconds: 2_000))
                return MediaOutage(span: span, seconds: 2, evidence: [])
            }
            return firstLines(record, 1)
        }
        #expect(lines(299) == ["Call 1 (a): ✕ bad 50/100 — 299 blackouts, 9 min 58 s in all"])
        #expect(lines(300) == ["Call 1 (a): ✕ bad 50/100 — at least 300 blackouts"])
    }

    @Test func `what a score does not count is named`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (100, nil, [:])
        func issue(_ kind: IssueKind, _ severity: IssueSeverity) -> CallIssue {
            CallIssue(
                kind: kind, severity: severity, span: TimeSpan(start: Records.at(0), end: Records.at(20_000)),
                evidence: [])
        }
        record.summary.issues = CallIssues([
            issue(.oneWayAudio, .critical), issue(.slowSetup, .warning), issue(.pathChange, .notice),
        ])
        #expect(
            firstLines(record, 1) == [
                "Call 1 (a): ● excellent 100/100 — sound went one way only; slow setup"
            ])
        record.summary.issues = CallIssues([issue(.pathChange, .notice)])
        #expect(firstLines(record, 1) == ["Call 1 (a): ● excellent 100/100 — nothing to complain of"])
    }

    /// A score of 100 is rare: the sound is always stretched a little.
    @Test func `traces hide no issue, and what costs points hides none that cannot cost any`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore, record.summary.costs) = (97, nil, [.stretch: 3])
        func issue(_ kind: IssueKind, _ stream: StreamKey?) -> CallIssue {
            CallIssue(
                kind: kind, severity: .warning, stream: stream,
                span: TimeSpan(start: Records.at(0), end: Records.at(20_000)), evidence: [])
        }
        let sent = Records.stream(.outbound, .audio, "2").stream
        record.summary.issues = CallIssues([issue(.silentMicrophone, sent)])
        #expect(firstLines(record, 1) == ["Call 1 (a): ● excellent 97/100 — the microphone gave silence"])
        let received = Records.stream(.inbound, .audio, "1").stream
        record.summary.issues = CallIssues([issue(.packetLoss, received), issue(.packetLoss, sent)])
        (record.summary.score, record.summary.costs) = (60, [.loss: 40])
        #expect(
            firstLines(record, 1) == ["Call 1 (a): ▲ poor 60/100 — packet loss; packet loss of what was sent"])
        (record.summary.score, record.summary.costs) = (nil, [:])
        record.summary.outcome = .connected
        record.summary.issues = CallIssues([issue(.oneWayAudio, nil)])
        #expect(
            firstLines(record, 1) == [
                "no score: nothing was reported that could be scored — sound went one way only"
            ])
    }

    @Test func `points that a silence without an outage cost are named`() {
        var record = Records.live
        record.summary.key = Records.key("1", observer: "a")
        record.summary.endedAt = record.summary.lastActivity
        (record.summary.score, record.summary.worstScore) = (66, nil)
        (record.summary.costs, record.summary.outages) = ([.blackout: 32, .stretch: 2], [])
        #expect(firstLines(record, 1) == ["Call 1 (a): ▲ poor 66/100 — silence; time-stretching"])
    }

    @Test(
        arguments: [
            ([.loss: 12.0, .late: 3], "packet loss: 9 %; late packets: 0.4 %"),
            ([.burst: 12.0], "losses in runs of 1.6"), ([.delay: 12.0], "path delay: round trip 143 ms"),
        ] as [([QualityCause: Double], String)])
    func `of the wire the reason says what was lost, not what was made up`(
        costs: [QualityCause: Double], reason: String
    ) {
        var record = Records.wire
        record.summary.key = Records.key("1", observer: "wire:b")
        record.summary.streams[1].lossPercent = 8.7
        record.summary.streams[1].roundTripMilliseconds = 142.6
        record.summary.costs = costs
        #expect(firstLines(record, 1) == ["Call 1 (wire:b): ◔ fair 77/100, worst 71 — \(reason)"])
    }

    @Test func `a call on the wire without media or score says so`() {
        var record = Records.sipBusy
        record.summary.outcome = .notConnected
        #expect(
            firstLines(record, 1) == [
                "Call busy-1@pbx (wire:callee): no media: answered, but none was seen on the wire"
            ])
        record.summary.outcome = .connected
        record.summary.missing = ["concealedSamples", "roundTripTime"]
        #expect(
            firstLines(record, 1) == [
                "Call busy-1@pbx (wire:callee): no score: nothing was seen that could be scored"
            ])
    }

    private func firstLines(_ record: CallRecord, _ count: Int, at now: Timestamp = Records.nowLongAfter) -> [String] {
        TextReport(record, at: now).render().split(separator: "\n").prefix(count).map(String.init)
    }
}
