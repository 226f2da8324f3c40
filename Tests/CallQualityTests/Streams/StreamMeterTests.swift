import CallModel
import Testing

@testable import CallQuality

@Suite struct StreamMeterTests {
    private var source = AudioSource()
    private var meter: StreamMeter

    init() {
        source.sound(20)
        meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
    }

    private mutating func report() -> StreamDelta? {
        meter.take(source.sample, connection: ConnectionState())
    }

    @Test mutating func `counts what happened between two reports`() throws {
        source.sound(10)
        source.lose(packets: 5)
        let deltaTaken = report()
        let delta = try #require(deltaTaken)
        #expect(delta.counted.packets == 495)
        #expect(delta.packetsLost == 5)
        #expect(delta.seconds == 10)
        #expect(delta.activeSeconds == 10)
        #expect(delta.darkSeconds == 0)
        #expect(meter.total.packets == 1_495)
    }

    @Test mutating func `a report of the same moment or an earlier one says nothing`() {
        let same = report()
        #expect(same == nil)
        source.sound(1)
        let next = report()
        #expect(next != nil)
        let again = report()
        #expect(again == nil)
    }

    @Test mutating func `counters that start anew open a segment and no negative rate`() throws {
        source.sound(10)
        _ = report()
        source.restart()
        source.sound(5)
        let deltaTaken = report()
        let delta = try #require(deltaTaken)
        #expect(delta.segment == 1)
        #expect(delta.counted.packets == 250)
        #expect(CounterSet.Counter.allCases.allSatisfy { delta.counted[$0] ?? 0 >= 0 })
        #expect(meter.total.packets == 1_750)
    }

    @Test mutating func `packets lost may fall without a restart`() throws {
        source.change(\.packetsLost, by: 3)
        source.sound(10)
        _ = report()
        source.change(\.packetsLost, by: -2)
        source.sound(10)
        let deltaTaken = report()
        let delta = try #require(deltaTaken)
        #expect(delta.packetsLost == -2)
        #expect(delta.segment == 0)
        #expect(meter.total.packetsLost == 1)
    }

    @Test mutating func `a stream that appears after a report began after it`() throws {
        var late = AudioSource(at: 30_000)
        late.sound(4)
        meter = StreamMeter(
            stream: AudioSource.key, first: late.sample, previousReport: Timestamp(milliseconds: 24_000))
        let deltaTaken = meter.take(late.sample, connection: ConnectionState())
        let delta = try #require(deltaTaken)
        #expect(delta.counted.packets == 200)
        #expect(delta.start == Timestamp(milliseconds: 30_000), "media count from the first sound")
        #expect(delta.heldSeconds == 0)
    }

    @Test mutating func `the first stretching and concealment of a stream is forgiven, loss is not`() throws {
        var new = AudioSource(at: 0)
        meter = StreamMeter(stream: AudioSource.key, first: new.sample, previousReport: nil)
        new.sound(5)
        new.change(\.insertedSamples, by: 4_800)
        new.change(\.concealedSamples, by: 4_800)
        let firstTaken = meter.take(new.sample, connection: ConnectionState())
        let first = try #require(firstTaken)
        #expect(first.forgivenStretchedSamples == 4_800)
        #expect(first.forgivenConcealedSamples == 4_800)
        #expect(first.counted.concealedSamples == 4_800, "what was measured is shown as it was")
        new.sound(1)
        new.change(\.insertedSamples, by: 4_800)
        new.lose(packets: 10)
        let secondTaken = meter.take(new.sample, connection: ConnectionState())
        let second = try #require(secondTaken)
        #expect(abs(second.forgivenStretchedSamples - 2_400) < 0.001, "0.15 s in all")
        #expect(second.forgivenConcealedSamples == 0, "ten packets were lost")
    }

    @Test(arguments: [5.0, 15, 30, 60]) func `what media begin with is forgiven in their first report, however long`(
        seconds: Double
    ) throws {
        var new = AudioSource(at: 0)
        var meter = StreamMeter(stream: AudioSource.key, first: new.sample, previousReport: nil)
        var forgiven: [Double] = []
        for _ in 0..<2 {
            new.sound(seconds)
            new.change(\.insertedSamples, by: 4_800)
            new.change(\.concealedSamples, by: 4_800)
            let taken = meter.take(new.sample, connection: ConnectionState())
            let delta = try #require(taken)
            forgiven += [delta.forgivenStretchedSamples, delta.forgivenConcealedSamples].map { $0.rounded() }
        }
        let second = seconds < 10 ? 2_400.0 : 0
        #expect(forgiven == [4_800, 4_800, second, second])
    }

