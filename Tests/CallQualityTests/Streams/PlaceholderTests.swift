import CallModel
import Testing

@testable import CallQuality

/// Pictures and sound that somebody switched off.
@Suite struct PlaceholderTests {
    /// Firefox sends a black picture every second while the camera is off, and the receiver counts each second as a freeze.
    private static var black: ScriptedSecond {
        var second = ScriptedSecond()
        (second.frames, second.videoPackets, second.videoBytes) = (1, 1, 50)
        (second.freezes, second.frozenSeconds) = (1, 1)
        return second
    }

    @Test(arguments: [1, 5, 10]) func `a camera that is off is no frozen picture`(cadence: Int) throws {
        let summary = try #require(ScriptedCall(90, bad: [30..<60], Self.black).summary(every: cadence))
        #expect(summary.score == 100)
        #expect(summary.issues.all == [])
    }

    /// The first standstill lasts until the second black picture. Each moment is in some report beside pictures.
    @Test(arguments: [(2, 99), (5, 92), (10, 92)]) func `nor is one that is switched off and on within a report`(
        cadence: Int, least: Int
    ) throws {
        var call = ScriptedCall(90, bad: [30..<60], Self.black)
        (call.seconds[30].frames, call.seconds[30].freezes, call.seconds[30].frozenSeconds) = (3, 0, 0)
        (call.seconds[30].videoBytes, call.seconds[30].videoPackets) = (6_000, 5)
        call.seconds[31].frozenSeconds = 1.9
        for first in 0..<cadence {
            let summary = try #require(call.summary(every: cadence, from: first))
            #expect(try #require(summary.score) >= least, "from \(first)")
            // Of one standstill alone nobody can tell.
            #expect(summary.issues.all.allSatisfy { $0.severity < .critical }, "from \(first)")
        }
    }

    @Test(arguments: [5, 10]) func `two freezes of a second in which the rest of the bytes came are freezes`(
        cadence: Int
    ) throws {
        var call = ScriptedCall(90)
        for second in [33, 34, 63, 64] {
            (call.seconds[second].freezes, call.seconds[second].frozenSeconds, call.seconds[second].frames) = (1, 1, 1)
        }
        #expect(try #require(call.summary(every: cadence)?.score) < 95)
    }

    /// As Firefox's reports of every second have them: a packet in each, and its picture in that one or the next.
    @Test func `nor is one where reports have two pictures or none`() throws {
        var call = ScriptedCall(90, bad: [30..<60], Self.black)
        for second in 30..<60 {
            let pictures = second.isMultiple(of: 2) ? 0.0 : 2.0
            call.seconds[second].frames = pictures
            (call.seconds[second].freezes, call.seconds[second].frozenSeconds) = (pictures, pictures)
        }
        let summary = try #require(call.summary(every: 1))
        #expect(summary.score == 100)
        #expect(summary.issues.all == [])
    }

    @Test(arguments: [1, 5, 10]) func `an encoder that is held up is one`(cadence: Int) throws {
        var slow = Self.black
        slow.videoBytes = 2_500
        let summary = try #require(ScriptedCall(90, bad: [30..<60], slow).summary(every: cadence))
        #expect(summary.issues.all.contains { $0.kind == .freeze })
        #expect(try #require(summary.score) < 90)
    }

    @Test func `nor are small pictures of which others were lost`() throws {
        var lossy = Self.black
        lossy.videoLost = 1
        let summary = try #require(ScriptedCall(90, bad: [30..<60], lossy).summary(every: 1))
        #expect(summary.issues.all.contains { $0.kind == .freeze })
    }

    /// Engines tell of it when the next picture comes, which may be in another window of 10 s.
    @Test(arguments: [1, 2]) func `a standstill costs as much wherever the windows cut it`(cadence: Int) throws {
        var dead = ScriptedSecond()
        (dead.packets, dead.concealedSeconds, dead.silentSeconds) = (0, 1, 0.98)
        (dead.videoPackets, dead.videoBytes, dead.frames) = (0, 0, 0)
        let scores = try (20..<30).map { (start: Int) -> Int in
            var call = ScriptedCall(60, bad: [start..<start + 8], dead)
            call.seconds[start].concealments = 1
            (call.seconds[start + 8].freezes, call.seconds[start + 8].frozenSeconds) = (1, 8.1)
            return try #require(call.summary(every: cadence)?.score)
        }
        let (least, most) = (try #require(scores.min()), try #require(scores.max()))
        #expect(most - least <= 3, "\(scores)")
    }

    @Test func `nor is the beginning of a report in which the path went down`() throws {
        var dead = ScriptedSecond()
        (dead.packets, dead.concealedSeconds, dead.silentSeconds, dead.concealments) = (0, 1, 0.98, 0.1)
        (dead.videoPackets, dead.videoBytes, dead.frames) = (0, 0, 0)
        let whole = ScriptedCall(90, bad: [31..<90], dead)
        var less = whole
        (less.seconds[30].frames, less.seconds[30].videoBytes, less.seconds[30].videoPackets) = (10, 3_000, 10)
        let score = try #require(whole.summary(every: 10)?.score)
        #expect(try #require(less.summary(every: 10)?.score) <= score)
    }

    @Test func `a picture of no size is none`() throws {
        let summary = try ScriptedCall(60).summary(every: 10) { seconds, objects in
            objects.map { object in
                guard object.id == "OV" else { return object }
                var other = object
                other.members["frameWidth"] = seconds == 30 ? 0 : 640
                other.members["frameHeight"] = seconds == 30 ? 0 : 480
                return other
            }
        }
        let sent = try #require(summary.streams.first { $0.stream.source == "4" })
        #expect(sent.pictureChanges == [])
        #expect(sent.resolutionChanges == 0)
    }

    @Test func `who is muted in a conference makes no bad sound better`() throws {
        let bad = ScriptedCall(60, bad: [0..<60], .losing(10))
        let alone = try #require(bad.summary(every: 10))
        let conference = try bad.summary(every: 10) { _, objects in
            objects
                + (0..<19).compactMap { number in
                    objects.first { $0.id == "IA" }.map { sound in
                        var muted = sound
                        muted.id = "IA\(number)"
                        muted.members["ssrc"] = .integer(100 + Int64(number))
                        muted.members["packetsLost"] = 0
                        muted.members["concealedSamples"] = 0
                        muted.members["silentConcealedSamples"] = 0
                        muted.members["totalAudioEnergy"] = 0
                        return muted
                    }
                }
        }
        #expect(conference.score == alone.score)
        var quiet = ScriptedCall(60)
        for second in 0..<60 { quiet.seconds[second].loudness = 0 }
        #expect(quiet.summary(every: 10)?.score == 100)
    }

    @Test func `what the far end heard is not known from RTCP that comes first after a minute`() throws {
        var call = ScriptedCall(60)
        for second in 0..<60 { call.seconds[second].sentLost = 7 }
        let early = try #require(call.summary(every: 10)?.streams.first { $0.stream.source == "2" })
        #expect(try #require(early.score) < 80)
        let late = try call.summary(every: 60) { seconds, objects in
            objects.filter { $0.id != "RA" || seconds > 0 }.map { object in
                guard object.id == "OA", seconds == 0 else { return object }
                var other = object
                other.members["remoteId"] = nil
                return other
            }
        }
        let sent = try #require(late.streams.first { $0.stream.source == "2" })
        #expect(sent.packetsLost == 420)
        #expect(sent.score == nil)
    }
}
