import CallModel
import PacketCapture
import RTPMeter
import Testing

/// What a probe tells of an end while one of its streams stands still.
@Suite struct WireProbeSilenceTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// Sound from a to b that stops for as long as it takes, without a number missing.
    private static func sound(silentFrom stop: Int, until resume: Int, to end: Int) -> [Script.Media] {
        let from = Script.Place(Script.caller.address, 4_000)
        let to = Script.Place(Script.callee.address, 6_000)
        let before = Script.Media(ssrc: 0xA, from: from, to: to, packets: stop)
        var after = Script.Media(
            ssrc: 0xA, from: from, to: to, start: Double(resume) * 0.02, packets: end - resume)
        after.firstNumber += UInt16(stop)
        return [before, after.timed(from: UInt32(resume))]
    }

    @Test func `pictures are told of as they come while the sound of the same end is muted`() throws {
        var script = Script()
        for media in Self.sound(silentFrom: 1_000, until: 2_500, to: 3_000) { script.media(media) }
        script.media(
            Script.Media(
                ssrc: 0xB, from: Script.Place(Script.caller.address, 4_002),
                to: Script.Place(Script.callee.address, 6_002), packets: 6_000, payloadType: 96, interval: 0.01,
                ticks: 900, payloadBytes: 900))
        let run = script.run()
        let record = try #require(run.records.first)
        #expect(run.records.count == 1)
        let reports = try #require(run.reports[record])
        let pictures = reports.compactMap { $0.streams.first { $0.kind == .video }?.count(.packetsReceived) }
        #expect(reports.count == 12 && pictures.count == 12)
        let steps = zip(pictures.dropFirst(), pictures).map(-)
        #expect(steps.dropLast().allSatisfy { (499...501).contains($0) }, "\(steps)")
        let pauses = reports.compactMap { $0.streams.first { $0.kind == .audio }?[.pauseSeconds] }
        #expect(pauses == pauses.sorted() && pauses.last.map { abs($0 - 30.02) < 0.01 } == true, "\(pauses)")
    }

    /// Two who speak in turns, as a server lets them through: of each much is missing, of all nothing.
    @Test(arguments: [3, 5, 8]) func `a call in which one pauses while another speaks is not on hold`(turn: Int) throws
    {
        var script = Script()
        for start in stride(from: 0, to: 60, by: turn) {
            let speaker = start / turn % 2
            var media = Script.Media(
                ssrc: 0xA + UInt32(speaker), from: Script.Place(Script.caller.address, 4_000),
                to: Script.Place(Script.callee.address, 6_000), start: Double(start),
                packets: 50 * min(turn, 60 - start))
            media.firstNumber += UInt16(50 * turn * (start / turn / 2))
            script.media(media.timed(from: UInt32(50 * start)))
        }
        let run = script.run()
        let summary = try #require(run.records.first.flatMap(run.summary))
        #expect(run.records.count == 1 && summary.streams.count == 2)
        #expect(abs(summary.scoredSeconds - 60) < 0.5 && summary.heldSeconds < 0.5 && summary.score == 100)
    }

    @Test func `pictures that are lost while the sound of the same end is muted are judged`() throws {
        var script = Script()
        for media in Self.sound(silentFrom: 1_000, until: 2_500, to: 3_000) { script.media(media) }
        var pictures = Script.Media(
            ssrc: 0xB, from: Script.Place(Script.caller.address, 4_002),
            to: Script.Place(Script.callee.address, 6_002), packets: 6_000, payloadType: 96, interval: 0.01, ticks: 900,
            payloadBytes: 900)
        pictures.lost = Set(stride(from: 2_505, to: 4_500, by: 10))
        script.media(pictures)
        let run = script.run()
        let summary = try #require(run.records.first.flatMap(run.summary))
        #expect(summary.issues.all.map(\.kind) == [.packetLoss])
        #expect(abs(summary.scoredSeconds - 60) < 1 && summary.worstScore ?? 100 < 80)
        let held = summary.holds.map { ($0.seconds - 30).magnitude < 0.1 && $0.isSenderPause == true }
        #expect(held == [true])
    }

    /// What a probe has told of an end after so many seconds, with what is to come still to come.
    private static func told(of script: Script) -> [WireReport] {
        var probe = WireProbe(linkType: .ethernet)
        script.play(into: &probe)
        return probe.takeOutput().compactMap { output in
            guard case .fact(_, _, .wire(let report)) = output else { return nil }
            return report
        }
    }

    @Test func `beside pictures that come, a silence is waited for no longer than five minutes`() throws {
        var script = Script()
        script.media(Self.sound(silentFrom: 500, until: 500, to: 500)[0])
        let sound = Self.told(of: script)
        script.media(
            Script.Media(
                ssrc: 0xB, from: Script.Place(Script.caller.address, 4_002),
                to: Script.Place(Script.callee.address, 6_002), packets: 32_000, payloadType: 96, interval: 0.01,
                ticks: 900, payloadBytes: 900))
        let reports = Self.told(of: script)
        #expect(sound.map { $0.time.milliseconds - Script.epoch / 1_000_000 } == [5_000])
        let seconds = reports.map { ($0.time.milliseconds - Script.epoch / 1_000_000) / 1_000 }
        #expect(seconds == Array(stride(from: 5, through: 310, by: 5)))
        let pauses = reports.compactMap { $0.streams.first { $0.kind == .audio }?[.pauseSeconds]?.rounded() }
        #expect(pauses == [0, 0] + stride(from: 5, through: 300, by: 5).map { Double($0) })
    }

    @Test func `a stream that is sent all through a hold loses packets as ever`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(2_000))
        var music = Calls.back(2_000)
        // The call goes on at 15.2 s; 5 s are lost from 25.1 s on.
        music.lost = Set(1_200..<1_450)
        script.media(music)
        let held = SIPScript.audio(4_000, "a=recvonly", address: Script.caller.text)
        let holding = SIPScript.audio(6_000, "a=sendonly", address: Script.callee.text)
        script.change(at: 5.2, number: 2, offer: held, answer: holding)
        script.change(at: 15.2, number: 3, offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 41.3)
        let run = script.run()
        let last = try #require(run.reports[Calls.toCaller]?.last?.streams.first)
        #expect(Calls.words(last) == "11 1750 lost 250 repeated 0 twice 0")
        #expect(last[.packetsSkipped] == nil)
        #expect(last[.outageSeconds].map { abs($0 - 5) < 0.001 } == true)
    }

    @Test func `an outage that is too long for its packets to be counted is an outage`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(5_000))
        var cut = Calls.back(5_000)
        cut.lost = Set(500..<3_900)
        script.media(cut)
        script.hangUp(at: 101.5)
        let last = try #require(script.run().reports[Calls.toCaller]?.last?.streams.first)
        #expect(Calls.words(last) == "11 1600 lost 0 repeated 0 twice 0")
        #expect(last[.outageSeconds].map { abs($0 - 68.02) < 0.001 } == true && last[.pauseSeconds] == 0)
    }

    /// Sound of 2 s and silence of 2 s in turn, in which nothing is sent; the sixth talkspurt does not come.
    @Test func `what a sender that falls silent between words had said is an outage, its silence beside it is not`()
        throws
    {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        for round in 0..<8 where round != 5 {
            var talkspurt = Calls.forth(100, start: 1.1 + Double(round) * 4)
            talkspurt.skip = 100 * round
            talkspurt.firstTime = UInt32(16_000 * round)
            script.media(talkspurt)
        }
        script.media(Calls.back(1_500))
        script.hangUp(at: 31.2)
        let run = script.run()
        let streams = try #require(run.reports[Calls.toCallee]).compactMap(\.streams.first)
        #expect(streams.last.map(Calls.words) == "10 700 lost 100 repeated 0 twice 0")
        for (member, seconds) in [(WireFigure.outageSeconds, 2.0), (WireFigure.pauseSeconds, 14.12)] {
            let told = streams.compactMap { $0[member] }
            #expect(told == told.sorted() && told.last.map { abs($0 - seconds) < 0.001 } == true, "\(told)")
        }
        let outages = try #require(run.summary(of: Calls.toCallee)).outages.map(\.span)
        let origin = Script.epoch / 1_000_000
        #expect(outages.map { [$0.start, $0.end].map { ($0?.milliseconds ?? 0) - origin } } == [[23_100, 25_100]])
    }

    /// Packets 500 to 2,000 of a minute do not come; where it ends there, none come after them.
    @Test(arguments: [2_950, 2_000])
    func `sound of which later numbers tell that it was sent does not go one way`(sent: Int) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        var cut = Calls.forth(sent)
        cut.lost = Set(500..<2_000)
        script.media(cut)
        script.media(Calls.back(sent))
        script.hangUp(at: 1.2 + Double(sent) * 0.02)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        #expect(summary.outages.map { $0.seconds.rounded() } == [30])
        #expect(summary.issues.all.map(\.kind).contains(.oneWayAudio) == (sent == 2_000))
        #expect(summary.isOneWay == (sent == 2_000))
    }

    /// What is told of a sender that may say goodbye at 3 s, and goes on; eight seconds of it are lost from 12 s on.
    private static func reports(saysGoodbye: Bool) -> [WireReport] {
        var script = Script()
        let (from, to) = (Script.Place(Script.caller.address, 4_000), Script.Place(Script.callee.address, 6_000))
        script.media(Script.Media(ssrc: 0xA, from: from, to: to, packets: 1_490, lost: Set(600..<1_000)))
        script.media(Script.Media(ssrc: 0xB, from: to, to: from, packets: 1_490))
        let goodbye: [UInt8] = [0x81, 203, 0, 1, 0, 0, 0, 0xA]
        if saysGoodbye { script.udp(goodbye, from: from, to: to, at: 3.01) }
        return script.run().reports.first { $0.key.observer.rawValue == "wire:b" }?.value ?? []
    }

    @Test func `a sender that goes on after a goodbye has not left`() {
        let reports = Self.reports(saysGoodbye: true)
        #expect(reports == Self.reports(saysGoodbye: false))
        let outages = reports.compactMap { $0.streams.first?[.outageSeconds] }
        let expected = [0, 0, 3.02, 8.02, 8, 8]
        #expect(outages.count == expected.count)
        #expect(zip(outages, expected).allSatisfy { abs($0 - $1) < 0.001 }, "\(outages)")
    }

    /// Snapshots come every 5 s: there is none while packets are held back from 10.08 s on, one or two in the others, and in
    /// the last case it is due just as the packets come.
    @Test(arguments: [450..<550, 600..<700, 390..<790, 497..<695])
    func `packets that were held back are one outage, where it was`(held: Range<Int>) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        var media = Calls.forth(1_500)
        media.held = held
        script.media(media)
        script.media(Calls.back(1_500))
        script.hangUp(at: 31.2)
        let run = script.run()
        let last = try #require(run.reports[Calls.toCallee]?.last?.streams.first)
        #expect(Calls.words(last) == "10 1500 lost 0 repeated 0 twice 0")
        let start = 1_100 + Int64(held.lowerBound - 1) * 20
        let end = 1_100 + Int64(held.upperBound - 1) * 20
        #expect(last[.outageSeconds].map { ($0 * 1_000).rounded() } == Double(end - start) && last[.pauseSeconds] == 0)
        let summary = try #require(run.summary(of: Calls.toCallee))
        let origin = Script.epoch / 1_000_000
        let outages = summary.outages.map { outage in
            [outage.span.start, outage.span.end ?? outage.span.start].map { $0.milliseconds - origin }
        }
        #expect(outages == [[start, end]])
        #expect(summary.outages.map { ($0.seconds * 1_000).rounded() } == [Double(end - start)])
        #expect(summary.holds == [] && summary.outages.allSatisfy { !$0.evidence.contains("sequenceNumber") })
    }

    /// A sender that begins anew after 10 s, with another SSRC and after so many packets of silence; on hold or not.
    @Test(arguments: [(250, false, 5.02), (75, false, 1.52), (0, false, 0), (250, true, 0)])
    func `a silence between two streams to one end is told`(silent: Int, isHeld: Bool, seconds: Double) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(500))
        var second = Calls.forth(500, start: 11.1 + Double(silent) * 0.02)
        (second.ssrc, second.firstNumber) = (0xC, 40_000)
        script.media(second)
        script.media(Calls.back(1_000 + silent))
        if isHeld {
            script.change(at: 11.09, number: 2, offer: Calls.held, answer: Calls.holding)
            script.change(at: 16.05, number: 3, offer: Calls.offer, answer: Calls.answer)
        }
        script.hangUp(at: 21.2 + Double(silent) * 0.02)
        let run = script.run()
        let last = try #require(run.reports[Calls.toCallee]?.last?.streams)
        #expect(last.map { ($0[.pauseSeconds] ?? -1) - ($0.ssrc == 0xA ? seconds : 0) }.allSatisfy { abs($0) < 0.001 })
        let summary = try #require(run.summary(of: Calls.toCallee))
        let paused = summary.holds.filter { $0.isSenderPause == true }.map(\.seconds)
        #expect(abs(paused.reduce(0, +) - seconds) < 0.001 && summary.outages == [], "\(paused)")
    }

    @Test func `packets sent again are found among many streams of pictures on one way`() throws {
        var script = Script()
        let from = Script.Place(Script.caller.address, 4_002)
        let to = Script.Place(Script.callee.address, 6_002)
        for index in 0..<20 {
            // Some of the clocks wrap.
            let clock = UInt32(truncatingIfNeeded: index * 214_748_365) &- 90_000
            let picture = Script.Media(
                ssrc: UInt32(100 + index), from: from, to: to, packets: 300, firstTime: clock, payloadType: 96,
                ticks: 1_800, payloadBytes: 900)
            var again = picture
            (again.ssrc, again.payloadType) = (UInt32(200 + index), 97)
            again.lost = Set((0..<300).filter { $0 % 20 > 4 })
            script.media(picture)
            script.media(again)
        }
        let run = script.run()
        let streams = run.lastReports.flatMap(\.report.streams)
        let primary = streams.filter { $0.role == .primary }.compactMap { UInt32($0.id) }.sorted()
        let repeated = streams.filter { $0.role == .retransmission }.compactMap { UInt32($0.id) }.sorted()
        #expect(primary == Array(100..<120) && repeated == Array(200..<220))
    }

    /// What sound beside pictures does from 15 s to 35 s.
    enum Beside: CaseIterable { case isLost, isPaused, goesOn }

    /// A minute of pictures, none from 15 s to 35 s: so many numbers are missing, of 500.
    @Test(arguments: Beside.allCases, [6, 30])
    func `pictures that stop while sound is lost are lost, too, however few their sender sent`(
        sound: Beside, missing: Int
    ) throws {
        var script = Script()
        for var media in Self.sound(silentFrom: 750, until: 1_750, to: 3_000) {
            if sound != .isPaused, media.start > 0 { media.firstNumber += 1_000 }
            script.media(media)
        }
        if sound == .goesOn {
            var rest = Self.sound(silentFrom: 750, until: 750, to: 1_750)[1]
            rest.firstNumber = 1_750
            script.media(rest)
        }
        let before = Script.Media(
            ssrc: 0xB, from: Script.Place(Script.caller.address, 4_002),
            to: Script.Place(Script.callee.address, 6_002), packets: 375, payloadType: 96, interval: 0.04,
            ticks: 3_600, payloadBytes: 900, isMarked: true)
        var after = before.timed(from: 875)
        (after.start, after.packets, after.firstNumber) = (35, 625, 1_375 + UInt16(missing))
        script.media(before)
        script.media(after)
        let pictures = try #require(script.run().streams.first { $0.kind == .video })
        let told = [
            .packetsLost, .packetsLostInOutages, .lossRunsInOutages, .outageSeconds, .pauseSeconds, .packetsSkipped,
            .sequenceRestarts, .longestLossRun,
        ].map { pictures[$0 as WireFigure].map { ($0 * 100).rounded() / 100 } }
        let (all, few) = (Double(missing), missing == 6)
        let lost: [Double?] = [all, all, 1, 20.04, 0, nil, 0, all]
        let stopped: [Double?] =
            few ? [all, 0, nil, 0, 19.8, nil, 0, all] : [0, 0, nil, 0, 20.04, all, 1, 0]
        #expect(told == (sound == .isLost ? lost : stopped))
    }
}
