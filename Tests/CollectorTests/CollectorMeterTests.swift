import CallModel
import Testing

@testable import Collector

/// What the collector says of itself to those who run it.
@Suite struct CollectorMeterTests {
    @Test func `a store that takes nothing is told with the reason, until it takes something again`() {
        let meter = CollectorMeter()
        #expect(meter.storeTrouble == nil)
        meter.failed(CallStoreError.failed("disk full"))
        #expect(meter.storeTrouble == "the store failed: disk full")
        meter.committed([], since: 0, now: Timestamp(milliseconds: 0))
        #expect(meter.storeTrouble == nil)
    }

    @Test func `a fault that is not the store's does not make it unready`() {
        let meter = CollectorMeter()
        meter.failed(CancellationError())
        #expect(meter.storeTrouble == nil)
    }

    @Test func `every meaning of an event has a label of the fixed vocabulary`() {
        let known = [("callMetric", "callCreate"), ("iceState", "iceConnected"), ("callState", "ENDED"), ("a", "b")]
        let labels = known.map { action, type in
            let time = Timestamp(milliseconds: 0)
            return EventLabel.of(CallEvent(time: time, receivedAt: time, action: action, type: type))
        }
        #expect(labels == ["created", "iceConnected", "ended", "other"])
        #expect(Set(EventLabel.all).count == EventLabel.all.count)
        #expect(EventLabel.all.contains(EventLabel.other) && labels.allSatisfy(EventLabel.all.contains))
    }
}
