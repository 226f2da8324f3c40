import CallModel
import PacketCapture
import Testing

/// Senders that change their payload type within a stream, and of whose clock nobody tells.
@Suite struct WireProbePaceTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// Packets of one payload type, 20 ms apart, of so many ticks.
    struct Run {
        var payloadType: UInt8
        var ticks: UInt32
        var packets = 1_000
    }

    /// Runs of packets that follow on each other, in number, time stamp and time.
    private static func script(_ runs: [Run], after begin: Script = Script(), from start: Double = 1.1) -> Script {
        var script = begin
        var (sent, time) = (0, UInt32(0))
        for run in runs {
            var media = Calls.forth(run.packets, start: start + Double(sent) * 0.02)
            (media.payloadType, media.ticks) = (run.payloadType, run.ticks)
            (media.firstNumber, media.firstTime) = (1_000 + UInt16(sent), time)
            script.media(media)
            sent += run.packets
            time += UInt32(run.packets) * run.ticks
        }
        return script
    }

    /// What a stream was timed by, and how even it was: jitter in microseconds, and packets that were too late for a buffer.
    private static func words(_ stream: ReportedStream) -> String {
        let clock = "\(stream.clockRate ?? 0) \(stream.clockOrigin.map { "\($0)" } ?? "-")"
        let jitter = Int(((stream[.maximumJitter] ?? 1) * 1e6).rounded())
        let packet = stream.packetMilliseconds.map { $0.rounded() } ?? 0
        let late = stream.count(.packetsDiscarded)
        return "\(stream.payloadType) \(clock) \(packet) ms jitter \(jitter) late \(late)"
    }

    /// Phones that count the samples of G.722; a codec of no fixed size; a recording that is sent at twice its pace.
    @Test(
        arguments: [
            (9, 320, 0.02, "9 16000 inferred 20.0 ms jitter 0"), (8, 320, 0.02, "8 16000 inferred 20.0 ms jitter 0"),
            (9, 160, 0.02, "9 8000 static 20.0 ms jitter 0"), (9, 160, 0.01, "9 8000 static 20.0 ms jitter 10000"),
        ])
    func `timestamps that run at another rate than the packets of a fixed size last are timed by that`(
        payloadType: UInt8, ticks: UInt32, interval: Double, told: String
    ) {
        var script = Script()
        var media = Calls.forth(1_500)
        (media.payloadType, media.ticks, media.interval) = (payloadType, ticks, interval)
        script.media(media)
        #expect(script.run().streams.map(Self.words) == ["\(told) late 0"])
    }

    /// SRTP has 4 or 10 bytes behind the payload; a key pressed has a clock of 8 kHz.
    @Test(arguments: [164, 170])
    func `so are those of encrypted packets, and signalling changes nothing`(bytes: Int) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        var media = Calls.forth()
        (media.payloadBytes, media.ticks) = (bytes, 320)
        script.media(media)
        script.change(at: 6, number: 2, offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 10.2)
        let stream = try #require(script.run().reports[Calls.toCallee]?.last?.streams.first)
        #expect(stream.clockRate == 16_000 && stream.packetMilliseconds == 20 && stream[.maximumJitter] ?? 1 < 1e-6)
    }

    @Test(
        arguments: [
            ([Run(payloadType: 111, ticks: 960), Run(payloadType: 0, ticks: 160)], "0 8000 static"),
            ([Run(payloadType: 0, ticks: 160), Run(payloadType: 111, ticks: 960)], "111 48000 inferred"),
            ([Run(payloadType: 97, ticks: 320), Run(payloadType: 96, ticks: 160)], "96 8000 inferred"),
            ([Run(payloadType: 96, ticks: 160, packets: 150), Run(payloadType: 97, ticks: 320)], "97 16000 inferred"),
            (
                [
                    Run(payloadType: 111, ticks: 960), Run(payloadType: 0, ticks: 160),
                    Run(payloadType: 111, ticks: 960),
                ], "111 48000 inferred"
            ),
        ])
    func `a sender that goes on with a codec of another clock is timed by that one`(runs: [Run], clock: String) {
        #expect(Self.script(runs).run().streams.map(Self.words) == ["\(clock) 20.0 ms jitter 0 late 0"])
    }

    @Test(
        arguments: [
            ([Run(payloadType: 111, ticks: 960)], "111 48000 inferred"),
            ([Run(payloadType: 111, ticks: 960), Run(payloadType: 0, ticks: 160)], "0 8000 signalled"),
        ])
    func `a payload type that signalling does not list has not the clock of those that it does`(
        later: [Run], clock: String
    ) {
        var begin = Script()
        begin.setUp(offer: Calls.offer, answer: Calls.answer)
        let runs = [Run(payloadType: 0, ticks: 160)] + later
        var script = Self.script(runs, after: begin)
        script.hangUp(at: 1.1 + Double(runs.count) * 20)
        #expect(script.run().streams.map(Self.words) == ["\(clock) 20.0 ms jitter 0 late 0"])
    }

    /// In runs of a hundred packets, and every other packet.
    @Test(arguments: [100, 1]) func `payload types of one clock that come and go keep it`(length: Int) throws {
        let first = Run(payloadType: 96, ticks: 960, packets: 300)
        let others = (0..<1_000 / length).map {
            Run(payloadType: $0.isMultiple(of: 2) ? 97 : 96, ticks: 960, packets: length)
        }
        let reports = try #require(Self.script([first] + others).run().reports.values.first)
        let clocks = reports.flatMap(\.streams).map { "\($0.clockRate ?? 0)" }
        #expect(clocks == Array(repeating: "48000", count: clocks.count) && clocks.count >= 4)
        #expect(reports.last?.streams.map { $0[.maximumJitter].map { $0 < 1e-6 } } == [true])
    }

    @Test(arguments: [0, 98] as [UInt8])
    func `a few packets of another payload type before all others do not change the clock`(type: UInt8) {
        let runs = [Run(payloadType: type, ticks: 960, packets: 2), Run(payloadType: 111, ticks: 960)]
        #expect(Self.script(runs).run().streams.map(Self.words) == ["111 48000 inferred 20.0 ms jitter 0 late 0"])
    }

    @Test func `comfort noise has the clock of the stream that it is in`() {
        let runs = [
            Run(payloadType: 111, ticks: 960), Run(payloadType: 13, ticks: 960, packets: 200),
            Run(payloadType: 111, ticks: 960),
        ]
        #expect(Self.script(runs).run().streams.map(Self.words) == ["111 48000 inferred 20.0 ms jitter 0 late 0"])
    }

    /// Opus has one packet in 400 ms of silence (RFC 6716 §2.1.9); then the sender may speak. How long a packet is, and the score
    /// of who listens.
    @Test(arguments: [(0, nil), (500, 20)] as [(Int, Double?)])
    func `updates of a silence from the beginning are no long packets`(spoken: Int, length: Double?) throws {
        var script = Script()
        script.media(Calls.back(1_500 + spoken))
        var silence = Calls.forth(75)
        (silence.payloadType, silence.ticks, silence.interval, silence.payloadBytes) = (111, 19_200, 0.4, 3)
        script.media(silence)
        var speech = Calls.forth(spoken, start: 31.1)
        (speech.payloadType, speech.ticks) = (111, 960)
        (speech.firstNumber, speech.firstTime) = (1_075, 75 * 19_200)
        script.media(speech)
        let run = script.run()
        let record = try #require(run.records.first { $0.observer.rawValue == "wire:a" })
        let streams = run.reports[record]?.last?.streams ?? []
        #expect(streams.map { $0.packetMilliseconds?.rounded() } == [length])
        #expect(run.summary(of: record)?.score == 100)
    }
}
