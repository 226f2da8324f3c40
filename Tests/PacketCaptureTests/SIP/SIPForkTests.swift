import RTPMeter
import Testing

@testable import PacketCapture

/// Calls as they pass by at a proxy that forks, hunts or fails over
/// ([RFC 3261 §16.7](https://www.rfc-editor.org/rfc/rfc3261#section-16.7)).
@Suite struct SIPForkTests {
    typealias Line = SIPScript.Line

    static let proxy = Endpoint(address: IPAddress(v4: 0xC000_0209), port: 5060)
    static let first = Endpoint(address: IPAddress(v4: 0xC000_0221), port: 5060)
    static let second = Endpoint(address: IPAddress(v4: 0xC000_0222), port: 5060)
    static let ended = "ended@13200 bye(by: PacketCapture.CallEnd.caller)"

    /// A message from one place to another.
    static func line(
        _ milliseconds: Int64, _ start: String, _ sequence: String, _ branch: String, to tag: String? = nil,
        _ source: Endpoint, _ destination: Endpoint
    ) -> Line {
        Line(
            milliseconds: milliseconds, start: start, sequence: sequence, tags: ("caller-tag", tag), branch: branch,
            flow: Flow(source: source, destination: destination))
    }

    /// A message of the INVITE between the caller and the proxy.
    static func upstream(_ milliseconds: Int64, _ start: String, to tag: String? = nil) -> Line {
        let isRequest = !start.hasPrefix("SIP")
        return line(
            milliseconds, start, "1 \(start == "CANCEL" ? "CANCEL" : "INVITE")", "a", to: tag,
            isRequest ? SIPScript.caller : proxy, isRequest ? proxy : SIPScript.caller)
    }

    /// A message of the INVITE between the proxy and a target.
    static func downstream(_ milliseconds: Int64, _ start: String, _ target: Endpoint, to tag: String? = nil) -> Line {
        let isRequest = !start.hasPrefix("SIP")
        return line(
            milliseconds, start, "1 \(["CANCEL", "ACK"].contains(start) ? start : "INVITE")",
            target == first ? "p1" : "p2", to: tag, isRequest ? proxy : target, isRequest ? target : proxy)
    }

    /// The second target answers at 3 s, and the caller hangs up at 13.2 s.
    static func answerAndEnd(_ script: inout SIPScript) throws {
        try script.play(
            downstream(3000, "SIP/2.0 200 OK", second, to: "tag-2"), upstream(3005, "SIP/2.0 200 OK", to: "tag-2"),
            line(3050, "ACK", "1 ACK", "k", to: "tag-2", SIPScript.caller, second),
            line(13_200, "BYE", "2 BYE", "b", to: "tag-2", SIPScript.caller, second),
            line(13_250, "SIP/2.0 200 OK", "2 BYE", "b", to: "tag-2", second, SIPScript.caller))
    }

