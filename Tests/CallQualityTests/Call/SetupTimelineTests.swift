import CallModel
import Testing

@testable import CallQuality

@Suite struct SetupTimelineTests {
    private static let created: Int64 = 1_795_000_000_000

    /// A call's events, milliseconds after `callCreate` would be, whatever order they came in.
    private func summary(_ events: [(String, Int64)], members: JSONObject = [:]) -> CallSummary? {
        let facts = events.map { type, offset in
            let time = Timestamp(milliseconds: Self.created + offset)
            return Fact.event(
                CallEvent(
                    time: time, receivedAt: time, action: type == "ENDED" ? "callState" : "callMetric", type: type,
                    members: type == "ENDED" ? members : [:]))
        }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var session = CallSession(key: key)
        _ = session.fold(facts.sorted { $0.key < $1.key })
        return session.summary()
    }

    private func latencies(_ events: [(String, Int64)]) -> SetupLatencies? {
        summary(events)?.setup
    }

    private static let ordinary: [(String, Int64)] = [
        ("callCreate", 0), ("iceOneRelay", 2_580), ("callRestSent", 2_599), ("SESSION_PROGRESS", 3_300),
        ("callRinging", 3_720), ("callAnswerReceived", 10_010), ("iceConnected", 10_390),
    ]

    /// The sample call of the Kandy SDK document.
    @Test func `an ordinary call`() {
        var expected = SetupLatencies()
        expected.restSentDelay = 2_599
        expected.postDialDelay = 3_300
        expected.networkPostDialDelay = 1_121
        expected.ringTime = 6_290
        expected.answerDelay = 10_010
        expected.iceConnectTime = 10_390
        expected.mediaSetup = 380
        expected.iceGatheringUpperBound = 2_580
        expected.iceOutcome = .oneRelay
        expected.callDuration = 0
        expected.totalDuration = 10_390
        #expect(latencies(Self.ordinary) == expected)
        #expect(summary(Self.ordinary)?.outcome == .connected)
    }

    @Test func `the order in which events arrive does not matter, only their time`() {
        #expect(latencies(Self.ordinary.reversed()) == latencies(Self.ordinary))
    }

    @Test func `a call that did not ring has no ring time and no post-dial delay`() {
        let setup = latencies([("callCreate", 0), ("callRestSent", 100), ("callAnswerReceived", 900)])
        #expect(setup?.postDialDelay == nil)
        #expect(setup?.networkPostDialDelay == nil)
        #expect(setup?.ringTime == nil)
        #expect(setup?.answerDelay == 900)
        #expect(setup?.anomalies == [])
    }

    @Test func `media before the answer is a negative length, and no anomaly`() {
        let setup = latencies([("callCreate", 0), ("iceConnected", 700), ("callAnswerReceived", 900)])
        #expect(setup?.mediaSetup == -200)
        #expect(setup?.anomalies == [])
    }

    @Test func `a call that rang and was not answered`() {
        let summary = summary([("callCreate", 0), ("callRestSent", 120), ("callRinging", 480)])
        #expect(summary?.outcome == .notAnswered)
        #expect(summary?.outcome(isLive: false) == .notAnswered)
        #expect(summary?.outcome(isLive: true) == .unknown, "it may still be answered")
        #expect(summary?.setup.postDialDelay == 480)
        #expect(summary?.setup.ringTime == nil)
        #expect(summary?.setup.answerDelay == nil)
        #expect(summary?.setup.isEndKnown == false)
        #expect(summary?.setup.totalDuration == 480)
        #expect(summary?.setup.callDuration == nil)
    }

    @Test func `answered without ICE is not connected`() {
        #expect(summary([("callCreate", 0), ("callAnswerReceived", 900)])?.outcome == .notConnected)
        #expect(summary([("callCreate", 0), ("iceDisconnected", 900)])?.outcome == .notConnected)
        #expect(summary([("ENDED", 0)])?.outcome == .unknown)
    }

    @Test func `an order that cannot be is no length`() {
        let setup = latencies([("callCreate", 0), ("callAnswerReceived", 500), ("callRinging", 900)])
        #expect(setup?.ringTime == nil)
        #expect(setup?.anomalies == ["negative_interval"])
        #expect(setup?.answerDelay == 500)
    }

