import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// Which call the media belong to that several calls could have, or none.
@Suite struct WireProbeHomeTests {
    private typealias Script = ProbeScript
    private typealias Place = ProbeScript.Place
    private typealias Media = ProbeScript.Media
    private typealias Calls = WireProbeCallTests

    /// What the records that have streams count in them.
    private static func words(_ script: Script) -> [String: [String]] {
        Calls.words(script.run()).filter { !$0.value.isEmpty }
    }

    private static func whole(_ id: Int, _ packets: Int = 450) -> String {
        "\(id) \(packets) lost 0 repeated 0 twice 0"
    }

    /// Each end names a place on the relay, and by which address the relay knows it; the packets come in channels
    /// ([RFC 8656 §12.4](https://www.rfc-editor.org/rfc/rfc8656#section-12.4)).
    @Test func `media of ends that both send to a TURN relay alone are the call's`() {
        let relay = Place(0xCB00_7103, 3_478)
        func description(_ port: Int, of end: Place) -> String {
            let candidate = "1 1 UDP 5 \(relay.text) \(port) typ relay raddr \(end.text) rport \(end.port)"
            return SIPScript.audio(port, "a=candidate:\(candidate)", address: relay.text)
        }
        var script = Script()
        script.setUp(
            offer: description(49_152, of: Calls.callerMedia), answer: description(49_154, of: Calls.calleeMedia))
        for number in 0..<450 {
            for (ssrc, from, to) in [
                (0xA, Calls.callerMedia, Calls.calleeMedia), (0xB, Calls.calleeMedia, Calls.callerMedia),
            ] as [(UInt8, Place, Place)] {
                let (sequence, timestamp) = (UInt16(number), UInt32(number) * 160)
                var packet: [UInt8] = [0x40, 1, 0, 172, 0x80, 0, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
                packet += [24, 16, 8, 0].map { UInt8(timestamp >> $0 & 0xFF) } + [0, 0, 0, ssrc]
                packet += [UInt8](repeating: 0xD5, count: 160)
                let time = 1.1 + Double(number) * 0.02
                script.udp(packet, from: from, to: relay, at: time)
                script.udp(packet, from: relay, to: to, at: time + 0.0005)
            }
        }
        script.hangUp(at: 10.2)
        #expect(
            Self.words(script) == [
                "call-1/wire:caller": ["11", "11#2"].map { "\($0) 450 lost 0 repeated 0 twice 0" },
                "call-1/wire:callee": ["10", "10#2"].map { "\($0) 450 lost 0 repeated 0 twice 0" },
            ])
        #expect(script.run().figures.calls == 1)
    }

    // MARK: Media that no SDP names