    @Test func `one target is busy while another one rings`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(6, "INVITE", Self.second),
            Self.downstream(100, "SIP/2.0 486 Busy", Self.first, to: "tag-1"),
            Self.downstream(105, "ACK", Self.first, to: "tag-1"),
            Self.downstream(300, "SIP/2.0 180 Ringing", Self.second, to: "tag-2"),
            Self.upstream(305, "SIP/2.0 180 Ringing", to: "tag-2"))
        try Self.answerAndEnd(&script)
        let answered = ["200@3000", "ACK@3050", "BYE@13200", "BYE 200@13250", Self.ended]
        #expect(script.course == ["INVITE@0", "180@300"] + answered)
    }

    @Test func `a target that is cancelled because another one answered ends nothing`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(6, "INVITE", Self.second),
            Self.downstream(3000, "SIP/2.0 200 OK", Self.second, to: "tag-2"),
            Self.downstream(3003, "CANCEL", Self.first),
            Self.downstream(3020, "SIP/2.0 487 Terminated", Self.first, to: "tag-1"),
            Self.downstream(3025, "ACK", Self.first, to: "tag-1"))
        try Self.answerAndEnd(&script)
        #expect(
            script.course == ["INVITE@0", "200@3000", "ACK@3050", "BYE@13200", "BYE 200@13250", Self.ended])
    }

    @Test(arguments: [false, true])
    func `a target that fails, or is given up, is followed by the next one`(isCancelled: Bool) throws {
        var script = SIPScript()
        try script.play(Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first))
        if isCancelled { try script.play(Self.downstream(15, "CANCEL", Self.first)) }
        try script.play(
            Self.downstream(20, "SIP/2.0 \(isCancelled ? 487 : 503) X", Self.first, to: "tag-1"),
            Self.downstream(25, "ACK", Self.first, to: "tag-1"), Self.downstream(30, "INVITE", Self.second))
        try Self.answerAndEnd(&script)
        #expect(
            script.course == ["INVITE@0", "200@3000", "ACK@3050", "BYE@13200", "BYE 200@13250", Self.ended])
    }

    @Test func `where all targets refuse, the call ends with what the proxy makes of it`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(6, "INVITE", Self.second),
            Self.downstream(100, "SIP/2.0 486 Busy", Self.first, to: "tag-1"),
            Self.downstream(2000, "SIP/2.0 480 Away", Self.second, to: "tag-2"),
            Self.upstream(2005, "SIP/2.0 486 Busy", to: "tag-1"))
        #expect(script.course == ["INVITE@0", "486@2005", "ended@2005 failed(status: 486)"])
    }

    @Test func `of targets that refuse in the same words the last one decides`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(6, "INVITE", Self.second),
            Self.downstream(100, "SIP/2.0 486 Busy", Self.first, to: "tag-1"),
            Self.downstream(2000, "SIP/2.0 486 Busy", Self.second, to: "tag-2"),
            Self.upstream(2005, "SIP/2.0 486 Busy", to: "tag-1"))
        #expect(script.course == ["INVITE@0", "486@2000", "ended@2000 failed(status: 486)"])
    }

    @Test func `a refusal that is passed on is told with the time of the first hop`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(100, "SIP/2.0 486 Busy", Self.first, to: "tag-1"),
            Self.upstream(103, "SIP/2.0 486 Busy", to: "tag-1"))
        #expect(script.course == ["INVITE@0", "486@100", "ended@100 failed(status: 486)"])
    }

    @Test func `a refusal that nobody is seen to pass on ends the call in the end`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(100, "SIP/2.0 486 Busy", Self.first, to: "tag-1"))
        script.pass(to: 32_000)
        #expect(script.course == ["INVITE@0"])
        script.pass(to: 32_101)
        #expect(script.course == ["INVITE@0", "486@100", "ended@100 failed(status: 486)"])
    }

    @Test func `the caller gives up, and the proxy hands it on`() throws {
        var script = SIPScript()
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(6, "INVITE", Self.second), Self.upstream(2000, "CANCEL"),
            Self.downstream(2003, "CANCEL", Self.first), Self.downstream(2004, "CANCEL", Self.second),
            Self.downstream(2010, "SIP/2.0 487 Terminated", Self.first, to: "tag-1"),
            Self.downstream(2020, "SIP/2.0 487 Terminated", Self.second, to: "tag-2"),
            Self.upstream(2025, "SIP/2.0 487 Terminated", to: "tag-1"))
        let end = "ended@2020 cancelled(status: Optional(487))"
        #expect(script.course == ["INVITE@0", "CANCEL@2000", "487@2020", end])
    }

    @Test func `the next target of who was refused opens the next attempt where the caller is not seen`() throws {
        var script = SIPScript()
        try script.play(
            Self.downstream(0, "INVITE", Self.first),
            Self.downstream(20, "SIP/2.0 503 X", Self.first, to: "tag-1"),
            Self.downstream(30, "INVITE", Self.second),
            Self.downstream(900, "SIP/2.0 200 OK", Self.second, to: "tag-2"))
        let refused = ["INVITE@0", "503@20", "ended@20 failed(status: 503)", "forgotten"]
        #expect(script.course == refused + ["started 2 true", "INVITE@30", "200@900"])
    }

    @Test func `an answer that is not wanted is taken back, and the call goes on`() throws {
        var script = SIPScript()
        let caller = SIPScript.caller
        try script.play(
            Self.line(0, "INVITE", "1 INVITE", "a", caller, Self.proxy),
            Self.line(3000, "SIP/2.0 200 OK", "1 INVITE", "a", to: "tag-1", Self.proxy, caller),
            Self.line(3010, "ACK", "1 ACK", "k1", to: "tag-1", caller, Self.first),
            Self.line(3050, "SIP/2.0 200 OK", "1 INVITE", "a", to: "tag-2", Self.proxy, caller),
            Self.line(3060, "ACK", "1 ACK", "k2", to: "tag-2", caller, Self.second),
            Self.line(3070, "BYE", "2 BYE", "b2", to: "tag-2", caller, Self.second),
            Self.line(3090, "SIP/2.0 200 OK", "2 BYE", "b2", to: "tag-2", Self.second, caller))
        let course = ["INVITE@0", "200@3000", "ACK@3010", "200@3050"]
        #expect(script.course == course)
        try script.play(
            Self.line(13_200, "BYE", "2 BYE", "b1", to: "tag-1", caller, Self.first),
            Self.line(13_250, "SIP/2.0 200 OK", "2 BYE", "b1", to: "tag-1", Self.first, caller))
        #expect(script.course == course + ["BYE@13200", "BYE 200@13250", Self.ended])
    }

    @Test(arguments: [false, true])
    func `an answer that is not wanted is taken back where the hops behind the proxy are seen, too`(
        _ isPassedOn: Bool
    ) throws {
        var script = SIPScript()
        let caller = SIPScript.caller
        try script.play(
            Self.upstream(0, "INVITE"), Self.downstream(5, "INVITE", Self.first),
            Self.downstream(6, "INVITE", Self.second),
            Self.downstream(3000, "SIP/2.0 200 OK", Self.first, to: "tag-1"),
            Self.upstream(3005, "SIP/2.0 200 OK", to: "tag-1"),
            Self.line(3010, "ACK", "1 ACK", "k1", to: "tag-1", caller, Self.first),
            Self.downstream(3050, "SIP/2.0 200 OK", Self.second, to: "tag-2"))
        if isPassedOn { try script.play(Self.upstream(3055, "SIP/2.0 200 OK", to: "tag-2")) }
        try script.play(
            Self.line(3060, "ACK", "1 ACK", "k2", to: "tag-2", caller, Self.second),
            Self.line(3070, "BYE", "2 BYE", "b2", to: "tag-2", caller, Self.second),
            Self.line(3090, "SIP/2.0 200 OK", "2 BYE", "b2", to: "tag-2", Self.second, caller))
        let course = ["INVITE@0", "200@3000", "ACK@3010"]
        #expect(script.course == course)
        try script.play(
            Self.line(13_200, "BYE", "2 BYE", "b1", to: "tag-1", caller, Self.first),
            Self.line(13_250, "SIP/2.0 200 OK", "2 BYE", "b1", to: "tag-1", Self.first, caller))
        #expect(script.course == course + ["BYE@13200", "BYE 200@13250", Self.ended])
    }

    @Test func `of header fields that are anew in every message few are kept`() {
        var relations = CallRelations()
        var keys: [CallRelations.Key] = []
        let call = CallRef(number: 1, callID: "call-1", attempt: 1)
        for number in 0..<1000 {
            let key = CallRelations.Key.header(name: "x-correlation", value: "\(number)")
            _ = relations.note(
                call, sender: .caller, keys: &keys,
                found: [.init(key: key, relation: .header("X-Correlation"), isClaimed: true)])
        }
        #expect(keys.count == 64)
    }

    // MARK: The next attempt

    /// While the first call is still known.
    @Test(arguments: [("other-tag", true), ("caller-tag", false)])
    func `a caller that uses its Call-ID again with another tag begins the next attempt`(tag: String, isNext: Bool)
        throws
    {
        var script = try SIPDialogTests.answered()
        try script.play(
            Line(milliseconds: 3000, start: "BYE", sequence: "2 BYE", tags: SIPDialogTests.both, branch: "9"),
            Line(
                milliseconds: 3010, start: "SIP/2.0 200 OK", sequence: "2 BYE", tags: SIPDialogTests.both, branch: "9",
                isFromCallee: true))
        let before = script.course
        try script.play(
            Line(
                milliseconds: 9000, start: "INVITE", sequence: "1 INVITE", tags: (tag, nil), sdp: SIPScript.audio(4000))
        )
        let next = ["forgotten", "started 2 true", "INVITE@9000"]
        #expect(Array(script.course.dropFirst(before.count)) == (isNext ? next : []))
    }
}
