import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// What signalling says of packets, and whose packets it says it of.
@Suite struct WireProbeTermsTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A description of these `m=` lines and attributes.
    private static func description(_ lines: [String], at place: Script.Place, session: [String] = []) -> String {
        let head = ["v=0", "o=- \(place.port) 1 IN IP4 \(place.text)", "s=-", "c=IN IP4 \(place.text)", "t=0 0"]
        return (head + session + lines).joined(separator: "\r\n") + "\r\n"
    }

    /// A description of one line of sound.
    private static func audio(_ types: String, _ maps: String..., at place: Script.Place) -> String {
        description(["m=audio \(place.port) RTP/AVP \(types)"] + maps.map { "a=rtpmap:\($0)" }, at: place)
    }

    /// Sound and pictures over one transport; the line of the pictures says where, or that the bundle does.
    private static func bundle(at place: Script.Place, isBundleOnly: Bool = false, source: UInt32 = 99) -> String {
        let port = isBundleOnly ? 0 : place.port
        return description(
            [
                "m=audio \(place.port) RTP/SAVPF 111 0", "a=mid:a", "a=rtpmap:111 opus/48000/2",
                "m=video \(port) RTP/SAVPF 96 97", "a=mid:v", "a=rtpmap:96 VP8/90000", "a=rtpmap:97 rtx/90000",
                "a=fmtp:97 apt=96", "a=ssrc:\(source) cname:x",
            ] + (isBundleOnly ? ["a=bundle-only"] : []), at: place, session: ["a=group:BUNDLE a v"])
    }

    /// What a stream was taken for.
    private static func words(_ stream: ReportedStream) -> String {
        let clock = "\(stream.clockRate ?? 0) \(stream.clockOrigin.map { "\($0)" } ?? "-")"
        return "\(stream.id) \(stream.kind) \(stream.role) \(stream.codec ?? "-") \(clock)"
    }

    // MARK: Bundles

    @Test(arguments: [false, true]) func `lines that share a place are told apart by payload type`(isBundleOnly: Bool) {
        var script = Script()
        script.setUp(
            offer: Self.bundle(at: Calls.callerMedia, isBundleOnly: isBundleOnly),
            answer: Self.bundle(at: Calls.calleeMedia))
        for (ssrc, type, interval, ticks) in [(10, 111, 0.02, 960), (11, 96, 0.033, 2_970), (12, 97, 0.1, 9_000)] {
            var media = Calls.back(50)
            (media.ssrc, media.payloadType) = (UInt32(ssrc), UInt8(type))
            (media.interval, media.ticks) = (interval, UInt32(ticks))
            script.media(media)
        }
        script.hangUp(at: 10.2)
        #expect(
            script.run().streams.map(Self.words).sorted() == [
                "10 audio primary audio/opus 48000 signalled", "11 video primary video/VP8 90000 signalled",
                "12 video retransmission video/rtx 90000 signalled",
            ])
    }

    @Test func `where no line lists the payload type, the source tells the line`() {
        var script = Script()
        script.setUp(
            offer: Self.bundle(at: Calls.callerMedia), answer: Self.bundle(at: Calls.calleeMedia, source: 0xB))
        for ssrc: UInt32 in [0xB, 0xC] {
            var media = Calls.back(200)
            (media.ssrc, media.payloadType) = (ssrc, 120)
            script.media(media)
        }
        script.hangUp(at: 10.2)
        #expect(
            script.run().streams.map(Self.words).sorted() == [
                "11 video primary - 8000 inferred", "12 audio primary - 8000 inferred",
            ])
    }

    // MARK: Changes

    /// One source after the other, or the same one all the time.
    @Test(
        arguments: [
            ([0xB, 0xC, 0xD], ["11 audio/opus 48000", "12 audio/AMR-WB 16000", "13 audio/PCMA 8000"]),
            ([0xB, 0xB, 0xD], ["11 audio/AMR-WB 16000", "13 audio/PCMA 8000"]),
            ([0xB, 0xB, 0xB], ["11 audio/PCMA 8000"]),
        ] as [([UInt32], [String])])
    func `a stream keeps its codec when the session goes over to another`(sources: [UInt32], codecs: [String]) {
        let types = [("111", "111 opus/48000/2"), ("104", "104 AMR-WB/16000"), ("8", "8 PCMA/8000")]
        let offers = types.map { Self.audio($0.0, $0.1, at: Calls.callerMedia) }
        let answers = types.map { Self.audio($0.0, $0.1, at: Calls.calleeMedia) }
        var script = Script()
        script.setUp(offer: offers[0], answer: answers[0])
        for change in 1...2 {
            script.change(at: Double(10 * change), number: 1 + change, offer: offers[change], answer: answers[change])
        }
        for (index, (type, ticks)) in ([(111, 960), (104, 320), (8, 160)] as [(UInt8, UInt32)]).enumerated() {
            var media = Calls.back(400, start: 1.1 + Double(10 * index))
            (media.ssrc, media.payloadType, media.ticks) = (sources[index], type, ticks)
            (media.firstNumber, media.firstTime) = (UInt16(400 * index), UInt32(400_000 * index))
            script.media(media)
        }
        script.hangUp(at: 29.2)
        let streams = script.run().streams
        #expect(streams.map { "\($0.id) \($0.codec ?? "-") \($0.clockRate ?? 0)" }.sorted() == codecs)
    }

    // MARK: Guesses

    @Test func `what a call announced goes before what another's signalling only suggests`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        // The callee is a relay, and passes on a call of a phone that happens to use the relay's port.
        let phone = SIPScript.audio(Int(Calls.calleeMedia.port), address: "203.0.113.77")
        script.sip(
            .init(milliseconds: 2_000, start: "INVITE", sequence: "1 INVITE", callID: "call-2", sdp: phone),
            from: Script.callee, to: Script.Place(0xCB00_7105, 5_060))
        script.media(Calls.forth(start: 2.5))
        script.media(Calls.back(start: 2.5))
        script.hangUp(at: 12)
        #expect(
            Calls.words(script.run()) == [
                "call-1/wire:caller": ["11 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `of one call the latest places are remembered`() throws {
        var directory = MediaDirectory()
        let host = IPAddress(v4: Script.caller.address)
        for port in 4_000..<4_300 {
            let description = try SessionDescription(
                parsing: Array(SIPScript.audio(port, address: Script.caller.text).utf8))
            _ = directory.announce(description, by: 0, of: 7, from: host)
        }
        let there = Endpoint(address: IPAddress(v4: Script.callee.address), port: 6_000)
        let known = (4_000..<4_300).filter { port in
            let here = Endpoint(address: host, port: UInt16(port))
            return directory.match(Flow(source: there, destination: here))?.call == 7
        }
        #expect(known == Array((4_300 - MediaDirectory.mostPlaces)..<4_300))
    }

    @Test func `a flow belongs to the latest of the calls that had its ports`() {
        var probe = WireProbe(linkType: .ethernet)
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(250))
        script.hangUp(at: 6.2)
        script.setUp("call-2", at: 7, offer: Calls.offer, answer: Calls.answer)
        var second = Calls.forth(100, start: 8.1)
        second.ssrc = 0xC
        script.media(second)
        script.play(into: &probe)
        #expect(probe.flowOwners.values.map { probe.calls[$0.call]?.id.rawValue } == ["call-2"])
    }

    // MARK: Payload types

    @Test func `a sender that changes its codec within a stream has the clock of the new one`() throws {
        let maps = ("0 PCMU/8000", "111 opus/48000/2")
        var script = Script()
        script.setUp(
            offer: Self.audio("0 111", maps.0, maps.1, at: Calls.callerMedia),
            answer: Self.audio("0 111", maps.0, maps.1, at: Calls.calleeMedia))
        script.media(Calls.forth(250))
        var opus = Calls.forth(250, start: 6.1)
        (opus.payloadType, opus.ticks) = (111, 960)
        (opus.firstNumber, opus.firstTime) = (1_250, 250 * 160)
        script.media(opus)
        script.hangUp(at: 11.5)
        let stream = try #require(script.run().streams.first)
        #expect(Self.words(stream) == "10 audio primary audio/opus 48000 signalled")
        #expect(stream.packetMilliseconds.map { $0.rounded() } == 20)
        #expect((stream[.maximumJitter] ?? 1) < 1e-6)
        #expect(stream.count(.packetsReceived) == 500)
    }

    /// Every fiftieth packet has the marker, which makes its second byte one of RTCP.
    @Test(arguments: [64, 71, 77, 80, 95] as [UInt8], [true, false])
    func `payload types that RTCP may have are RTP where signalling lists them`(type: UInt8, isListed: Bool) {
        let types = isListed ? "0 \(type)" : "0"
        var script = Script()
        script.setUp(
            offer: Self.audio(types, "\(type) AMR/8000", at: Calls.callerMedia),
            answer: Self.audio(types, "\(type) AMR/8000", at: Calls.calleeMedia))
        for half in 0..<9 {
            var media = Calls.forth(1, start: 1.1 + Double(half))
            (media.payloadType, media.skip, media.isMarked) = (type, half * 50, true)
            script.media(media)
            (media.start, media.skip, media.isMarked, media.packets) = (media.start + 0.02, half * 50 + 1, false, 49)
            script.media(media)
        }
        script.hangUp(at: 10.2)
        let run = script.run()
        #expect(run.streams.map(Calls.words) == (isListed ? ["10 450 lost 0 repeated 0 twice 0"] : []))
        #expect(run.streams.map(Self.words) == (isListed ? ["10 audio primary audio/AMR 8000 signalled"] : []))
        #expect(run.figures.rtcpPackets == 0)
    }

    @Test func `events and comfort noise may have several payload types`() throws {
        let types = "0 110 126 105 106"
        let maps = [
            "110 telephone-event/48000", "126 telephone-event/8000", "105 CN/16000", "106 CN/32000",
        ]
        var script = Script()
        script.setUp(
            offer: Self.audio(types, maps[0], maps[1], maps[2], maps[3], at: Calls.callerMedia),
            answer: Self.audio(types, maps[0], maps[1], maps[2], maps[3], at: Calls.calleeMedia))
        var step = 0
        let runs = [(0, 100, 160), (126, 10, 4), (0, 90, 160), (110, 10, 4), (106, 5, 1), (0, 99, 160)]
        for (type, packets, bytes) in runs {
            var media = Calls.forth(packets, start: 1.1 + Double(step) * 0.02)
            (media.payloadType, media.payloadBytes) = (UInt8(type), bytes)
            media.firstNumber += UInt16(step)
            media.firstTime = UInt32(step) * 160
            // All packets of an event have the time of its beginning.
            if bytes == 4 { media.ticks = 0 }
            script.media(media)
            step += packets
        }
        script.hangUp(at: 10.2)
        let stream = try #require(script.run().streams.first)
        let counts = [WireFigure.telephoneEvents, .telephoneEventPackets, .comfortNoisePackets, .packetsReceived]
        #expect(counts.map { stream.count($0) } == [2, 20, 5, 314])
    }

    /// Four bytes are an event where nobody lists their payload type, and a packet of the codec that is listed.
    @Test(arguments: [(96, 1, 10), (110, 0, 0)])
    func `telephone events by a number that was not agreed are events`(type: UInt8, events: Int, packets: Int) throws {
        let types = ["101 telephone-event/8000", "110 AMR/8000"]
        var script = Script()
        script.setUp(
            offer: Self.audio("0 101 110", types[0], types[1], at: Calls.callerMedia),
            answer: Self.audio("0 101 110", types[0], types[1], at: Calls.calleeMedia))
        script.media(Calls.forth(100))
        var key = Calls.forth(10, start: 3.1)
        (key.payloadType, key.payloadBytes, key.ticks) = (type, 4, 0)
        (key.firstNumber, key.firstTime) = (1_100, 16_000)
        script.media(key)
        var rest = Calls.forth(300, start: 3.3)
        rest.skip = 110
        script.media(rest)
        script.hangUp(at: 10.2)
        let stream = try #require(script.run().reports[Calls.toCallee]?.last?.streams.first)
        let counts = [WireFigure.telephoneEvents, .telephoneEventPackets, .packetsReceived]
        #expect(counts.map { stream.count($0) } == [events, packets, 410])
    }

    // MARK: RTCP

    /// A sender report about so many packets (RFC 3550 §6.4.1).
    private static func senderReport(of ssrc: UInt8, packets: UInt8) -> [UInt8] {
        [0x80, 200, 0, 6, 0, 0, 0, ssrc] + [UInt8](repeating: 1, count: 12) + [0, 0, 0, packets, 0, 0, 1, 0]
    }

    /// SRTCP has an index of four bytes behind its packets, and a tag of four or more (RFC 3711 §3.4).
    @Test(
        arguments: [
            ("RTP/AVP", 0, 77), ("RTP/AVP", 2, 77), ("RTP/AVP", 7, 77), ("RTP/AVP", 8, -1), ("RTP/AVP", 14, -1),
            ("RTP/SAVP", 4, -1), ("RTP/SAVP", 14, -1),
        ])
    func `a few bytes behind RTCP do not make it encrypted where signalling says that nothing is`(
        profile: String, rest: Int, sent: Int
    ) throws {
        var script = Script()
        script.setUp(
            offer: Calls.offer.replacing("RTP/AVP", with: profile),
            answer: Calls.answer.replacing("RTP/AVP", with: profile))
        script.media(Calls.forth())
        let (source, destination) = (
            Script.Place(Script.caller.address, 4_001), Script.Place(Script.callee.address, 6_001)
        )
        let bytes = Self.senderReport(of: 0xA, packets: 77) + [UInt8](repeating: 0, count: rest)
        script.udp(bytes, from: source, to: destination, at: 3)
        script.hangUp(at: 10.2)
        let stream = try #require(script.run().streams.first)
        #expect(stream.count(.packetsSent) == sent)
        #expect(stream.lastControlAt == Timestamp(milliseconds: Script.epoch / 1_000_000 + 3_000))
    }

    @Test(
        arguments: [
            (Script.caller.address, Script.callee.address, 77), (Script.caller.address, 0xCB00_7105, 77),
            (0xCB00_7105, Script.callee.address, 77), (Script.callee.address, 0xCB00_7105, -1),
            (0xCB00_7105, 0xCB00_7106, -1),
        ] as [(UInt32, UInt32, Int)])
    func `control packets are a stream's if they share a host with it`(from: UInt32, to: UInt32, sent: Int) {
        var script = Script()
        script.media(Calls.forth(start: 0.2))
        let (source, destination) = (Script.Place(from, 4_001), Script.Place(to, 6_001))
        script.udp(Self.senderReport(of: 0xA, packets: 77), from: source, to: destination, at: 3)
        #expect(script.run().streams.map { $0.count(.packetsSent) } == [sent])
    }

    /// A number of four bytes.
    private static func word(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A sender's report of a clock whose middle 32 bits are told (RFC 3550 §6.4.1).
    private static func report(clock: UInt32) -> [UInt8] {
        [0x80, 200, 0, 6] + word(0xA) + word(clock >> 16) + word(clock << 16) + word(0) + word(77) + word(0)
    }

    /// A listener's report, a second after that clock came, and its own clock (RFC 3611 §4.4).
    private static func answer(to clock: UInt32, clock own: UInt32) -> [UInt8] {
        [0x81, 201, 0, 7] + word(0xE) + word(0xA) + word(0) + word(0) + word(0) + word(clock) + word(65_536)
            + [0x80, 207, 0, 4] + word(0xE) + [4, 0, 0, 2] + word(own >> 16) + word(own << 16)
    }

    @Test func `of a receiver that only listens, the answer to its clock tells the other half of the way`() throws {
        var script = Script()
        script.media(Calls.forth(start: 0.2))
        let (sender, listener) = (Calls.callerMedia, Calls.calleeMedia)
        // From the probe to the listener and back it takes 60 ms, to the sender and back 40 ms.
        script.udp(Self.report(clock: 0x0001_0000), from: sender, to: listener, at: 2)
        script.udp(Self.answer(to: 0x0001_0000, clock: 0x0900_0000), from: listener, to: sender, at: 3.06)
        // The sender answers half a second after the listener's clock came (RFC 3611 §4.5).
        let delay = Self.word(0xE) + Self.word(0x0900_0000) + Self.word(32_768)
        script.udp(
            [0x80, 207, 0, 5] + Self.word(0xA) + [5, 0, 0, 3] + delay, from: sender, to: listener, at: 3.6)
        script.udp(Self.report(clock: 0x0002_0000), from: sender, to: listener, at: 4)
        script.udp(Self.answer(to: 0x0002_0000, clock: 0x0A00_0000), from: listener, to: sender, at: 5.06)
        let stream = try #require(script.run().streams.first)
        #expect(stream.count(.receiverReports) == 2)
        #expect(stream[.receiverRoundTripTime].map { abs($0 - 0.06) < 1e-6 } == true)
        #expect(stream.count(.roundTripTimeMeasurements) == 1)
        #expect(stream[.totalRoundTripTime].map { abs($0 - 0.1) < 1e-6 } == true)
    }

    @Test func `a request for a whole picture is about the source that its entry names, not about none`() {
        var script = Script()
        script.media(Calls.forth(start: 0.2))
        let entries: [UInt8] = [0, 0, 0, 0xF, 1, 0, 0, 0] + [0, 0, 0, 0xA, 1, 0, 0, 0]
        script.udp(
            [0x84, 206, 0, 6, 0, 0, 0, 0xB] + [0, 0, 0, 0] + entries, from: Calls.calleeMedia, to: Calls.callerMedia,
            at: 3)
        #expect(script.run().streams.map { $0.count(.keyFrameRequests) } == [1])
    }

    @Test func `control packets that are recorded twice are counted once`() {
        var script = Script()
        script.media(Calls.forth(start: 0.2))
        for second in [3, 3.000_02, 3.004, 4] {
            script.udp(
                Self.senderReport(of: 0xA, packets: 77), from: Calls.callerMedia, to: Calls.calleeMedia, at: second)
        }
        let run = script.run()
        #expect(run.streams.map { $0.count(.senderReports) } == [2])
        #expect(run.figures.rtcpPackets == 4)
    }

    @Test func `what a receiver reports after the last packet and the last snapshot is told`() {
        var script = Script()
        script.media(Script.Media(ssrc: 0xA, from: Calls.callerMedia, to: Calls.calleeMedia, packets: 500))
        let block: [UInt8] = [0, 0, 0, 0xA] + [0, 0, 0, 7] + [UInt8](repeating: 0, count: 16)
        script.udp(
            [0x81, 201, 0, 7, 0, 0, 0, 0xB] + block, from: Calls.calleeMedia, to: Calls.callerMedia, at: 10.1)
        #expect(script.run().streams.map { $0.count(.receiverPacketsLost) } == [7])
    }

    /// What a receiver's report about 0xA is held against, of 450 packets numbered from 1,000 on.
    private static func expected(upTo number: UInt32, sentBefore: UInt8?) -> [Int] {
        var script = Script()
        script.media(Calls.forth(start: 0.2))
        if let sentBefore {
            // 41 packets have come.
            script.udp(
                senderReport(of: 0xA, packets: 41 + sentBefore), from: Calls.callerMedia, to: Calls.calleeMedia,
                at: 1.01)
        }
        let block = word(0xA) + word(7) + word(number) + [UInt8](repeating: 0, count: 12)
        script.udp(
            [0x81, 201, 0, 7, 0, 0, 0, 0xB] + block, from: Calls.calleeMedia, to: Calls.callerMedia, at: 8)
        return script.run().streams.map { $0.count(.receiverPacketsExpected) }
    }

    @Test func `a receiver's loss is of the packets up to its highest number, and of those before the capture`() {
        #expect(Self.expected(upTo: 1_199, sentBefore: nil) == [200])
        #expect(Self.expected(upTo: 0x3_0000 + 1_199, sentBefore: nil) == [200])
        #expect(Self.expected(upTo: 1_199, sentBefore: 0) == [200])
        #expect(Self.expected(upTo: 1_199, sentBefore: 200) == [400])
        #expect(Self.expected(upTo: 9_000, sentBefore: nil) == [-1])
    }

    @Test func `receivers report to the group that they are members of`() {
        let group = Script.Place(0xEF01_0203, 6_000)
        var script = Script()
        script.media(Script.Media(ssrc: 0xA, from: Calls.callerMedia, to: group, start: 0.2, packets: 450))
        let block: [UInt8] = [0, 0, 0, 0xA] + [UInt8](repeating: 0, count: 20)
        script.udp(
            [0x81, 201, 0, 7, 0, 0, 0, 0xE] + block, from: Calls.calleeMedia,
            to: Script.Place(group.address, 6_001), at: 3)
        #expect(script.run().streams.map { $0.count(.receiverReports) } == [1])
    }
}
