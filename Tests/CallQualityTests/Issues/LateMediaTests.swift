import CallModel
import Testing

@testable import CallQuality

/// Clients' calls that were answered, and to which nothing came for a while, or ever.
@Suite struct LateMediaTests {
    private static let answered = [
        ScriptedCall.event("callMetric", "callCreate", at: -3),
        ScriptedCall.event("callMetric", "callAnswerReceived", at: -0.5),
        ScriptedCall.event("iceState", "iceConnected", at: -0.4),
    ]

    private func call(_ length: Int, _ events: [CallEvent] = [], hasVideo: Bool = false) -> ScriptedCall {
        var call = ScriptedCall(length)
        (call.events, call.hasVideo) = (Self.answered + events, hasVideo)
        return call
    }

    /// What is told of it where its sound begins after so many seconds.
    private func issues(_ call: ScriptedCall, every cadence: Int, from first: Double) throws -> [CallIssue] {
        try call.summary(every: cadence) { seconds, objects in
            objects.compactMap { object in
                guard object.id == "IA" else { return object }
                guard seconds > first else { return nil }
                var late = object
                for (member, perSecond) in [
                    ("packetsReceived", 50.0), ("totalSamplesReceived", 48_000), ("totalSamplesDuration", 1),
                ] {
                    late.members[member] = object[member].map { .double($0 - perSecond * first) }
                }
                return late
            }
        }.issues.all
    }

    @Test(arguments: [(1, 12.0), (5, 10), (10, 10)])
    func `media are late by the last report without any`(cadence: Int, last: Double) throws {
        let late = CallIssue(
            kind: .slowSetup, severity: .critical,
            span: TimeSpan(start: ScriptedCall.at(-0.5), end: ScriptedCall.at(last)),
            worst: .init(last + 0.5, .seconds), evidence: [.init("answerToFirstMedia", last + 0.5)])
        #expect(try issues(call(60), every: cadence, from: 12.5) == [late])
    }

    @Test(arguments: [1, 5, 10]) func `they are not where pictures came, nor after a hold`(cadence: Int) throws {
        func slow(_ call: ScriptedCall) throws -> [CallIssue] {
            try issues(call, every: cadence, from: 12.5).filter { $0.kind == .slowSetup }
        }
        #expect(try slow(call(60, hasVideo: true)) == [])
        let hold = [("ON_HOLD", 0.0), ("IN_CALL", 12)].map { ScriptedCall.event("callState", $0, at: $1) }
        #expect(try slow(call(60, hold)) == [])
    }

    @Test func `a connection over which nothing comes tells nothing of another one`() throws {
        let other = [0, 5, 15, 25].map { second in
            let time = ScriptedCall.at(second)
            return Fact.report(
                StatsReport(connection: ConnectionID(rawValue: "other"), time: time, receivedAt: time, objects: []))
        }
        let facts = call(30).facts(every: 10).filter { fact in
            if case .report = fact { fact.time > ScriptedCall.start } else { true }
        }
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "late"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        _ = session.fold((facts + other).sorted { $0.key < $1.key })
        let summary = try #require(session.summary())
        #expect(summary.setup.firstMediaAfter == nil)
        #expect(summary.setup.firstMediaBy == 13_000)
        #expect(!summary.issues.all.contains { $0.kind == .slowSetup })
    }

    @Test(arguments: [1, 5, 10]) func `a short call to which nothing came is told of`(cadence: Int) throws {
        let ended = ScriptedCall.event("callState", "ENDED", at: 12)
        let unheard = CallIssue(
            kind: .oneWayAudio, severity: .critical,
            span: TimeSpan(start: ScriptedCall.at(-0.5), end: ScriptedCall.at(12)), worst: .init(12.5, .seconds),
            evidence: [.init("packetsReceived", 0)], cause: .farEndSendsNothing)
        #expect(try issues(call(12, [ended]), every: cadence, from: 60) == [unheard])
        #expect(try issues(call(12), every: cadence, from: 60) == [], "it goes on")
        let early = ScriptedCall.event("callState", "ENDED", at: 4)
        #expect(try issues(call(4, [early]), every: cadence, from: 60) == [], "nobody could have told")
    }
}
