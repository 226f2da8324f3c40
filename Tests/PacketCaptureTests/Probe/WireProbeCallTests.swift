import CallModel
import PacketCapture
import RTPMeter
import Testing

/// Calls that a probe follows from their signalling and their packets.
@Suite struct WireProbeCallTests {
    typealias Script = ProbeScript
    typealias Record = ProbeRun.Record

    static let callerMedia = Script.Place(Script.caller.address, 4_000)
    static let calleeMedia = Script.Place(Script.callee.address, 6_000)
    static let offer = SIPScript.audio(4_000, address: Script.caller.text)
    static let answer = SIPScript.audio(6_000, address: Script.callee.text)
    /// The caller asks for a hold, and the callee agrees (RFC 3264 §8.4).
    static let held = SIPScript.audio(4_000, "a=sendonly", address: Script.caller.text)
    static let holding = SIPScript.audio(6_000, "a=recvonly", address: Script.callee.text)
    static let toCaller = Record(call: CallID(rawValue: "call-1"), observer: ObserverID(rawValue: "wire:caller"))
    static let toCallee = Record(call: CallID(rawValue: "call-1"), observer: ObserverID(rawValue: "wire:callee"))

    /// The caller's sound, from the answer on.
    static func forth(_ packets: Int = 450, start: Double = 1.1) -> Script.Media {
        Script.Media(ssrc: 0xA, from: callerMedia, to: calleeMedia, start: start, packets: packets)
    }

    /// The callee's sound, from the answer on.
    static func back(_ packets: Int = 450, start: Double = 1.1) -> Script.Media {
        Script.Media(ssrc: 0xB, from: calleeMedia, to: callerMedia, start: start, packets: packets)
    }

    /// What a stream counted, in few words.
    static func words(_ stream: ReportedStream) -> String {
        "\(stream.id) \(stream.count(.packetsReceived)) lost \(stream.count(.packetsLost))"
            + " repeated \(stream.count(.packetsDuplicated)) twice \(stream.count(.packetsRecordedTwice))"
    }

