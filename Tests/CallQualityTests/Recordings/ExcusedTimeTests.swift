import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// What the client says of a time in which nobody could hear or see is no fault of the call.
@Suite struct ExcusedTimeTests {
    private func summary(_ name: String, _ end: RecordedCall.End, adding events: [(Double, String, String, JSONValue)])
        throws -> CallSummary
    {
        let call = RecordedCall(SharedData.packageRoot.appending(path: "SampleData/\(name)"), end: end)
        var facts = try call.facts()
        let first = try #require(try call.record()?.summary.firstMediaAt)
        facts += events.map { seconds, action, type, detail in
            let time = first.advanced(byMilliseconds: Int64(seconds * 1000))
            return Fact.event(
                CallEvent(time: time, receivedAt: time, action: action, type: type, members: ["detail": detail]))
        }
        var session = CallSession(key: call.key)
        _ = session.fold(facts.sorted { $0.key < $1.key })
        return try #require(session.summary())
    }

    private static let interruptions: [(begin: (String, String), end: (String, String))] = [
        (("interruption", "beginInterruption"), ("interruption", "endInterruption")),
        (("operation", "hold"), ("operation", "resume")),
        (("callState", "REMOTELY_HELD"), ("callState", "IN_CALL")),
    ]

    /// The recording's path is down from 25 to 30 s.
    @Test(arguments: interruptions.indices) func `an outage in an interruption is none`(index: Int) throws {
        let (begin, end) = Self.interruptions[index]
        let before = try summary("10-outage5s", .caller, adding: [])
        #expect(before.outages.count == 1)
        let after = try summary(
            "10-outage5s", .caller,
            adding: [(20, begin.0, begin.1, [:]), (40, end.0, end.1, [:])])
        #expect(after.outages == [])
        #expect(abs(after.heldSeconds - 20) < 0.5)
        #expect(after.costs[.blackout] == nil)
        #expect(after.score ?? 0 > before.score ?? 100)
    }

    /// Sound goes on in the background, and a system that stops a picture then says nothing of the path.
    @Test func `in the background an outage of the sound is one, and pictures are not judged`() throws {
        let before = try summary("10-outage5s", .caller, adding: [])
        let after = try summary(
            "10-outage5s", .caller, adding: [(20, "app", "background", [:]), (40, "app", "foreground", [:])])
        #expect(after.outages == before.outages)
        #expect(after.heldSeconds == 0)
        #expect(after.scoredSeconds == before.scoredSeconds)
        #expect(after.costs[.freeze] ?? 0 < (before.costs[.freeze] ?? 0) / 4)
    }

    /// The media go on, for the client tells of a hold that nobody keeps to.
    @Test(arguments: interruptions.indices)
    func `an interruption in which all goes on makes nothing slow before or after`(
        index: Int
    ) throws {
        let (begin, end) = Self.interruptions[index]
        let before = try summary("01-clean", .caller, adding: [])
        let after = try summary(
            "01-clean", .caller, adding: [(21, begin.0, begin.1, [:]), (29, end.0, end.1, [:])])
        #expect(abs(after.heldSeconds - 8) < 0.5)
        #expect(after.issues.all == before.issues.all)
        #expect(after.costs[.frameRate] ?? 0 < 0.01)
    }

    @Test func `a far end that is mute is not a blackout, and its picture is scored all the same`() throws {
        let muted = try summary(
            "10-outage5s", .caller,
            adding: [
                (20, "media", "didOpponentAudioStateChange", ["isAudioEnabled": false]),
                (40, "media", "didOpponentAudioStateChange", ["isAudioEnabled": true]),
            ])
        #expect(muted.outages == [])
        #expect(muted.course.lanes.map(\.kind) == [.farEndMuted])
        #expect(muted.heldSeconds == 0)
        #expect(muted.costs[.freeze] ?? 0 > 1)
    }

    @Test func `a picture that the far end switched off is not frozen`() throws {
        let before = try summary("10-outage5s", .caller, adding: [])
        let after = try summary(
            "10-outage5s", .caller,
            adding: [
                (20, "media", "didReceiveMediaChangeRequest", ["hasRemoteAudio": true, "hasRemoteVideo": false]),
                (40, "media", "didReceiveMediaChangeRequest", ["hasRemoteAudio": true, "hasRemoteVideo": true]),
            ])
        let frozen = [before, after].map { summary in
            summary.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound }?.frozenSeconds ?? -1
        }
        #expect(frozen[1] < frozen[0])
        #expect(after.costs[.freeze] ?? 0 < before.costs[.freeze] ?? 0)
        // The sound is judged as before.
        #expect(after.outages == before.outages)
    }

    @Test func `this end's own microphone changes nothing of what it hears`() throws {
        var muted = try summary(
            "10-outage5s", .caller,
            adding: [(20, "operation", "muteCallSucceed", [:]), (40, "operation", "unMuteCallSucceed", [:])])
        let before = try summary("10-outage5s", .caller, adding: [])
        muted.course = before.course
        muted.dataQuality.events = before.dataQuality.events
        muted.dataQuality.clockOffsetMilliseconds = before.dataQuality.clockOffsetMilliseconds
        #expect(muted == before)
    }
}
