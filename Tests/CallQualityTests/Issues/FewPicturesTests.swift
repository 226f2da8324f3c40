import CallModel
import Testing

@testable import CallQuality

/// Pictures of which few come, beside other things that happen, and pictures of several kinds in one stream.
@Suite struct FewPicturesTests {
    /// A second without sound and pictures.
    private static var dark: ScriptedSecond {
        var second = ScriptedSecond()
        (second.packets, second.concealedSeconds, second.silentSeconds, second.concealments) = (0, 1, 1, 0)
        (second.videoPackets, second.videoBytes, second.frames) = (0, 0, 0)
        return second
    }

    /// A call in which pictures are few for half a minute.
    private static func call(frames: Double = 3) -> ScriptedCall {
        var few = ScriptedSecond()
        few.frames = frames
        return ScriptedCall(90, bad: [30..<60], few)
    }

    /// A second of missing sound hides nothing of the nine others; and what was lost in it is not why pictures are few.
    @Test(arguments: [1, 5, 10]) func `few pictures are told beside sound that was missing for a moment`(
        cadence: Int
    ) {
        var call = Self.call()
        for second in [34, 44, 54] {
            call.seconds[second] = Self.dark
            call.seconds[second + 1].videoLost = 60
        }
        let low = call.issues(every: cadence).filter { $0.kind == .lowFrameRate }
        #expect(low.map(\.span.start) == [ScriptedCall.at(30)])
        #expect(low.map(\.span.end) == [ScriptedCall.at(60)])
        #expect(low.map(\.cause) == [nil])
        #expect(low.map { $0.worst?.value.rounded() } == [85])
        #expect(low.map(\.severity) == [.critical])
    }

    /// The time for which sound is missing is no evidence of few pictures.
    @Test(arguments: [1, 5, 10]) func `pictures that are missing with the sound are not few`(cadence: Int) {
        let call = ScriptedCall(90, bad: [33..<39, 53..<59], Self.dark)
        #expect(!call.issues(every: cadence).map(\.kind).contains(.lowFrameRate))
    }

    /// A decoder that missed pictures shows none until a key frame has come. Then it tells for how long they stood still.
    @Test(arguments: [5, 10], [6, 8]) func `pictures that wait for a key frame after a blackout are not few`(
        cadence: Int, seconds: Int
    ) {
        var call = ScriptedCall(90, bad: [30..<(30 + seconds)], Self.dark)
        for second in [30 + seconds, 31 + seconds] { call.seconds[second].frames = 0 }
        call.seconds[32 + seconds].freezes = 1
        call.seconds[32 + seconds].frozenSeconds = Double(seconds) + 2
        for first in 0..<cadence {
            let kinds = call.issues(every: cadence, from: first).map(\.kind)
            #expect(!kinds.contains(.lowFrameRate), "from second \(first)")
            #expect(kinds.contains(.freeze), "from second \(first)")
        }
    }

    /// A screen of few pictures is shared until the sixtieth second; that is in the middle of a report of eight seconds.
    @Test(arguments: [1, 8]) func `what was shown of a screen counts against no camera`(cadence: Int) throws {
        let summary = try Self.call().summary(every: cadence) { seconds, objects in
            objects.map { object in
                guard object.id == "IV", seconds > 30, seconds <= 60 else { return object }
                var screen = object
                screen.members["contentType"] = "screenshare"
                return screen
            }
        }
        #expect(summary.issues.all.map(\.kind) == [])
        #expect(summary.costs[.frameRate] ?? 0 == 0)
    }

    /// Chromium counts a picture once for each of its sizes in one stream; the gauge counts pictures.
    @Test(arguments: [
        (mode: "L2T3", rate: 15.0), ("S3T1", 15), ("L1T3", 30), ("", 30),
    ])
    func `a picture that is sent in several sizes is one`(mode: String, rate: Double) throws {
        let summary = try ScriptedCall(40).summary(every: 10) { seconds, objects in
            objects.map { object in
                guard object.id == "OV" else { return object }
                var layered = object
                layered.members["framesSent"] = .double(30 * seconds)
                layered.members["framesPerSecond"] = 15
                layered.members["scalabilityMode"] = mode.isEmpty ? nil : .string(mode)
                return layered
            }
        }
        let sent = try #require(
            summary.streams.first { $0.stream.kind == .video && $0.stream.direction == .outbound })
        #expect(sent.framesPerSecond == rate)
    }
}
