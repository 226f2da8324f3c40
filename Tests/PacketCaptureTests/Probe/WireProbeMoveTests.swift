import CallModel
import PacketCapture
import Testing

/// Streams that go on over another path, and what comes, or does not, when the call ends.
@Suite struct WireProbeMoveTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// Where the callee's sound comes from after it was silent, and where it goes.
    struct Move: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var from = WireProbeCallTests.calleeMedia
        var to = WireProbeCallTests.callerMedia
    }

    private static let moves = [
        Move(testDescription: "port", from: Script.Place(Script.callee.address, 6_100)),
        Move(testDescription: "address", from: Script.Place(0xCB00_7107, 6_000)),
        Move(testDescription: "receiver", to: Script.Place(0xCB00_7108, 4_200)),
    ]

    /// A call whose callee is not heard from second 10 on for so long, and comes back over another path.
    private static func call(_ move: Move, silence: Double, hasSIP: Bool = true) -> ProbeScript {
        var script = Script()
        if hasSIP { script.setUp(offer: Calls.offer, answer: Calls.answer) }
        script.media(Calls.forth(1_450))
        script.media(Calls.back(445))
        var rest = Calls.back(1_005 - Int(silence * 50), start: 10 + silence)
        (rest.from, rest.to, rest.skip) = (move.from, move.to, 445 + Int(silence * 50))
        script.media(rest)
        if hasSIP { script.hangUp(at: 30.2) }
        return script
    }

    @Test(arguments: moves, [1.5, 5, 8])
    func `what a stream lost while its sender changed networks is an outage, and no pause of the sender`(
        _ move: Move, silence: Double
    ) throws {
        let run = Self.call(move, silence: silence).run()
        let summary = try #require(run.summary(of: Calls.toCaller))
        #expect(summary.streams.filter { $0.stream.direction == .inbound }.count == 1)
        #expect(summary.outages.map { ($0.seconds * 10).rounded() / 10 } == [silence])
        #expect(summary.holds == [])
    }

    @Test func `a re-INVITE that moves the receiver is no other stream either`() throws {
        let receiver = Script.Place(Script.caller.address, 4_200)
        var script = Self.call(Move(testDescription: "receiver", to: receiver), silence: 3)
        script.change(
            at: 11, number: 2, offer: SIPScript.audio(4_200, address: Script.caller.text), answer: Calls.answer)
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        #expect(summary.streams.filter { $0.stream.direction == .inbound }.count == 1)
        #expect(summary.outages.map { $0.seconds.rounded() } == [3] && summary.holds == [])
    }

    @Test func `a stream that goes on at another port has the payload types that are described there`() {
        func described(_ port: Int, _ end: Script.Place) -> String {
            SIPScript.audio(port, "a=rtpmap:98 speex/16000", address: end.text)
                .replacing("RTP/AVP 0", with: "RTP/AVP 98")
        }
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.back(250))
        script.change(
            at: 6, number: 3, offer: described(4_100, Script.caller), answer: described(6_000, Script.callee))
        var moved = Calls.back(250, start: 6.1)
        (moved.to.port, moved.skip, moved.payloadType, moved.ticks) = (4_100, 250, 98, 320)
        script.media(moved)
        script.hangUp(at: 11.2)
        let streams = script.run().reports[Calls.toCaller]?.last?.streams ?? []
        #expect(
            streams.map { "\($0.codec ?? "") \($0.clockRate ?? 0) \($0.count(.packetsReceived))" } == [
                "audio/speex 16000 500"
            ])
    }

    @Test func `without signalling a call whose NAT forgets its binding stays one`() throws {
        let run = Self.call(Self.moves[0], silence: 5, hasSIP: false).run()
        #expect(run.figures.calls == 1 && run.figures.streams == 2)
    }

    /// The caller's new pair goes from another port. The callee learns of it only when the caller's packets come, and sends
    /// what follows there, numbers and all; so do the packets that repeat pictures, which had rested since the beginning.
    @Test func `a call that goes on over another pair of addresses, as after an ICE restart, stays one`() throws {
        var script = Script()
        let moved = Script.Place(Script.caller.address, 4_300)
        func sound(_ ssrc: UInt32, _ from: Script.Place, _ to: Script.Place, _ numbers: Range<Int>) -> Script.Media {
            Script.Media(
                ssrc: ssrc, from: from, to: to, start: Double(numbers.lowerBound) * 0.02, packets: numbers.count,
                skip: numbers.lowerBound, payloadType: 111, ticks: 960)
        }
        func pictures(_ from: Script.Place, _ numbers: Range<Int>) -> Script.Media {
            var media = sound(0xC, from, Calls.calleeMedia, numbers)
            (media.payloadType, media.ticks, media.payloadBytes) = (96, 1_800, 900)
            return media
        }
        script.media(sound(0xA, Calls.callerMedia, Calls.calleeMedia, 0..<500))
        script.media(sound(0xA, moved, Calls.calleeMedia, 650..<1_600))
        script.media(sound(0xB, Calls.calleeMedia, Calls.callerMedia, 0..<500))
        script.media(sound(0xB, Calls.calleeMedia, Calls.callerMedia, 650..<660))
        script.media(sound(0xB, Calls.calleeMedia, moved, 660..<1_600))
        for (from, numbers) in [(Calls.callerMedia, 0..<500), (moved, 650..<1_600)] {
            script.media(pictures(from, numbers))
            var again = pictures(from, numbers.lowerBound..<numbers.lowerBound + 20)
            (again.ssrc, again.payloadType) = (0xD, 97)
            (again.firstTime, again.skip) = (UInt32(numbers.lowerBound) * 1_800, 0)
            again.firstNumber = from == moved ? 1_020 : 1_000
            script.media(again)
        }
        let run = script.run()
        #expect(run.figures.calls == 1 && run.figures.streams == 4)
        let received = run.streams.map { "\($0.id) \($0.role) \($0.count(.packetsReceived))" }.sorted()
        #expect(received == ["10 primary 1450", "11 primary 1450", "12 primary 1450", "13 retransmission 40"])
        for record in run.records {
            let summary = try #require(run.summary(of: record))
            #expect(summary.outages.map { $0.seconds.rounded() } == [3] && summary.isOneWay != true)
        }
    }

    @Test func `numbers that have not run on with time are another stream's`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.back(445))
        var rest = Calls.back(500, start: 15)
        (rest.from, rest.skip) = (Self.moves[1].from, 450)
        script.media(rest)
        script.hangUp(at: 30)
        #expect(script.run().figures.streams == 2)
    }

    /// A server plays music on hold from one socket with one SSRC, to one call and a while later to another.
    @Test func `a path that signalling gives to another call is no other path of a stream`() {
        var script = Script()
        let server = Script.Place(0xCB00_7109, 7_000)
        let second = Script.Place(Script.caller.address, 4_100)
        let answer = SIPScript.audio(Int(server.port), address: server.text)
        script.setUp(offer: Calls.offer, answer: answer)
        script.setUp(
            "call-2", offer: SIPScript.audio(Int(second.port), address: Script.caller.text), answer: answer)
        for (to, first) in [(Calls.callerMedia, 0), (second, 500)] {
            script.media(
                Script.Media(
                    ssrc: 0xB, from: server, to: to, start: 1.1 + Double(first) * 0.02, packets: 450, skip: first))
        }
        script.hangUp(at: 20.2)
        script.hangUp("call-2", at: 20.2)
        let words = "11 450 lost 0 repeated 0 twice 0"
        #expect(
            Calls.words(script.run()) == [
                "call-1/wire:caller": [words], "call-1/wire:callee": [], "call-2/wire:caller": [words],
                "call-2/wire:callee": [],
            ])
    }

    /// To a second receiver for 0.4 s, in which it is no stream yet, and to a third: nothing is missing.
    @Test func `what a sender sends to a third receiver does not go on with the first`() throws {
        var script = Script()
        script.media(
            Script.Media(ssrc: 0xA, from: Calls.callerMedia, to: Calls.calleeMedia, packets: 500, payloadType: 111))
        for (port, start, packets) in [(6_100, 500, 20), (6_200, 520, 500)] {
            script.media(
                Script.Media(
                    ssrc: 0xA, from: Calls.callerMedia, to: Script.Place(Script.callee.address, UInt16(port)),
                    start: Double(start) * 0.02, packets: packets, skip: start, payloadType: 111))
        }
        let streams = script.run().streams
        #expect(streams.map { $0.count(.packetsReceived) }.sorted() == [20, 500, 500])
        #expect(streams.map { $0.count(.packetsLost) } == [0, 0, 0])
    }

    @Test(arguments: [15.5, 45, 75]) func `what nobody sends before the call ends is not scored`(end: Double) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(695))
        var back = Calls.back(695)
        back.lost = Set((445..<695).filter { $0 % 5 == 0 })
        script.media(back)
        script.hangUp(at: end)
        let run = script.run()
        let summary = try #require(run.summary(of: Calls.toCaller))
        #expect(abs(summary.scoredSeconds - 14) < 0.6)
        #expect(summary.score.map { abs($0 - 54) < 5 } == true, "\(String(describing: summary.score))")
    }
    @Test(arguments: [(20.21, 1_006), (20.51, 1_021), (20.99, 1_045)])
    func `what comes more than a second after the BYE does not count`(end: Double, packets: Int) {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.back(1_200))
        script.hangUp(at: end)
        let run = script.run()
        #expect(Calls.words(run)["call-1/wire:caller"] == ["11 \(packets) lost 0 repeated 0 twice 0"])
        #expect(run.figures.rtpPackets == packets)
        #expect(run.figures.otherPackets == ["RTP after the end of its call": 1_200 - packets])
    }
}
