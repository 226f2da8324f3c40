import CallModel
import Testing

@testable import CallQuality

/// Clients whose timer goes on when the call is over, and those of which no event tells when it began.
@Suite struct AfterEndTests {
    private static var over: ScriptedSecond {
        var second = ScriptedSecond()
        (second.packets, second.concealedSeconds, second.silentSeconds, second.concealments) = (0, 1, 0.98, 0.2)
        (second.videoPackets, second.videoBytes, second.frames, second.sent) = (0, 0, 0, 0)
        return second
    }

    /// A call of 61 s, whose client reports until `last`.
    private func call(until last: Int, _ change: (inout ScriptedCall) -> Void = { _ in }) throws -> CallSummary {
        var call = ScriptedCall(last, bad: [61..<max(61, last)], Self.over)
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: -3),
            ScriptedCall.event("callMetric", "callAnswerReceived", at: 0),
            ScriptedCall.event("callState", "ENDED", at: 61),
        ]
        change(&call)
        return try #require(call.summary(every: 10))
    }

    @Test(arguments: [62, 70, 100, 660]) func `what is reported after the end takes nothing from the call`(last: Int)
        throws
    {
        let (whole, late) = try (call(until: 61), call(until: last))
        #expect(late.score == whole.score)
        #expect(late.worstScore == whole.worstScore)
        #expect(late.costs[.blackout] == nil)
        #expect(late.issues.all == [])
        #expect(late.outages == [])
        #expect(late.holds == [])
        #expect(late.heldSeconds == 0)
    }

    @Test func `a timer that goes on changes nothing but how much was heard`() throws {
        let late = { (call: inout ScriptedCall) in
            for second in 70..<call.seconds.count {
                (call.seconds[second].packets, call.seconds[second].lost) = (50, 25)
                call.seconds[second].roundTripSeconds = 0.6
            }
        }
        let once = try call(until: 70, late)
        var longer = try call(until: 140, late)
        #expect(longer.dataQuality.reports == once.dataQuality.reports + 7)
        let note = "reports went on after the event that ended the call; they are left out"
        #expect(Set(longer.dataQuality.notes).subtracting(once.dataQuality.notes) == [note])
        longer.dataQuality = once.dataQuality
        (longer.lastActivity, longer.lastReceivedAt) = (once.lastActivity, once.lastReceivedAt)
        #expect(longer == once)
    }

    @Test(arguments: [61, 70, 100]) func `a blackout before it is still one`(last: Int) throws {
        let summary = try call(until: last) { call in
            for second in 41..<46 { call.seconds[second] = Self.over }
        }
        #expect(summary.outages.count == 1)
        #expect(summary.issues.all.map(\.kind) == [.blackout], "pictures were missing with the sound")
        #expect(try #require(summary.costs[.blackout]) > 1)
    }

    @Test(arguments: [70, 100]) func `a hold in which the call ended lasts until then`(last: Int) throws {
        let summary = try call(until: last) { call in
            for second in 41..<61 { call.seconds[second] = Self.over }
            call.events.append(ScriptedCall.event("callState", "ON_HOLD", at: 41))
        }
        #expect(summary.outages == [])
        #expect(try #require(summary.holds.last).span.end == ScriptedCall.at(61))
        #expect(abs(summary.heldSeconds - 20) <= 1)
    }

    @Test func `where no event tells of the beginning, the first report tells since when there are media`() throws {
        let facts = ScriptedCall(60).facts(every: 10).filter { $0.time >= ScriptedCall.at(10) }
        let summary = try #require(ScriptedCall.summary(of: facts))
        #expect(summary.start == ScriptedCall.at(0))
        #expect(summary.firstMediaAt == ScriptedCall.at(0))
        #expect(summary.setup.callDuration == 60_000)
        let created = ScriptedCall.event("callMetric", "callCreate", at: 9)
        let told = try #require(ScriptedCall.summary(of: [.event(created)] + facts))
        #expect(told.start == ScriptedCall.at(9))
        #expect(told.firstMediaAt == ScriptedCall.at(10))
    }
}
