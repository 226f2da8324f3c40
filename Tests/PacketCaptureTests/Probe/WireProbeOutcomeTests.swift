import CallModel
import CallQuality
import PacketCapture
import Testing

/// What becomes of calls whose sound goes one way by agreement, and of those that nobody answers.
@Suite struct WireProbeOutcomeTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests
    private static let tags = ("caller-tag", String?.some("callee-tag"))

    private static func summaries(_ script: ProbeScript) throws -> [CallSummary] {
        let run = script.run()
        return try [Calls.toCaller, Calls.toCallee].map { try #require(run.summary(of: $0)) }
    }

    private static func message(
        _ start: String, _ sequence: String, at milliseconds: Int64, sdp: String? = nil, isFromCallee: Bool = false
    ) -> SIPScript.Line {
        SIPScript.Line(
            milliseconds: milliseconds, start: start, sequence: sequence, tags: tags,
            branch: "b\(sequence.first ?? "1")", sdp: sdp, isFromCallee: isFromCallee)
    }

    /// A call in which the caller is to receive nothing, as of a recorder (RFC 7866).
    private static func recording() -> ProbeScript {
        var script = Script()
        script.setUp(
            offer: SIPScript.audio(4_000, "a=sendonly", address: Script.caller.text),
            answer: SIPScript.audio(6_000, "a=recvonly", address: Script.callee.text))
        script.hangUp(at: 21.2)
        return script
    }

    @Test func `sound that goes one way by agreement is no fault, and is scored`() throws {
        var script = Self.recording()
        script.media(Calls.forth(1_000))
        let summaries = try Self.summaries(script)
        #expect(summaries.map(\.outcome) == [.connected, .connected])
        #expect(summaries.map(\.isOneWay) == [false, false])
        #expect(summaries.flatMap { $0.issues.all.map(\.kind) } == [])
        #expect(summaries.map(\.heldSeconds) == [0, 0] && summaries[1].scoredSeconds > 15)
    }

    @Test func `who was to receive and got nothing never connected`() throws {
        var script = Self.recording()
        script.mediaOfOthers()
        let summaries = try Self.summaries(script)
        #expect(summaries.map(\.outcome) == [.unknown, .notConnected])
        #expect(summaries.map { $0.issues.all.map(\.kind) } == [[], [.neverConnected]])
        #expect(summaries[1].issues.all.first?.evidence.map(\.member) == ["packetsReceived"])
    }

    private static func session(_ line: String, of place: Script.Place) -> String {
        ["v=0", "o=- 1 1 IN IP4 \(place.text)", "s=-", "c=IN IP4 \(place.text)", "t=0 0", line, ""]
            .joined(separator: "\r\n")
    }

    /// RTP is due for accepted lines of an RTP profile (RFC 3264 §5.1, RFC 8866 §5.14): not for fax over UDPTL (RFC 7345), nor
    /// for messages (RFC 4975).
    @Test(arguments: [
        ("m=image 4000 udptl t38", CallOutcome.unknown), ("m=message 4000 TCP/MSRP *", .unknown),
        ("m=audio 0 RTP/AVP 0", .unknown), ("a=tool:none", .unknown),
        ("m=audio 4000 RTP/AVP 0", .notConnected),
    ])
    func `of a call in which no RTP was agreed on it is not said that it never connected`(
        line: String, outcome: CallOutcome
    ) throws {
        var script = Script()
        script.mediaOfOthers()
        script.setUp(offer: Self.session(line, of: Script.caller), answer: Self.session(line, of: Script.callee))
        script.hangUp(at: 21.2)
        let summaries = try Self.summaries(script)
        #expect(summaries.map(\.outcome) == [outcome, outcome])
        let kinds: [IssueKind] = outcome == .unknown ? [] : [.neverConnected]
        #expect(summaries.map { $0.issues.all.map(\.kind) } == [kinds, kinds])
    }

    @Test(arguments: [(2.9, nil), (4, .warning), (9, .critical)] as [(Double, IssueSeverity?)])
    func `media that come late after the answer are told by both ends`(delay: Double, severity: IssueSeverity?) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        for media in [Calls.forth(500, start: 1 + delay), Calls.back(500, start: 1 + delay)] { script.media(media) }
        script.hangUp(at: 12 + delay)
        for summary in try Self.summaries(script) {
            #expect(summary.issues.all.map(\.kind) == (severity == nil ? [] : [.slowSetup]))
            #expect(summary.issues.all.first?.severity == severity)
            #expect(summary.issues.all.first?.worst?.value == (severity == nil ? nil : delay))
            // The answer comes after 1 s.
            let start = summary.issues.all.first?.span.start.milliseconds
            #expect(start == (severity == nil ? nil : Script.epoch / 1_000_000 + 1_000))
        }
    }

    /// At once after the answer, or in it.
    @Test(arguments: [true, false]) func `media of a call that is put on hold come late for that reason`(
        isAnsweredOnHold: Bool
    ) throws {
        let inactive = [
            SIPScript.audio(4_000, "a=inactive", address: Script.caller.text),
            SIPScript.audio(6_000, "a=inactive", address: Script.callee.text),
        ]
        var script = Script()
        if isAnsweredOnHold {
            script.setUp(offer: inactive[0], answer: inactive[1])
        } else {
            script.setUp(offer: Calls.offer, answer: Calls.answer)
            script.change(at: 1.2, number: 2, offer: inactive[0], answer: inactive[1])
        }
        script.change(at: 6, number: 3, offer: Calls.offer, answer: Calls.answer)
        for media in [Calls.forth(500, start: 6.1), Calls.back(500, start: 6.1)] { script.media(media) }
        script.hangUp(at: 17)
        #expect(try Self.summaries(script).flatMap { $0.issues.all.map(\.kind) } == [])
    }

    @Test func `a call that is over right after its answer had no time to connect`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 1.1)
        #expect(try Self.summaries(script).flatMap(\.issues.all).isEmpty)
    }

    @Test(arguments: [(3.9, .unknown), (4.1, .notConnected)] as [(Double, CallOutcome)])
    func `a call that is over before its media could be late is not said to have had none`(
        end: Double, outcome: CallOutcome
    ) throws {
        var script = Script()
        script.mediaOfOthers()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: end)
        #expect(try Self.summaries(script).map(\.outcome) == [outcome, outcome])
    }

    /// RFC 3261 §9.1: whoever answers does not know of the CANCEL, and the caller hangs up.
    @Test(
        arguments: [(3_040, .cancelled, .unknown), (40_000, .hangup, .connected)]
            as [(Int64, CallEndCause, CallOutcome)])
    func `a call whose answer crossed the CANCEL was cancelled, unless the caller goes on`(
        end: Int64, cause: CallEndCause, outcome: CallOutcome
    ) throws {
        var script = Script()
        script.mediaOfOthers()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        script.sip(.init(milliseconds: 3_000, start: "CANCEL", sequence: "1 CANCEL"))
        var answer = Self.message("SIP/2.0 200 OK", "1 INVITE", at: 3_010, sdp: Calls.answer, isFromCallee: true)
        answer.branch = "1"
        script.sip(answer)
        script.sip(Self.message("ACK", "1 ACK", at: 3_030))
        if outcome == .connected {
            for media in [Calls.forth(1_800, start: 3.1), Calls.back(1_800, start: 3.1)] { script.media(media) }
        }
        script.sip(Self.message("BYE", "2 BYE", at: end))
        script.sip(Self.message("SIP/2.0 200 OK", "2 BYE", at: end + 20, isFromCallee: true))
        let summaries = try Self.summaries(script)
        #expect(summaries.map(\.course.endCause) == [cause, cause])
        #expect(summaries.map(\.outcome) == [outcome, outcome])
        #expect(summaries.flatMap(\.issues.all).isEmpty)
    }

    @Test(arguments: [
        [message("SIP/2.0 486 Busy Here", "1 INVITE", at: 9_000, isFromCallee: true)],
        [message("CANCEL", "1 CANCEL", at: 9_000)],
        [
            message("CANCEL", "1 CANCEL", at: 9_000),
            message("SIP/2.0 487 Request Terminated", "1 INVITE", at: 9_010, isFromCallee: true),
        ],
    ])
    func `sound before an answer that never came is no connection`(_ ending: [SIPScript.Line]) throws {
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        script.sip(Self.message("SIP/2.0 183 Progress", "1 INVITE", at: 1_000, sdp: Calls.answer, isFromCallee: true))
        script.media(Calls.back(300))
        for line in ending { script.sip(line) }
        #expect(try Self.summaries(script).map(\.outcome) == [.notAnswered, .notAnswered])
    }

    @Test(
        arguments: [
            (nil, "480 Temporarily Unavailable", "Q.850;cause=19;text=\"NO_ANSWER\"", .noAnswer),
            (nil, "503 Service Unavailable", "Q.850;cause=17", .busy),
            ("SIP;cause=200;text=\"Call completed elsewhere\"", "487 Request Terminated", nil, .answeredElsewhere),
            ("Q.850;cause=26", "487 Request Terminated", "SIP;cause=487", .answeredElsewhere),
            ("Q.850;cause=16", "487 Request Terminated", nil, .cancelled),
        ] as [(String?, String, String?, CallEndCause)])
    func `a call ends for the reason that a refusal or the CANCEL before it gives`(
        cancel: String?, refusal: String, reason: String?, cause: CallEndCause
    ) throws {
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        var lines = [Self.message("SIP/2.0 180 Ringing", "1 INVITE", at: 200, isFromCallee: true)]
        if let cancel {
            lines.append(.init(milliseconds: 4_000, start: "CANCEL", sequence: "1 CANCEL"))
            lines[1].headers = ["Reason: \(cancel)"]
        }
        var last = Self.message("SIP/2.0 \(refusal)", "1 INVITE", at: 4_010, isFromCallee: true)
        last.headers = reason.map { ["Reason: \($0)"] } ?? []
        for var line in lines + [last] {
            line.branch = "1"
            script.sip(line)
        }
        let summaries = try Self.summaries(script)
        #expect(summaries.map(\.course.endCause) == [cause, cause])
        #expect(summaries.map(\.outcome) == [.notAnswered, .notAnswered])
        let said = "\(refusal.dropFirst(4)), \(refusal.prefix(3))"
        #expect(summaries.map(\.endReason) == [said, said])
    }

    @Test func `of a call that rang when the capture ended it is not said that nobody answered`() throws {
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        script.sip(Self.message("SIP/2.0 183 Progress", "1 INVITE", at: 1_000, isFromCallee: true))
        #expect(try Self.summaries(script).map(\.outcome) == [.unknown, .unknown])
    }

    @Test(arguments: [true, false]) func `what comes after a refusal is no media of the call`(isRefused: Bool) throws {
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        script.sip(Self.message("SIP/2.0 183 Progress", "1 INVITE", at: 1_000, sdp: Calls.answer, isFromCallee: true))
        if isRefused {
            script.sip(Self.message("SIP/2.0 480 Error", "1 INVITE", at: 3_000, isFromCallee: true))
            script.sip(Self.message("ACK", "1 ACK", at: 3_010))
        }
        script.media(Calls.back(200, start: 4))
        let caller = try Self.summaries(script)[0]
        #expect(caller.outcome == (isRefused ? .notAnswered : .connected))
        #expect((caller.score == nil) == isRefused && (caller.firstMediaAt == nil) == isRefused)
    }

    @Test(arguments: [(40, nil), (60, 100)] as [(Int, Int?)])
    func `less than a second of sound is no call to be scored`(packets: Int, score: Int?) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        for media in [Calls.forth(packets), Calls.back(packets)] { script.media(media) }
        script.hangUp(at: 3)
        let summaries = try Self.summaries(script)
        #expect(summaries.map(\.score) == [score, score])
        #expect(summaries.flatMap(\.streams).map(\.score) == [score, score])
    }

    @Test(arguments: [true, false]) func `an answer without an ACK is told until the ACK comes`(comes: Bool) throws {
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        for time: Int64 in [1_000, 1_500, 2_500, 4_500, 8_500, 12_500] {
            script.sip(Self.message("SIP/2.0 200 OK", "1 INVITE", at: time, sdp: Calls.answer, isFromCallee: true))
        }
        if comes { script.sip(Self.message("ACK", "1 ACK", at: 12_600)) }
        for media in [Calls.forth(1_000), Calls.back(1_000)] { script.media(media) }
        script.sip(
            SIPScript.Line(
                milliseconds: 33_000, start: "BYE", sequence: "1 BYE", tags: Self.tags, branch: "bye",
                headers: comes ? [] : ["Reason: SIP;cause=408;text=\"ACK timeout\""], isFromCallee: true))
        let told = try Self.summaries(script).map { $0.issues.all.filter { $0.kind == .unacknowledgedAnswer } }
        #expect(told.map { $0.map(\.severity) } == (comes ? [[], []] : [[.critical], [.critical]]))
        #expect(try Self.summaries(script).map(\.course.endCause) == (comes ? [.hangup, .hangup] : [.error, .error]))
    }

    @Test func `of a call of which only the requests passed it is not said that nobody answered`() throws {
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        script.sip(Self.message("ACK", "1 ACK", at: 1_000))
        script.media(Calls.forth())
        script.sip(Self.message("BYE", "2 BYE", at: 10_500))
        let summaries = try Self.summaries(script)
        #expect(summaries[0].outcome == .unknown && summaries[0].course.endCause == .hangup)
        #expect(summaries[0].issues.all.isEmpty)
    }

    @Test func `of a call of which only the responses passed the end is known`() throws {
        var script = Script()
        script.sip(Self.message("SIP/2.0 200 OK", "1 INVITE", at: 1_000, sdp: Calls.answer, isFromCallee: true))
        script.media(Calls.back())
        script.sip(Self.message("SIP/2.0 200 OK", "2 BYE", at: 10_500, isFromCallee: true))
        let summary = try #require(Self.summaries(script).first)
        #expect(summary.course.endCause == .hangup && summary.endReason == "BYE" && summary.setup.isEndKnown)
    }

    @Test(arguments: [(others: 500, wasLost: false), (6_000, true)])
    func `a call that goes on when the capture ends was not lost`(others: Int, wasLost: Bool) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        for media in [Calls.forth(), Calls.back()] { script.media(media) }
        // What the capture has of others goes on for so many packets of 20 ms.
        let (from, to) = (Script.Place(0xC000_0209, 7_000), Script.Place(0xC633_6409, 7_000))
        script.media(Script.Media(ssrc: 0xF, from: from, to: to, start: 1, packets: others))
        let run = script.run()
        for end in [WireProbeCallTests.toCaller, WireProbeCallTests.toCallee] {
            let summary = try #require(run.summary(of: end))
            #expect(summary.outcome == .connected && summary.endedAt == nil)
            #expect(summary.outlivesCapture == !wasLost)
            #expect(summary.endCause(isLive: false) == (wasLost ? .lost : nil))
        }
    }

    @Test(arguments: [
        ("302 Moved Temporarily", CallEndCause.unavailable), ("407 Proxy Authentication Required", .error),
    ])
    func `a call that was redirected or challenged and not tried again has ended`(
        response: String, cause: CallEndCause
    ) throws {
        var script = ProbeScript()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", callID: "call-1"))
        script.sip(
            .init(
                milliseconds: 500, start: "SIP/2.0 \(response)", sequence: "1 INVITE",
                tags: ("caller-tag", "callee-tag"), callID: "call-1", isFromCallee: true))
        let summary = try #require(script.run().summary(of: WireProbeCallTests.toCaller))
        #expect(summary.course.endCause == cause)
        #expect(summary.endReason == "\(response.dropFirst(4)), \(response.prefix(3))")
    }
}