    @Test mutating func `nothing is forgiven in the midst of a call`() throws {
        source.sound(10)
        source.change(\.insertedSamples, by: 4_800)
        source.change(\.concealedSamples, by: 4_800)
        let deltaTaken = report()
        let delta = try #require(deltaTaken)
        #expect(delta.counted.insertedSamples == 4_800)
        #expect(delta.counted.concealedSamples == 4_800)
    }
}

/// Silence has four reasons, and only one is a fault.
@Suite struct StreamSilenceTests {
    private func delta(
        after sound: Double = 20, codec: CodecDescription? = AudioSource.opus, _ change: (inout AudioSource) -> Void
    ) throws -> StreamDelta {
        var source = AudioSource(codec: codec)
        source.sound(sound)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        change(&source)
        let taken = meter.take(source.sample, connection: ConnectionState())
        return try #require(taken)
    }

    @Test(arguments: [1.0, 2, 5, 9.5]) func `a blackout is dark for as long as it lasted`(_ seconds: Double) throws {
        let delta = try delta {
            $0.sound(0.5)
            $0.blackout(seconds)
            $0.sound(10 - seconds)
        }
        #expect(abs(delta.darkSeconds - seconds) < 0.01)
        #expect(delta.heldSeconds == 0)
        #expect(delta.darkEvidence.contains("silentConcealedSamples"))
    }

    @Test func `a blackout that goes on past the report is seen by the age of the last packet`() throws {
        let delta = try delta {
            $0.sound(7)
            $0.blackout(3)
        }
        #expect(abs(delta.darkSeconds - 3) < 0.01)
        #expect(delta.darkEvidence.contains("lastPacketReceivedTimestamp"))
    }

    @Test func `before anything was played nothing is on hold`() throws {
        var source = AudioSource()
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.hold(10)
        let taken = meter.take(source.sample, connection: ConnectionState())
        #expect(try #require(taken).heldSeconds == 0)
    }

    @Test func `a hold stops the playout clock and is not dark`() throws {
        let delta = try delta {
            $0.sound(3)
            $0.hold(7)
        }
        #expect(abs(delta.heldSeconds - 7) < 0.01)
        #expect(delta.darkSeconds == 0)
        #expect(abs(delta.activeSeconds - 3) < 0.01)
    }

    /// A page that puts the far end's sound into no element: Chromium neither decodes nor counts it.
    @Test func `sound that arrives and is not played is no hold, and says nothing of what is heard`() throws {
        let delta = try delta { $0.soundUnplayed(10) }
        #expect(delta.heldSeconds == 0 && delta.darkSeconds == 0 && delta.activeSeconds == 10)
        #expect(delta.counted.packets == 500 && delta.isFlowing)
        #expect(delta.counted.samples == nil && delta.counted.concealedSamples == nil)
        // A hold that the last packets of before trickle into.
        let held = try self.delta {
            $0.soundUnplayed(0.2)
            $0.hold(9.8)
        }
        #expect(held.heldSeconds == 10 && held.counted.concealedSamples == 0)
    }

    /// Where signalling announced it, a probe tells of a pause when it ends; else as it goes on.
    @Test(arguments: [(7.4, 2.4), (2.42, 2.42), (2.0, 2.0)])
    func `of a pause that a probe tells of at its end, what lies in the span is held`(
        paused: Double, held: Double
    ) throws {
        func sample(at seconds: Int64, packets: Double, paused: Double) -> StreamSample {
            var sample = StreamSample(time: Timestamp(milliseconds: 1_000 * seconds))
            sample.counters.packets = packets
            sample.counters.outageSeconds = 0
            sample.counters.senderPausedSeconds = paused
            sample.packetSeconds = 0.020
            return sample
        }
        var meter = StreamMeter(
            stream: AudioSource.key, first: sample(at: 10, packets: 500, paused: 0), previousReport: nil)
        _ = meter.take(sample(at: 15, packets: 500, paused: 0), connection: ConnectionState())
        let taken = meter.take(sample(at: 20, packets: 630, paused: paused), connection: ConnectionState())
        let delta = try #require(taken)
        #expect(abs(delta.heldSeconds - held) < 1e-9)
        #expect(abs(delta.activeSeconds - (5 - held)) < 1e-9)
    }

    @Test func `a clock that lags a little is no hold`() throws {
        let delta = try delta {
            $0.sound(10)
            $0.hold(0.3)
        }
        #expect(delta.heldSeconds == 0)
    }

    @Test func `mute is neither held nor dark`() throws {
        let delta = try delta {
            $0.sound(10)
            $0.change(\.bytes, by: -30_000)
        }
        #expect(delta.heldSeconds == 0)
        #expect(delta.darkSeconds == 0)
    }

