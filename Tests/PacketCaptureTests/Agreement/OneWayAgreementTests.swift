import CallModel
import Testing

/// Whether sound went one way only is the same for both ends of a call that a probe saw.
@Suite struct OneWayAgreementTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// What the record of the caller and that of the callee say.
    private func isOneWay(_ script: Script) -> [Bool?] {
        let run = script.run()
        return [Calls.toCaller, Calls.toCallee].map { run.summary(of: $0)?.isOneWay }
    }

    /// Three intervals of 5 s after the answer, in which the media of one end alone pass.
    @Test(arguments: [(12.0, false), (16.0, true), (25.0, true)])
    func `both ends know of sound that went one way only`(seconds: Double, expected: Bool) {
        for media in [Calls.forth(Int(seconds * 50) - 20), Calls.back(Int(seconds * 50) - 20)] {
            var script = Script()
            script.setUp(offer: Calls.offer, answer: Calls.answer)
            script.media(media)
            script.hangUp(at: 1 + seconds)
            #expect(isOneWay(script) == [expected, expected])
        }
    }

    @Test func `what the caller hears before the answer is no sound that goes one way only`() {
        let tags = ("caller-tag", String?.some("callee-tag"))
        var script = Script()
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        for (time, start) in [(500 as Int64, "SIP/2.0 183 Session Progress"), (20_300, "SIP/2.0 200 OK")] {
            script.sip(
                .init(
                    milliseconds: time, start: start, sequence: "1 INVITE", tags: tags, sdp: Calls.answer,
                    isFromCallee: true))
        }
        script.sip(.init(milliseconds: 20_301, start: "ACK", sequence: "1 ACK", tags: tags, branch: "2"))
        script.media(Calls.back(1_400, start: 0.6))
        script.media(Calls.forth(410, start: 20.4))
        script.hangUp(at: 28.7)
        #expect(isOneWay(script) == [false, false])
    }

    /// Thirty seconds, from one snapshot on, in which the caller sends nothing and no number goes missing.
    @Test func `who paused and goes on did not hear or speak alone`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.back(2_500))
        script.media(Calls.forth(695))
        var rest = Calls.forth(300, start: 45.1).timed(from: 2_200)
        rest.firstNumber += 695
        script.media(rest)
        script.hangUp(at: 51.2)
        #expect(isOneWay(script) == [false, false])
    }
}
