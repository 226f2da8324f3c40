import CallModel
import Testing

@testable import CallQuality

/// Clients that go on reporting a connection which the far end, or they themselves, have closed (DTLS).
@Suite struct ClosedConnectionTests {
    private static let closedAt = 61

    private static var silence: ScriptedSecond {
        var second = ScriptedSecond()
        (second.packets, second.concealedSeconds, second.silentSeconds, second.concealments) = (0, 1, 0.98, 0.2)
        (second.videoPackets, second.videoBytes, second.frames) = (0, 0, 0)
        return second
    }

    private static func ice(_ type: String, at second: Double) -> CallEvent {
        ScriptedCall.event("iceState", type, at: second)
    }

    /// A call whose media end after 61 s, reported for as long as told, with what its transports say from then on, and after 95 s.
    private func call(
        until last: Int, every cadence: Int, events: [CallEvent] = [], _ states: [JSONValue] = ["closed"],
        later: [JSONValue]? = nil
    ) throws -> CallSummary {
        var call = ScriptedCall(last, bad: [Self.closedAt..<max(Self.closedAt, last)], Self.silence)
        call.events = [ScriptedCall.event("callMetric", "callAnswerReceived", at: 0)] + events
        return try call.summary(every: cadence) { seconds, objects in
            guard seconds > Double(Self.closedAt) else { return objects }
            let told = seconds > 95 ? later ?? states : states
            let transports = told.enumerated().map { index, state in
                StatsObject(
                    id: "T\(index)", type: .transport, timestamp: ScriptedCall.at(seconds),
                    members: ["dtlsState": state])
            }
            return objects.filter { $0.type != .transport } + transports
        }
    }

    @Test(arguments: [1, 5, 10, 30]) func `what is reported of a connection that was closed is no blackout`(
        cadence: Int
    ) throws {
        let whole = try call(until: Self.closedAt, every: cadence)
        let late = try call(until: 120, every: cadence)
        #expect(late.outages == [])
        #expect(late.holds == [])
        #expect(late.issues.all == [])
        let scores = try (#require(whole.score), #require(late.score))
        #expect(abs(scores.0 - scores.1) <= 1)
        #expect(late.dataQuality.notes.contains { $0.contains("after it had been closed") })
    }

    /// Firefox finds out that ICE has failed; what Chromium tells while it closes the connection itself has no transports.
    @Test(arguments: [["failed"], []] as [[JSONValue]], [1, 10]) func `nor is what is told of it later`(
        states: [JSONValue], cadence: Int
    ) throws {
        let late = try call(until: 125, every: cadence, later: states)
        #expect(late.outages == [])
        #expect(late.issues.all == [])
        let open = try call(until: 125, every: cadence, ["connected"], later: states)
        #expect(open.issues.all.contains { $0.kind == .blackout })
    }

    @Test(arguments: [["connected"], ["closed", "connected"], ["failed"], []] as [[JSONValue]])
    func `one that was not closed by agreement is`(states: [JSONValue]) throws {
        let summary = try call(until: 120, every: 10, states)
        #expect(summary.outages.count == 1)
        #expect(summary.issues.all.contains { $0.kind == .blackout })
    }

    /// ICE finds out 7 s later that nobody answers.
    @Test func `that it is disconnected then is nothing of the call`() throws {
        let lost = Self.ice("iceDisconnected", at: 68)
        #expect(try call(until: 120, every: 10, events: [lost]).iceDisconnects == [])
        #expect(try call(until: 120, every: 10, events: [lost], ["connected"]).iceDisconnects.count == 1)
        let before = [Self.ice("iceDisconnected", at: 30), Self.ice("iceConnected", at: 33), lost]
        #expect(try call(until: 120, every: 10, events: before).iceDisconnects.map(\.milliseconds) == [3_000])
    }
}
