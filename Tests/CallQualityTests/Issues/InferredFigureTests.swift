import CallModel
import Testing

@testable import CallQuality

/// What engines that count less show all the same.
@Suite struct InferredFigureTests {
    /// The call as an engine tells it that has none of these members, with others in their place.
    private func summary(
        _ call: ScriptedCall, every cadence: Int, without members: Set<String>, on id: String,
        adding others: (Double) -> JSONObject = { _ in [:] }
    ) throws -> CallSummary {
        try call.summary(every: cadence) { seconds, objects in
            objects.map { object in
                guard object.id == id else { return object }
                var other = object
                other.members = object.members.filter { !members.contains($0.key) }
                    .merging(others(seconds)) { _, new in new }
                return other
            }
        }
    }

    @Test(arguments: [1, 5, 10]) func `a shared screen that does not change is no fault`(cadence: Int) throws {
        var still = ScriptedSecond()
        (still.frames, still.freezes, still.frozenSeconds, still.videoPackets) = (1, 1, 0.9, 2)
        let call = ScriptedCall(90, bad: [10..<30, 45..<70], still)
        let camera = try summary(call, every: cadence, without: [], on: "IV")
        #expect(Set(camera.issues.all.map(\.kind)) == [.freeze, .lowFrameRate])
        #expect(try #require(camera.score) < 80)
        let screen = try summary(call, every: cadence, without: [], on: "IV") { _ in ["contentType": "screenshare"] }
        #expect(screen.score == 100)
        #expect(screen.issues.all == [])
        let stream = try #require(screen.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound })
        #expect(stream.content == "screenshare" && stream.score == 100 && stream.frozenSeconds == 0)
    }

    @Test(arguments: [1, 5, 10]) func `a picture that is taken away and comes back was not slow meanwhile`(
        cadence: Int
    ) throws {
        var away = ScriptedSecond()
        (away.videoPackets, away.videoBytes, away.frames) = (0, 0, 0)
        let call = ScriptedCall(100, bad: [20..<80], away)
        let found = try call.summary(every: cadence) { seconds, objects in
            seconds > 20 && seconds < 80 ? objects.filter { $0.id != "IV" } : objects
        }
        #expect(found.score == 100)
        #expect(found.issues.all == [])
        let stream = try #require(found.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound })
        #expect(stream.framesPerSecond.map { abs($0 - 20) < 1 } == true)
        #expect(stream.score == 100)
    }

