import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// What control packets tell of a stream, and when they can be read.
@Suite struct WireProbeControlTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A sender's report about 0xA of so many packets (RFC 3550 §6.4.1).
    private static func senderReport(packets: UInt8) -> [UInt8] {
        [0x80, 200, 0, 6, 0, 0, 0, 0xA] + [UInt8](repeating: 1, count: 12) + [0, 0, 0, packets, 0, 0, 1, 0]
    }

    /// A packet of an application, of 2,000 bytes (RFC 3550 §6.7).
    private static let longPacket: [UInt8] = [0x80, 204, 0x01, 0xF3] + [UInt8](repeating: 1, count: 1_996)

    /// A call of which the snap length kept the signalling whole, and of a sender's report and what is behind it, as much.
    private static func run(_ profile: String?, behind rest: [UInt8]) -> ProbeRun {
        var script = Script()
        if let profile {
            script.setUp(
                offer: Calls.offer.replacing("RTP/AVP", with: profile),
                answer: Calls.answer.replacing("RTP/AVP", with: profile))
        }
        script.snapLength = 1_000
        script.media(Calls.forth())
        script.udp(
            Self.senderReport(packets: 77) + rest, from: Calls.callerMedia, to: Calls.calleeMedia, at: 3)
        return script.run()
    }

    @Test(arguments: [("RTP/AVP", 77), ("RTP/SAVP", -1), (nil, -1)] as [(String?, Int)])
    func `of RTCP that the snap length cut, signalling tells whether it is encrypted`(profile: String?, sent: Int) {
        let run = Self.run(profile, behind: Self.longPacket + Self.longPacket)
        #expect(run.streams.map { $0.count(.packetsSent) } == [sent])
        #expect(run.figures.refused == [:])
    }

    @Test func `RTCP that the snap length cut is encrypted where what follows its first packet is none`() {
        let run = Self.run("RTP/AVP", behind: [UInt8](repeating: 0x17, count: 2_000))
        #expect(run.streams.map { $0.count(.packetsSent) } == [-1])
    }

    /// Another call has the same SSRC, as where recordings are played.
    @Test func `what a sender reports after it has changed networks is counted`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(245))
        var rest = Calls.forth(400, start: 7.5)
        (rest.from.address, rest.skip) = (0xCB00_7107, 320)
        script.media(rest)
        var other = Calls.forth(600)
        (other.from.address, other.to.address) = (0xC000_0299, 0xC633_6499)
        script.media(other)
        script.udp(
            Self.senderReport(packets: 9), from: Script.Place(rest.from.address, 4_001),
            to: Script.Place(Script.callee.address, 6_001), at: 10)
        script.hangUp(at: 15.6)
        let streams = script.run().reports[Calls.toCallee]?.last?.streams ?? []
        #expect(streams.map { $0.count(.senderReports) } == [1])
    }

    /// Pictures whose clock is known after two seconds, and reports about them, beside the media or at the next port.
    @Test(
        arguments: [(0, [0.5, 1, 6], 3), (1, [0.5, 1, 6], 3), (1, [0.5], 1), (2, [0.5], -1)]
            as [(UInt16, [Double], Int)])
    func `what a sender reports before its stream is known is counted`(beside: UInt16, times: [Double], reports: Int) {
        var script = Script()
        script.media(
            Script.Media(
                ssrc: 0xA, from: Calls.callerMedia, to: Calls.calleeMedia, packets: 300, payloadType: 96,
                interval: 0.033, ticks: 2_970, payloadBytes: 900, isMarked: true))
        for (packets, time) in zip((1 as UInt8)..., times) {
            script.udp(
                Self.senderReport(packets: packets), from: Script.Place(Script.caller.address, 4_000 + beside),
                to: Script.Place(Script.callee.address, 6_000 + beside), at: time)
        }
        let streams = script.run().streams
        #expect(streams.map { $0.count(.senderReports) } == [reports])
        #expect(streams.map { $0.count(.packetsSent) } == [reports])
    }
}
