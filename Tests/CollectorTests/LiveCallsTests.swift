import CallModel
import Testing

@testable import Collector

/// Which calls go on, and when one is over.
@Suite struct LiveCallsTests {
    @Test func `a call that was ended is told of once, when its last reports have had time to come`() {
        var calls = LiveCalls()
        calls.note(Self.summary(), isNews: true, now: Self.at(0))
        #expect(calls.count == 1)
        calls.note(Self.summary(endedAt: 10, score: 70), isNews: true, now: Self.at(10))
        #expect(calls.count == 0)
        #expect(calls.takeEndings(now: Self.at(39)) == [])
        calls.note(Self.summary(endedAt: 10, score: 65), isNews: true, now: Self.at(39))
        #expect(calls.takeEndings(now: Self.at(68)) == [])
        let endings = calls.takeEndings(now: Self.at(69))
        #expect(endings.map(\.score) == [65])
        #expect(endings.map(\.reason) == ["unknown"])
        calls.note(Self.summary(endedAt: 10, score: 60), isNews: true, now: Self.at(80))
        #expect(calls.takeEndings(now: Self.at(200)) == [])
        #expect(calls.count == 0)
    }

    @Test func `a call of which no more is heard is over after 90 s, and is forgotten after 300`() {
        var calls = LiveCalls()
        calls.note(Self.summary(score: 90), isNews: true, now: Self.at(0))
        #expect(calls.takeEndings(now: Self.at(89)) == [])
        #expect(calls.count == 1)
        #expect(calls.takeEndings(now: Self.at(90)).map(\.reason) == ["silent"])
        #expect(calls.count == 0)
        // What is only derived anew is not heard of, and does not bring it back.
        calls.note(Self.summary(score: 80), isNews: false, now: Self.at(299))
        #expect(calls.takeEndings(now: Self.at(300)) == [])
        calls.note(Self.summary(score: 80), isNews: false, now: Self.at(301))
        #expect(calls.count == 0)
        calls.note(Self.summary(score: 80), isNews: true, now: Self.at(302))
        #expect(calls.count == 1)
    }

    @Test func `what an ending says of the setup leaves out what is not known or no duration`() {
        var summary = Self.summary(endedAt: 10)
        summary.setup.answerDelay = 1500
        summary.setup.mediaSetup = -20
        let ending = CallEnding(summary)
        #expect(CallEnding.Phase.allCases.map(ending.milliseconds) == [nil, nil, 1500, nil, nil, nil])
    }

    private static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_240_000_000 + seconds * 1000)
    }

    private static func summary(endedAt: Int64? = nil, score: Int? = nil) -> CallSummary {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        var summary = CallSummary(
            key: CallKey(identity: identity, observer: .client, attempt: 1), rulesVersion: 1, start: at(0),
            lastActivity: at(0), lastReceivedAt: at(0))
        summary.endedAt = endedAt.map(at)
        summary.score = score
        return summary
    }
}
