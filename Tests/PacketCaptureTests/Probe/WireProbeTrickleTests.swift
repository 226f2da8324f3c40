import CallModel
import PacketCapture
import Testing

/// Calls whose descriptions say nowhere, and whose candidates follow in INFO (RFC 8840).
@Suite struct WireProbeTrickleTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    private static let description =
        [
            "v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=ice-options:trickle", "m=audio 9 RTP/SAVPF 111",
            "c=IN IP4 0.0.0.0", "a=rtpmap:111 opus/48000/2", "a=mid:0",
        ].joined(separator: "\r\n") + "\r\n"

    /// An INFO with one candidate.
    private static func info(_ call: String, at milliseconds: Int64, _ place: Script.Place, isFromCallee: Bool)
        -> [UInt8]
    {
        let fragment =
            [
                "a=ice-ufrag:abcd", "a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa", "m=audio 9 RTP/AVP 0", "a=mid:0",
                "a=candidate:1 1 UDP 2130706431 \(place.text) \(place.port) typ host", "a=end-of-candidates",
            ].joined(separator: "\r\n") + "\r\n"
        let tags = isFromCallee ? ("callee-tag", "caller-tag") : ("caller-tag", "callee-tag")
        return Array(
            [
                "INFO sip:b SIP/2.0", "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK\(milliseconds)",
                "From: <sip:a>;tag=\(tags.0)", "To: <sip:b>;tag=\(tags.1)", "Call-ID: \(call)",
                "CSeq: \(isFromCallee ? 1 : 7) INFO", "Info-Package: trickle-ice",
                "Content-Type: application/trickle-ice-sdpfrag", "Content-Length: \(fragment.utf8.count)", "", fragment,
            ].joined(separator: "\r\n").utf8)
    }

    /// Two calls between the same hosts at once: nothing but the candidates tells whose media are which.
    @Test func `media go where the candidates say that follow the description`() {
        var script = Script()
        for number in 0..<2 {
            let (call, port) = ("call-\(number + 1)", UInt16(number * 10))
            let caller = Script.Place(Script.caller.address, 4_000 + port)
            let callee = Script.Place(Script.callee.address, 6_000 + port)
            script.setUp(call, offer: Self.description, answer: Self.description)
            script.udp(
                Self.info(call, at: 1_010, caller, isFromCallee: false), from: Script.caller, to: Script.callee,
                at: 1.01)
            script.udp(
                Self.info(call, at: 1_020, callee, isFromCallee: true), from: Script.callee, to: Script.caller, at: 1.02
            )
            for (ssrc, from, to) in [(UInt32(10 + number), caller, callee), (UInt32(20 + number), callee, caller)] {
                var media = Script.Media(ssrc: ssrc, from: from, to: to, start: 1.1, packets: 450)
                (media.payloadType, media.ticks, media.payloadBytes) = (111, 960, 80)
                script.media(media)
            }
            script.hangUp(call, at: 10.2)
        }
        #expect(
            Calls.words(script.run()) == [
                "call-1/wire:caller": ["20 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
                "call-2/wire:caller": ["21 450 lost 0 repeated 0 twice 0"],
                "call-2/wire:callee": ["11 450 lost 0 repeated 0 twice 0"],
            ])
    }
}
