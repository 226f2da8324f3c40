import CallModel
import TestSupport
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
        calls.note(Self.summary(score: 80, receivedAt: 302), isNews: true, now: Self.at(302))
        #expect(calls.count == 1)
    }

    @Test func `a call of long ago that is imported goes on for nobody`() {
        var calls = LiveCalls()
        calls.note(Self.summary(), isNews: true, now: Self.at(90))
        #expect(calls.isEmpty)
        calls.note(Self.summary(), isNews: true, now: Self.at(89))
        #expect(calls.count == 1)
    }

    @Test func `a call that its probe does not watch any more goes on for nobody, until the probe tells of it again`() {
        var calls = LiveCalls()
        var summary = Self.summary()
        summary.sensor = SensorHealth(watchedUntil: Self.at(8))
        calls.note(summary, isNews: true, now: Self.at(8))
        #expect(calls.count == 0)
        // It may have been started anew.
        #expect(calls.takeEndings(now: Self.at(97)) == [])
        summary.sensor?.watchedUntil = nil
        calls.note(summary, isNews: true, now: Self.at(97))
        #expect(calls.count == 1)
        summary.sensor?.watchedUntil = Self.at(98)
        calls.note(summary, isNews: true, now: Self.at(98))
        #expect(calls.count == 0)
        #expect(calls.takeEndings(now: Self.at(188)).map(\.reason) == ["silent"])
    }

    @Test func `what an ending says of the setup leaves out what is not known or no duration`() {
        var summary = Self.summary(endedAt: 10)
        summary.setup.answerDelay = 1500
        summary.setup.mediaSetup = -20
        let ending = CallEnding(summary)
        #expect(CallEnding.Phase.allCases.map(ending.milliseconds) == [nil, nil, 1500, nil, nil, nil])
    }

    @Test func `a call counts once, whoever tells of it, until the last of them is done`() {
        var calls = LiveCalls()
        calls.note(Self.summary(observer: "caller"), isNews: true, now: Self.at(0))
        calls.note(Self.summary(observer: "callee"), isNews: true, now: Self.at(0))
        calls.note(Self.summary("d"), isNews: true, now: Self.at(0))
        #expect(calls.count == 2)
        calls.note(Self.summary(endedAt: 5, observer: "caller"), isNews: true, now: Self.at(5))
        #expect(calls.count == 2)
        calls.note(Self.summary(endedAt: 5, observer: "callee"), isNews: true, now: Self.at(5))
        #expect(calls.count == 1)
    }

    @Test(arguments: [("wire:caller", "wire:callee"), ("probe:2:b", "probe:2:a")])
    func `an end of which a probe tells nothing goes on while it tells of the other`(told: String, silent: String) {
        var calls = LiveCalls()
        for observer in [told, silent, "other:callee"] {
            calls.note(Self.summary(observer: observer), isNews: true, now: Self.at(0))
        }
        calls.note(Self.summary(observer: told), isNews: true, now: Self.at(60))
        #expect(calls.takeEndings(now: Self.at(149)).count == 1)
        #expect(calls.takeEndings(now: Self.at(150)).count == 2)
        // What was told of as over stays over.
        calls.note(Self.summary(observer: told), isNews: true, now: Self.at(160))
        #expect(calls.takeEndings(now: Self.at(300)).isEmpty)
    }

    @Test(arguments: [true, false])
    func `a session is the call that claims it, whichever is heard of first`(isSessionFirst: Bool) {
        var calls = LiveCalls()
        if isSessionFirst { calls.note(Self.summary("session"), isNews: true, now: Self.at(0)) }
        #expect(calls.count == (isSessionFirst ? 1 : 0))
        calls.note(Self.summary("call"), claims: [Self.identity("session")], isNews: true, now: Self.at(1))
        calls.note(Self.summary("session"), isNews: true, now: Self.at(2))
        #expect(calls.count == 1)
        #expect(calls.admits(Self.identity("session"), besides: 0, limit: 1))
        calls.note(Self.summary("call", endedAt: 3), isNews: true, now: Self.at(3))
        #expect(calls.count == 0)
        // The claim is known as long as the call is.
        #expect(calls.takeEndings(now: Self.at(303)).count == 2)
        calls.note(Self.summary("session", receivedAt: 304), isNews: true, now: Self.at(304))
        #expect(calls.count == 1)
    }

    @Test func `a call that was erased goes on no more, was not over, and stays known for a while`() {
        var calls = LiveCalls()
        for observer in ["caller", "callee"] {
            calls.note(
                Self.summary("a", observer: observer), claims: [Self.identity("s")], isNews: true, now: Self.at(0))
        }
        for name in ["b", "s"] { calls.note(Self.summary(name), isNews: true, now: Self.at(0)) }
        #expect(calls.count == 2)
        calls.erase(Self.identity("a"))
        // What is left under the id of the session is a call by itself.
        #expect(calls.count == 2 && !calls.admits(Self.identity("c"), besides: 0, limit: 2))
        calls.erase(Self.identity("s"))
        #expect(calls.count == 1 && calls.admits(Self.identity("c"), besides: 0, limit: 2))
        #expect(calls.admits(Self.identity("a"), besides: 9, limit: 2))
        #expect(calls.takeEndings(now: Self.at(90)).count == 1)
        #expect(calls.takeEndings(now: Self.at(300)).isEmpty && calls.isEmpty)
    }

    @Test func `one tenant's calls leave the room of another as it is`() {
        var calls = LiveCalls()
        for name in ["a", "b"] { calls.note(Self.summary(name), isNews: true, now: Self.at(0)) }
        let other = TenantID(rawValue: "other")
        #expect(!calls.admits(Self.identity("c"), besides: 0, limit: 2))
        #expect(calls.admits(Self.identity("c"), besides: 0, limit: 3))
        #expect(!calls.admits(Self.identity("c"), besides: 1, limit: 3))
        #expect(calls.admits(Self.identity("a"), besides: 9, limit: 2))
        #expect(calls.admits(Self.identity("c", of: other), besides: 1, limit: 2))
        calls.note(Self.summary("a", endedAt: 1), isNews: true, now: Self.at(1))
        #expect(calls.admits(Self.identity("c"), besides: 0, limit: 2))
        // What comes late for a call that has just ended is taken.
        calls.note(Self.summary("c"), isNews: true, now: Self.at(2))
        #expect(calls.admits(Self.identity("a"), besides: 0, limit: 2))
    }

    /// What is kept beside the records must say the same as the records.
    @Test(arguments: 0..<20) func `whatever happens, as many calls go on as records say`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        var calls = LiveCalls()
        var heard: [String: (last: Int64, hasEnded: Bool)] = [:]
        var now: Int64 = 0
        for _ in 0..<400 {
            now += Int64.random(in: 0...12, using: &random)
            if Bool.random(using: &random) { _ = calls.takeEndings(now: Self.at(now)) }
            let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let observer = ["caller", "callee"].randomElement(using: &random) ?? "caller"
            let hasEnded = Int.random(in: 0..<4, using: &random) == 0
            let summary = Self.summary(name, endedAt: hasEnded ? now : nil, observer: observer, receivedAt: now)
            calls.note(summary, isNews: true, now: Self.at(now))
            heard["\(name)/\(observer)"] = (now, hasEnded)
        }
        _ = calls.takeEndings(now: Self.at(now))
        // A record that was told of as over stays over for 300 s; in this test each is heard of within that, so only
        // those never silent for long can go on.
        let mayGoOn = Set(heard.filter { !$0.value.hasEnded && now - $0.value.last < 90 }.keys.map { $0.first })
        #expect(calls.count <= mayGoOn.count)
        _ = calls.takeEndings(now: Self.at(now + 300))
        #expect(calls.count == 0)
        #expect(calls.isEmpty)
        for name in ["a", "b", "c"] {
            calls.note(Self.summary(name, receivedAt: now + 301), isNews: true, now: Self.at(now + 301))
        }
        #expect(calls.count == 3)
    }

    private static func identity(_ call: String, of tenant: TenantID = .default) -> CallIdentity {
        CallIdentity(tenant: tenant, call: CallID(rawValue: call))
    }

    private static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_240_000_000 + seconds * 1000)
    }

    private static func summary(
        _ call: String = "c", endedAt: Int64? = nil, score: Int? = nil, observer: String = "client",
        receivedAt: Int64 = 0
    ) -> CallSummary {
        var summary = CallSummary(
            key: CallKey(identity: identity(call), observer: ObserverID(rawValue: observer), attempt: 1),
            rulesVersion: 1, start: at(0), lastActivity: at(0), lastReceivedAt: at(receivedAt))
        summary.endedAt = endedAt.map(at)
        summary.score = score
        return summary
    }
}
