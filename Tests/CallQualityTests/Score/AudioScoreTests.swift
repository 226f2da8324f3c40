import CallModel
import Testing

@testable import CallQuality

/// What the points are called that sound lost.
@Suite struct AudioScoreTests {
    private func costs(silent: Double, dark: Double, lost: Double = 0) -> [QualityCause: Double] {
        var totals = AudioTotals()
        (totals.activeSeconds, totals.silentSeconds, totals.darkSeconds) = (10, silent, dark)
        (totals.counted.packets, totals.packetsLost) = (500 - lost, lost)
        (totals.counted.samples, totals.counted.concealedSamples) = (480_000, 48_000 * silent)
        return AudioScore(model: .current, totals: totals, roundTripMilliseconds: nil).factors?.costs ?? [:]
    }

    @Test func `silence too short for a blackout is what was lost or came late`() {
        #expect(Set(costs(silent: 0.2, dark: 0).keys) == [.late])
        #expect(Set(costs(silent: 0.2, dark: 0, lost: 10).keys) == [.loss])
        #expect(Set(costs(silent: 2, dark: 2).keys) == [.blackout])
    }

    /// Ten seconds of sound that is played at so many samples a second, of which some are made up and stretched.
    private func span(from second: Int64, rate: Double, madeUp: Double) -> StreamDelta {
        let start = Timestamp(milliseconds: 1_000 * second)
        var sample = StreamSample(time: start.advanced(byMilliseconds: 10_000))
        sample.codec = CodecDescription(mimeType: "audio/opus", clockRate: 48_000)
        var counted = CounterSet()
        (counted.packets, counted.packetsLost) = (500, 0)
        (counted.samples, counted.samplesSeconds) = (10 * rate, 10)
        (counted.concealedSamples, counted.concealmentEvents) = (madeUp * rate, 25 * madeUp)
        (counted.insertedSamples, counted.removedSamples) = (0.25 * rate, 0)
        (counted.jitterBufferSeconds, counted.jitterBufferEmitted) = (rate * madeUp, 10 * rate)
        return StreamDelta(start: start, end: sample.time, segment: 0, counted: counted, sample: sample)
    }

    @Test(arguments: [(8_000.0, 48_000.0), (48_000, 16_000), (16_000, 8_000)])
    func `sound that was played at two rates counts by how long it lasted`(before: Double, after: Double) throws {
        func basis(_ before: Double, _ after: Double) throws -> [ScoreBasis] {
            let spans = [span(from: 0, rate: before, madeUp: 1), span(from: 10, rate: after, madeUp: 0.5)]
            var (together, joined) = (AudioTotals(), AudioTotals())
            for span in spans {
                together.add(span)
                var alone = AudioTotals()
                alone.add(span)
                joined += alone
            }
            return try [together, joined].map { totals in
                try #require(AudioScore(model: .current, totals: totals, roundTripMilliseconds: nil).basis)
            }
        }
        #expect(try basis(before, after) == basis(48_000, 48_000))
        #expect(try basis(before, after).map(\.concealedPercent) == [7.5, 7.5])
    }

    /// Ten seconds of which so many percent were lost, made up in single packets and stretched: the worked example of
    /// `docs/score.md`, and others.
    private func costs(lost: Double, concealed: Double, stretched: Double) -> [QualityCause: Double] {
        var totals = AudioTotals()
        totals.activeSeconds = 10
        (totals.counted.packets, totals.packetsLost) = (500 - 5 * lost, 5 * lost)
        (totals.counted.samples, totals.counted.concealedSamples) = (480_000, 4_800 * concealed)
        totals.counted.concealmentEvents = 5 * concealed
        (totals.counted.insertedSamples, totals.counted.removedSamples) = (4_800 * stretched, 0)
        (totals.counted.jitterBufferSeconds, totals.counted.jitterBufferEmitted) = (28_800, 480_000)
        let costs = AudioScore(model: .current, totals: totals, roundTripMilliseconds: 40).factors?.costs ?? [:]
        return costs.mapValues { ($0 * 10).rounded() / 10 }
    }

    /// What was made up is fitted in between the packets around it.
    @Test func `what losses made a receiver stretch is theirs, the rest is of uneven packets`() {
        #expect(costs(lost: 5, concealed: 2, stretched: 0.4) == [.loss: 32.6, .stretch: 5.6])
        #expect(Set(costs(lost: 5, concealed: 2, stretched: 0.15).keys) == [.loss])
        #expect(costs(lost: 0, concealed: 0, stretched: 0.4) == [.stretch: 13.0])
    }

    @Test func `what it is called does not change what it costs`() {
        let (short, long) = (costs(silent: 2, dark: 0), costs(silent: 2, dark: 2))
        #expect(abs(short.values.reduce(0, +) - long.values.reduce(0, +)) < 1e-9)
    }
}
