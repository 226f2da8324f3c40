import CallModel
import Testing

@testable import CallQuality

@Suite struct SIPTimelineTests {
    /// Messages as `type@milliseconds`.
    private func timeline(_ messages: String...) -> SIPTimeline {
        var timeline = SIPTimeline()
        for message in messages {
            let parts = message.split(separator: "@")
            let time = Timestamp(milliseconds: parts.last.flatMap { Int64($0) } ?? 0)
            timeline.take(
                CallEvent(
                    time: time, receivedAt: time, action: "sip", type: String(parts[0]), sequence: nil, members: [:]))
        }
        return timeline
    }

    @Test(arguments: ["401", "402", "407", "302"])
    func `a challenge or redirection is no answer to the request`(_ status: String) {
        let timeline = timeline("INVITE@0", "100@10", "\(status)@50", "INVITE@100", "100@150", "180@1100", "200@3100")
        #expect(timeline.invited == Timestamp(milliseconds: 0))
        #expect(timeline.firstResponse == Timestamp(milliseconds: 1100))
        #expect(timeline.answered == Timestamp(milliseconds: 3100))
    }

    @Test(arguments: ["183", "200", "486"])
    func `a call that rings, is answered or fails has had its response`(_ status: String) {
        let timeline = timeline("INVITE@0", "100@10", "\(status)@50")
        #expect(timeline.firstResponse == Timestamp(milliseconds: 50))
    }
}
