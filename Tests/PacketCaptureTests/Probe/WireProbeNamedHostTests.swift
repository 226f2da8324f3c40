import CallModel
import Testing

@testable import PacketCapture

/// Session descriptions that give a name, or 0.0.0.0, for the host that receives.
@Suite struct WireProbeNamedHostTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    private static func named(_ port: Int) -> String { SIPScript.audio(port, address: "phone.example.org") }

    /// Two calls between two hosts, that neither description tells apart by its address.
    @Test(arguments: ["phone.example.org", "0.0.0.0"])
    func `media go to the port of a description without an address, at the host that sent it`(host: String) {
        var script = Script()
        for (index, call) in ["call-1", "call-2"].enumerated() {
            let (shift, ssrc) = (UInt16(100 * index), UInt32(0x10 * index))
            script.setUp(
                call, at: 0.2 * Double(index), offer: SIPScript.audio(4_000 + 100 * index, address: host),
                answer: SIPScript.audio(6_000 + 100 * index, address: host))
            var (forth, back) = (Calls.forth(start: 1.5), Calls.back(start: 1.5))
            (forth.ssrc, back.ssrc) = (forth.ssrc + ssrc, back.ssrc + ssrc)
            (forth.from.port, forth.to.port) = (forth.from.port + shift, forth.to.port + shift)
            (back.from.port, back.to.port) = (forth.to.port, forth.from.port)
            script.media(forth)
            script.media(back)
        }
        for call in ["call-1", "call-2"] { script.hangUp(call, at: 10.6) }
        #expect(
            Calls.words(script.run()) == [
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:caller": ["11 450 lost 0 repeated 0 twice 0"],
                "call-2/wire:callee": ["26 450 lost 0 repeated 0 twice 0"],
                "call-2/wire:caller": ["27 450 lost 0 repeated 0 twice 0"],
            ])
    }

    /// SIP passes a proxy, beyond which the capture sees none of it; the callee sends from another port than it receives at.
    @Test(arguments: [(4_000, 0, true), (4_002, 0, false), (4_000, 8, false)] as [(UInt16, UInt8, Bool)])
    func `behind a proxy media from the other end to the port and in the format named are the call's`(
        port: UInt16, payloadType: UInt8, isFound: Bool
    ) {
        let proxy = Script.Place(0xCB00_7105, 5_060)
        let tags = ("caller-tag", String?.some("callee-tag"))
        var script = Script()
        let lines = [
            SIPScript.Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Self.named(4_000)),
            .init(
                milliseconds: 1_000, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: tags, sdp: Calls.answer,
                isFromCallee: true),
            .init(milliseconds: 1_001, start: "ACK", sequence: "1 ACK", tags: tags, branch: "2"),
            .init(milliseconds: 10_200, start: "BYE", sequence: "9 BYE", tags: tags, branch: "9"),
        ]
        for line in lines { script.sip(line, from: proxy) }
        script.media(Calls.forth())
        var back = Calls.back()
        (back.from.port, back.to.port, back.payloadType) = (6_010, port, payloadType)
        script.media(back)
        let words = Calls.words(script.run())
        #expect(words["call-1/wire:callee"] == ["10 450 lost 0 repeated 0 twice 0"])
        #expect(words["call-1/wire:caller"] == (isFound ? ["11 450 lost 0 repeated 0 twice 0"] : []))
    }

    /// What one or both ends want elsewhere from 10.1 s on, where the capture does not see it, by address or by name; and which
    /// sounds go on to where they went.
    struct Move: Sendable, CustomTestStringConvertible {
        var offer = Calls.offer
        var answer = Calls.answer
        var forth = 1_900
        var back = 1_900

        var testDescription: String { "\(forth) \(back) \(offer.contains("9000")) \(answer.contains("9000"))" }
    }

    private static let server = SIPScript.audio(9_000, address: "203.0.113.7")

    @Test(arguments: [
        // What the caller is sent goes elsewhere, and so does what it sends: to the place that it has left, the callee goes on.
        Move(offer: server, forth: 450),
        Move(offer: server, answer: SIPScript.audio(9_000, address: "203.0.113.8"), forth: 450),
        Move(answer: server, forth: 450), Move(offer: named(9_000), back: 450), Move(answer: named(9_000), forth: 450),
        Move(offer: named(9_000), answer: named(9_002), forth: 450),
    ])
    func `what goes to a place that was left by agreement is no sound that goes one way`(move: Move) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(move.forth))
        script.media(Calls.back(move.back))
        script.change(at: 10.1, number: 2, offer: move.offer, answer: move.answer)
        script.hangUp(at: 39.2)
        let run = script.run()
        let summaries = try [Calls.toCaller, Calls.toCallee].map { try #require(run.summary(of: $0)) }
        #expect(summaries.map { $0.issues.all.map(\.kind) } == [[], []])
        #expect(summaries.map(\.isOneWay) == [false, false])
    }

    /// From 10.1 s on 5 s do not come.
    @Test func `a name with the port before is the place before`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_250))
        var back = Calls.back(1_250)
        back.lost = Set(450..<700)
        script.media(back)
        script.change(at: 10.1, number: 2, offer: Self.named(4_000), answer: Calls.answer)
        script.hangUp(at: 26.2)
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        #expect(summary.outages.map { $0.seconds.rounded() } == [5] && summary.issues.all.map(\.kind) == [.blackout])
    }

    /// The caller is not heard from 10.1 s on, and wants its own sound elsewhere at 30.1 s.
    @Test func `who stops long before a change is not excused by it`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(450))
        script.media(Calls.back(1_900))
        script.change(at: 30.1, number: 2, offer: Self.server, answer: Calls.answer)
        script.hangUp(at: 39.2)
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        #expect(summary.issues.all.map(\.kind) == [.oneWayAudio] && summary.issues.all.map(\.cause) == [.nothingSent])
    }
}