    /// The network is down for 5 s: no sound, and the picture that comes then has stood still.
    @Test func `an outage costs the picture as much at any cadence`() throws {
        var dark = ScriptedSecond()
        (dark.packets, dark.concealedSeconds, dark.silentSeconds, dark.concealments) = (0, 1, 1, 0)
        (dark.videoPackets, dark.videoBytes, dark.frames) = (0, 0, 0)
        var call = ScriptedCall(60, bad: [22..<27], dark)
        (call.seconds[27].freezes, call.seconds[27].frozenSeconds) = (1, 5)
        let scores = try [1, 2, 10].map { try #require(call.summary(every: $0)?.streams).compactMap(\.worstScore) }
        #expect(scores[0] == scores[2] && scores[1] == scores[2], "\(scores)")
    }

    /// Pictures that waited in an outage come all at once when it is over.
    @Test(arguments: [1, 2, 10]) func `a burst of pictures after an outage makes none slow`(cadence: Int) throws {
        var (dark, burst) = (ScriptedSecond(), ScriptedSecond())
        (dark.packets, dark.concealedSeconds, dark.silentSeconds, dark.concealments) = (0, 1, 1, 0)
        (dark.videoPackets, dark.videoBytes, dark.frames) = (0, 0, 0)
        (burst.frames, burst.freezes, burst.frozenSeconds) = (68, 1, 3)
        var call = ScriptedCall(90, bad: [22..<25, 52..<55], dark)
        call.seconds = call.seconds.map { second in
            var slower = second
            slower.frames = min(15, second.frames)
            return slower
        }
        for second in [25, 55] { call.seconds[second] = burst }
        #expect(!call.issues(every: cadence).map(\.kind).contains(.lowFrameRate))
        let cost = try #require(call.summary(every: cadence)).costs[.frameRate]
        #expect(cost ?? 0 < 1)
    }

    /// Engines tell of a freeze when the next picture comes.
    @Test(arguments: [1, 5, 10]) func `a picture that never came again stood still`(cadence: Int) throws {
        var dark = ScriptedSecond()
        (dark.packets, dark.concealedSeconds, dark.silentSeconds, dark.concealments) = (0, 1, 1, 0)
        (dark.videoPackets, dark.videoBytes, dark.frames) = (0, 0, 0)
        let costs = try #require(ScriptedCall(40, bad: [33..<40], dark).summary(every: cadence)).costs
        #expect(costs[.freeze] ?? 0 > 1)
        #expect(costs[.frameRate] ?? 0 < 0.1)
    }

    /// Sound comes, and pictures wait for two seconds in the queue of their sender.
    @Test(arguments: [(seconds: 2, isFreeze: true), (8, false)])
    func `pictures that stop for a moment are frozen and not taken away`(seconds: Int, isFreeze: Bool) throws {
        var empty = ScriptedSecond()
        (empty.videoPackets, empty.videoBytes, empty.frames) = (0, 0, 0)
        var call = ScriptedCall(60, bad: [30..<(30 + seconds)], empty)
        (call.seconds[30 + seconds].freezes, call.seconds[30 + seconds].frozenSeconds) = (1, Double(seconds) + 0.2)
        let stream = try #require(call.summary(every: 1)).streams.first {
            $0.stream.kind == .video && $0.stream.direction == .inbound
        }
        #expect(stream?.freezeCount == (isFreeze ? 1 : 0))
    }

    /// Chromium counts seconds from when its receiver was made, and samples from the first packet on.
    @Test(arguments: [1, 10]) func `media that come late are judged from their first packet on`(cadence: Int) throws {
        func late(extraSeconds: Double) throws -> CallSummary {
            try ScriptedCall(60).summary(every: cadence) { seconds, objects in
                objects.compactMap { object in
                    guard object.id == "IA" else { return object }
                    guard seconds > 8.5 else { return nil }
                    var other = object
                    for (member, perSecond) in [
                        ("packetsReceived", 50.0), ("totalSamplesReceived", 48_000), ("totalSamplesDuration", 1),
                    ] {
                        let gone = perSecond * 8.5 - (member == "totalSamplesDuration" ? extraSeconds : 0)
                        other.members[member] = object[member].map { .double($0 - gone) }
                    }
                    return other
                }
            }
        }
        var (plain, odd) = (try late(extraSeconds: 0), try late(extraSeconds: 8.2))
        for index in plain.streams.indices {
            (plain.streams[index].silentSeconds, odd.streams[index].silentSeconds) = (nil, nil)
        }
        #expect(odd == plain)
        #expect(plain.score == 100)
    }

    @Test(arguments: [1, 10]) func `what the far end had lost before the counters began anew is lost`(cadence: Int)
        throws
    {
        var losing = ScriptedSecond()
        losing.sentLost = 5
        let call = ScriptedCall(60, bad: [0..<60], losing)
        let found = try call.summary(every: cadence) { seconds, objects in
            objects.map { object in
                guard seconds > 30, ["OA", "RA"].contains(object.id) else { return object }
                var other = object
                for (member, perSecond) in [("packetsSent", 50.0), ("packetsLost", 5)] {
                    other.members[member] = object[member].map { .double($0 - 30 * perSecond) }
                }
                return other
            }
        }
        let stream = try #require(found.streams.first { $0.stream.kind == .audio && $0.stream.direction == .outbound })
        #expect((stream.packets, stream.packetsLost, stream.lossPercent) == (3_000, 300, 10))
    }