    static func words(_ run: ProbeRun) -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: run.lastReports.map { ("\($0.record)", $0.report.streams.map(words)) })
    }

    @Test func `a call has one record an end, each with what flows to it`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth())
        script.media(Self.back())
        script.hangUp(at: 10.2)
        let run = script.run()
        #expect(
            Self.words(run) == [
                "call-1/wire:caller": ["11 450 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
        let types = ["INVITE", "180", "200", "ACK", "BYE", "BYE 200"]
        #expect(run.events[Self.toCaller]?.map(\.type) == types)
        #expect(run.events[Self.toCallee]?.map(\.type) == types)
        #expect(run.lastReports.map(\.report.audioPacketsSent) == [450, 450])
        #expect(run.figures.calls == 1)
        #expect(run.figures.rejectedRTPPackets == 0)
    }

    @Test func `a sender that was announced and sends a packet every ten seconds is a stream`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        var media = Self.forth(6)
        (media.interval, media.ticks) = (10, 80_000)
        script.media(media)
        script.hangUp(at: 55)
        let run = script.run()
        #expect(Self.words(run)["call-1/wire:callee"] == ["10 6 lost 0 repeated 0 twice 0"])
        #expect(run.figures.rejectedRTPPackets == 0)
    }

    @Test func `media that begin before the answer says where they go are the call's`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        // Ringing tone from 0.6 s on; the caller answers it blindly, to a place that only the 200 announces.
        script.media(Self.back(460, start: 0.6))
        script.media(Self.forth(460, start: 0.6))
        script.hangUp(at: 10.2)
        #expect(
            Self.words(script.run()) == [
                "call-1/wire:caller": ["11 460 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 460 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `media that begin before all signalling move over to the call`() {
        var script = Script()
        script.media(Script.Media(ssrc: 0xA, from: Self.callerMedia, to: Self.calleeMedia, start: 0, packets: 600))
        script.media(Script.Media(ssrc: 0xB, from: Self.calleeMedia, to: Self.callerMedia, start: 0, packets: 600))
        script.setUp(at: 2.5, offer: Self.offer, answer: Self.answer)
        script.hangUp(at: 12.5)
        let run = script.run()
        #expect(run.figures.calls == 1)
        #expect(
            Self.words(run) == [
                "call-1/wire:caller": ["11 600 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 600 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `a call that was told of before its media move over says where they went, and ends`() {
        var script = Script()
        script.media(Script.Media(ssrc: 0xA, from: Self.callerMedia, to: Self.calleeMedia, start: 0, packets: 1_100))
        script.setUp(at: 12.5, offer: Self.offer, answer: Self.answer)
        script.hangUp(at: 22.5)
        let run = script.run()
        let early = CallID(rawValue: "rtp-a-\(Script.epoch / 1_000_000)")
        let names = run.events[Record(call: early, observer: ObserverID(rawValue: "wire:b"))]?.map(\.members)
        #expect(names == [["aliases": .array([.string("Call-ID: call-1")])]])
        #expect(run.told.filter { $0.fact == nil }.map(\.call.rawValue) == [early.rawValue, "call-1"])
    }

    @Test(arguments: [0xA, 0xC] as [UInt32])
    func `media that were silent when a call took over their ports are another call's`(ssrc: UInt32) {
        var script = Script()
        // The capture begins in the middle of a call; the next has its ports, and perhaps its SSRC.
        script.media(Self.forth(250, start: 0))
        script.setUp(at: 9, offer: Self.offer, answer: Self.answer)
        var next = Self.forth(300, start: 10.1)
        next.ssrc = ssrc
        script.media(next)
        script.hangUp(at: 16.5)
        #expect(
            Self.words(script.run()) == [
                "rtp-a-\(Script.epoch / 1_000_000)/wire:b": ["10 250 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["\(ssrc) 300 lost 0 repeated 0 twice 0"], "call-1/wire:caller": [],
            ])
    }

    @Test func `behind a translator the packets' addresses are those of the SIP messages`() {
        var script = Script()
        // Both describe inner addresses; the ports are translated too.
        let inner = SIPScript.audio(4_000, address: "192.168.1.5")
        let otherInner = SIPScript.audio(6_000, address: "10.9.8.7")
        script.setUp(offer: inner, answer: otherInner)
        let one = Script.Place(Script.caller.address, 40_123)
        let other = Script.Place(Script.callee.address, 50_321)
        script.media(Script.Media(ssrc: 0xA, from: one, to: other, start: 1.1, packets: 400))
        script.media(Script.Media(ssrc: 0xB, from: other, to: one, start: 1.1, packets: 400))
        script.hangUp(at: 9.5)
        let run = script.run()
        #expect(
            Self.words(run) == [
                "call-1/wire:caller": ["11 400 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 400 lost 0 repeated 0 twice 0"],
            ])
        #expect(run.figures.calls == 1)
    }

    @Test func `one SSRC both ways is two streams`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        var back = Self.back()
        back.ssrc = 0xA
        back.lost = [100, 101]
        script.media(Self.forth())
        script.media(back)
        script.hangUp(at: 10.2)
        #expect(
            Self.words(script.run()) == [
                "call-1/wire:caller": ["10 448 lost 2 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 450 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `calls without signalling that begin with one SSRC in one millisecond are told apart`() {
        var script = Script()
        for other in UInt32(1)...3 {
            let callee = Script.Place(Script.callee.address + other, 6_000)
            script.media(Script.Media(ssrc: 0xA, from: Self.callerMedia, to: callee, start: 0.2, packets: 450))
        }
        let id = "rtp-a-\(Script.epoch / 1_000_000 + 200)"
        let figures = ["10 450 lost 0 repeated 0 twice 0"]
        #expect(
            Self.words(script.run()) == [
                "\(id)/wire:b": figures, "\(id)-2/wire:b": figures, "\(id)-3/wire:b": figures,
            ])
    }

    @Test func `a message that comes when the media have long been silent is its own call's`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth())
        let others = (Script.Place(Script.caller.address + 1, 4_000), Script.Place(Script.callee.address + 1, 6_000))
        script.media(Script.Media(ssrc: 0xC, from: others.0, to: others.1, start: 700, packets: 900))
        script.hangUp(at: 710)
        let run = script.run()
        #expect(
            run.events.mapValues { $0.map(\.type) } == [
                Self.toCaller: ["INVITE", "180", "200", "ACK", "BYE", "BYE 200"],
                Self.toCallee: ["INVITE", "180", "200", "ACK", "BYE", "BYE 200"],
            ])
        let unsignalled = "rtp-c-\(Script.epoch / 1_000_000 + 700_000)"
        #expect(run.told.filter { $0.fact == nil }.map(\.call.rawValue) == ["call-1", unsignalled])
        #expect(run.figures.calls == 2)
    }

    @Test func `a call on hold, or without media in the capture, lasts until signalling ends it`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        let elsewhere = SIPScript.audio(8_000, address: "203.0.113.7")
        script.setUp("call-2", offer: elsewhere, answer: elsewhere)
        script.media(Self.forth())
        script.change(at: 10, number: 2, offer: Self.held, answer: Self.holding)
        script.hangUp(at: 1_800)
        script.hangUp("call-2", at: 1_805)
        let run = script.run()
        #expect(run.told.filter { $0.fact == nil }.map(\.call.rawValue) == ["call-1", "call-2"])
        #expect(run.records.allSatisfy { run.events[$0]?.last?.type == "BYE 200" })
    }

    @Test(arguments: [0.4, 3, 30, 80])
    func `a call that takes over the ports and the SSRCs of one that ended has its own streams`(pause: Double) {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(250))
        script.media(Self.back(240))
        script.hangUp(at: 6.2)
        let second = 6.2 + pause
        script.setUp("call-2", at: second, offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(350, start: second + 1.1))
        script.media(Self.back(340, start: second + 1.1))
        script.hangUp("call-2", at: second + 8.2)
        #expect(
            Self.words(script.run()) == [
                "call-1/wire:caller": ["11 240 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 250 lost 0 repeated 0 twice 0"],
                "call-2/wire:caller": ["11 340 lost 0 repeated 0 twice 0"],
                "call-2/wire:callee": ["10 350 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `without signalling a pair of flows is a call, known by SSRC and time`() {
        var script = Script()
        script.media(Self.forth(start: 0.2))
        script.media(Self.back(start: 0.21))
        let id = "rtp-a-\(Script.epoch / 1_000_000 + 200)"
        #expect(
            Self.words(script.run()) == [
                "\(id)/wire:b": ["10 450 lost 0 repeated 0 twice 0"],
                "\(id)/wire:a": ["11 450 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `without signalling nothing says that a stream should be answered`() {
        var oneWay = Script()
        oneWay.media(Self.forth(start: 0.2))
        #expect(oneWay.run().lastReports.map(\.report.audioPacketsSent) == [nil])
        var bothWays = oneWay
        bothWays.media(Self.back(start: 0.21))
        #expect(bothWays.run().lastReports.map(\.report.audioPacketsSent) == [450, 450])
    }

    @Test func `what is not sent during a hold is not lost`() throws {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(1_150))
        script.media(Self.back(200))
        script.change(at: 5.2, number: 2, offer: Self.held, answer: Self.holding)
        // 10 s later the callee goes on; its numbers ran on meanwhile.
        script.change(at: 15.2, number: 3, offer: Self.offer, answer: Self.answer)
        var resumed = Self.back(400, start: 15.4)
        resumed.skip = 715
        script.media(resumed)
        script.hangUp(at: 24.2)
        let run = script.run()
        let last = try #require(run.reports[Self.toCaller]?.last?.streams.first)
        #expect(Self.words(last) == "11 600 lost 0 repeated 0 twice 0")
        #expect(last.count(.packetsSkipped) == 515)
        #expect(last[.outageSeconds] == 0)
        let outages = run.reports[Self.toCaller]?.compactMap { $0.streams.first?[.outageSeconds] }.max()
        #expect(outages == 0)
        #expect(
            run.events[Self.toCaller]?.map(\.type).filter { ["HOLD", "RESUME"].contains($0) } == ["HOLD", "RESUME"])
    }

    @Test func `a sender whose clock stands still during a hold has no jitter for that`() throws {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.back(200))
        script.change(at: 5.2, number: 2, offer: Self.held, answer: Self.holding)
        script.change(at: 15.2, number: 3, offer: Self.offer, answer: Self.answer)
        var resumed = Self.back(400, start: 15.4)
        resumed.skip = 200
        script.media(resumed)
        script.hangUp(at: 24.2)
        let last = try #require(script.run().reports[Self.toCaller]?.last?.streams.first)
        #expect(Self.words(last) == "11 600 lost 0 repeated 0 twice 0")
        #expect((last[.maximumJitter] ?? 1) < 0.001)
        #expect(last[.outageSeconds] == 0)
        #expect(last[.pauseSeconds].map { ($0 * 100).rounded() / 100 } == 10.32)
        #expect(last.delayBuckets.dropFirst().allSatisfy { $0 == 0 })
    }

    @Test func `a silence in which numbers are missing is an outage, at its time`() throws {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(1_000))
        var cut = Self.back(1_000)
        // From 5.1 s on nothing for 4 s.
        cut.lost = Set(200..<400)
        script.media(cut)
        script.hangUp(at: 21.2)
        let run = script.run()
        let last = try #require(run.reports[Self.toCaller]?.last?.streams.first)
        #expect(Self.words(last) == "11 800 lost 200 repeated 0 twice 0")
        #expect(last[.outageSeconds].map { abs($0 - 4) < 0.001 } == true)
        let epoch = Script.epoch / 1_000_000
        let span = TimeSpan(
            start: Timestamp(milliseconds: epoch + 5_080), end: Timestamp(milliseconds: epoch + 9_100))
        #expect(last.lastOutage == span)
    }

    @Test func `a silence in which none are missing is a pause of the sender`() throws {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(1_000))
        script.media(Self.back(200))
        var after = Self.back(400, start: 13.1)
        after.firstNumber += 200
        // The time stamps ran on: silence suppression.
        after.skip = 0
        script.media(after.timed(from: 600))
        script.hangUp(at: 21.2)
        let run = script.run()
        let reports = try #require(run.reports[Self.toCaller])
        let last = try #require(reports.last?.streams.first)
        #expect(Self.words(last) == "11 600 lost 0 repeated 0 twice 0")
        #expect(last[.outageSeconds] == 0)
        #expect(last[.pauseSeconds].map { abs($0 - 8.02) < 0.001 } == true)
        #expect(reports.compactMap { $0.streams.first?[.outageSeconds] }.max() == 0)
    }

    @Test func `a frame with a time in the future stops nothing`() throws {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(1_500))
        var cut = Self.back(1_500)
        cut.lost = Set(700..<900)
        script.media(cut)
        script.hangUp(at: 31.2)
        let expected = script.run()
        let stray = ProbeScript.Frame(
            nanoseconds: Script.epoch + 86_400_000_000_000, bytes: [UInt8](repeating: 0, count: 60))
        var probe = WireProbe(linkType: .ethernet)
        probe.take(stray.bytes.span.bytes, wireLength: 60, at: ArrivalTime(nanoseconds: stray.nanoseconds))
        script.play(into: &probe)
        let run = ProbeRun(ending: &probe)
        #expect(run.reports == expected.reports && run.reports[Self.toCaller]?.count == 7)
        #expect(run.events == expected.events)
        let soon = Timestamp(milliseconds: Script.epoch / 1_000_000 + 10_000)
        #expect(run.figures.firstFrameAt.map { $0 < soon } == true)
    }

    @Test func `counters never run backwards from one report to the next`() {
        var script = Script()
        script.setUp(offer: Self.offer, answer: Self.answer)
        script.media(Self.forth(2_000))
        // Stops after 4 s and never comes back, while the other end goes on.
        script.media(Self.back(200))
        script.hangUp(at: 41.2)
        for (record, reports) in script.run().reports {
            for figure in [WireFigure.packetsReceived, .packetsLost, .outageSeconds, .pauseSeconds] {
                let values = reports.compactMap { $0.streams.first?[figure] }
                #expect(values == values.sorted(), "\(record) \(figure)")
            }
            #expect(reports.map(\.time) == reports.map(\.time).sorted(), "\(record)")
            #expect(Set(reports.map(\.time)).count == reports.count, "\(record)")
        }
    }
}

extension ProbeScript.Media {
    /// The same packets with time stamps that begin so many packets later.
    func timed(from packet: UInt32) -> ProbeScript.Media {
        var media = self
        media.firstTime = packet &* ticks
        return media
    }
}
