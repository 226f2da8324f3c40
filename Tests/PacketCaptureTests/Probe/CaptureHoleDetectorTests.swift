import RTPMeter
import Testing

@testable import PacketCapture

/// A silence of the whole capture counts by what flowed before it.
@Suite struct CaptureHoleDetectorTests {
    private static func time(_ seconds: Double) -> ArrivalTime {
        ArrivalTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// Frames of media every 4 ms up to `end`, with the ticks of the seconds between them.
    private static func flow(until end: Double) -> CaptureHoleDetector {
        var detector = CaptureHoleDetector()
        for index in 0..<Int((end * 250).rounded()) {
            if index > 0, index % 250 == 0 { detector.tick(at: time(Double(index / 250))) }
            let found = detector.noteFrame(at: time(Double(index) * 0.004), liveCalls: 3)
            #expect(found == nil)
            detector.noteMedia()
        }
        return detector
    }

    @Test(arguments: [1.0, 1.2, 1.96], [0.3, 1, 2.5, 40])
    func `what flowed before a silence counts, however many seconds end in it`(start: Double, silence: Double) {
        var detector = Self.flow(until: start)
        for second in stride(from: start.rounded(.up), through: start + silence, by: 1) {
            detector.tick(at: Self.time(second))
        }
        let found = detector.noteFrame(at: Self.time(start + silence), liveCalls: 3)
        #expect(found == Self.time(start - 0.004))
    }

    @Test func `what flowed before a silence of seconds says nothing of the next one`() {
        var detector = Self.flow(until: 1.5)
        for second in [2.0, 3] { detector.tick(at: Self.time(second)) }
        let found = [3.5, 3.9].map { detector.noteFrame(at: Self.time($0), liveCalls: 3) }
        #expect(found == [Self.time(1.496), nil])
    }

    @Test func `a silence among fewer calls, or of fewer packets, is none of the capture's`() {
        var (many, few) = (Self.flow(until: 1.5), Self.flow(until: 0.5))
        let found = [
            many.noteFrame(at: Self.time(1.9), liveCalls: 2), few.noteFrame(at: Self.time(0.9), liveCalls: 3),
        ]
        #expect(found == [nil, nil])
    }
}
