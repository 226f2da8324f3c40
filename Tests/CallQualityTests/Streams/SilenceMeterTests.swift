import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// What is made of a silence, by what is known of it.
@Suite struct SilenceMeterTests {
    private static let dtx = CodecDescription(
        mimeType: "audio/opus", clockRate: 48_000, formatParameters: "useinbandfec=1;usedtx=1")

    /// A stream of 20 s, with or without a pause in speaking, and what happened in the spans after it.
    private func deltas(
        codec: CodecDescription? = dtx, hasPaused: Bool = true, _ changes: [(inout AudioSource) -> Void]
    ) -> [StreamDelta] {
        var source = AudioSource(codec: codec)
        source.sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(5)
        if hasPaused { source.comfortNoise(5) }
        _ = meter.take(source.sample, connection: ConnectionState())
        return changes.compactMap { change in
            change(&source)
            return meter.take(source.sample, connection: ConnectionState())
        }
    }

    @Test func `comfort noise that is not counted is neither dark nor held`() throws {
        let delta = try #require(deltas([{ $0.comfortNoise(10) }]).first)
        #expect(delta.darkSeconds == 0)
        #expect(delta.silentSeconds == 0)
        #expect(delta.heldSeconds == 0)
    }

    /// The receiver has shown that it does not count the sender's silence: what it counts now is missing.
    @Test(arguments: [2.0, 5, 8]) func `a blackout within one report of a call with DTX is dark`(
        _ seconds: Double
    ) throws {
        let delta = try #require(
            deltas([
                {
                    $0.sound(1)
                    $0.blackout(seconds)
                    $0.sound(9 - seconds)
                }
            ]).first)
        #expect(!delta.isSilenceByDesign)
        #expect(abs(delta.darkSeconds - seconds) < 0.01)
    }

    @Test(arguments: [3.0, 5, 8]) func `a blackout in a pause of the sender is as long as it was`(
        _ seconds: Double
    ) throws {
        let delta = try #require(
            deltas([
                {
                    $0.comfortNoise(1)
                    $0.blackoutInSilence(seconds)
                    $0.comfortNoise(9 - seconds)
                }
            ]).first)
        #expect(abs(delta.darkSeconds + delta.carriedSilenceSeconds - seconds) <= 0.4)
    }

    @Test func `silence that counts as made up is meant while packets keep coming through it`() throws {
        let delta = try #require(
            deltas(
                hasPaused: false,
                [
                    {
                        $0.sound(5)
                        $0.silence(5)
                    }
                ]
            ).first)
        #expect(delta.isSilenceByDesign)
        #expect(delta.darkSeconds == 0)
    }

    @Test func `and missing when none came through it`() throws {
        let delta = try #require(
            deltas(
                hasPaused: false,
                [
                    {
                        $0.sound(3)
                        $0.blackout(4)
                        $0.sound(3)
                    }
                ]
            ).first)
        #expect(!delta.isSilenceByDesign)
        #expect(abs(delta.darkSeconds - 4) < 0.01)
    }

    /// The gap of 42 packets that lies over two reports: 0.4 s before, 0.44 s after.
    @Test func `a gap over the end of a report is one interruption`() throws {
        let found = deltas([
            {
                $0.sound(0.6)
                $0.blackout(0.4)
            },
            {
                $0.blackout(0.44)
                $0.sound(0.56)
            },
        ])
        let seconds = found.map { $0.darkSeconds + $0.carriedSilenceSeconds }.reduce(0, +)
        #expect(abs(seconds - 0.84) < 0.01)
    }

    @Test func `the rest of a blackout in the next report is blackout, not sound that came late`() throws {
        let found = deltas([
            {
                $0.sound(6)
                $0.blackout(4)
            },
            {
                $0.blackout(0.2)
                $0.sound(9.8)
                $0.lose(packets: 1)
            },
            {
                $0.sound(10)
                $0.lose(packets: 1)
            },
        ])
        let totals = found.map { delta in
            var totals = AudioTotals()
            totals.add(delta)
            return totals
        }
        #expect(totals.map { $0.darkSeconds > 0 } == [true, true, false])
        #expect(abs(totals[1].darkSeconds - 0.2) < 1e-9)
    }

    @Test func `nothing for seconds is an interruption though comfort noise is played on`() throws {
        let pcmu = CodecDescription(mimeType: "audio/PCMU", clockRate: 8_000)
        let found = deltas(codec: pcmu, [{ $0.playOn(2) }, { $0.playOn(2) }, { $0.sound(2) }])
        #expect(found.map { $0.darkSeconds > 0 } == [true, true, false])
        #expect(found.map(\.silentSeconds) == [0, 0, 0], "nobody could hear it")
        let seconds = found.map { $0.darkSeconds + $0.carriedSilenceSeconds }.reduce(0, +)
        #expect(abs(seconds - 4) <= 0.3)
    }

    @Test func `where nothing tells whether a silence was meant, it counts, and what would have told is named`() throws
    {
        func doubts(_ codec: CodecDescription?, knowsLastPacket: Bool) throws -> Set<String> {
            var source = AudioSource(codec: codec)
            source.sound(10)
            if !knowsLastPacket { source.forgetLastPacket() }
            var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
            source.blackout(4)
            source.sound(6)
            if !knowsLastPacket { source.forgetLastPacket() }
            let taken = meter.take(source.sample, connection: ConnectionState())
            let delta = try #require(taken)
            #expect(delta.silentSeconds > 3)
            var totals = AudioTotals()
            totals.add(delta)
            let part = AudioScore(model: .current, totals: totals, roundTripMilliseconds: 40).evaluate()
            return Set(try #require(part).missing)
                .intersection(["packetsSent", "lastPacketReceivedTimestamp", "codecId"])
        }
        #expect(try doubts(nil, knowsLastPacket: false) == ["packetsSent", "lastPacketReceivedTimestamp", "codecId"])
        #expect(
            try doubts(CodecDescription(mimeType: "audio/PCMU"), knowsLastPacket: false)
                == ["packetsSent", "lastPacketReceivedTimestamp"])
        #expect(try doubts(AudioSource.opus, knowsLastPacket: false) == [])
        #expect(try doubts(nil, knowsLastPacket: true) == [])
    }
}

