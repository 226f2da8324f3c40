import CallModel
import Testing

@testable import CallQuality

/// Round trips that began before an interruption ended, and sound beside which others are silent.
@Suite struct HeldUpRoundTripTests {
    /// The far end sleeps for 12 s, and answers when it wakes what it had been asked before, for seconds.
    private static func call(sleeps: Bool) -> ScriptedCall {
        var call = ScriptedCall(90)
        for second in 40..<52 where sleeps {
            (call.seconds[second].packets, call.seconds[second].concealedSeconds) = (0, 1)
            (call.seconds[second].silentSeconds, call.seconds[second].concealments) = (1, 0)
            (call.seconds[second].videoPackets, call.seconds[second].videoBytes) = (0, 0)
            call.seconds[second].frames = 0
        }
        if sleeps { (call.seconds[40].concealments, call.seconds[40].silentSeconds) = (1, 0.9) }
        for second in 52..<56 { call.seconds[second].roundTripSeconds = 9 }
        return call
    }

    @Test(arguments: [1, 10], [true, false]) func `what a far end answers when it wakes is no long way`(
        cadence: Int, sleeps: Bool
    ) throws {
        let summary = try #require(Self.call(sleeps: sleeps).summary(every: cadence))
        #expect(summary.issues.all.map(\.kind).contains(.blackout) == sleeps)
        #expect((summary.costs[.delay] ?? 0 > 0) == !sleeps)
    }

    /// A second participant of a conference, who is silent all the time or all but.
    private func summary(loudness: Double, every cadence: Int) throws -> CallSummary {
        try ScriptedCall(90).summary(every: cadence) { seconds, objects in
            objects
                + objects.filter { $0.id == "IA" }.map { object in
                    var members = object.members
                    members["ssrc"] = 11
                    members["totalAudioEnergy"] = .double(loudness * loudness * seconds)
                    return StatsObject(id: "IA2", type: object.type, timestamp: object.timestamp, members: members)
                }
        }
    }

    @Test(arguments: [1, 10], [0, 0.1]) func `a far end is not silent while somebody speaks there`(
        cadence: Int, loudness: Double
    ) throws {
        #expect(try summary(loudness: loudness, every: cadence).issues.all == [])
    }
}
