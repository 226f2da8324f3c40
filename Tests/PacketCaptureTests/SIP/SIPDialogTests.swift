import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

@Suite struct SIPDialogTests {
    typealias Line = SIPScript.Line
    static let both = (from: "caller-tag", to: Optional("callee-tag"))
    static let back = (from: "callee-tag", to: Optional("caller-tag"))

    /// A call that is answered after a second, its SDP on both sides.
    static func answered() throws -> SIPScript {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: SIPScript.audio(4000)),
            Line(milliseconds: 20, start: "SIP/2.0 100 Trying", sequence: "1 INVITE", isFromCallee: true),
            Line(milliseconds: 300, start: "SIP/2.0 180 Ringing", sequence: "1 INVITE", tags: both, isFromCallee: true),
            Line(
                milliseconds: 1000, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: both,
                sdp: SIPScript.audio(5000), isFromCallee: true),
            Line(milliseconds: 1010, start: "ACK", sequence: "1 ACK", tags: both, branch: "2"))
        return script
    }

    static let answeredCourse = ["INVITE@0", "100@20", "180@300", "200@1000", "ACK@1010"]

    @Test func `an answered call that the callee ends`() throws {
        var script = try Self.answered()
        try script.play(
            Line(milliseconds: 9000, start: "BYE", sequence: "7 BYE", tags: Self.back, branch: "3", isFromCallee: true),
            Line(milliseconds: 9020, start: "SIP/2.0 200 OK", sequence: "7 BYE", tags: Self.back, branch: "3"))
        let end = "ended@9000 bye(by: PacketCapture.CallEnd.callee)"
        #expect(script.course == Self.answeredCourse + ["BYE@9000", "BYE 200@9020", end])
    }

    /// The INVITE as it is sent over UDP while nobody responds (RFC 3261 §17.1.1.2).
    private static func invites(_ count: Int) throws -> SIPScript {
        var script = SIPScript()
        for time in [0, 500, 1500, 3500, 7500, 15_500, 31_500].prefix(count) {
            try script.play(Line(milliseconds: Int64(time), start: "INVITE", sequence: "1 INVITE"))
        }
        return script
    }

    private static let timedOut = ["INVITE@0", "INVITE TIMEOUT@31500", "ended@31500 silent"]

    @Test func `an INVITE that nobody responds to ends the call, and the caller may try another target`() throws {
        var script = try Self.invites(7)
        script.pass(to: 63_000)
        #expect(script.course == ["INVITE@0"])
        script.pass(to: 64_000)
        #expect(script.course == Self.timedOut)
        try script.play(Line(milliseconds: 65_000, start: "INVITE", sequence: "1 INVITE", branch: "2"))
        #expect(script.course == Self.timedOut + ["forgotten", "started 2 true", "INVITE@65000"])
    }

    @Test(arguments: [(7, true), (6, false)])
    func `at the end of a capture an INVITE without response has failed if it was sent for half a minute`(
        invites: Int, hasFailed: Bool
    ) throws {
        var script = try Self.invites(invites)
        script.finish()
        #expect(script.course == (hasFailed ? Self.timedOut : ["INVITE@0"]))
    }

    @Test func `an INVITE that any response came to is not given up by its repetitions`() throws {
        var script = try Self.invites(7)
        try script.play(
            Line(milliseconds: 31_600, start: "SIP/2.0 100 Trying", sequence: "1 INVITE", isFromCallee: true))
        script.pass(to: 100_000)
        #expect(script.course == ["INVITE@0", "100@31600"])
    }

    @Test(arguments: [true, false])
    func `an answer that comes again and again lacks its ACK`(isSeenBothWays: Bool) throws {
        var script = SIPScript()
        if isSeenBothWays { try script.play(Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE")) }
        for time in [1000, 1500, 2500, 4500, 8500, 12_500] {
            try script.play(
                Line(
                    milliseconds: Int64(time), start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: Self.both,
                    isFromCallee: true))
        }
        let course = isSeenBothWays ? ["INVITE@0", "200@1000", "ACK MISSING@8500"] : ["started 1 false", "200@1000"]
        #expect(script.course == course)
    }

    @Test func `repetitions of an answer are counted on one hop`() throws {
        var script = SIPScript()
        try script.play(Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"))
        let proxy = Endpoint(address: IPAddress(v4: 0xC000_0209), port: 5060)
        for time in [1000, 1500, 2500] {
            for hop in [
                Flow(source: SIPScript.callee, destination: proxy), Flow(source: proxy, destination: SIPScript.caller),
            ] {
                try script.play(
                    Line(
                        milliseconds: Int64(time), start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: Self.both,
                        isFromCallee: true, flow: hop))
            }
        }
        try script.play(Line(milliseconds: 3000, start: "ACK", sequence: "1 ACK", tags: Self.both, branch: "2"))
        #expect(script.course == ["INVITE@0", "200@1000", "ACK@3000"])
    }

    @Test func `an answer that crosses a CANCEL is acknowledged`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            Line(milliseconds: 900, start: "CANCEL", sequence: "1 CANCEL"),
            Line(milliseconds: 910, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: Self.both, isFromCallee: true),
            Line(milliseconds: 950, start: "ACK", sequence: "1 ACK", tags: Self.both, branch: "2"))
        #expect(script.course == ["INVITE@0", "CANCEL@900", "200@910", "ACK@950"])
    }

    @Test func `events number themselves and keep no person`() throws {
        var script = SIPScript()
        try script.play(
            Line(
                milliseconds: 5, start: "INVITE", sequence: "1 INVITE",
                headers: ["User-Agent: phone/1", "User-to-User: 4142;encoding=hex", "X-Call-Ref: 77", "Subject: hush"]),
            Line(
                milliseconds: 9, start: "SIP/2.0 486 Busy Here", sequence: "1 INVITE", tags: Self.both,
                headers: ["Server: desk"], isFromCallee: true))
        let events = script.notices.compactMap { notice -> CallEvent? in
            if case .event(_, let event) = notice { event } else { nil }
        }
        let first = Timestamp(milliseconds: 5)
        let second = Timestamp(milliseconds: 9)
        #expect(
            events == [
                CallEvent(
                    time: first, receivedAt: first, action: "sip", type: "INVITE", sequence: 1,
                    members: [
                        "method": "INVITE", "end": "caller", "userAgent": "phone/1",
                        "userToUser": "4142;encoding=hex", "aliases": ["X-Call-Ref: 77"],
                    ]),
                CallEvent(
                    time: second, receivedAt: second, action: "sip", type: "486", sequence: 2,
                    members: [
                        "method": "INVITE", "end": "callee", "userAgent": "desk", "statusCode": 486,
                        "reason": "Busy Here",
                    ]),
            ])
    }

    @Test func `a challenge is no failure when the caller asks again`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            Line(
                milliseconds: 5, start: "SIP/2.0 407 Auth", sequence: "1 INVITE", tags: Self.both, isFromCallee: true),
            Line(milliseconds: 6, start: "ACK", sequence: "1 ACK", tags: Self.both),
            Line(milliseconds: 9, start: "INVITE", sequence: "2 INVITE", branch: "2"),
            Line(
                milliseconds: 50, start: "SIP/2.0 200 OK", sequence: "2 INVITE", tags: Self.both, branch: "2",
                isFromCallee: true))
        #expect(script.course == ["INVITE@0", "407@5", "INVITE@9", "200@50"])
    }

    @Test func `a challenge that nobody meets is a failure in the end`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            Line(
                milliseconds: 5, start: "SIP/2.0 401 Auth", sequence: "1 INVITE", tags: Self.both, isFromCallee: true))
        script.pass(to: 64_000)
        #expect(script.course == ["INVITE@0", "401@5"])
        script.pass(to: 64_006)
        #expect(script.course == ["INVITE@0", "401@5", "INVITE REFUSED@5", "ended@5 failed(status: 401)"])
    }

    @Test func `a call given up before the answer`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            Line(
                milliseconds: 200, start: "SIP/2.0 180 Ringing", sequence: "1 INVITE", tags: Self.both,
                isFromCallee: true),
            Line(milliseconds: 700, start: "CANCEL", sequence: "1 CANCEL"),
            Line(milliseconds: 710, start: "SIP/2.0 200 OK", sequence: "1 CANCEL", tags: Self.both, isFromCallee: true),
            Line(
                milliseconds: 720, start: "SIP/2.0 487 Request Terminated", sequence: "1 INVITE", tags: Self.both,
                isFromCallee: true),
            Line(milliseconds: 725, start: "ACK", sequence: "1 ACK", tags: Self.both))
        #expect(
            script.course == [
                "INVITE@0", "180@200", "CANCEL@700", "487@720", "ended@720 cancelled(status: Optional(487))",
            ])
    }

    @Test func `repetitions are counted, and told from copies of the capture`() throws {
        var script = SIPScript()
        for time in [0, 500, 501, 1500] as [Int64] {
            try script.play(Line(milliseconds: time, start: "INVITE", sequence: "1 INVITE"))
        }
        #expect(script.course == ["INVITE@0"])
        guard case .started(let call, _, _) = script.notices.first else {
            Issue.record("\(script.notices)")
            return
        }
        let counters = script.dialogs.counters(of: call)
        #expect(counters == SIPCallCounters(messages: 4, retransmissions: 2, copies: 1))
    }

    @Test func `a proxy passes messages on with another branch over another way`() throws {
        var script = SIPScript()
        let hop = Flow(
            source: SIPScript.callee, destination: Endpoint(address: IPAddress(v4: 0xC000_0203), port: 5060))
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            Line(milliseconds: 3, start: "INVITE", sequence: "1 INVITE", branch: "proxy", flow: hop),
            Line(
                milliseconds: 90, start: "SIP/2.0 180 Ringing", sequence: "1 INVITE", tags: Self.both, branch: "proxy",
                flow: hop.reversed),
            Line(
                milliseconds: 93, start: "SIP/2.0 180 Ringing", sequence: "1 INVITE", tags: Self.both,
                isFromCallee: true))
        #expect(script.course == ["INVITE@0", "180@90"])
    }

    @Test func `each callee of a forked call rings and answers`() throws {
        var script = SIPScript()
        let other = (from: "caller-tag", to: Optional("other-tag"))
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            Line(milliseconds: 10, start: "SIP/2.0 180 A", sequence: "1 INVITE", tags: Self.both, isFromCallee: true),
            Line(milliseconds: 20, start: "SIP/2.0 180 B", sequence: "1 INVITE", tags: other, isFromCallee: true),
            Line(milliseconds: 30, start: "SIP/2.0 200 A", sequence: "1 INVITE", tags: Self.both, isFromCallee: true),
            Line(milliseconds: 40, start: "SIP/2.0 200 B", sequence: "1 INVITE", tags: other, isFromCallee: true))
        #expect(script.course == ["INVITE@0", "180@10", "180@20", "200@30", "200@40"])
    }

    @Test(arguments: [
        (["a=sendonly"], "192.0.2.1"), (["a=inactive"], "192.0.2.1"), ([], "0.0.0.0"),
    ]) func `a hold is told when it is agreed, and its end`(_ attributes: [String], _ address: String) throws {
        var script = try Self.answered()
        let offer = SIPScript.audio(4000, attributes.first ?? "a=x", address: address)
        try script.play(
            Line(milliseconds: 2000, start: "INVITE", sequence: "2 INVITE", tags: Self.both, branch: "4", sdp: offer),
            Line(
                milliseconds: 2050, start: "SIP/2.0 200 OK", sequence: "2 INVITE", tags: Self.both, branch: "4",
                sdp: SIPScript.audio(5000, "a=recvonly"), isFromCallee: true),
            Line(
                milliseconds: 6000, start: "UPDATE", sequence: "3 UPDATE", tags: Self.both, branch: "6",
                sdp: SIPScript.audio(4000)),
            Line(
                milliseconds: 6030, start: "SIP/2.0 200 OK", sequence: "3 UPDATE", tags: Self.both, branch: "6",
                sdp: SIPScript.audio(5000), isFromCallee: true))
        #expect(
            script.course == Self.answeredCourse + [
                "reINVITE@2000", "reINVITE 200@2050", "HOLD@2050 caller", "UPDATE@6000", "RESUME@6030 caller",
            ])
    }

    @Test func `a hold that is refused is none, nor is one that collides`() throws {
        var script = try Self.answered()
        let offer = SIPScript.audio(4000, "a=sendonly")
        try script.play(
            Line(milliseconds: 2000, start: "INVITE", sequence: "2 INVITE", tags: Self.both, branch: "4", sdp: offer),
            Line(
                milliseconds: 2001, start: "INVITE", sequence: "2 INVITE", tags: Self.back, branch: "5", sdp: offer,
                isFromCallee: true),
            Line(
                milliseconds: 2050, start: "SIP/2.0 491 Pending", sequence: "2 INVITE", tags: Self.both, branch: "4",
                isFromCallee: true),
            Line(milliseconds: 2051, start: "SIP/2.0 491 Pending", sequence: "2 INVITE", tags: Self.back, branch: "5"))
        #expect(
            script.course == Self.answeredCourse + [
                "reINVITE@2000", "reINVITE@2001", "reINVITE 491@2050", "reINVITE 491@2051",
            ])
    }

    @Test func `fax begins when it is agreed`() throws {
        var script = try Self.answered()
        let fax = "v=0\r\no=- 1 2 IN IP4 192.0.2.1\r\nc=IN IP4 192.0.2.1\r\nm=image 4002 udptl t38\r\n"
        try script.play(
            Line(
                milliseconds: 2000, start: "INVITE", sequence: "9 INVITE", tags: Self.back, branch: "4", sdp: fax,
                isFromCallee: true),
            Line(
                milliseconds: 2100, start: "SIP/2.0 200 OK", sequence: "9 INVITE", tags: Self.back, branch: "4",
                sdp: fax))
        #expect(script.course == Self.answeredCourse + ["reINVITE@2000", "reINVITE 200@2100", "T38@2100"])
    }

    @Test(arguments: [
        ("BYE", "2 BYE", "BYE@10"), ("SIP/2.0 200 OK", "1 INVITE", "200@10"), ("ACK", "1 ACK", "ACK@10"),
        ("INVITE", "4 INVITE", "reINVITE@10"), ("UPDATE", "4 UPDATE", "UPDATE@10"),
    ]) func `a call can be joined midway`(_ start: String, _ sequence: String, _ event: String) throws {
        var script = SIPScript()
        try script.play(Line(milliseconds: 10, start: start, sequence: sequence, tags: Self.both))
        #expect(script.course == ["started 1 false", event])
    }

    @Test func `who cancels a re-INVITE does not give the call up, though its beginning was not seen`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 10, start: "INVITE", sequence: "4 INVITE", tags: Self.both),
            Line(milliseconds: 2_000, start: "CANCEL", sequence: "4 CANCEL", tags: Self.both),
            Line(milliseconds: 20_000, start: "BYE", sequence: "5 BYE", tags: Self.both, branch: "2"))
        #expect(script.course == ["started 1 false", "reINVITE@10", "CANCEL@2000", "BYE@20000"])
        let events = script.notices.compactMap { if case .event(_, let event) = $0 { event } else { nil } }
        #expect(events.last?.meanings == [.ended(.hangup)])
    }

    @Test func `an INVITE after the end opens the next attempt`() throws {
        var script = SIPScript()
        for (index, time) in ([0, 5000] as [Int64]).enumerated() {
            try script.play(
                Line(milliseconds: time, start: "INVITE", sequence: "\(index + 1) INVITE", branch: "\(time)"),
                Line(
                    milliseconds: time + 9, start: "SIP/2.0 486 Busy", sequence: "\(index + 1) INVITE", tags: Self.both,
                    branch: "\(time)", isFromCallee: true))
        }
        #expect(
            script.course == [
                "INVITE@0", "486@9", "ended@9 failed(status: 486)", "forgotten", "started 2 true", "INVITE@5000",
                "486@5009", "ended@5009 failed(status: 486)",
            ])
    }

    @Test func `what nobody answers ends by time, and is forgotten`() throws {
        var script = try Self.answered()
        try script.play(Line(milliseconds: 3000, start: "BYE", sequence: "2 BYE", tags: Self.both, branch: "9"))
        script.pass(to: 35_001)
        script.pass(to: 99_002)
        #expect(
            script.course.suffix(3) == ["BYE@3000", "ended@3000 bye(by: PacketCapture.CallEnd.caller)", "forgotten"])
        #expect(script.dialogs.count == 0)
    }

    @Test(arguments: [
        ("X-Call-ID: call-1", "Subject: 1", "header(\"X-Call-ID\")"),
        ("Replaces: call-1;to-tag=a;from-tag=b", "Subject: 1", "replacement"),
        (
            "Session-ID: 00000000000000000000000000000000;remote=ab30317f1a784dc48ff824d0d3715d86",
            "Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=00000000000000000000000000000000",
            "header(\"Session-ID\")"
        ),
        (
            "P-Charging-Vector: icid-value=\"9f\";b=c", "P-Charging-Vector: icid-value=9f",
            "header(\"P-Charging-Vector\")"
        ),
    ]) func `legs are joined by what they share`(_ later: String, _ earlier: String, _ relation: String) throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", headers: [earlier]),
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", callID: "unrelated", headers: ["X-Y: call-1"]),
            Line(milliseconds: 1, start: "INVITE", sequence: "1 INVITE", callID: "call-2", headers: [later]),
            Line(
                milliseconds: 2, start: "SIP/2.0 180 R", sequence: "1 INVITE", callID: "call-2", headers: [later],
                isFromCallee: true))
        #expect(script.course.filter { $0.hasPrefix("related") } == ["related 3 1 \(relation)"])
    }

    @Test func `requests about no call open none, and memory is bounded`() throws {
        var script = SIPScript()
        script.dialogs = SIPDialogs(maximumDialogs: 32)
        for number in 0..<1000 {
            try script.play(
                Line(milliseconds: Int64(number), start: "REGISTER", sequence: "1 REGISTER", callID: "r\(number)"),
                Line(milliseconds: Int64(number), start: "INVITE", sequence: "1 INVITE", callID: "i\(number)"))
            #expect(script.dialogs.count <= 32)
        }
        let opened = script.notices.compactMap { if case .started(let call, _, _) = $0 { call.callID } else { nil } }
        #expect(opened == (0..<1000).map { "i\($0)" })
    }

    @Test func `digits are told and counted, and never kept`() throws {
        var script = try Self.answered()
        let line = Line(
            milliseconds: 2000, start: "INFO", sequence: "2 INFO", tags: Self.both, branch: "7",
            sdp: "Signal=7\r\nDuration=160\r\n")
        let text = SIPScript.text(line).replacing("application/sdp", with: "application/dtmf-relay")
        let message = try SIPMessage(parsing: Array(text.utf8))
        #expect(message.body == [])
        let flow = Flow(source: SIPScript.caller, destination: SIPScript.callee)
        let told = script.dialogs.take(message, flow: flow, at: ArrivalTime(nanoseconds: 2_000_000_000))
        guard case .started(let call, _, _) = script.notices.first else {
            Issue.record("\(script.notices)")
            return
        }
        guard case .event(call, let event) = told.first, told.count == 1 else {
            Issue.record("\(told)")
            return
        }
        #expect(event.type == "DIGIT" && event.time == Timestamp(milliseconds: 2_000))
        #expect(event.members == ["method": "INFO", "end": "caller"])
        #expect(script.dialogs.counters(of: call)?.digits == 1)
    }
}
