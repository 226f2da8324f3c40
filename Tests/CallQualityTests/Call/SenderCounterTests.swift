import CallModel
import Testing

@testable import CallQuality

/// What the sender counts beside what is counted here.
@Suite struct SenderCounterTests {
    private func count(_ reports: [(sent: Double?, received: Double, lost: Double)]) -> SenderCount? {
        var counter = SenderCounter()
        for (index, report) in reports.enumerated() {
            var sample = StreamSample(time: Timestamp(milliseconds: Int64(index) * 10_000))
            sample.counters.packets = report.received
            sample.counters.packetsLost = report.lost
            if let sent = report.sent {
                sample.farEnd = FarEndSample(arrivedAt: sample.time, packetsSent: sent)
            }
            counter.take(sample)
        }
        return counter.current
    }

    @Test func `both are counted between the same two reports`() {
        #expect(
            count([(nil, 10, 0), (5_000, 100, 5), (5_500, 550, 10), (6_000, 1_080, 25), (nil, 1_500, 30)])
                == SenderCount(packetsSent: 1_000, packetsExpected: 1_000, seconds: 20))
    }

    @Test func `counters that run backwards begin anew, and one report says nothing`() {
        #expect(count([(9_000, 9_000, 0), (100, 90, 0), (600, 590, 0)])?.packetsSent == 500)
        #expect(count([(9_000, 9_000, 0), (9_500, 9, 0)]) == nil)
        #expect(count([(500, 400, 0)]) == nil)
    }
}
