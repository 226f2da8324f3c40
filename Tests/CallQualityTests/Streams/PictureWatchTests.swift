import CallModel
import Testing

@testable import CallQuality

/// Whether pictures came all the time, so that a silence beside them was no fault of the path.
@Suite struct PictureWatchTests {
    private var watch = PictureWatch()
    private var seconds = 0.0
    private var frames = 0.0
    private var most: Double?

    /// The next report, after so many seconds with 15 frames each. The last packet came so long before it.
    private mutating func report(after span: Double, frozen: Double = 0, age: Double?) -> Double? {
        seconds += span
        frames += ((span - frozen) * 15).rounded()
        let now = Timestamp(milliseconds: 1_000_000 + Int64(seconds * 1000))
        var sample = StreamSample(time: now)
        sample.counters.frames = frames
        sample.lastPacketReceivedAt = age.map { now.advanced(byMilliseconds: -Int64($0 * 1000)) }
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        let missing = watch.take([KeyedSample(key, sample)], at: now)
        most = missing.most
        return missing.seconds
    }

    init() {
        for _ in 0..<2 { _ = report(after: 10, age: 0.03) }
    }

    @Test mutating func `frames at the usual rate are pictures that came all the time`() {
        #expect(report(after: 10, age: 0.03) == 0)
        #expect(report(after: 10, age: nil) == 0)
    }

    @Test mutating func `of many frames fewer are a gap`() {
        #expect(report(after: 10, frozen: 2, age: 0.03) == .infinity)
    }

    /// The engine counts a freeze when the next frame comes, and 0.9 s are less than a tenth of the span.
    @Test mutating func `a gap that goes on at the end of the span is one, though no freeze is counted yet`() {
        #expect(report(after: 10, frozen: 0.9, age: 0.9) == .infinity)
        #expect(report(after: 10, age: 0.2) == 0)
        #expect(report(after: 10, age: 0.25) == .infinity)
    }

    @Test mutating func `of pictures that stop in the first span it is known since when they did not come`() {
        (watch, seconds, frames) = (PictureWatch(), 0, 0)
        #expect(report(after: 1, age: 0.03) == nil)
        #expect(report(after: 30, frozen: 5, age: 5) == nil)
        #expect(most == 5)
    }

    /// Of a second without sound all the pictures may be missing: a tenth of the span is no noise then.
    @Test mutating func `a few that are missing are told in seconds where the client does not say when packets came`() {
        #expect(report(after: 10, frozen: 0.9, age: nil).map { abs($0 - 0.9) < 0.04 } == true)
    }

    /// Standstills of all pictures, and what goes on; the frames that are missing where that is more.
    @Test(arguments: [(0.0, 0.03, 0.0), (2, 0.03, 2), (2, 1.5, 3.5), (0, 1.5, 1.5)])
    mutating func `pictures can have been missing for as long as they stood still, counted or not yet`(
        frozen: Double, age: Double, most: Double
    ) throws {
        func sample(_ seconds: Double, frozen: Double, age: Double) -> KeyedSample {
            let now = Timestamp(milliseconds: 2_000_000 + Int64(seconds * 1000))
            var sample = StreamSample(time: now)
            (sample.counters.frames, sample.counters.frozenSeconds) = ((seconds * 15).rounded(), frozen)
            sample.lastPacketReceivedAt = now.advanced(byMilliseconds: -Int64(age * 1000))
            return KeyedSample(StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1"), sample)
        }
        var watch = PictureWatch()
        for seconds in [0.0, 10, 20] {
            let first = sample(seconds, frozen: 0, age: 0.03)
            _ = watch.take([first], at: first.sample.time)
        }
        let next = sample(30, frozen: frozen, age: age)
        #expect(watch.take([next], at: next.sample.time).most == most)
    }

    /// A second and a half of 60 packets each, and two in a hundred as ever.
    @Test(arguments: [(0.0, 0.0), (2.4, 0), (90, 1.46)])
    mutating func `pictures that count as lost were sent`(lost: Double, seconds: Double) {
        var watch = PictureWatch()
        func report(_ number: Double, packets: Double, lost: Double) -> Double {
            let now = Timestamp(milliseconds: 3_000_000 + Int64(number * 2000))
            var sample = StreamSample(time: now)
            (sample.counters.frames, sample.counters.frozenSeconds) = (number * 30, 0)
            (sample.counters.packets, sample.counters.packetsLost) = (packets, lost)
            let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
            return watch.take([KeyedSample(key, sample)], at: now).lost
        }
        #expect(report(0, packets: 1_176, lost: 24) == 0)
        #expect(abs(report(1, packets: 1_293.6, lost: 26.4)) < 0.01)
        let told = report(2, packets: 1_293.6 + (lost > 10 ? 30 : 117.6), lost: 26.4 + lost)
        #expect(abs(told - seconds) < 0.01)
    }

    @Test mutating func `where standstills are not counted nobody knows for how long pictures were missing`() {
        _ = report(after: 10, frozen: 2, age: 0.03)
        #expect(most == nil)
    }
}