    @Test func `a sender that says it sent nothing has paused the stream`() throws {
        var source = AudioSource()
        source.sound(20)
        source.senderReport(sent: 1_000)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.blackout(10)
        source.senderReport(sent: 0)
        let pausedTaken = meter.take(source.sample, connection: ConnectionState())
        let paused = try #require(pausedTaken)
        #expect(paused.heldSeconds == 10)
        #expect(paused.darkSeconds == 0)
    }

    @Test func `a sender that goes on sending has not`() throws {
        var source = AudioSource()
        source.sound(20)
        source.senderReport(sent: 1_000)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.blackout(10)
        source.senderReport(sent: 500)
        let darkTaken = meter.take(source.sample, connection: ConnectionState())
        let dark = try #require(darkTaken)
        #expect(dark.heldSeconds == 0)
        #expect(abs(dark.darkSeconds - 10) < 0.01)
    }

    @Test func `RTCP that did not arrive anew is no word of the sender`() throws {
        var source = AudioSource()
        source.sound(20)
        source.senderReport(sent: 1_000)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.blackout(10)
        let darkTaken = meter.take(source.sample, connection: ConnectionState())
        let dark = try #require(darkTaken)
        #expect(dark.heldSeconds == 0)
        #expect(abs(dark.darkSeconds - 10) < 0.01)
    }

    private static let dtx = CodecDescription(
        mimeType: "audio/opus", clockRate: 48_000, formatParameters: "useinbandfec=1; usedtx=1")

    @Test func `silence of a sender that may use DTX is by design`() throws {
        let delta = try delta(codec: Self.dtx) { $0.silence(10) }
        #expect(delta.isSilenceByDesign)
        #expect(delta.darkSeconds == 0)
    }

    @Test func `but not when no packet came for more than a second`() throws {
        let delta = try delta(codec: Self.dtx) {
            $0.sound(5)
            $0.blackout(5)
        }
        #expect(!delta.isSilenceByDesign)
        #expect(abs(delta.darkSeconds - 5) < 0.01)
    }

    @Test func `without DTX the same silence is a fault`() throws {
        let delta = try delta { $0.silence(10) }
        #expect(!delta.isSilenceByDesign)
        #expect(delta.darkSeconds > 9)
    }

    @Test func `without concealment figures no packets where there were some is a blackout`() throws {
        var source = AudioSource()
        source.forget([\.samples, \.samplesSeconds, \.concealedSamples, \.silentConcealedSamples, \.concealmentEvents])
        source.sound(20)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(10)
        let soundTaken = meter.take(source.sample, connection: ConnectionState())
        let sound = try #require(soundTaken)
        #expect(sound.darkSeconds == 0)
        source.blackout(10)
        let darkTaken = meter.take(source.sample, connection: ConnectionState())
        let dark = try #require(darkTaken)
        #expect(dark.darkSeconds == 10)
        #expect(dark.darkEvidence == ["packetsReceived"])
    }
}

/// Packets that were never sent are not lost (`docs/score.md`, after pauses by an SFU).
@Suite struct ResumeGapTests {
    private func resume(silentSpans: Int, cadence: Double, lost: Double) throws -> StreamDelta {
        var source = AudioSource()
        source.forget([\.samples, \.samplesSeconds, \.concealedSamples, \.silentConcealedSamples])
        source.sound(20)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(cadence)
        _ = meter.take(source.sample, connection: ConnectionState())
        for _ in 0..<silentSpans {
            source.blackout(cadence)
            _ = meter.take(source.sample, connection: ConnectionState())
        }
        source.sound(cadence)
        source.change(\.packetsLost, by: lost)
        let taken = meter.take(source.sample, connection: ConnectionState())
        return try #require(taken)
    }

    @Test func `hundreds of packets lost when a long pause ends are a gap of numbers`() throws {
        let delta = try resume(silentSpans: 13, cadence: 2, lost: 700)
        #expect(delta.resumeGapPackets == 700)
        #expect(delta.packetsLost == 0)
    }

    @Test func `an ordinary loss after an empty span is a loss`() throws {
        let delta = try resume(silentSpans: 1, cadence: 10, lost: 250)
        #expect(delta.resumeGapPackets == 0)
        #expect(delta.packetsLost == 250)
    }

    @Test func `an outage of 5 s that the engine counts is a loss at any cadence`() throws {
        let delta = try resume(silentSpans: 4, cadence: 1, lost: 250)
        #expect(delta.resumeGapPackets == 0, "50 packets a second were missing for 5 s: that explains 250")
    }

    @Test func `loss while packets flow is a loss, however much`() throws {
        let delta = try resume(silentSpans: 0, cadence: 2, lost: 700)
        #expect(delta.resumeGapPackets == 0)
    }
}
