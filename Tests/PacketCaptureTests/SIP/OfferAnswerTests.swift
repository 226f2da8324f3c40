import Testing

@testable import PacketCapture

@Suite struct OfferAnswerTests {
    typealias Line = SIPScript.Line
    private static let both = SIPDialogTests.both

    /// What the dialog tells of agreements.
    private static func agreements(_ script: SIPScript) -> [String] {
        script.course.filter { $0.hasPrefix("HOLD") || $0.hasPrefix("RESUME") || $0.hasPrefix("DIRECTION") }
    }

    private static func caller(_ direction: String) -> String { SIPScript.audio(4000, "a=\(direction)") }
    private static func callee(_ direction: String) -> String { SIPScript.audio(5000, "a=\(direction)") }

    /// A request of the caller and the 2xx to it, 10 ms later.
    private static func exchange(
        _ method: String, _ number: Int, at time: Int64, _ offer: String?, _ answer: String?,
        tags: (from: String, to: String?) = both
    ) -> [Line] {
        let sequence = "\(number) \(method)"
        return [
            Line(
                milliseconds: time, start: method, sequence: sequence, tags: tags, branch: "b\(number)", sdp: offer),
            Line(
                milliseconds: time + 10, start: "SIP/2.0 200 OK", sequence: sequence, tags: both,
                branch: "b\(number)", sdp: answer, isFromCallee: true),
        ]
    }

    private static func ringing(_ sdp: String, _ headers: [String] = ["RSeq: 1"]) -> Line {
        Line(
            milliseconds: 300, start: "SIP/2.0 183 Session Progress", sequence: "1 INVITE", tags: both, branch: "b1",
            sdp: sdp, headers: headers, isFromCallee: true)
    }

    private static func play(_ lines: [Line]) throws -> SIPScript {
        var script = SIPScript()
        for line in lines { try script.play(line) }
        return script
    }

    /// 3GPP preconditions: nothing is sent until the network has resources.
    @Test(arguments: ["UPDATE", "PRACK"], [["RSeq: 1"], []])
    func `what was inactive until resources were there is no hold`(_ method: String, _ headers: [String]) throws {
        let invite = Self.exchange("INVITE", 1, at: 0, Self.caller("inactive"), nil, tags: ("caller-tag", nil))
        var answer = invite[1]
        answer.milliseconds = 2000
        let script = try Self.play(
            [invite[0], Self.ringing(Self.callee("inactive"), headers)]
                + Self.exchange(method, 2, at: 500, Self.caller("sendrecv"), Self.callee("sendrecv")) + [answer])
        #expect(Self.agreements(script) == [])
    }