    @Test func `packets of a shared screen that are lost cost it as much as others`() throws {
        var losing = ScriptedSecond()
        losing.videoLost = 6
        let call = ScriptedCall(60, bad: [20..<40], losing)
        let camera = try summary(call, every: 10, without: [], on: "IV")
        let screen = try summary(call, every: 10, without: [], on: "IV") { _ in ["contentType": "screenshare"] }
        #expect(try #require(camera.score) < 90)
        #expect(screen.score == camera.score)
    }

    private static let freezeMembers: Set = ["freezeCount", "totalFreezesDuration"]

    @Test func `packets without a frame are a picture that stands still, where freezes are not counted`() throws {
        var still = ScriptedSecond()
        still.frames = 0
        let clean = try summary(ScriptedCall(60), every: 1, without: Self.freezeMembers, on: "IV")
        let frozen = try summary(
            ScriptedCall(60, bad: [20..<26], still), every: 1, without: Self.freezeMembers, on: "IV")
        let stream = try #require(frozen.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound })
        #expect(stream.frozenSeconds == 6)
        #expect(frozen.issues.all.map(\.kind) == [.freeze])
        #expect(try #require(frozen.score) < #require(clean.score))
        #expect(clean.streams.allSatisfy { $0.frozenSeconds == nil }, "nothing was counted")
        #expect(clean.issues.all == [])
    }

    @Test(arguments: [1, 10]) func `without durations the reason of each report limits its span`(cadence: Int) throws {
        let found = try summary(
            ScriptedCall(80), every: cadence, without: ["qualityLimitationDurations"], on: "OV"
        ) { ["qualityLimitationReason": $0 > 30 && $0 <= 70 ? "cpu" : "none"] }
        let issue = try #require(found.issues.all.first { $0.kind == .cpuLimited })
        #expect(issue.worst?.value == 100)
        #expect(abs(issue.span.start.seconds(since: ScriptedCall.at(30))) <= Double(cadence))
        #expect(!found.issues.all.contains { $0.kind == .bandwidthLimited })
    }

    @Test(arguments: [1, 10]) func `video that is only padding is judged by no loss`(cadence: Int) throws {
        var padding = ScriptedSecond()
        (padding.videoBytes, padding.frames, padding.videoLost) = (0, 0, 3)
        let found = try summary(
            ScriptedCall(60, bad: [0..<60], padding), every: cadence, without: Self.freezeMembers, on: "IV")
        let stream = try #require(found.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound })
        #expect(stream.packetsLost == 180)
        #expect(stream.lossPercent == nil)
        #expect(found.issues.all == [])
    }

    /// Engines leave the member out before there is anything to count.
    @Test(arguments: [1, 10]) func `retransmissions that are told of late count from none`(cadence: Int) throws {
        let found = try summary(ScriptedCall(60), every: cadence, without: [], on: "IV") { seconds in
            seconds > 30 ? ["retransmittedPacketsReceived": 60] : [:]
        }
        let stream = try #require(found.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound })
        #expect(stream.packets == 3540)
        #expect(stream.metrics[.retransmittedPercent].map { ($0 * 100).rounded() / 100 } == 1.67)
    }

    @Test(arguments: [1, 10]) func `a jitter buffer that is told as it is stands for what stays in it`(
        cadence: Int
    ) throws {
        let found = try summary(ScriptedCall(60), every: cadence, without: [], on: "IA") { _ in
            ["googJitterBufferMs": 1500]
        }
        #expect(found.costs[.jitterBuffer] ?? 0 > 20)
        #expect(!found.missing.contains("jitterBufferDelay"))
        #expect(try summary(ScriptedCall(60), every: cadence, without: [], on: "IA").score == 100)
    }

    @Test func `round trips are counted where the objects have no time of their own`() throws {
        let summary = try ScriptedCall(30).summary(every: 10) { _, objects in
            objects.map { StatsObject(id: $0.id, type: $0.type, timestamp: nil, members: $0.members) }
        }
        let sent = try #require(summary.streams.first { $0.stream.kind == .audio && $0.stream.direction == .outbound })
        #expect(sent.roundTripMilliseconds.map { abs($0 - 40) < 0.001 } == true)
    }

