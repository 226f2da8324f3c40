import CallModel
import Testing

@testable import CallQuality

/// What two spans in a row are worth together.
@Suite struct ScoreAccumulatorTests {
    /// Ten seconds of pictures without fault, with this quantizer in each of so many frames.
    private func pictures(
        _ codec: String, quantizer: Double?, frames: Double = 300, from second: Int64
    ) -> ScoreAccumulator {
        let start = Timestamp(milliseconds: second * 1000)
        let end = start.advanced(byMilliseconds: 10_000)
        var sample = StreamSample(time: end)
        sample.codec = CodecDescription(mimeType: codec)
        var counted = CounterSet()
        counted.packets = 1_000
        counted.frames = frames
        counted.frozenSeconds = 0
        counted.quantizerSum = quantizer.map { frames * $0 }
        let delta = StreamDelta(start: start, end: end, segment: 0, counted: counted, sample: sample)
        var span = ScoreAccumulator(series: .window, start: start)
        let stream = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        let row = MediaInterval(stream: stream, start: start, end: end, segment: 0)
        span.add(MeasuredSpan(delta, reference: VideoReference(), row: row))
        return span
    }

    /// The quantizer of VP8 goes to 127, that of H.264 to 51: their sum is a number of nothing.
    @Test func `quantizers of two codecs are not taken for those of one`() {
        let fine = pictures("video/VP8", quantizer: 40, from: 0)
        let alsoFine = pictures("video/H264", quantizer: 25, from: 10)
        let end = Timestamp(milliseconds: 20_000)
        #expect(fine.close(at: Timestamp(milliseconds: 10_000), model: .current).interval.score == 100)
        #expect(fine.followed(by: alsoFine).close(at: end, model: .current).interval.score == 100)
        let coarse = pictures("video/H264", quantizer: 48, from: 10)
        #expect(fine.followed(by: coarse).close(at: end, model: .current).interval.score ?? 100 < 100)
    }

    @Test(arguments: [0, 8.9, 9.1, 10, 12], [nil, 20, 60, 120.0])
    func `a score alone is that of the row`(heldSeconds: Double, quantizer: Double?) {
        var span = pictures("video/VP8", quantizer: quantizer, from: 0)
        var roundTrips = RoundTripTotals()
        roundTrips.add(seconds: 0.9, measurements: 1)
        span.add(roundTrips: roundTrips, ice: RoundTripTotals())
        span.add(heldSeconds: heldSeconds)
        let end = Timestamp(milliseconds: 10_000)
        #expect(span.score(at: end, model: .current) == span.close(at: end, model: .current).interval.score)
        #expect((span.score(at: end, model: .current) == nil) == (heldSeconds > 9))
        let empty = ScoreAccumulator(series: .window, start: Timestamp(milliseconds: 0))
        #expect(empty.score(at: end, model: .current) == nil)
    }

    @Test func `a few coarse pictures are a few, though of the others nothing is known`() {
        let end = Timestamp(milliseconds: 20_000)
        let few = pictures("video/VP8", quantizer: 120, frames: 10, from: 0)
        let unknown = pictures("video/VP9", quantizer: nil, frames: 290, from: 10)
        let score = few.followed(by: unknown).close(at: end, model: .current).interval.score
        #expect(score ?? 0 >= 95)
    }
}