    /// Media go to the address and port that were negotiated (RFC 3264 §5.1); the callee has other calls, whose signalling the
    /// capture does not see.
    @Test(arguments: [1.5, 9]) func `media of one host of a call, of which SDP names no place, are another call's`(
        start: Double
    ) {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        let (there, here) = (Place(0xC000_0277, 16_384), Place(Script.callee.address, 10_002))
        script.media(Media(ssrc: 0xC, from: there, to: here, start: 1.25, packets: 450))
        script.media(Media(ssrc: 0xD, from: here, to: there, start: 1.375, packets: 450))
        script.media(Calls.forth(start: start))
        script.media(Calls.back(start: start))
        script.hangUp(at: start + 9.5)
        let other = "rtp-c-\(Script.epoch / 1_000_000 + 1_250)"
        #expect(
            Self.words(script) == [
                "call-1/wire:caller": [Self.whole(11)], "call-1/wire:callee": [Self.whole(10)],
                "\(other)/wire:b": [Self.whole(12)], "\(other)/wire:a": [Self.whole(13)],
            ])
    }

    @Test func `so are media of both hosts, if they describe themselves as they are`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        let (there, here) = (Place(Script.caller.address, 14_000), Place(Script.callee.address, 16_000))
        script.media(Media(ssrc: 0xC, from: there, to: here, start: 1.25, packets: 450))
        script.hangUp(at: 11)
        let other = "rtp-c-\(Script.epoch / 1_000_000 + 1_250)"
        #expect(Self.words(script) == ["\(other)/wire:b": [Self.whole(12)]])
    }

    private static let inner = "192.168.1.5"
    private static let otherInner = "10.9.8.7"

    @Test func `behind a translator, what is to be sent by nobody is another call's`() {
        var script = Script()
        script.setUp(
            offer: SIPScript.audio(4_000, "a=sendonly", address: Self.inner),
            answer: SIPScript.audio(6_000, "a=recvonly", address: Self.otherInner))
        script.media(
            Media(
                ssrc: 0xA, from: Place(Script.caller.address, 40_123), to: Place(Script.callee.address, 50_321),
                start: 1.1, packets: 450))
        script.media(
            Media(
                ssrc: 0xC, from: Place(Script.callee.address, 50_400), to: Place(Script.caller.address, 40_200),
                start: 3.25, packets: 300))
        script.hangUp(at: 11)
        let other = "rtp-c-\(Script.epoch / 1_000_000 + 3_250)"
        #expect(
            Self.words(script) == [
                "call-1/wire:callee": [Self.whole(10)], "\(other)/wire:b": [Self.whole(12, 300)],
            ])
    }

    /// The callee's media have a server of their own, which describes itself as it is seen from outside, and is captured inside.
    @Test func `of a server behind a translator that tells its outer address the port is known`() {
        let (proxy, server) = (Place(0x0A01_0908, 5_060), Place(0x0A01_0909, 6_000))
        let phone = Place(Script.caller.address, 40_123)
        let tags = ("caller-tag", String?.some("callee-tag"))
        var script = Script()
        for line in [
            SIPScript.Line(
                milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: SIPScript.audio(4_000, address: Self.inner)
            ),
            SIPScript.Line(
                milliseconds: 1_000, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: tags,
                sdp: SIPScript.audio(6_000, address: "203.0.113.50"), isFromCallee: true),
            SIPScript.Line(milliseconds: 1_001, start: "ACK", sequence: "1 ACK", tags: tags, branch: "2"),
        ] {
            script.sip(line, from: Script.caller, to: proxy)
        }
        script.media(Media(ssrc: 0xA, from: phone, to: server, start: 1.1, packets: 450))
        script.media(Media(ssrc: 0xB, from: server, to: phone, start: 1.1, packets: 450))
        // A stranger's packets go to another port of it.
        let there = Place(0xC000_0277, 16_384)
        script.media(Media(ssrc: 0xC, from: there, to: Place(server.address, 6_002), start: 1.0625, packets: 450))
        let other = "rtp-c-\(Script.epoch / 1_000_000 + 1_062)"
        #expect(
            Self.words(script) == [
                "call-1/wire:caller": [Self.whole(11)], "call-1/wire:callee": [Self.whole(10)],
                "\(other)/wire:b": [Self.whole(12)],
            ])
    }

    @Test func `only calls behind a translator are looked for by their addresses, and no longer than they lack media`()
    {
        func near(_ address: String, isFlowing: Bool) -> Int {
            var script = Script()
            script.setUp(offer: SIPScript.audio(4_000, address: address), answer: Calls.answer)
            if isFlowing {
                let there = Place(Script.caller.address, 40_123)
                script.media(Media(ssrc: 0xA, from: there, to: Calls.calleeMedia, start: 1.1, packets: 50))
                script.media(Media(ssrc: 0xB, from: Calls.calleeMedia, to: there, start: 1.1, packets: 50))
                let stranger = Place(0xC000_0277, 16_384)
                script.media(
                    Media(ssrc: 0xC, from: stranger, to: Place(Script.callee.address, 10_002), start: 3, packets: 50))
            }
            var probe = WireProbe(linkType: .ethernet)
            script.play(into: &probe)
            let callee = Endpoint(address: IPAddress(v4: Script.callee.address), port: 1)
            return probe.directory.calls(near: Flow(source: callee, destination: callee)).count
        }
        #expect(near(Script.caller.text, isFlowing: false) == 0)
        #expect(near(Self.inner, isFlowing: false) == 1)
        #expect(near(Self.inner, isFlowing: true) == 0)
    }

    @Test(arguments: [true, false]) func `a call without signalling that a dialog has taken over is looked for no more`(
        isJoined: Bool
    ) {
        var script = Script()
        script.media(Calls.forth(600, start: 0))
        script.media(Calls.back(600, start: 0))
        if isJoined {
            script.change(at: 8, number: 2, offer: Calls.offer, answer: Calls.answer)
        } else {
            script.setUp(at: 2.5, offer: Calls.offer, answer: Calls.answer)
        }
        var probe = WireProbe(linkType: .ethernet)
        script.play(into: &probe)
        #expect(probe.calls.count == 1)
        #expect(probe.pairedCalls.isEmpty && probe.placedCalls.isEmpty)
    }

    // MARK: Places that calls share

    @Test func `calls whose callee has one place for all have their own media`() {
        var script = Script()
        var expected: [String: [String]] = [:]
        for call in 0..<3 {
            let place = Place(Script.caller.address, UInt16(4_000 + 100 * call))
            let begin = Double(call) * 0.03
            script.setUp(
                "call-\(call)", at: begin, offer: SIPScript.audio(Int(place.port), address: place.text),
                answer: Calls.answer)
            for (ssrc, from, to) in [(10 + call, place, Calls.calleeMedia), (20 + call, Calls.calleeMedia, place)] {
                script.media(Media(ssrc: UInt32(ssrc), from: from, to: to, start: 1.1 + begin, packets: 450))
            }
            script.hangUp("call-\(call)", at: 11)
            expected["call-\(call)/wire:caller"] = [Self.whole(20 + call)]
            expected["call-\(call)/wire:callee"] = [Self.whole(10 + call)]
        }
        #expect(Self.words(script) == expected)
    }

    /// A phone has one place for two lines; what comes on the way of the first call is of the first (RFC 4961).
    @Test func `a new source on the way of a call is the call's, whoever has named its place since`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(900))
        script.media(Calls.back(450))
        script.sip(
            .init(milliseconds: 5_000, start: "INVITE", sequence: "1 INVITE", callID: "call-2", sdp: Calls.offer))
        var next = Calls.back(300, start: 13.1)
        next.ssrc = 0xC
        script.media(next)
        script.hangUp(at: 20)
        #expect(
            Self.words(script) == [
                "call-1/wire:caller": [Self.whole(11), Self.whole(12, 300)],
                "call-1/wire:callee": [Self.whole(10, 900)],
            ])
    }

    @Test func `where only the shared place was announced, the media of a way go on to be its call's`() {
        var script = Script()
        for (call, begin, port, ssrcs) in [("call-1", 0.0, 40_123, [1, 2]), ("call-2", 5, 40_200, [3, 4])] {
            script.setUp(
                call, at: begin, offer: SIPScript.audio(port - 36_000, address: Self.inner), answer: Calls.answer)
            let phone = Place(Script.caller.address, UInt16(port))
            for (index, ssrc) in ssrcs.enumerated() {
                script.media(
                    Media(
                        ssrc: UInt32(ssrc), from: phone, to: Calls.calleeMedia,
                        start: begin + 1.1 + 6 * Double(index), packets: 300))
            }
            script.hangUp(call, at: begin + 13.5)
        }
        #expect(
            Self.words(script) == [
                "call-1/wire:callee": [Self.whole(1, 300), Self.whole(2, 300)],
                "call-2/wire:callee": [Self.whole(3, 300), Self.whole(4, 300)],
            ])
    }

    @Test
    func `of a place that very many calls share each has its own flows, and the latest that goes on those of nobody`()
        throws
    {
        var directory = MediaDirectory()
        let calls = 0..<3 * MediaDirectory.mostSharing
        let (host, other) = (IPAddress(v4: Script.caller.address), IPAddress(v4: Script.callee.address))
        let shared = Endpoint(address: other, port: 6_000)
        func place(_ call: Int) -> Endpoint { Endpoint(address: host, port: UInt16(4_000 + call)) }
        for call in calls {
            let offer = SIPScript.audio(4_000 + call, address: Script.caller.text)
            for (end, text, signalling) in [(0, offer, host), (1, Calls.answer, other)] {
                let description = try SessionDescription(parsing: Array(text.utf8))
                _ = directory.announce(description, by: end, of: call, from: signalling)
            }
        }
        let forth = calls.map { directory.match(Flow(source: place($0), destination: shared)) }
        #expect(forth.map { $0?.call } == Array(calls) && forth.allSatisfy { $0?.end == 1 })
        let back = calls.map { directory.match(Flow(source: shared, destination: place($0))) }
        #expect(back.map { $0?.call } == Array(calls) && back.allSatisfy { $0?.end == 0 })
        let stranger = Flow(source: Endpoint(address: host, port: 9_000), destination: shared)
        #expect(directory.match(stranger)?.call == calls.last)
        directory.forget(calls.upperBound - 1)
        #expect(directory.match(stranger)?.call == calls.upperBound - 2)
        for call in calls { directory.forget(call) }
        #expect(directory.match(stranger) == nil)
    }
}