    @Test func `a stream of no known kind is noted`() throws {
        let found = try summary(ScriptedCall(30), every: 10, without: ["kind"], on: "IV")
        #expect(found.dataQuality.notes == ["a stream that says of itself neither audio nor video was left out"])
        #expect(try summary(ScriptedCall(30), every: 10, without: [], on: "IV").dataQuality.notes == [])
    }
}

/// What a call's events say that its statistics do not.
@Suite struct AnsweredCallTests {
    private func summary(
        _ call: ScriptedCall, _ change: (StatsObject) -> StatsObject?
    ) throws -> CallSummary {
        try call.summary(every: 10) { _, objects in objects.compactMap(change) }
    }

    private static func isNotHeard(_ object: StatsObject) -> StatsObject? { object.id == "IA" ? nil : object }

    private static var answered: ScriptedCall {
        var call = ScriptedCall(60)
        call.hasVideo = false
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: 0),
            ScriptedCall.event("callMetric", "callAnswerReceived", at: 1),
            ScriptedCall.event("iceState", "iceConnected", at: 1.5),
        ]
        return call
    }

    /// Engines show an inbound stream only when its first packet has come.
    @Test func `an answered call of which nothing is heard goes one way only`() throws {
        let found = try summary(Self.answered) { Self.isNotHeard($0) }
        #expect(found.isOneWay == true)
        #expect(found.issues.all.first { $0.kind == .oneWayAudio }?.cause == .farEndSendsNothing)
    }

    @Test func `so does one whose stream never brought a packet, and nobody held it`() throws {
        let found = try summary(Self.answered) { object in
            guard object.id == "IA" else { return object }
            var empty = object
            for name in ["packetsReceived", "bytesReceived", "totalSamplesReceived", "totalSamplesDuration"] {
                empty.members[name] = 0
            }
            empty.members["lastPacketReceivedTimestamp"] = nil
            return empty
        }
        #expect(found.isOneWay == true)
        #expect(found.holds == [])
    }

    @Test func `one that is on hold, or not answered yet, does not`() throws {
        var held = Self.answered
        held.events.append(ScriptedCall.event("app", "beginInterruption", at: 2))
        #expect(try summary(held) { Self.isNotHeard($0) }.isOneWay != true)
        var asked = Self.answered
        asked.events.removeLast(2)
        #expect(try summary(asked) { Self.isNotHeard($0) }.isOneWay == nil)
    }

    @Test func `a call that goes on after its last report is not known to its end`() throws {
        var call = Self.answered
        call.events.append(ScriptedCall.event("callStatus", "ended", at: 99))
        #expect(try summary(call) { $0 }.dataQuality.notes == ["the last 39 s of the call were not reported"])
        call.events[3] = ScriptedCall.event("callStatus", "ended", at: 68)
        #expect(try summary(call) { $0 }.dataQuality.notes == [])
    }

    @Test(arguments: [1, 5, 10]) func `a picture that never came stood still, whatever the engine counts`(
        cadence: Int
    ) throws {
        var unseen = ScriptedSecond()
        unseen.frames = 0
        let never = try #require(ScriptedCall(60, bad: [0..<60], unseen).summary(every: cadence))
        var rare = ScriptedSecond()
        (rare.frames, rare.freezes, rare.frozenSeconds) = (0.5, 0.5, 0.9)
        let seldom = try #require(ScriptedCall(60, bad: [5..<60], rare).summary(every: cadence))
        #expect(try #require(never.score) < #require(seldom.score))
        #expect(never.issues.all.contains { $0.kind == .stuckDecoder })
        let late = try #require(ScriptedCall(60, bad: [0..<2], unseen).summary(every: cadence))
        #expect(late.score == 100)
    }
}