    @Test(arguments: [
        ("sendonly", "recvonly", ["caller"]), ("recvonly", "sendonly", ["callee"]),
        ("sendrecv", "sendonly", ["callee"]), ("inactive", "inactive", ["caller", "callee"]),
        ("sendrecv", "sendrecv", []),
    ])
    func `the first agreement is no hold, and says which way sound is to go; what ends it later is one`(
        _ offer: String, _ answer: String, _ unheard: [String]
    ) throws {
        let script = try Self.play(
            Self.exchange("INVITE", 1, at: 0, Self.caller(offer), Self.callee(answer), tags: ("caller-tag", nil))
                + Self.exchange("INVITE", 2, at: 2000, Self.caller("sendrecv"), Self.callee("sendrecv"))
                + Self.exchange("INVITE", 3, at: 4000, Self.caller("sendonly"), Self.callee("recvonly")))
        #expect(
            Self.agreements(script) == unheard.map { "DIRECTION@10 \($0) false" }
                + unheard.map { "DIRECTION@2010 \($0) true" } + ["HOLD@4010 caller"])
    }

    @Test func `an announcement before the answer is no hold of the callee`() throws {
        let invite = Self.exchange("INVITE", 1, at: 0, Self.caller("sendrecv"), nil, tags: ("caller-tag", nil))
        var answer = invite[1]
        answer.milliseconds = 2000
        answer.sdp = Self.callee("sendonly")
        let script = try Self.play(
            [invite[0], Self.ringing(Self.callee("sendonly"), [])]
                + Self.exchange("UPDATE", 2, at: 500, Self.caller("sendrecv"), Self.callee("sendrecv")) + [answer])
        #expect(Self.agreements(script) == [])
    }

    @Test func `the answer that counts is that of the callee who answers`() throws {
        let invite = Self.exchange(
            "INVITE", 1, at: 0, Self.caller("sendrecv"), Self.callee("sendrecv"), tags: ("caller-tag", nil))
        var announcement = Self.ringing(Self.callee("sendonly"))
        announcement.tags.to = "announcement"
        let script = try Self.play([invite[0], announcement, invite[1]])
        #expect(Self.agreements(script) == [])
    }

    @Test func `an ACK answers the offer of its 2xx`() throws {
        func delayed(_ number: Int, at time: Int64, _ answer: String) -> [Line] {
            Self.exchange("INVITE", number, at: time, nil, Self.callee("sendrecv")) + [
                Line(
                    milliseconds: time + 20, start: "ACK", sequence: "\(number) ACK", tags: Self.both,
                    branch: "a\(number)", sdp: Self.caller(answer))
            ]
        }
        let setUp = Self.exchange(
            "INVITE", 1, at: 0, Self.caller("sendrecv"), Self.callee("sendrecv"), tags: ("caller-tag", nil))
        let script = try Self.play(
            setUp + Self.exchange("INVITE", 2, at: 2000, Self.caller("inactive"), Self.callee("inactive"))
                + delayed(3, at: 4000, "sendrecv") + delayed(4, at: 6000, "inactive"))
        #expect(Self.agreements(script) == ["HOLD@2010 caller", "RESUME@4020 caller", "HOLD@6020 caller"])
    }

    @Test func `a hold in a call that was joined midway is one`() throws {
        let script = try Self.play(
            Self.exchange("INVITE", 7, at: 2000, Self.caller("sendonly"), Self.callee("recvonly")))
        #expect(Self.agreements(script) == ["HOLD@2010 caller"])
    }

    private static let messages = "m=message 7000 TCP/MSRP *\r\n"
    private static let messagesAlone =
        "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n" + messages

    /// By the offer, or by an answer that refuses the sound beside them.
    @Test(arguments: [
        (messagesAlone, messagesAlone), (SIPScript.audio(4000) + messages, SIPScript.audio(0) + messages),
    ])
    func `where nothing but messages is agreed on, no sound is to come until there is a line of it`(
        _ offer: String, _ answer: String
    ) throws {
        let script = try Self.play(
            Self.exchange("INVITE", 1, at: 0, offer, answer, tags: ("caller-tag", nil))
                + Self.exchange("INVITE", 2, at: 2000, Self.caller("sendrecv"), Self.callee("sendrecv")))
        #expect(
            Self.agreements(script) == [
                "DIRECTION@10 caller false", "DIRECTION@10 callee false", "DIRECTION@2010 caller true",
                "DIRECTION@2010 callee true",
            ])
    }

    /// The caller holds the call; the capture has the ACK, and not the 2xx to the first INVITE, or to the second.
    @Test(arguments: [0, 1], ["b2", "b3"])
    func `an ACK of its own branch tells of an answer that the capture missed`(missing: Int, branch: String) throws {
        func ack(_ number: Int, at time: Int64, _ branch: String) -> Line {
            Line(milliseconds: time, start: "ACK", sequence: "\(number) ACK", tags: Self.both, branch: branch)
        }
        let (first, answer) = (Self.caller("sendrecv"), Self.callee("sendrecv"))
        var exchanges = [
            Self.exchange("INVITE", 1, at: 0, first, answer, tags: ("caller-tag", nil)),
            Self.exchange("INVITE", 2, at: 9_000, Self.caller("sendonly"), Self.callee("recvonly")),
        ]
        exchanges[missing].removeLast()
        let script = try Self.play(exchanges[0] + [ack(1, at: 20, "b9")] + exchanges[1] + [ack(2, at: 9_020, branch)])
        // By the branch of its INVITE it is the ACK of a refusal.
        let isAgreed = missing == 0 || branch == "b3"
        #expect(Self.agreements(script) == (isAgreed ? ["HOLD@\(missing == 0 ? 9_010 : 9_020) caller"] : []))
    }
}
