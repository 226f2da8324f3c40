import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// Frames that a capture has and that cannot be read are counted by reason.
@Suite struct WireProbeRefusalTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    private static let headers = 14 + 20 + 8

    @Test(arguments: 0..<12) func `packets cut inside the header of RTP are counted as cut`(kept: Int) {
        var script = Script()
        script.snapLength = Self.headers + kept
        script.media(Calls.forth(300))
        let figures = script.run().figures
        #expect(figures.refused == [FrameRefusal.cutBySnapLength.rawValue: 300])
        #expect(figures.rejectedRTPPackets == 0)
    }

    @Test func `messages cut before they say of which call they are count where their hosts have a call`() {
        var script = Script()
        script.snapLength = Self.headers + 50
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(300))
        script.hangUp(at: 8)
        let run = script.run()
        #expect(run.figures.refused == ["SIP: cut by the snap length": 6])
        #expect(run.lastReports.map(\.report.sensor.packetsCutShort) == [6])
    }

    @Test func `what is whole and no message of a known kind is not cut`() {
        var script = Script()
        script.udp([0x80, 0, 0, 1], from: Calls.callerMedia, to: Calls.calleeMedia, at: 1)
        script.udp(Array("hello, anybody".utf8), from: Calls.callerMedia, to: Calls.calleeMedia, at: 2)
        #expect(script.run().figures.refused == [:])
    }

    @Test func `fragments whose rest never came are told`() {
        var probe = WireProbe(linkType: .raw)
        let pieces = FragmentTests.pieces(isIPv6: false)
        for (index, piece) in pieces.dropLast().enumerated() {
            probe.take(
                piece.span.bytes, wireLength: piece.count, at: ArrivalTime(nanoseconds: Int64(index) * 1_000_000))
        }
        let figures = ProbeRun(ending: &probe).figures
        #expect(figures.refused == ["fragments of datagrams whose rest never came": pieces.count - 1])
    }

    @Test func `empty lines before a message, and small letters in its version, make it no other`() {
        let lines = [
            SIPScript.Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            .init(
                milliseconds: 900, start: "SIP/2.0 486 Busy Here", sequence: "1 INVITE", tags: ("caller-tag", "b"),
                isFromCallee: true),
        ]
        var script = Script()
        for line in lines {
            let text = "\r\n\r\n" + SIPScript.text(line).replacing("SIP/2.0 486", with: "sip/2.0 486")
            script.udp(
                Array(text.utf8), from: line.isFromCallee ? Script.callee : Script.caller,
                to: line.isFromCallee ? Script.caller : Script.callee, at: Double(line.milliseconds) / 1_000)
        }
        let run = script.run()
        #expect(run.figures.sipMessages == 2 && run.figures.otherPackets == [:])
        #expect(run.events.values.map { $0.map(\.type) } == [["INVITE", "486"], ["INVITE", "486"]])
    }
}
