import CallModel
import Testing

@testable import CallQuality

/// Interruptions of clients that do not say what they made up, or how much of it was silence.
@Suite struct PacketSilenceTests {
    private static var concealment: [WritableKeyPath<CounterSet, Double?>] {
        [\.samples, \.samplesSeconds, \.concealedSamples, \.silentConcealedSamples, \.concealmentEvents]
    }

    /// A minute of sound in reports of `cadence`, made tenth by tenth.
    private func deltas(
        every cadence: Double, without members: [WritableKeyPath<CounterSet, Double?>] = concealment,
        codec: CodecDescription? = AudioSource.opus, state: ConnectionState = ConnectionState(), hasAge: Bool = false,
        _ tenth: (inout AudioSource, Double) -> Void
    ) -> [StreamDelta] {
        var source = AudioSource(codec: codec)
        source.forget(members)
        if !hasAge { source.forgetLastPacket() }
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        var deltas: [StreamDelta] = []
        for tenths in 1...600 {
            tenth(&source, Double(tenths - 1) / 10)
            if !hasAge { source.forgetLastPacket() }
            guard tenths % Int(10 * cadence) == 0 else { continue }
            deltas += [meter.take(source.sample, connection: state)].compactMap { $0 }
        }
        return deltas
    }

    private static func dark(_ deltas: [StreamDelta]) -> Double {
        deltas.reduce(0) { $0 + $1.darkSeconds + $1.carriedSilenceSeconds }
    }

    private static func outages(_ deltas: [StreamDelta]) -> Int {
        var tracker = OutageTracker()
        for delta in deltas { tracker.take(delta) }
        return tracker.all.count
    }

    @Test(arguments: [1.0, 2, 10], [false, true]) func `an outage is as long as its packets are missing`(
        cadence: Double, hasAge: Bool
    ) {
        for length in [3.0, 5, 8, 12] {
            let found = deltas(every: cadence, hasAge: hasAge) { source, time in
                (23.4..<(23.35 + length)).contains(time) ? source.blackout(0.1) : source.sound(0.1)
            }
            #expect(abs(Self.dark(found) - length) < 0.15, "\(length) s")
            #expect(Self.outages(found) == 1)
        }
    }

    /// Engines that follow every number count all that are missing as lost when the next packet comes.
    @Test(arguments: [1.0, 2]) func `and what it took is no loss beside it`(cadence: Double) {
        let found = deltas(every: cadence) { source, time in
            (23.4..<28.35).contains(time) ? source.blackout(0.1) : source.sound(0.1)
            if abs(time - 28.4) < 0.01 { source.change(\.packetsLost, by: 250) }
        }
        var totals = AudioTotals()
        for delta in found { totals.add(delta) }
        #expect(abs(Self.dark(found) - 5) < 0.15)
        #expect(abs(totals.packetsLost ?? 0) < 5)
    }

    /// Two packets came in the report in which it began, as of a sender that falls silent, and nobody says whether it may.
    @Test(arguments: [1.0, 2]) func `nor is what it took of the report in which it began`(cadence: Double) {
        let found = deltas(every: cadence, codec: nil) { source, time in
            (23.05..<28).contains(time) ? source.blackout(0.1) : source.sound(0.1)
            if abs(time - 28) < 0.01 { source.change(\.packetsLost, by: 245) }
        }
        var totals = AudioTotals()
        for delta in found { totals.add(delta) }
        #expect(Self.outages(found) == 1)
        #expect(abs(totals.packetsLost ?? 0) < 5)
    }

    @Test(arguments: [1.0, 10]) func `packets that are lost one by one are no outage`(cadence: Double) {
        let found = deltas(every: cadence) { source, time in
            source.sound(0.1)
            guard (20.0..<30).contains(time) else { return }
            source.change(\.packets, by: -2.5)
            source.change(\.packetsLost, by: 2.5)
        }
        #expect(Self.dark(found) == 0)
    }

    @Test(arguments: [1.0, 10]) func `packets that waited and come at once make none missing later`(cadence: Double) {
        let found = deltas(every: cadence) { source, time in
            (20.0..<22).contains(time) ? source.blackout(0.1) : source.sound(0.1)
            if abs(time - 30) < 0.01 { source.change(\.packets, by: 100) }
        }
        #expect(abs(Self.dark(found) - 2) < 0.15)
    }

    @Test func `longer packets are fewer`() {
        let found = deltas(every: 10) { source, time in
            source.sound(0.1)
            if time >= 30 { source.change(\.packets, by: -2.5) }
        }
        #expect(Self.dark(found) == 0)
    }

    /// Who may fall silent between words is not missing, unless pictures are, too.
    @Test(arguments: [
        CodecDescription(mimeType: "audio/opus", clockRate: 48_000, formatParameters: "usedtx=1"),
        CodecDescription(mimeType: "audio/PCMU", clockRate: 8_000, formatParameters: nil), nil,
    ]) func `a sender that falls silent is not missing`(codec: CodecDescription?) {
        func silent(_ source: inout AudioSource, _ time: Double) {
            (23.0..<28).contains(time) ? source.playOn(0.1) : source.sound(0.1)
        }
        #expect(Self.dark(deltas(every: 10, codec: codec, silent)) == 0)
        var state = ConnectionState()
        state.missingPictureSeconds = .infinity
        #expect(abs(Self.dark(deltas(every: 10, codec: codec, state: state, silent)) - 5) < 0.15)
    }

    @Test(arguments: [1.0, 10]) func `silence that is not counted is what was made up at a stretch`(cadence: Double) {
        let found = deltas(every: cadence, without: [\.silentConcealedSamples], hasAge: true) { source, time in
            (23.4..<28.35).contains(time) ? source.blackout(0.1) : source.sound(0.1)
        }
        #expect(abs(Self.dark(found) - 5) < 0.15)
        #expect(Self.outages(found) == 1)
        let lossy = deltas(every: cadence, without: [\.silentConcealedSamples], hasAge: true) { source, time in
            source.sound(0.1)
            if (20.0..<30).contains(time) { source.lose(packets: 2) }
        }
        #expect(Self.dark(lossy) == 0)
    }

    /// It falls silent for 1.1 s, half a second of which lies in one report of 2 s and the rest in the next.
    @Test(arguments: [(nil, 1.1), (2.0, 1.1), (0, 0)])
    func `who falls silent while others are heard is no outage`(othersMissing: Double?, dark: Double) {
        var state = ConnectionState()
        state.otherMissingSeconds = othersMissing
        let found = deltas(every: 2, state: state) { source, time in
            (25.45..<26.55).contains(time) ? source.blackout(0.1) : source.sound(0.1)
        }
        #expect(abs(Self.dark(found) - dark) < 0.15, "\(Self.dark(found))")
    }
}