/// What must hold for any silence.
@Suite struct SilencePropertyTests {
    /// Spans of any sort, in order.
    private func change(_ source: inout AudioSource, _ random: inout RandomSource) {
        let seconds = Double(Int.random(in: 1...40, using: &random)) / 4
        switch Int.random(in: 0..<6, using: &random) {
        case 0: source.blackout(seconds)
        case 1: source.silence(seconds)
        case 2: source.comfortNoise(seconds)
        case 3: source.hold(seconds)
        case 4: source.lose(packets: 20)
        default: source.sound(seconds)
        }
        if Bool.random(using: &random) { source.senderReport(sent: Double(Int.random(in: 0...500, using: &random))) }
    }

    @Test(arguments: 0..<200) func `missing sound is never more than there was time, and never negative`(
        _ seed: UInt64
    ) {
        var random = RandomSource(seed: seed)
        var source = AudioSource(codec: Bool.random(using: &random) ? AudioSource.opus : nil)
        source.sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        for _ in 0..<20 {
            change(&source, &random)
            if Bool.random(using: &random) { change(&source, &random) }
            var connection = ConnectionState()
            let control = Double(Int.random(in: 0...200, using: &random))
            connection.controlPackets = Bool.random(using: &random) ? control : nil
            let choices: [Double?] = [nil, 0, .infinity]
            connection.missingPictureSeconds = choices[Int.random(in: 0...2, using: &random)]
            guard let delta = meter.take(source.sample, connection: connection) else { continue }
            let limit = delta.seconds + 1e-6
            #expect((0...limit).contains(delta.darkSeconds))
            #expect((0...limit).contains(delta.silentSeconds))
            #expect((0...limit).contains(delta.heldSeconds))
            #expect((0...limit).contains(delta.pausedSeconds))
            #expect(delta.darkSeconds + delta.heldSeconds <= limit)
            #expect(delta.carriedSilenceSeconds >= 0)
            #expect(delta.counted.concealedSamples ?? 0 >= 0)
        }
    }

    /// However a blackout lies in its reports, and however many of these there are, it is as long as it was.
    @Test(arguments: 0..<100) func `a blackout has one length at any cadence`(_ seed: UInt64) {
        var random = RandomSource(seed: seed)
        let before = Double(Int.random(in: 50...450, using: &random)) / 50
        let length = Double(Int.random(in: 50...500, using: &random)) / 50
        for cadence in [1.0, 2, 5, 10] {
            var source = AudioSource()
            source.sound(10)
            var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
            var tracker = OutageTracker()
            let parts: [(Double, Double, Bool)] = [
                (0, before, false), (before, before + length, true), (before + length, 31, false),
            ]
            var at = 0.0
            while at < 30 {
                for (start, end, isDark) in parts {
                    let seconds = min(end, at + cadence) - max(start, at)
                    guard seconds > 1e-9 else { continue }
                    if isDark { source.blackout(seconds) } else { source.sound(seconds) }
                }
                at += cadence
                if let delta = meter.take(source.sample, connection: ConnectionState()) { tracker.take(delta) }
            }
            let found = tracker.all.map(\.seconds)
            let what = "\(length) s at \(before) s, reports of \(cadence) s: \(found)"
            #expect(found.count == 1, "\(what)")
            // What lies in the last tenth of a second of a report may be two lost packets.
            #expect(abs((found.first ?? 0) - length) <= 0.11, "\(what)")
        }
    }
}
