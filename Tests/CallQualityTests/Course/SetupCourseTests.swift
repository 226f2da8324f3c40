import CallModel
import Testing

@testable import CallQuality

/// Setup latencies of other clients than the first, and what contradicts how a call was set up.
@Suite struct SetupCourseTests {
    @Test func `Cisco's and FCSDK's states give their latencies`() throws {
        let setup = try EventCall([
            (0, "callStatus", "SETUP"), (1_200, "callStatus", "RINGING"), (6_000, "callStatus", "MEDIA_PENDING"),
            (6_300, "callStatus", "preparingBufferViews"), (6_450, "callStatus", "IN_CALL"),
            (60_000, "callStatus", "ENDED"),
        ]).summary().setup
        #expect((setup.postDialDelay, setup.ringTime, setup.answerDelay) == (1_200, 4_800, 6_000))
        #expect((setup.mediaPendingTime, setup.callDuration, setup.totalDuration) == (450, 53_550, 60_000))
    }

    /// The two ends of the specification's example, each on its own clock.
    @Test func `SendBird's two sides give theirs`() throws {
        let caller = try EventCall([
            (0, "call", "startCallWithAudioOnly"), (350, "call", "didSendStartCall"),
            (6_240, "call", "didReceiveAcceptCall"), (7_020, "call", "didConnectCall"),
        ]).summary().setup
        #expect((caller.requestAccepted, caller.answerDelay, caller.connectTime) == (350, 6_240, 780))
        let callee = try EventCall([
            (610, "call", "didReceiveStartCall"), (6_000, "call", "didSendAcceptCall"),
            (6_900, "call", "didConnectCall"),
        ]).summary().setup
        #expect((callee.alertToAnswer, callee.connectTime, callee.requestAccepted) == (5_390, 900, nil))
    }

    @Test func `ringing after the wait for media has no length`() throws {
        let setup = try EventCall([
            (0, "callStatus", "SETUP"), (800, "callStatus", "MEDIA_PENDING"), (900, "callStatus", "RINGING"),
        ]).summary().setup
        #expect((setup.ringTime, setup.postDialDelay, setup.anomalies) == (nil, 900, []))
    }

    @Test func `who gives up early has no time-out`() throws {
        let setup = try EventCall([(350, "call", "didSendStartCall")])
            .adding(0, "call", "startCall", ["detail": ["startCallTimeout": 40]])
            .adding(5_000, "call", "didSendEndCall", ["detail": ["endType": "SBVCEndTypeCancel"]]).summary().setup
        #expect((setup.timeoutSlack, setup.anomalies) == (nil, []))
    }

    @Test(arguments: [(1.2, 1_200), (nil, nil)] as [(Double?, Int64?)])
    func `registration takes from the refresh to the answer`(seconds: Double?, expected: Int64?) throws {
        var call = EventCall([(0, "operation", "linphone_core_refresh_registers")])
        if let seconds { call = call.adding(Int64(seconds * 1000), "registration", "LinphoneRegistrationOk") }
        #expect(try call.summary().setup.registrationTime == expected)
    }

    @Test(arguments: [3_000, 4_000] as [Int64]) func `a registration without an answer for four seconds is none`(
        heard: Int64
    ) throws {
        let course = try EventCall([
            (0, "operation", "linphone_core_refresh_registers"), (heard, "callState", "OutgoingInit"),
        ]).course()
        #expect(course.problems.map(\.kind) == (heard < 4_000 ? [] : [.notRegistered]))
    }

    private static let gatherings: [(timeout: Double, option: String, outcome: String, at: Int64, isOdd: Bool)] = [
        (4, "ICE_VANILLA", "iceNoRelay", 1_000, true), (4, "ICE_VANILLA", "iceNoRelay", 4_100, false),
        (4, "ICE_VANILLA", "iceOneRelay", 1_900, true), (4, "ICE_VANILLA", "iceOneRelay", 2_580, false),
        (4, "ICE_VANILLA", "iceNormal", 100, false), (0, "ICE_VANILLA", "iceOneRelay", 2_580, true),
        (0, "ICE_VANILLA", "iceNormal", 100, false), (4, "ICE_TRICKLE", "iceNormal", 100, true),
    ]

    @Test(arguments: gatherings) func `how gathering ended is held against its time-out`(
        timeout: Double, option: String, outcome: String, at: Int64, isOdd: Bool
    ) throws {
        let detail: JSONValue = ["ICECollectionTimeout": .double(timeout), "iceOption": .string(option)]
        let setup = try EventCall([(0, "callMetric", "callCreate"), (at, "iceTimeout", outcome)])
            .adding(0, "callConfig", "callConfig", ["detail": detail]).summary().setup
        #expect(setup.anomalies.contains("ice_inconsistent") == isOdd)
        #expect(setup.isGatheringReported == (option == "ICE_VANILLA"))
    }

    @Test(arguments: [
        (40.0, 40_550, 200, []), (20, 20_350, 0, ["timeout_out_of_range"]), (40, 30_350, -10_000, ["timeout_early"]),
    ])
    func `a call nobody answered ends when its caller's time is up`(
        seconds: Double, ended: Int64, slack: Int64, anomalies: [String]
    ) throws {
        let setup = try EventCall([(350, "call", "didSendStartCall")])
            .adding(0, "call", "startCall", ["detail": ["startCallTimeout": .double(seconds)]])
            .adding(ended, "call", "didSendEndCall", ["detail": ["endType": "SBVCEndTypeTimeout"]]).summary()
        #expect(setup.setup.timeoutSlack == slack)
        #expect(setup.setup.anomalies == anomalies)
        #expect(setup.course.endCause == .noAnswer)
        #expect(setup.outcome == .notAnswered)
    }

    @Test func `an answer with fewer media sections than the offer is odd`() throws {
        let detail: JSONValue = ["mLines": 2, "answerMLines": 1]
        let setup = try EventCall([(0, "callMetric", "callCreate")])
            .adding(1, "callConfig", "callConfig", ["detail": detail]).summary().setup
        #expect(setup.anomalies == ["m_lines_differ"])
    }

    /// A `long` of 32 bits holds milliseconds since 1970 without their upper bits; 1455701052999 is -292860345.
    @Test func `differences of times that lost their upper bits are right`() throws {
        let sent: [(String, Int64)] = [
            ("callCreate", 1_455_701_050_400), ("callRestSent", 1_455_701_052_999), ("callRinging", 1_455_701_054_120),
            ("callAnswerReceived", 1_455_701_060_410),
        ]
        var call = EventCall([])
        for (type, milliseconds) in sent {
            let wrapped = JSONValue.integer(Int64(Int32(truncatingIfNeeded: milliseconds)))
            call = call.adding(0, "callMetric", type, ["implausibleTime": wrapped])
        }
        let setup = try call.summary().setup
        #expect((setup.restSentDelay, setup.postDialDelay, setup.networkPostDialDelay) == (2_599, 3_720, 1_121))
        #expect((setup.ringTime, setup.answerDelay) == (6_290, 10_010))
        #expect(setup.anomalies == ["absolute_time_unknown"])
    }

    @Test func `one whole time among them, and nothing is made of the others`() throws {
        let setup = try EventCall([(0, "callMetric", "callCreate")])
            .adding(0, "callMetric", "callRestSent", ["implausibleTime": -292_860_345]).summary().setup
        #expect(setup.restSentDelay == 0)
        #expect(setup.anomalies == [])
    }
}
