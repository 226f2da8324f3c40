import CallModel
import Testing

@testable import CallQuality

/// Sound that goes one way before and after the answer: a caller hears tones and announcements, and sends nothing.
@Suite struct EarlyMediaTests {
    /// What is told of sound that went one way where this end sends none for so many seconds, and is answered after others.
    private func runs(silentUntil end: Int, answeredAt answer: Double?, every cadence: Int) -> [CallIssue] {
        var silent = ScriptedSecond()
        silent.sent = 0
        var call = ScriptedCall(90, bad: [0..<end], silent)
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: -2),
            ScriptedCall.event("callMetric", "callRinging", at: -1),
            ScriptedCall.event("iceState", "iceConnected", at: -0.5),
        ]
        if let answer { call.events.append(ScriptedCall.event("callMetric", "callAnswerReceived", at: answer)) }
        return call.issues(every: cadence).filter { $0.kind == .oneWayAudio }
    }

    @Test(arguments: [1, 5, 10]) func `before the answer it is early media`(cadence: Int) {
        #expect(runs(silentUntil: 25, answeredAt: 25, every: cadence) == [])
        #expect(runs(silentUntil: 40, answeredAt: 32, every: cadence) == [], "not long enough after it")
    }

    @Test(arguments: [1, 5, 10]) func `from the answer on it goes one way only`(cadence: Int) throws {
        let issues = runs(silentUntil: 60, answeredAt: 22, every: cadence)
        #expect(issues.map(\.cause) == [.nothingSent])
        #expect(try #require(issues.first).span.start >= ScriptedCall.at(22))
        #expect(runs(silentUntil: 40, answeredAt: -0.2, every: cadence).map(\.cause) == [.nothingSent])
    }

    @Test func `sound that had gone both ways was no early media, though nobody told of an answer`() {
        var silent = ScriptedSecond()
        silent.sent = 0
        var call = ScriptedCall(90, bad: [30..<60], silent)
        call.events = [ScriptedCall.event("callMetric", "callCreate", at: -2)]
        #expect(call.issues(every: 10).filter { $0.kind == .oneWayAudio }.map(\.cause) == [.nothingSent])
    }
}
