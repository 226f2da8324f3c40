import CallModel
import Testing

@testable import PacketCapture

/// What the fold makes of media during a hold, and of a sender that falls silent.
@Suite struct WireProbeHoldTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A call that is on hold from 5.2 s to 17.2 s, in silence.
    private static func callOnHold() throws -> CallSummary {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(200))
        script.change(at: 5.2, number: 2, offer: Calls.held, answer: Calls.holding)
        script.change(at: 17.2, number: 3, offer: Calls.offer, answer: Calls.answer)
        var resumed = Calls.forth(400, start: 17.2)
        resumed.skip = 200
        script.media(resumed)
        script.hangUp(at: 25.2)
        return try #require(script.run().summary(of: Calls.toCallee))
    }

    @Test(arguments: [5.2, 6.3, 7.9]) func `music on hold has the bit rate of the music`(start: Double) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_200))
        script.change(at: start, number: 2, offer: Calls.held, answer: Calls.holding)
        script.change(at: start + 12, number: 3, offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 25.2)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        #expect(abs(summary.heldSeconds - 12) < 0.1)
        let stream = try #require(summary.streams.first)
        #expect(stream.bitrateKilobitsPerSecond.map { abs($0 - 64) < 0.5 } == true, "\(stream)")
    }

    @Test func `of a hold without media the bit rate leaves out the silence`() throws {
        let stream = try #require(try Self.callOnHold().streams.first)
        #expect(stream.bitrateKilobitsPerSecond.map { abs($0 - 64) < 2 } == true, "\(stream)")
    }

    /// What flows to an end, each stream in few words and what was skipped of it.
    private static func streams(to record: ProbeRun.Record, _ run: ProbeRun) throws -> [String] {
        try #require(run.reports[record]?.last).streams.map {
            "\(Calls.words($0)) skipped \($0.count(.packetsSkipped))"
        }
    }

    @Test func `a hold of the sound forgives no loss of pictures`() throws {
        func described(_ port: Int, _ address: String, _ direction: String) -> String {
            SIPScript.audio(port, "a=\(direction)", address: address)
                + "m=video \(port + 2) RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
        }
        let (caller, callee) = (Script.caller.address, Script.callee.address)
        let offer = { described(4_000, Script.caller.text, $0) }
        let answer = { described(6_000, Script.callee.text, $0) }
        var script = Script()
        script.setUp(offer: offer("sendrecv"), answer: answer("sendrecv"))
        script.change(at: 5.2, number: 2, offer: offer("inactive"), answer: answer("inactive"))
        script.change(at: 17.2, number: 3, offer: offer("sendrecv"), answer: answer("sendrecv"))
        script.media(Calls.forth(200))
        var resumed = Calls.forth(300, start: 17.2)
        resumed.skip = 805
        script.media(resumed)
        script.media(
            Script.Media(
                ssrc: 0xC, from: Script.Place(caller, 4_002), to: Script.Place(callee, 6_002), start: 1.1,
                packets: 1_100, payloadType: 96, ticks: 1_800, payloadBytes: 900, lost: Set(400..<500)))
        script.hangUp(at: 23.2)
        #expect(
            try Self.streams(to: Calls.toCallee, script.run()) == [
                "10 500 lost 0 repeated 0 twice 0 skipped 605", "12 1000 lost 100 repeated 0 twice 0 skipped -1",
            ])
    }

    @Test(arguments: [false, true])
    func `a hold of one way forgives no loss of the music that comes the other way`(hasMusic: Bool) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.change(at: 5.2, number: 2, offer: Calls.held, answer: Calls.holding)
        script.change(at: 17.2, number: 3, offer: Calls.offer, answer: Calls.answer)
        // The numbers of who sends nothing run on meanwhile.
        var (forth, back) = (Calls.forth(1_105), Calls.back(1_105))
        forth.lost = Set(hasMusic ? 500..<600 : 200..<805)
        back.lost = Set(200..<805)
        script.media(forth)
        script.media(back)
        script.hangUp(at: 23.4)
        let run = script.run()
        let music = "10 1005 lost 100 repeated 0 twice 0 skipped -1"
        let silence = "10 500 lost 0 repeated 0 twice 0 skipped 605"
        #expect(try Self.streams(to: Calls.toCallee, run) == [hasMusic ? music : silence])
        #expect(try Self.streams(to: Calls.toCaller, run) == ["11 500 lost 0 repeated 0 twice 0 skipped 605"])
    }

    // MARK: Senders that fall silent

    /// Where a sender pauses for a while again and again, and sound in between, in seconds.
    private static let silences = [(pause: 3.0, sound: 5.0), (6, 2), (2.2, 3.3), (12, 4)]

    @Test(arguments: silences)
    func `pauses of a sender are none of a hold, and lie where no sound came`(pause: Double, sound: Double) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        let (talk, silent) = (Int(sound * 50), Int(pause * 50))
        for round in 0..<5 {
            var media = Calls.forth(talk, start: 1.1 + Double(round) * (sound + pause))
            media.skip = talk * round
            media.firstTime = UInt32(160 * silent * round)
            script.media(media)
        }
        script.media(Calls.back(Int((5 * sound + 4 * pause) * 50)))
        script.hangUp(at: 1.2 + 5 * sound + 4 * pause)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        #expect(summary.holds.allSatisfy { $0.isSenderPause == true && $0.seconds >= 0.001 }, "\(summary.holds)")
        #expect(abs(summary.holds.reduce(0) { $0 + $1.seconds } - 4 * pause) < 1, "\(summary.holds)")
        let pauses = (0..<4).map { 1.1 + sound + Double($0) * (sound + pause) }
        for hold in summary.holds {
            let start = hold.span.start.seconds(since: Timestamp(milliseconds: Script.epoch / 1_000_000))
            let end = start + Double(hold.span.milliseconds ?? 0) / 1000
            let without = pauses.reduce(0) { $0 + max(0, min(end, $1 + pause) - max(start, $1)) }
            // What of a pause lies before a report that it ends after is known to half a second.
            #expect(without > hold.seconds - 0.5, "\(start) to \(end): \(hold.seconds) s of \(without) s")
        }
    }

    @Test func `what signalling calls a hold is no pause of the sender`() throws {
        let holds = try Self.callOnHold().holds
        #expect(!holds.isEmpty && holds.allSatisfy { $0.isSenderPause == false }, "\(holds)")
    }

    @Test(arguments: [15.6, 17.2, 19.7]) func `a hold that ends with another stream of sound is one hold`(
        end: Double
    ) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(200))
        script.change(at: 5.2, number: 2, offer: Calls.held, answer: Calls.holding)
        script.change(at: end, number: 3, offer: Calls.offer, answer: Calls.answer)
        var resumed = Calls.forth(400, start: end + 0.03)
        resumed.ssrc = 0xC
        script.media(resumed)
        script.hangUp(at: end + 8.1)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        let origin = Script.epoch / 1_000_000
        let spans = summary.holds.map { [$0.span.start, $0.span.end].map { ($0?.milliseconds ?? 0) - origin } }
        #expect(spans == [[5_210, Int64((end * 1000).rounded()) + 10]])
        #expect(abs(summary.heldSeconds - (end - 5.2)) < 0.001, "\(summary.heldSeconds)")
    }

    /// Sound of both ways that stops at 5.1 s for a hold, and comes again at 15.2 s without a word of it.
    @Test(arguments: [("sendonly", "recvonly"), ("inactive", "inactive")], [UInt32(0), 0x10])
    func `sound that stopped with a hold and comes again ends it`(
        directions: (held: String, holding: String), otherSource: UInt32
    ) throws {
        let held = SIPScript.audio(4_000, "a=\(directions.held)", address: Script.caller.text)
        let holding = SIPScript.audio(6_000, "a=\(directions.holding)", address: Script.callee.text)
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.change(at: 5.2, number: 2, offer: held, answer: holding)
        for (before, after) in [
            (Calls.forth(200), Calls.forth(1_500, start: 15.2)), (Calls.back(200), Calls.back(1_500, start: 15.2)),
        ] {
            var resumed = after
            (resumed.skip, resumed.ssrc) = (200, after.ssrc + otherSource)
            script.media(before)
            script.media(resumed)
        }
        script.hangUp(at: 45.3)
        let run = script.run()
        for record in [Calls.toCaller, Calls.toCallee] {
            #expect(run.events[record]?.filter { $0.type == "RESUME" }.map(\.members["isFromMedia"]) == [.bool(true)])
            let summary = try #require(run.summary(of: record))
            let origin = Script.epoch / 1_000_000
            let spans = summary.holds.map { [$0.span.start, $0.span.end].map { ($0?.milliseconds ?? 0) - origin } }
            #expect(spans == [[5_210, 15_200]])
            #expect(abs(summary.scoredSeconds - 34) < 1, "\(summary.scoredSeconds)")
        }
    }

    /// Music, after a silence and the way that is not held, beside a phone that sends nothing, sends on and loses 3 s, or sends
    /// on for some seconds and comes back.
    @Test(arguments: [Set(200..<2_000), Set(500..<650), Set(450..<700)])
    func `music on hold, and a phone that does not follow it, end no hold`(unsent: Set<Int>) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.change(at: 5.2, number: 2, offer: Calls.held, answer: Calls.holding)
        var (forth, back) = (Calls.forth(2_000), Calls.back(2_000))
        forth.lost = Set(200..<350)
        back.lost = unsent
        script.media(forth)
        script.media(back)
        script.hangUp(at: 41.2)
        let run = script.run()
        for record in [Calls.toCaller, Calls.toCallee] {
            #expect(run.events[record]?.contains { $0.type == "RESUME" } == false)
            #expect(abs(try #require(run.summary(of: record)).heldSeconds - 36) < 0.2)
        }
    }

    /// A call on hold from 1.5 s on, until it goes on or is hung up, in a capture that has nothing else.
    @Test(arguments: [(40.0, true), (28, false), (29.9, false), (33, false)])
    func `a hold is as long as it was agreed, where no frame passes meanwhile`(end: Double, goesOn: Bool) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(20))
        script.media(Calls.back(20))
        script.change(at: 1.5, number: 2, offer: Calls.held, answer: Calls.holding)
        if goesOn {
            script.change(at: end, number: 3, offer: Calls.offer, answer: Calls.answer)
            for media in [Calls.forth(500, start: end + 0.1), Calls.back(500, start: end + 0.1)] {
                var resumed = media
                resumed.skip = 20
                script.media(resumed)
            }
        }
        script.hangUp(at: goesOn ? end + 10.2 : end)
        let run = script.run()
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try #require(run.summary(of: record))
            #expect(abs(summary.heldSeconds - (end - 1.5)) < 0.2, "\(summary.heldSeconds)")
            let hold = try #require(summary.holds.last)
            let begin = hold.span.start.seconds(since: Timestamp(milliseconds: Script.epoch / 1_000_000))
            #expect(summary.holds.count == 1 && abs(begin - 1.5) < 0.2, "\(summary.holds)")
            #expect(abs(summary.scoredSeconds - (goesOn ? 10.5 : 0.5)) < 1, "\(summary.scoredSeconds)")
        }
    }

    /// On hold from 8.7 s to 20.2 s; 75 packets do not come from 6.1 s, 8.9 s or 21.5 s on, each in the 5 s in which the hold
    /// begins or ends. In the hold nothing is sent to the callee, or music.
    @Test(arguments: [(6.1, false, [[6_080, 7_600]]), (21.5, false, [[21_480, 23_000]]), (8.9, true, [])])
    func `an outage beside a hold is told as it was, and one of music in it is not`(
        start: Double, hasMusic: Bool, outages: [[Int64]]
    ) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        var first = Calls.forth(hasMusic ? 960 : 380)
        var rest = Calls.forth(500, start: 20.3)
        rest.skip = first.packets
        first.lost = Set((0..<75).map { $0 + Int(((start - 1.1) * 50).rounded()) })
        rest.lost = Set((0..<75).map { $0 + Int(((start - 20.3) * 50).rounded()) })
        script.media(first)
        script.media(rest)
        script.change(at: 8.69, number: 2, offer: Calls.held, answer: Calls.holding)
        script.change(at: 20.19, number: 3, offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 30.4)
        let summary = try #require(script.run().summary(of: Calls.toCallee))
        let origin = Script.epoch / 1_000_000
        #expect(
            summary.outages.map { outage in
                [outage.span.start, outage.span.end].map { ($0?.milliseconds ?? 0) - origin }
            } == outages)
        #expect(summary.outages.allSatisfy { abs($0.seconds - 1.5) < 0.001 })
        #expect(abs(summary.heldSeconds - 11.5) < 0.15, "\(summary.holds)")
    }

    /// Pictures are on hold, or taken out, from 5.2 s to 17.2 s, while the sound goes on; their numbers run on.
    @Test(arguments: ["m=video 6002 RTP/AVP 96\r\na=inactive\r\n", "m=video 0 RTP/AVP 96\r\n"])
    func `pictures that are on hold or taken out by themselves are not lost`(still: String) throws {
        func described(_ audio: String, _ video: String) -> String {
            audio + video.replacing("RTP/AVP 96\r\n", with: "RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n")
        }
        let flowing = "m=video 6002 RTP/AVP 96\r\n"
        var script = Script()
        script.setUp(offer: described(Calls.offer, flowing), answer: described(Calls.answer, flowing))
        for (time, video) in [(5.2, still), (17.2, flowing)] {
            script.change(
                at: time, number: Int(time), offer: described(Calls.offer, video),
                answer: described(Calls.answer, video))
        }
        script.media(Calls.forth(1_100))
        let place = (Script.Place(Script.caller.address, 6_002), Script.Place(Script.callee.address, 6_002))
        script.media(
            Script.Media(
                ssrc: 0xC, from: place.0, to: place.1, start: 1.1, packets: 1_100, payloadType: 96, ticks: 1_800,
                payloadBytes: 900, lost: Set(210..<810).union([900, 901])))
        script.hangUp(at: 23.2)
        #expect(
            try Self.streams(to: Calls.toCallee, script.run()) == [
                "10 1100 lost 0 repeated 0 twice 0 skipped -1", "12 498 lost 2 repeated 0 twice 0 skipped 600",
            ])
    }
}
