import CallModel
import PacketCapture
import RTPMeter
import Testing

/// Calls whose session descriptions cannot be read.
@Suite struct UndescribedCallTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A call that is answered after a second, and what the capture made of its descriptions.
    struct Unread: Sendable, CustomTestStringConvertible {
        var reason: String
        var snapLength: Int?
        var headers: [String] = []

        var testDescription: String { "\(reason) \(snapLength ?? 0)" }

        /// 250 bytes end within the header fields of an INVITE, 300 within its body.
        static let all = [
            Unread(reason: "cut short", snapLength: 250), Unread(reason: "cut short", snapLength: 300),
            Unread(reason: "encoded", headers: ["Content-Encoding: gzip"]),
        ]

        var script: Script {
            var script = Script()
            script.snapLength = snapLength
            script.setUp(offer: Calls.offer, answer: Calls.answer, headers: headers)
            return script
        }

        /// Offer and answer, if they were cut.
        var packetsCutShort: Int { snapLength == nil ? 0 : 2 }
    }

    @Test(arguments: Unread.all) func `media between the hosts of the one call without descriptions are its`(
        unread: Unread
    ) {
        var script = unread.script
        script.media(Calls.forth())
        script.media(Calls.back())
        script.hangUp(at: 10.2)
        let run = script.run()
        #expect(run.figures.calls == 1)
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": ["11 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
        let reasons = run.events[Calls.toCaller]?.map { "\($0.type) \($0.members["unreadDescription"]?.text ?? "-")" }
        #expect(
            reasons == [
                "INVITE \(unread.reason)", "180 -", "200 \(unread.reason)", "ACK -", "BYE -", "BYE 200 -",
            ])
        let cut = run.lastReports.map(\.report.sensor.packetsCutShort)
        #expect(cut == [unread.packetsCutShort, unread.packetsCutShort])
    }

    @Test(arguments: Unread.all) func `what the caller hears before such a call is answered is its`(unread: Unread) {
        var script = unread.script
        script.media(Calls.back(460, start: 0.6))
        script.media(Calls.forth())
        script.hangUp(at: 10.2)
        let run = script.run()
        #expect(run.figures.calls == 1)
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": ["11 460 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test(arguments: Unread.all) func `where it could be either of two, nobody says that a call had no media`(
        unread: Unread
    ) throws {
        var script = unread.script
        script.setUp("call-2", at: 0.2, offer: Calls.offer, answer: Calls.answer, headers: unread.headers)
        script.media(Calls.forth(start: 2.1))
        script.media(Calls.back(start: 2.1))
        script.hangUp(at: 12)
        script.hangUp("call-2", at: 12.1)
        let run = script.run()
        let own = "rtp-a-\(Script.epoch / 1_000_000 + 2_100)"
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": [], "call-1/wire:callee": [], "call-2/wire:caller": [], "call-2/wire:callee": [],
                "\(own)/wire:b": ["10 450 lost 0 repeated 0 twice 0"],
                "\(own)/wire:a": ["11 450 lost 0 repeated 0 twice 0"],
            ])
        let summary = try #require(run.summary(of: Calls.toCallee))
        #expect(summary.outcome == .unknown && summary.issues.all.isEmpty)
        #expect(summary.sensor?.packetsCutShort == unread.packetsCutShort)
        #expect(
            summary.dataQuality.notes == [
                "a session description could not be read: media of this call may be told of as another call"
            ])
    }

    @Test func `so are they where both descriptions were made before ICE had found a place`() {
        let trickled = """
            v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=ice-options:trickle\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r
            c=IN IP4 0.0.0.0\r\na=rtpmap:0 PCMU/8000\r\nm=video 0 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 0.0.0.0\r
            a=bundle-only\r\na=rtpmap:96 VP8/90000\r\n
            """
        var script = Script()
        script.setUp(offer: trickled, answer: trickled)
        script.media(Calls.forth())
        script.media(Calls.back())
        script.hangUp(at: 10.2)
        let run = script.run()
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": ["11 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
        #expect(run.summary(of: Calls.toCaller)?.dataQuality.notes == [])
    }

    @Test func `what no one announced between the hosts of a call whose descriptions were read is none of its`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth())
        script.media(Calls.back())
        let (one, other) = (Script.Place(Script.caller.address, 14_000), Script.Place(Script.callee.address, 16_000))
        script.media(Script.Media(ssrc: 0xC, from: one, to: other, start: 3, packets: 100))
        script.hangUp(at: 10.2)
        let run = script.run()
        #expect(run.figures.calls == 2)
        #expect(Calls.words(run)["rtp-c-\(Script.epoch / 1_000_000 + 3_000)/wire:b"] != nil)
    }

    @Test func `an answered call whose descriptions were read, and of which no media came, had none`() throws {
        var script = Script()
        script.mediaOfOthers()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 10.2)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        #expect(summary.outcome == .notConnected && summary.issues.all.map(\.kind) == [.neverConnected])
    }
}
