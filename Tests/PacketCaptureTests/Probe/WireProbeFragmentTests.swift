import CallModel
import Testing

@testable import PacketCapture

/// SIP messages that came in fragments, of which a filter by port lets pass the first alone.
@Suite struct WireProbeFragmentTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// When the second fragments come, and what is counted.
    struct Rest: Sendable {
        var after: Double?
        var messages = 6
        var refused: [String: Int] = [:]
    }

    /// Both descriptions are longer than the first fragments of their messages, which have the address and the port.
    private static func script(restAfter seconds: Double?) -> Script {
        let padding = "a=x-padding:" + String(repeating: "y", count: 400)
        var script = Script()
        script.setUp(
            offer: SIPScript.audio(4_000, padding, address: Script.caller.text),
            answer: SIPScript.audio(6_000, padding, address: Script.callee.text))
        script.media(Calls.forth())
        script.media(Calls.back())
        script.hangUp(at: 10.2)
        script.fragment(over: 480, restAfter: seconds)
        return script
    }

    @Test(arguments: [
        Rest(after: 0.0001), Rest(after: 3, messages: 8),
        Rest(after: nil, refused: ["fragments of datagrams whose rest never came": 2]),
    ])
    func `a message of which the first fragment came is told at its time, whatever became of the rest`(
        rest: Rest
    ) throws {
        let run = Self.script(restAfter: rest.after).run()
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": ["11 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
        let events = run.events[Calls.toCaller]?.map { "\($0.type) \($0.members["unreadDescription"]?.text ?? "-")" }
        #expect(events == ["INVITE -", "180 -", "200 -", "ACK -", "BYE -", "BYE 200 -"])
        #expect(run.figures.calls == 1 && run.figures.sipMessages == rest.messages)
        #expect(run.figures.refused == rest.refused)
        let setup = try #require(run.summary(of: Calls.toCaller)).setup
        #expect(setup.postDialDelay == 500 && setup.answerDelay == 1_000)
        #expect(run.lastReports.map(\.report.sensor.packetsCutShort) == [0, 0])
        #expect(run.lastReports.flatMap(\.report.streams).map(\.clockOrigin) == [.signalled, .signalled])
    }

    @Test func `an INVITE of which nothing but the first fragment came is a call that was asked for`() {
        var script = Script()
        script.sip(
            .init(
                milliseconds: 0, start: "INVITE", sequence: "1 INVITE",
                sdp: SIPScript.audio(4_000, String(repeating: "y", count: 400), address: Script.caller.text)))
        script.fragment(over: 480, restAfter: nil)
        let run = script.run()
        #expect(run.events[Calls.toCallee]?.map(\.type) == ["INVITE"])
        #expect(run.figures.calls == 1)
    }
}
