import CallModel
import Testing

@testable import CallQuality

/// What the fold makes of the events of each SDK.
@Suite struct CourseTests {
    // MARK: Holds

    /// Kandy 000:1291: A holds, B holds, A retrieves, B retrieves.
    @Test func `a double hold is told apart from either hold, to the millisecond`() throws {
        let a = try EventCall([
            (0, "callState", "IN_CALL"), (1_000, "callState", "ON_HOLD"), (3_500, "callState", "ON_DOUBLE_HOLD"),
            (4_250, "callState", "REMOTELY_HELD"), (9_000, "callState", "IN_CALL"),
        ]).course()
        #expect(a.spans == ["heldLocally 1000-3500", "heldByBoth 3500-4250", "heldRemotely 4250-9000"])
        let b = try EventCall([
            (0, "callState", "IN_CALL"), (1_000, "callState", "REMOTELY_HELD"), (3_500, "callState", "ON_DOUBLE_HOLD"),
            (4_250, "callState", "ON_HOLD"), (9_000, "callState", "IN_CALL"),
        ]).course()
        #expect(b.spans == ["heldRemotely 1000-3500", "heldByBoth 3500-4250", "heldLocally 4250-9000"])
    }

    @Test func `a hold that only the app tells of is one`() throws {
        let course = try EventCall([
            (0, "callStatus", "IN_CALL"), (40_000, "operation", "hold"), (50_000, "operation", "resume"),
        ]).course()
        #expect(course.spans == ["heldLocally 40000-50000"])
        #expect(course.phases.map(\.phase) == [.active, .held, .active])
    }

    // MARK: States

    /// It tells `ENDED` of each call, also where it is the caller and no state came before.
    @Test func `the reporter of a page tells of ends, another source of the caller's moments may not`() throws {
        let told = try ["sidetone-web", "app"].map { source in
            try EventCall([]).adding(0, "callMetric", "callCreate", ["source": .string(source)]).course().tellsStates
        }
        #expect(told == [true, false])
    }

    @Test func `ringing after early media does not take the call back`() throws {
        let course = try EventCall([
            (0, "callMetric", "callCreate"), (900, "callState", "SESSION_PROGRESS"), (1_500, "callState", "RINGING"),
            (4_000, "callMetric", "callAnswerReceived"), (4_300, "iceState", "iceConnected"),
        ]).course()
        #expect(course.phases.map(\.phase) == [.setup, .earlyMedia, .connecting, .active])
    }

    @Test func `waiting for media before ringing is no error`() throws {
        let course = try EventCall([
            (0, "callStatus", "SETUP"), (800, "callStatus", "MEDIA_PENDING"), (900, "callStatus", "RINGING"),
            (1_200, "callStatus", "preparingBufferViews"), (1_500, "callStatus", "IN_CALL"),
        ]).course()
        #expect(course.phases.map(\.phase) == [.setup, .connecting, .active])
    }

