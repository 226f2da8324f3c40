import CallModel
import Testing

@testable import CallQuality

/// Statistics and events of one client that are stamped by two clocks.
@Suite struct ClockAgreementTests {
    /// The doubt about a minute of reports of every ten seconds whose clock is ahead, and events at some seconds, each received
    /// after so many seconds.
    private func note(
        ahead seconds: Double, events: [Double], afterReport: (Double) -> Double = { _ in 0.1 },
        afterEvent: (Double) -> Double = { _ in 0.1 }
    ) -> String? {
        func at(_ second: Double) -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + Int64(1000 * second)) }
        var clocks = ClockAgreement()
        for second in stride(from: 0.0, through: 60, by: 10) {
            clocks.take(statisticsAt: at(second + seconds), receivedAt: at(second + afterReport(second)))
        }
        for second in events { clocks.take(eventAt: at(second), receivedAt: at(second + afterEvent(second))) }
        return clocks.note
    }

    private func doubt(_ words: String) -> String {
        "the clock of the statistics is \(words) that of the events: what events tell of, such as holds, is misplaced by "
            + "as much"
    }

    @Test func `times that differ all along are those of two clocks`() {
        #expect(note(ahead: 20, events: [0, 30, 45]) == doubt("20 s ahead of"))
        #expect(note(ahead: -3600, events: [0, 30, 45]) == doubt("3600 s behind"))
    }

    @Test func `a way of some seconds is no other clock`() {
        #expect(note(ahead: 0, events: [0, 30, 45]) == nil)
        #expect(note(ahead: 4.5, events: [0, 30, 45]) == nil)
        #expect(note(ahead: 0, events: [0, 30, 45], afterReport: { _ in 4 }) == nil)
    }

    /// All at the end, or every half minute.
    @Test func `what is kept back tells nothing of a clock`() {
        #expect(note(ahead: 0, events: [0, 30, 45], afterReport: { 70 - $0 }) == nil)
        #expect(note(ahead: 0, events: [0, 30, 45], afterEvent: { 60 - $0 }) == nil)
        #expect(note(ahead: 0, events: [3, 14, 28], afterEvent: { 30 - $0 }) == nil)
    }

    @Test func `events of a moment tell nothing of a clock`() {
        #expect(note(ahead: 20, events: [0, 2, 9]) == nil)
        #expect(note(ahead: 20, events: []) == nil)
    }

    @Test func `the report says so`() throws {
        var call = ScriptedCall(60)
        call.events = [0.0, 30, 45].map { ScriptedCall.event("callState", "IN_CALL", at: $0) }
        let facts = call.facts(every: 10).map { fact -> Fact in
            guard case .event(var event) = fact else { return fact }
            event.time = event.time.advanced(byMilliseconds: 20_000)
            return .event(event)
        }
        let summary = try #require(ScriptedCall.summary(of: facts.sorted { $0.key < $1.key }))
        #expect(summary.dataQuality.notes == [doubt("20 s behind")])
    }
}