    @Test func `an event before the call was made is an anomaly`() {
        let setup = latencies([("callRinging", -50), ("callCreate", 0), ("callAnswerReceived", 500)])
        #expect(setup?.postDialDelay == nil)
        #expect(setup?.anomalies == ["before_call_create", "negative_interval"])
    }

    @Test func `a call that a client is told of before it makes it is in order`() {
        let incoming = [("incomingCall", -6_000), ("callCreate", 0), ("callAnswerReceived", 500)] as [(String, Int64)]
        #expect(latencies(incoming)?.anomalies == [])
        #expect(latencies(incoming)?.answerDelay == 500)
        let odd = latencies([("iceNormal", -6_100)] + incoming)?.anomalies
        #expect(odd == ["before_call_create", "negative_interval"])
    }

    @Test func `of a type said twice the first counts`() {
        let setup = latencies([("callCreate", 0), ("callRinging", 400), ("callRinging", 800), ("iceConnected", 900)])
        #expect(setup?.postDialDelay == 400)
        #expect(setup?.anomalies == ["duplicate_type"])
        let reconnected = latencies([("callCreate", 0), ("iceConnected", 900), ("iceConnected", 5_000)])
        #expect(reconnected?.iceConnectTime == 900)
        #expect(reconnected?.anomalies == [], "ICE connects again after each outage")
    }

    @Test func `a day between two events of a setup is a wrong clock`() {
        let day: Int64 = 24 * 3600 * 1000
        let setup = latencies([("callCreate", 0), ("callRinging", 400), ("callAnswerReceived", day)])
        #expect(setup?.postDialDelay == 400)
        #expect(setup?.answerDelay == nil)
        #expect(setup?.anomalies == ["implausible"])
    }

    @Test func `ICE gathered again in the midst of a call is not its setup`() {
        let setup = latencies([("callCreate", 0), ("iceNormal", 160), ("iceConnected", 900), ("iceNoRelay", 20_000)])
        #expect(setup?.iceOutcome == .normal)
        #expect(setup?.iceGatheringUpperBound == 160)
    }

    @Test func `a known end gives the durations and its reason`() {
        let summary = summary(
            Self.ordinary + [("ENDED", 70_390)], members: ["reason": "Call ended normally", "statusCode": "9904"])
        #expect(summary?.setup.callDuration == 60_000)
        #expect(summary?.setup.totalDuration == 70_390)
        #expect(summary?.setup.isEndKnown == true)
        #expect(summary?.endReason == "Call ended normally, 9904")
        #expect(summary?.endedAt == Timestamp(milliseconds: Self.created + 70_390))
    }

    @Test func `without callCreate nothing is measured from it`() {
        let setup = latencies([("callRestSent", 100), ("callRinging", 400), ("callAnswerReceived", 900)])
        #expect(setup?.postDialDelay == nil)
        #expect(setup?.answerDelay == nil)
        #expect(setup?.totalDuration == nil)
        #expect(setup?.networkPostDialDelay == 300)
        #expect(setup?.ringTime == 500)
    }

    @Test func `first media lies between two reports`() {
        var timeline = SetupTimeline()
        let time = Timestamp(milliseconds: Self.created)
        timeline.take(
            .created, of: CallEvent(time: time, receivedAt: time, action: "callMetric", type: "callCreate"))
        for (offset, hasMedia) in [(5_000, false), (15_000, false), (25_000, true), (35_000, true)] as [(Int64, Bool)] {
            timeline.takeReport(at: time.advanced(byMilliseconds: offset), hasInboundPackets: hasMedia)
        }
        let last = time.advanced(byMilliseconds: 35_000)
        let setup = timeline.latencies(endedAt: nil, lastActivity: last, course: CallCourse())
        #expect(setup.firstMediaAfter == 15_000)
        #expect(setup.firstMediaBy == 25_000)
        #expect(timeline.outcome(isOver: false) == .connected)
    }

    @Test func `a call that was connected was not left ringing, though nobody told of the answer`() {
        let events: [(String, Int64)] = [("callCreate", 0), ("callRinging", 3_000), ("ENDED", 63_000)]
        #expect(latencies(events)?.ringTimeUnanswered == 60_000)
        let connected = summary(events + [("iceConnected", 5_000)])
        #expect(connected?.outcome == .connected)
        #expect(connected?.setup.ringTimeUnanswered == nil)
    }
}