    /// liblinphone 003:164: the first call of the list is resumed, whether it was that one or not.
    @Test func `liblinphone's pause and resume are states`() throws {
        let course = try EventCall([
            (0, "callState", "OutgoingInit"), (100, "callState", "OutgoingProgress"),
            (900, "callState", "OutgoingRinging"), (3_000, "callState", "Connected"),
            (3_100, "callState", "StreamsRunning"), (9_000, "callState", "Pausing"), (9_050, "callState", "Paused"),
            (12_000, "callState", "Resuming"), (12_080, "callState", "StreamsRunning"),
            (15_000, "callState", "PausedByRemote"), (16_000, "callState", "StreamsRunning"),
            (20_000, "callState", "End"),
            (20_010, "callState", "Released"),
        ]).course()
        #expect(
            course.phases.map(\.phase) == [
                .setup, .ringing, .connecting, .active, .held, .active, .held, .active, .ended,
            ])
        #expect(course.spans == ["heldLocally 9050-12080", "heldRemotely 15000-16000"])
        #expect(course.endCause == .hangup)
    }

    @Test func `a hold before any path stands ends in waiting for one`() throws {
        let course = try EventCall([
            (0, "callMetric", "callCreate"), (2_000, "callState", "IN_CALL"), (3_000, "callState", "ON_HOLD"),
            (5_000, "callState", "IN_CALL"),
        ]).course()
        #expect(course.phases.map(\.phase) == [.setup, .connecting, .held, .connecting])
    }

    @Test func `a hold that did not come about, and a resume of nothing, change no state`() throws {
        let course = try EventCall([
            (0, "callStatus", "SETUP"), (500, "operation", "resume"), (2_000, "callStatus", "IN_CALL"),
            (3_000, "operation", "hold"), (3_200, "operation", "holdCallFailed"),
        ]).course()
        #expect(course.phases.map(\.phase) == [.setup, .active, .held, .active])
        #expect(course.spans == ["heldLocally 3000-3200"])
    }

    // MARK: Interruptions and muting

    @Test func `a telephone call that takes the sound is a lane`() throws {
        let course = try EventCall([
            (0, "callState", "StreamsRunning"), (30_000, "interruption", "beginInterruption"),
            (51_000, "interruption", "endInterruption"),
        ]).course()
        #expect(course.spans == ["interrupted 30000-51000"])
        #expect(course.phases.map(\.phase) == [.active, .interrupted, .active])
    }

    @Test func `an interruption without an end is over when the call is, or is active again`() throws {
        let begin: [(Int64, String, String)] = [
            (0, "callStatus", "inCall"), (9_000, "interruption", "didReceiveSessionInterruption"),
        ]
        #expect(try EventCall(begin + [(15_000, "callStatus", "inCall")]).course().spans == ["interrupted 9000-15000"])
        #expect(try EventCall(begin + [(17_000, "callStatus", "ended")]).course().spans == ["interrupted 9000-17000"])
        #expect(try EventCall(begin).course().spans == ["interrupted 9000-"])
    }

    @Test func `muting by either end is a lane`() throws {
        let course = try EventCall([
            (0, "call", "didConnectCall"), (1_000, "operation", "muteCallSucceed"),
            (4_000, "operation", "unMuteCallSucceeded"), (5_000, "operation", "videoMuteFailed"),
        ]).course()
        #expect(course.spans == ["microphoneMuted 1000-4000"])
        #expect(
            course.operations.map { "\($0.name) \($0.succeeded) \($0.failed)" } == [
                "muteCall 1 0", "unMuteCall 1 0", "videoMute 0 1",
            ])
        #expect(course.problems.map(\.kind) == [.operationFailed])
    }

    @Test func `a hold after more mutes than are kept is one all the same`() throws {
        let mutes = (0..<450).flatMap { place -> [(Int64, String, String)] in
            let start = 10_000 + 1_000 * Int64(place)
            return [(start, "operation", "muteCallSucceed"), (start + 500, "operation", "unMuteCallSucceeded")]
        }
        let summary = try EventCall(
            [(0, "callState", "IN_CALL")] + mutes
                + [(600_000, "callState", "ON_HOLD"), (720_000, "callState", "IN_CALL")]
        ).summary()
        let kept = (51..<450).map { "microphoneMuted \(10_000 + 1_000 * $0)-\(10_500 + 1_000 * $0)" }
        #expect(summary.course.spans == kept + ["heldLocally 600000-720000"])
        #expect(summary.dataQuality.notes == ["spans of muting, holds and devices that are not listed: 51"])
    }

    @Test func `what excuses is known while it is new, however often it comes`() {
        func at(_ second: Int64) -> Timestamp { EventCall.start.advanced(byMilliseconds: 1_000 * second) }
        var lanes = LaneTracker()
        lanes.begin(.interrupted, at: at(0))
        for second in stride(from: Int64(10), to: 6_010, by: 10) {
            lanes.begin(.farEndMuted, at: at(second))
            #expect(lanes.end(.farEndMuted, at: at(second + 4)) == 4_000)
        }
        lanes.end(.interrupted, at: at(6_010))
        lanes.begin(.farEndMuted, at: at(6_020))
        #expect(lanes.excusedSeconds(of: .audio, from: at(6_000), to: at(6_030)) == 20)
        #expect((lanes.lanes.count, lanes.leftOut) == (400, 202))
    }

    // MARK: Network

    @Test func `unreachable and reachable within a second is a change of network, longer is an outage`() throws {
        func course(after milliseconds: Int64) throws -> CallCourse {
            try EventCall([(0, "callState", "StreamsRunning")])
                .adding(5_000, "network", "linphone_core_set_network_reachable", ["value": false])
                .adding(5_000 + milliseconds, "network", "linphone_core_set_network_reachable", ["value": true])
                .course()
        }
        #expect(try course(after: 4).handovers == 1)
        #expect(try course(after: 4).spans == [])
        #expect(try course(after: 6_000).handovers == 0)
        #expect(try course(after: 6_000).spans == ["networkUnreachable 5000-11000"])
    }

    @Test func `an outage of signalling reaches from the first retry to the connection, whatever the delays`() throws {
        var call = EventCall([(0, "callStatus", "IN_CALL")])
        for (attempt, offset) in [1_000, 1_500, 2_500].enumerated() {
            call = call.adding(
                Int64(offset), "connection", "onConnectionRetry",
                ["detail": ["attempt": .integer(Int64(attempt + 1)), "delay": 0]])
        }
        let restored = try call.adding(4_600, "connection", "onConnectionReestablished").course()
        #expect(restored.spans == ["signallingLost 1000-4600"])
        #expect((restored.mostRetries, restored.lostConnections) == (3, 0))
        let lost = try call.adding(20_500, "connection", "onConnectivityLost").course()
        #expect(lost.spans == ["signallingLost 1000-"])
        #expect((lost.mostRetries, lost.lostConnections) == (3, 1))
    }

    // MARK: Ends

    @Test func `a hangup by the far end is one only after the answer`() throws {
        let created: [(Int64, String, String)] = [(0, "callMetric", "callCreate")]
        let answered = created + [(4_000, "callMetric", "callAnswerReceived")]
        func cause(_ events: [(Int64, String, String)], _ code: Int64) throws -> CallEndCause? {
            try EventCall(events).adding(9_000, "callState", "ENDED", ["statusCode": .integer(code)]).course().endCause
        }
        #expect(try cause(answered, 9900) == .remoteHangup)
        #expect(try cause(created, 9900) == .unknown)
        #expect(try cause(answered, 9901) == .localHangup)
        #expect(try cause(created, 9901) == .cancelled)
        #expect(try cause(answered, 999) == .unknown)
        #expect(try cause(created, 487) == .noAnswer)
    }

    /// What comes while it rings is an announcement, and no answer.
    @Test(arguments: [(false, CallEndCause.hangup), (true, .cancelled)])
    func `media show that a call was up whose answer nobody told`(rings: Bool, cause: CallEndCause) throws {
        var call = ScriptedCall(60)
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: -3), ScriptedCall.event("callState", "ENDED", at: 60.5),
        ]
        if rings { call.events.append(ScriptedCall.event("callMetric", "callRinging", at: -1)) }
        let summary = try #require(call.summary(every: 10))
        #expect(summary.outcome == .connected)
        #expect(summary.course.endCause == cause)
    }

    @Test func `media of a call that was refused were early, and so they were if it is told and the caller gave up`()
        throws
    {
        func outcome(_ state: [CallEvent]) throws -> CallOutcome {
            var call = ScriptedCall(30)
            call.events =
                [
                    ScriptedCall.event("callMetric", "callCreate", at: -3),
                    ScriptedCall.event("callMetric", "callRinging", at: -1),
                ] + state
            return try #require(call.summary(every: 10)).outcome
        }
        func ended(_ code: Int64) -> CallEvent {
            CallEvent(
                time: ScriptedCall.at(31), receivedAt: ScriptedCall.at(31), action: "callState", type: "ENDED",
                members: ["statusCode": .integer(code)])
        }
        let early = ScriptedCall.event("callState", "OutgoingEarlyMedia", at: 0)
        #expect(try outcome([ended(404)]) == .notAnswered)
        #expect(try outcome([ended(486)]) == .notAnswered)
        #expect(try outcome([early, ended(9901)]) == .notAnswered)
        #expect(try outcome([ended(9901)]) == .connected)
        let answered = ScriptedCall.event("callMetric", "callAnswerReceived", at: 1)
        #expect(try outcome([early, answered, ended(486)]) == .connected)
    }

    @Test func `a callee who hangs up before the answer declines`() throws {
        func cause(_ events: [(Int64, String, String)], _ code: Int64) throws -> CallEndCause? {
            try EventCall(events).adding(9_000, "callState", "ENDED", ["statusCode": .integer(code)]).course().endCause
        }
        let incoming: [(Int64, String, String)] = [(0, "callMetric", "incomingCall")]
        #expect(try cause(incoming, 9901) == .declined)
        let asked = incoming + [(8_800, "operation", "rejectCall")]
        #expect(try EventCall(asked).adding(9_000, "callState", "ENDED").course().endCause == .declined)
        #expect(try EventCall(incoming).adding(9_000, "callState", "ENDED").course().endCause == .cancelled)
        #expect(try cause(incoming + [(4_000, "callMetric", "callAnswerReceived")], 9901) == .localHangup)
    }

    @Test func `the status of a call says more than the callback before it`() throws {
        let course = try EventCall([(0, "callStatus", "SETUP")])
            .adding(9_000, "call", "onDialFailed", ["code": "FAILED"]).adding(9_010, "callStatus", "TIMED_OUT").course()
        #expect(course.endCause == .noAnswer)
    }

    @Test func `an app that asked to end the call ended it`() throws {
        let course = try EventCall([
            (0, "callStatus", "IN_CALL"), (5_000, "operation", "endCall"), (5_200, "callStatus", "ENDED"),
        ]).course()
        #expect(course.endCause == .localHangup)
    }

    @Test func `what fails in a running call does not end it`() throws {
        let running = try EventCall([(0, "call", "didConnectCall")])
            .adding(5_000, "error", "SBVCErrorAlreadyCallGoingOn", ["code": 900_600]).course()
        #expect(running.endCause == nil)
        let dialled = try EventCall([(0, "call", "startCall")])
            .adding(5_000, "error", "SBVCErrorAlreadyCallGoingOn", ["code": 900_600]).summary()
        #expect(dialled.course.endCause == .busy)
        #expect(dialled.endedAt == EventCall.start.advanced(byMilliseconds: 5_000))
        #expect(dialled.outcome == .notAnswered)
    }

    @Test(arguments: [93, 92_980] as [JSONValue])
    func `a length without a unit is held against the measured one`(period: JSONValue) throws {
        let course = try EventCall([(0, "call", "didConnectCall")])
            .adding(92_980, "call", "didReceiveEndCall", ["detail": ["endType": "SBVCEndTypeEnd", "period": period]])
            .course()
        let told = try #require(course.reportedDurationMilliseconds)
        #expect([93_000, 92_980].contains(told))
    }

    @Test func `a length that fits no unit is kept as it was told`() throws {
        let course = try EventCall([(0, "call", "didConnectCall")])
            .adding(92_980, "call", "didReceiveEndCall", ["detail": ["period": 1_551_000_100]]).course()
        #expect((course.reportedDurationMilliseconds, course.unfittingDuration) == (nil, 1_551_000_100))
    }

    // MARK: The client's own quality

    @Test func `one quality of 100 holds until the call ends`() throws {
        let summary = try EventCall([(0, "media", "onRemoteMediaStream")])
            .adding(5_000, "quality", "onConnectionQualityChanged", ["value": 100]).adding(60_000, "call", "onEnded")
            .summary()
        #expect(
            summary.course.reportedQuality
                == ReportedQuality(mean: 100, minimum: 100, coveredSeconds: 55, secondsBelow60: 0, changes: 0))
        #expect(summary.setup.firstQualityDelay == 5_000)
    }

    @Test func `the client's quality is a step function`() throws {
        let course = try EventCall([(0, "callStatus", "IN_CALL")])
            .adding(5_000, "quality", "OnInboundQualityChange", ["value": 100])
            .adding(15_000, "quality", "OnInboundQualityChange", ["value": 40])
            .adding(25_000, "quality", "OnInboundQualityChange", ["value": 100]).adding(35_000, "callStatus", "ENDED")
            .course()
        #expect(
            course.reportedQuality
                == ReportedQuality(mean: 80, minimum: 40, coveredSeconds: 30, secondsBelow60: 10, changes: 2))
    }

    @Test func `a stream that goes leaves the first media where they were`() throws {
        let setup = try EventCall([(0, "callStatus", "SETUP")])
            .adding(3_000, "media", "onRemoteMediaStream", ["value": "stream"])
            .adding(90_000, "media", "onRemoteMediaStream", ["value": .null]).summary().setup
        #expect(setup.firstMediaBy == 3_000)
    }

    // MARK: Set-up

    @Test func `the configuration of a call is read`() throws {
        let detail: JSONValue = [
            "ICECollectionTimeout": 4, "iceOption": "ICE_VANILLA", "mLines": 2,
            "receiveBandwidthLimit": ["audio": 300, "video": 1000],
            "audioCodec": [
                "ptime": 60, "opusDtx": true, "opusFec": true, "opusMaxAverageBitRate": 20000,
                "opusMaxPlaybackRate": 16000,
            ],
        ]
        let size: JSONValue = ["resolution": "resolution640x480", "frameRate": 30]
        let course = try EventCall([(0, "callMetric", "callCreate")])
            .adding(1, "callConfig", "callConfig", ["detail": detail])
            .adding(2, "captureSettings", "didChangeSettings", ["detail": size]).course()
        var expected = CallConfiguration()
        (expected.iceTimeoutSeconds, expected.usesTrickle, expected.mediaSections) = (4, false, 2)
        (expected.audioLimitKilobitsPerSecond, expected.videoLimitKilobitsPerSecond) = (300, 1000)
        (expected.packetMilliseconds, expected.usesDTX, expected.usesFEC) = (60, true, true)
        (expected.opusKilobitsPerSecond, expected.maximumPlaybackHertz) = (20, 16000)
        (expected.wantedWidth, expected.wantedHeight, expected.wantedFramesPerSecond) = (640, 480, 30)
        #expect(course.configuration == expected)
    }

    @Test func `tones are counted and problems named`() throws {
        let course = try EventCall([(0, "callMetric", "callCreate")])
            .adding(5, "dtmf", "sendDTMF", ["detail": ["count": 4, "queued": true]])
            .adding(6, "codec", "codecMissing", ["reason": "Could not find encoder for SILK"]).course()
        #expect(course.tonesSent == 4)
        #expect(course.problems.map(\.name) == ["codecMissing, Could not find encoder for SILK"])
        #expect(course.problems.map(\.kind) == [.codecMissing])
    }
}
