import CallModel
import PacketCapture
import Testing

/// Calls that end while one end hears nothing: whether the sender was silent, or its sound was lost.
@Suite struct WireProbeEndingTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// The outages of who receives the callee's sound, in tenths of a second.
    private static func outages(_ script: ProbeScript) -> [Double]? {
        let run = script.run()
        let record = run.records.first { ["wire:caller", "wire:a"].contains($0.observer.rawValue) }
        return record.flatMap { run.summary(of: $0) }?.outages.map { ($0.seconds * 10).rounded() / 10 }
    }

    /// A call of 20 s, with signalling or without, whose BYE the capture may not have.
    private static func call(
        hasSIP: Bool = true, isHungUp: Bool = true, _ back: [ProbeScript.Media]
    ) -> ProbeScript {
        var script = Script()
        if hasSIP { script.setUp(offer: Calls.offer, answer: Calls.answer) }
        script.media(Calls.forth(1_000))
        for media in back { script.media(media) }
        if hasSIP, isHungUp { script.hangUp(at: 21.11) }
        return script
    }

    /// A sender that has paused for 3 s, without a number missing, and stops for good at 11.1 s.
    private static var paused: [ProbeScript.Media] {
        var after = Calls.back(200, start: 7.1)
        after.firstNumber += 150
        return [Calls.back(150), after.timed(from: 300)]
    }

    /// A report of the callee, by whose count so many packets were sent.
    private static func senderReport(_ packets: UInt8, _ more: UInt8 = 0) -> [UInt8] {
        [0x80, 200, 0, 6, 0, 0, 0, 0xB] + [UInt8](repeating: 1, count: 12) + [0, 0, more, packets, 0, 0, 0, 0]
    }

    /// A report of the callee as of one who sends nothing.
    private static let receiverReport: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 0xB]

    private static let goodbye: [UInt8] = [0x81, 203, 0, 1, 0, 0, 0, 0xB]

    @Test(arguments: [true, false])
    func `sound that stops while the other end is still sent to was lost`(hasSIP: Bool) {
        #expect(Self.outages(Self.call(hasSIP: hasSIP, [Calls.back(500)])) == [10])
    }

    @Test(arguments: [true, false])
    func `a sender that has paused before is silent when the call ends`(hasSIP: Bool) {
        #expect(Self.outages(Self.call(hasSIP: hasSIP, Self.paused)) == [])
    }

    @Test(arguments: [13, 0] as [UInt8])
    func `a last packet that is far smaller than the others begins a silence`(payloadType: UInt8) {
        var last = Calls.back(1, start: 11.1)
        (last.skip, last.payloadType, last.payloadBytes) = (500, payloadType, 2)
        #expect(Self.outages(Self.call([Calls.back(500), last])) == [])
    }

    /// Until 5 s the callee has sent 195 packets by its count, and 400 more until the call ends, or none.
    @Test(arguments: [(true, [10.0]), (false, [])])
    func `a sender that counts what did not come has not paused`(counts: Bool, outages: [Double]) {
        var script = Self.call(Self.paused)
        script.udp(Self.senderReport(150), from: Calls.calleeMedia, to: Calls.callerMedia, at: 4)
        let last = counts ? Self.senderReport(200, 2) : Self.senderReport(94, 1)
        script.udp(last, from: Calls.calleeMedia, to: Calls.callerMedia, at: 20.9)
        #expect(Self.outages(script) == outages)
    }

    /// The callee's sound stops at 11.1 s, the capture ten seconds later.
    @Test(arguments: [(false, [], [10.0]), (true, [10.0], [])])
    func `sound that stops before a capture ends was lost only where its sender counts it`(
        counts: Bool, outages: [Double], pauses: [Double]
    ) throws {
        var script = Self.call(isHungUp: false, [Calls.back(500)])
        if counts {
            for (time, report) in [(4.0, Self.senderReport(150)), (20.9, Self.senderReport(200, 2))] {
                script.udp(report, from: Calls.calleeMedia, to: Calls.callerMedia, at: time)
            }
        }
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        #expect(summary.outages.map { $0.seconds.rounded() } == outages)
        #expect(summary.holds.map { $0.seconds.rounded() } == pauses)
    }

    /// The callee's sound stops at 11.1 s, after 500 packets; what it reports at 15 s may follow on a sender's report at 4 s.
    @Test(
        arguments: [
            (true, senderReport(249, 1), []), (true, receiverReport, []), (true, senderReport(200, 2), [10]),
            (true, senderReport(200, 2) + receiverReport, [10]), (false, receiverReport, [10]),
            (false, senderReport(249, 1), [10]),
        ] as [(Bool, [UInt8], [Double])])
    func `a sender that tells that it sends nothing is silent when the call ends`(
        hasReported: Bool, last: [UInt8], outages: [Double]
    ) {
        var script = Self.call([Calls.back(500)])
        let first = Self.senderReport(150)
        if hasReported { script.udp(first, from: Calls.calleeMedia, to: Calls.callerMedia, at: 4) }
        script.udp(last, from: Calls.calleeMedia, to: Calls.callerMedia, at: 15)
        #expect(Self.outages(script) == outages)
    }

    @Test(arguments: [(11.2, []), (21.1, [10.0])])
    func `a goodbye explains a silence that begins with it, and none before`(time: Double, outages: [Double]) {
        var script = Self.call([Calls.back(500)])
        script.udp(Self.goodbye, from: Calls.calleeMedia, to: Calls.callerMedia, at: time)
        #expect(Self.outages(script) == outages)
    }

    /// What comes after a source left at 11.1 s, in seconds: another source at once or later, or the same again.
    @Test(
        arguments: [
            (nil, 0xB, [20.0]), (0.2, 0xC, []), (10, 0xC, [10]), (10, 0xB, [10]),
        ] as [(Double?, UInt32, [Double])])
    func `the silence after a goodbye is a pause until sound comes again`(
        after: Double?, ssrc: UInt32, pauses: [Double]
    ) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_500))
        script.media(Calls.back(500))
        script.udp(Self.goodbye, from: Calls.calleeMedia, to: Calls.callerMedia, at: 11.12)
        if let after {
            var next = Calls.back(Int((20 - after) * 50), start: 11.08 + after)
            (next.ssrc, next.skip, next.firstTime) = (ssrc, 500, UInt32(after * 8_000))
            script.media(next)
        }
        script.hangUp(at: 31.1)
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        #expect(summary.holds.map { $0.seconds.rounded() } == pauses && summary.outages == [])
        #expect(abs(summary.scoredSeconds - (30 - pauses.reduce(0, +))) < 0.3, "\(summary.scoredSeconds)")
    }

    /// Sound both ways stops at 11.1 s, and the call is hung up so much later. The callee's own count may tell of packets that
    /// did not come, or a re-INVITE has named another place by then.
    @Test(arguments: [
        (20.0, "", [20.0], []), (3, "", [3], []), (2.4, "", [2.4], []), (3.4, "", [3.4], []), (4.6, "", [4.6], []),
        (5.4, "", [5.4], []), (6.4, "", [6.4], []), (0.5, "", [], []), (20, "count", [], [20]), (20, "move", [], []),
    ])
    func `a silence of both ends in which a call is hung up is told`(
        seconds: Double, sign: String, pauses: [Double], outages: [Double]
    ) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(500))
        script.media(Calls.back(500))
        for (time, count) in [(4.0, Self.senderReport(150)), (30, Self.senderReport(200, 2))] where sign == "count" {
            script.udp(count, from: Calls.calleeMedia, to: Calls.callerMedia, at: time)
        }
        if sign == "move" {
            let elsewhere = SIPScript.audio(4_100, address: Script.caller.text)
            script.change(at: 11, number: 2, offer: elsewhere, answer: Calls.answer)
        }
        script.hangUp(at: 11.08 + seconds)
        let run = script.run()
        let summary = try #require(run.summary(of: Calls.toCaller))
        #expect(summary.holds.map { ($0.seconds * 100).rounded() / 100 } == pauses)
        let lengths = summary.holds.map { $0.span.end?.seconds(since: $0.span.start) ?? 0 }
        #expect(lengths.map { ($0 * 100).rounded() / 100 } == pauses)
        #expect(summary.outages.map { ($0.seconds * 100).rounded() / 100 } == outages)
        #expect(try #require(run.summary(of: Calls.toCallee)).outages == [])
    }

    @Test(arguments: [true, false])
    func `sound that its sender stopped until the end is no perfect sound`(hasSIP: Bool) throws {
        let run = Self.call(hasSIP: hasSIP, Self.paused).run()
        let record = try #require(run.records.first { ["wire:caller", "wire:a"].contains($0.observer.rawValue) })
        let pause = try #require(run.summary(of: record)?.holds.last)
        #expect(pause.isSenderPause == true && abs(pause.seconds - 10) < 0.15, "\(pause)")
    }

    /// Of the last 2 s to the callee two thirds of the packets are lost; the windows of the score may end just before them.
    @Test(arguments: [500, 550, 600, 650, 700, 750, 1_000, 1_100, 1_200])
    func `what is lost in the last seconds costs what it would elsewhere`(packets: Int) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        var media = Calls.forth(packets)
        media.lost = Set((packets - 100..<packets - 1).filter { $0 % 3 > 0 })
        script.media(media)
        script.media(Calls.back(packets))
        script.hangUp(at: 1.15 + Double(packets) * 0.02)
        let run = script.run()
        let (broken, clean) = (
            try #require(run.summary(of: Calls.toCallee)), try #require(run.summary(of: Calls.toCaller))
        )
        #expect(broken.score.map { $0 < 80 } == true, "\(String(describing: broken.score))")
        #expect(clean.score == 100)
        for summary in [broken, clean] { #expect(summary.scoredSeconds > Double(packets) * 0.02 - 1) }
    }

    @Test func `runs of lost packets in outages are counted apart`() {
        var back = Calls.back(500)
        back.lost = Set(100..<130).union([200, 300, 301]).union(350..<420)
        let streams = Self.call([back]).run().streams
        #expect(streams.map { $0.count(.lossRunsInOutages) } == [2, -1])
        #expect(streams.first.map { $0.lossRuns.reduce(0, +) } == 4)
    }

    @Test func `what does not come after a hold is missing from its end on`() throws {
        var script = Self.call([Calls.back(200)])
        script.change(at: 5.2, number: 2, offer: Calls.held, answer: Calls.holding)
        script.change(at: 10.2, number: 3, offer: Calls.offer, answer: Calls.answer)
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        let start = summary.outages.first.map { Double($0.span.start.milliseconds - Script.epoch / 1_000_000) / 1000 }
        #expect(start.map { abs($0 - 10.21) < 0.01 } == true, "\(String(describing: start))")
        #expect(summary.outages.map { $0.seconds.rounded() } == [11])
    }

    /// A re-INVITE moves the media past the probe, and perhaps back; the BYE comes after more than ten minutes.
    @Test(arguments: [false, true])
    func `a call whose media stop for more than ten minutes goes on until its BYE`(isBack: Bool) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(450))
        script.media(Calls.back(450))
        if isBack {
            for media in [Calls.forth(500, start: 721.1), Calls.back(500, start: 721.1)] {
                var later = media
                later.skip = 450
                script.media(later)
            }
        }
        script.hangUp(at: 731.2)
        let run = script.run()
        #expect(run.told.filter { $0.fact == nil }.map(\.call.rawValue) == ["call-1"])
        #expect(run.figures.calls == 1)
        let summary = try #require(run.summary(of: Calls.toCaller))
        #expect(summary.outcome == .connected)
        let packets = isBack ? 950 : 450
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": ["11 \(packets) lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 \(packets) lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `packets that were lost before the probe count as sent`() throws {
        var cut = Calls.back(1_000)
        cut.lost = Set(200..<600)
        let run = Self.call([cut]).run()
        #expect(run.lastReports.map(\.report.audioPacketsSent) == [1_000, 1_000])
    }

    @Test(arguments: [(2, 20.0), (3, 20), (150, 17)])
    func `a stream that ends with its first packets is missed as any other`(packets: Int, seconds: Double) {
        #expect(Self.outages(Self.call([Calls.back(packets)])) == [seconds])
    }

    @Test(arguments: [250, 330, 900]) func `a caller may wait in early media for long`(wait: Int) throws {
        var script = Script()
        let tags = ("caller-tag", String?.some("callee-tag"))
        script.sip(.init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        for (milliseconds, start) in [(500, "SIP/2.0 183 Session Progress"), (1_000 * wait, "SIP/2.0 200 OK")] {
            script.sip(
                .init(
                    milliseconds: Int64(milliseconds), start: start, sequence: "1 INVITE", tags: tags,
                    sdp: Calls.answer, isFromCallee: true))
        }
        script.sip(
            .init(milliseconds: Int64(1_000 * wait + 10), start: "ACK", sequence: "1 ACK", tags: tags, branch: "2"))
        script.media(Calls.back(50 * (wait + 20) - 30, start: 0.6))
        script.media(Calls.forth(1_000, start: Double(wait) + 0.1))
        script.hangUp(at: Double(wait) + 20.2)
        let run = script.run()
        #expect(run.figures.calls == 1)
        #expect(
            Calls.words(run) == [
                "call-1/wire:caller": ["11 \(50 * (wait + 20) - 30) lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 1000 lost 0 repeated 0 twice 0"],
            ])
        #expect(run.events[Calls.toCaller]?.map(\.type) == ["INVITE", "183", "200", "ACK", "BYE", "BYE 200"])
    }

    /// One end hears nothing from 11 s on, the other from 21 s on; whether it is over is looked at every 5 s.
    @Test(arguments: [(40, 40.0), (70, 56)])
    func `the last report of a call says until when more was waited for`(end: Int, watched: Double) {
        var script = Self.call(hasSIP: false, [Calls.back(500)])
        var others = Script.Media(ssrc: 0xF, from: Script.Place(1, 4_000), to: Script.Place(2, 6_000), start: 30)
        others.packets = (end - 30) * 50 + 1
        script.media(others)
        let run = script.run()
        let told = ["wire:a", "wire:b"].map { name in
            run.records.first { $0.observer.rawValue == name }.flatMap { run.reports[$0] }?.map {
                $0.sensor.watchedUntil.map { Double($0.milliseconds - Script.epoch / 1_000_000) / 1000 }
            }
        }
        #expect(told.map { $0?.last } == [watched, watched])
        #expect(told.allSatisfy { $0?.dropLast().allSatisfy { $0 == nil } == true }, "\(told)")
    }

    /// On hold from 5.2 s on; others speak until the capture ends.
    @Test(arguments: [15, 40, 160, 900])
    func `a call that is on hold when the capture ends goes on`(end: Int) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(200))
        script.media(Calls.back(200))
        script.change(at: 5.2, number: 2, offer: Calls.held, answer: Calls.holding)
        var others = Script.Media(ssrc: 0xF, from: Script.Place(1, 4_000), to: Script.Place(2, 6_000), start: 6)
        others.packets = (end - 6) * 50 + 2
        script.media(others)
        let run = script.run()
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try #require(run.summary(of: record))
            #expect(summary.sensor?.watchedUntil?.milliseconds == Script.epoch / 1_000_000 + Int64(end * 1_000 + 20))
            #expect(summary.outlivesCapture && summary.endCause(isLive: false) == nil)
        }
    }

    /// The first BYE was lost, and that sent again 3.5 s later is answered, or none is; another call goes on meanwhile.
    @Test(arguments: [(14_605, 3_505), (nil, nil)] as [(Int64?, Int64?)])
    func `a hang-up that is answered late is told with its answer`(answer: Int64?, delay: Int64?) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(500))
        script.media(Calls.back(675))
        let tags = ("caller-tag", String?.some("callee-tag"))
        for begin in [11_100, 11_600, 12_600, 14_600] as [Int64] {
            script.sip(.init(milliseconds: begin, start: "BYE", sequence: "9 BYE", tags: tags, branch: "9"))
        }
        if let answer {
            script.sip(
                .init(
                    milliseconds: answer, start: "SIP/2.0 200 OK", sequence: "9 BYE", tags: tags, branch: "9",
                    isFromCallee: true))
        }
        var others = Script.Media(ssrc: 0xF, from: Script.Place(1, 4_000), to: Script.Place(2, 6_000), start: 6)
        others.packets = 3_000
        script.media(others)
        let run = script.run()
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try #require(run.summary(of: record))
            #expect(summary.setup.sessionDisconnectDelay == delay)
            #expect(summary.endedAt?.milliseconds == Script.epoch / 1_000_000 + 11_100)
        }
    }

    /// The caller hangs up as its sound stops, or 3 s later; what the callee still sends arrives for a second more.
    @Test(arguments: [(11.15, []), (14.15, [3.1])])
    func `what is on its way after the hang-up makes no silence longer`(end: Double, outages: [Double]) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(500))
        script.media(Calls.back(Int((end - 1.1 + 2) * 50)))
        script.hangUp(at: end)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        #expect(summary.outages.map { ($0.seconds * 10).rounded() / 10 } == outages && summary.holds == [])
    }

    /// Pictures of 3 s, and again from then on, if they come again; others are sent to meanwhile.
    @Test(arguments: [(nil, [2_980]), (14.0, [5_000, 10_000, 15_000, 16_980])] as [(Double?, [Int64])])
    func `pictures that stop are told of no further, if they do not come again`(again: Double?, times: [Int64]) {
        var pictures = Script.Media(
            ssrc: 0xA, from: Calls.callerMedia, to: Calls.calleeMedia, packets: 150, payloadType: 96, ticks: 1_800,
            payloadBytes: 900, isMarked: true)
        var script = Script()
        script.media(pictures)
        if let again {
            (pictures.start, pictures.firstNumber, pictures.firstTime) = (again, 1_150, UInt32(again * 90_000))
            script.media(pictures)
        }
        for second in 1...40 { script.udp([1], from: Script.caller, to: Script.callee, at: Double(second)) }
        let told = script.run().reports.values.map { $0.map { $0.time.milliseconds - Script.epoch / 1_000_000 } }
        #expect(told == [times])
    }
}
