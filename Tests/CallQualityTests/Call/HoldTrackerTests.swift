import CallModel
import Testing

@testable import CallQuality

/// Which holds and pauses are kept of more than there is room for.
@Suite struct HoldTrackerTests {
    private static func at(_ second: Double) -> Timestamp { Timestamp(milliseconds: Int64(1_000 * second)) }

    private static func hold(from start: Double, for seconds: Double, isPause: Bool) -> MediaHold {
        MediaHold(span: TimeSpan(start: at(start), end: at(start + seconds)), seconds: seconds, isSenderPause: isPause)
    }

    /// One every ten seconds, each at the end of a report of five seconds.
    private static func tracker(_ spans: [(seconds: Double, isPause: Bool)]) -> HoldTracker {
        var tracker = HoldTracker()
        for (index, span) in spans.enumerated() {
            let start = 10 * Double(index)
            tracker.take(from: at(start), to: at(start + 5), held: span.seconds, isPause: span.isPause)
            tracker.take(from: at(start + 5), to: at(start + 10), held: 0)
        }
        return tracker
    }

    @Test func `the last pause and every hold are kept, and the shortest pauses go`() {
        let holds = [(3.0, false), (0.5, false)] as [(seconds: Double, isPause: Bool)]
        let pauses = (0..<150).map { (seconds: $0.isMultiple(of: 3) ? 1.5 : 2.5, isPause: true) }
        let spans = holds + pauses + [(2, false), (1, true)]
        let kept = Self.tracker(spans)
        // Of the 150 the 50 short ones, and of the long ones, for there are two more than there is room for, the first.
        let expected = spans.enumerated().filter { $0.element.seconds != 1.5 }
            .map { index, span in
                Self.hold(from: 10 * Double(index) + 5 - span.seconds, for: span.seconds, isPause: span.isPause)
            }
        let firstLong = expected.indices.filter { expected[$0].seconds == 2.5 }.prefix(expected.count - 100)
        #expect(kept.holds == expected.indices.filter { !firstLong.contains($0) }.map { expected[$0] })
        #expect((kept.holds.count, kept.leftOut) == (100, 54))
    }

    @Test func `a pause that goes on is one, however many there were`() {
        var tracker = Self.tracker((0..<120).map { _ in (seconds: 1.5, isPause: true) })
        for start in stride(from: 1_200.0, to: 1_240, by: 5) {
            tracker.take(from: Self.at(start), to: Self.at(start + 5), held: 5, isPause: true)
        }
        #expect(tracker.holds.last == Self.hold(from: 1_200, for: 40, isPause: true))
        #expect((tracker.holds.count, tracker.leftOut) == (100, 21))
    }

    @Test func `one that was agreed to begin and end within a report lies where it was agreed`() throws {
        var source = AudioSource()
        source.sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(2)
        source.hold(2)
        source.sound(6)
        let taken = meter.take(source.sample, connection: ConnectionState())
        var tracker = HoldTracker()
        tracker.take(try #require(taken), isAgreed: true, holds: [TimeSpan(start: Self.at(12), end: Self.at(14))])
        tracker.take(from: Self.at(20), to: Self.at(30), held: 0)
        #expect(tracker.holds == [Self.hold(from: 12, for: 2, isPause: false)])
    }

    @Test func `of holds alone the shortest goes`() {
        let tracker = Self.tracker((0..<101).map { (seconds: $0 == 40 ? 2 : 4, isPause: false) })
        #expect(tracker.holds.map(\.seconds) == Array(repeating: 4, count: 100))
    }
}
