import CallModel
import Testing

@testable import Collector

/// What the collector says of itself to those who run it.
@Suite struct CollectorMeterTests {
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
