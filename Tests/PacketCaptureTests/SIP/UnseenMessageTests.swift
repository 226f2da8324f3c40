import Testing

@testable import PacketCapture

/// Dialogs of which a capture lacks messages.
@Suite struct UnseenMessageTests {
    typealias Line = SIPScript.Line

    static let both: (from: String, to: String?) = ("caller-tag", "callee-tag")

    /// A response to the INVITE with a number.
    static func response(_ milliseconds: Int64, _ start: String, to number: Int) -> Line {
        Line(
            milliseconds: milliseconds, start: "SIP/2.0 \(start)", sequence: "\(number) INVITE", tags: both,
            branch: "\(number)", isFromCallee: true)
    }

    @Test func `the responses to an INVITE that came again after a challenge are the call's without it`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"), Self.response(5, "407 Auth", to: 1),
            Line(milliseconds: 6, start: "ACK", sequence: "1 ACK", tags: Self.both),
            Self.response(50, "180 Ringing", to: 2), Self.response(70_000, "200 OK", to: 2),
            Line(milliseconds: 70_010, start: "ACK", sequence: "2 ACK", tags: Self.both, branch: "3"))
        script.pass(to: 140_000)
        #expect(script.course == ["INVITE@0", "407@5", "180@50", "200@70000", "ACK@70010"])
    }

    @Test func `a refusal of one ends the call, and a second challenge does not`() throws {
        var script = SIPScript()
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"), Self.response(5, "407 Auth", to: 1),
            Self.response(50, "401 Auth", to: 2), Self.response(90, "486 Busy Here", to: 3))
        #expect(script.course == ["INVITE@0", "407@5", "401@50", "486@90", "ended@90 failed(status: 486)"])
    }
}
