import CallModel
import Testing

@testable import CallQuality

/// Gaps between reports in which nothing happened, and others.
@Suite struct ReportPaceTests {
    private static let objectTimes = ["lastPacketReceivedTimestamp"]

    /// What a server makes of a call whose client's clock is set by so many seconds after half a minute.
    private func summary(
        clockSetBy seconds: Int64, every cadence: Int, of call: ScriptedCall = ScriptedCall(60)
    ) throws -> CallSummary {
        let facts = call.facts(every: cadence).map { fact -> Fact in
            guard case .report(let report) = fact, report.time > ScriptedCall.at(30) else { return fact }
            let objects = report.objects.map { object in
                var moved = object
                moved.timestamp = object.timestamp?.advanced(byMilliseconds: 1000 * seconds)
                for name in Self.objectTimes {
                    moved.members[name] = object.members[name]?.number.map { .double($0 + 1000 * Double(seconds)) }
                }
                return moved
            }
            return .report(
                StatsReport(
                    connection: report.connection, time: report.time.advanced(byMilliseconds: 1000 * seconds),
                    receivedAt: report.receivedAt, objects: objects))
        }
        return try summary(facts)
    }

    private func summary(_ facts: [Fact]) throws -> CallSummary {
        var session = CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "set")), observer: .client, attempt: 1))
        _ = session.fold(facts.sorted { $0.key < $1.key })
        return try #require(session.summary())
    }

    @Test(arguments: [3_600, 100, -3_600], [1, 10]) func `a clock that is set during a call makes no hold and no fault`(
        seconds: Int64, cadence: Int
    ) throws {
        let found = try summary(clockSetBy: seconds, every: cadence)
        #expect(found.score == 100)
        #expect(found.holds == [])
        #expect(found.heldSeconds == 0)
        #expect(found.outages == [])
        #expect(Set(found.issues.all.map(\.kind)).isSubset(of: [.clockTrouble, .missingReports]))
    }

    /// What a client that slept has measured when it wakes up is mostly its sleep: it tells of the time after the gap.
    @Test(arguments: [1, 10]) func `a round trip that is measured after a gap does not stand for the gap`(
        cadence: Int
    ) throws {
        var call = ScriptedCall(60)
        call.seconds[30].roundTripSeconds = 8
        let found = try summary(clockSetBy: 100, every: cadence, of: call)
        #expect(Set(found.issues.all.map(\.kind)).isSubset(of: [.clockTrouble, .missingReports]))
    }

    /// The opposite: reports that were lost while the call went on.
    @Test func `what was counted while reports were missing counts`() throws {
        var dark = ScriptedSecond()
        (dark.packets, dark.concealedSeconds, dark.silentSeconds, dark.concealments) = (0, 1, 1, 0)
        (dark.videoPackets, dark.videoBytes, dark.frames) = (0, 0, 0)
        let facts = ScriptedCall(90, bad: [38..<43], dark).facts(every: 1)
            .filter { $0.time <= ScriptedCall.at(30) || $0.time >= ScriptedCall.at(50) }
        let found = try summary(facts)
        #expect(found.outages.map { $0.seconds.rounded() } == [5])
        #expect(try #require(found.score) < 90)
    }

    /// A client that is put to sleep while it is on hold.
    @Test(arguments: [1, 10]) func `a hold that events tell is one, also where nobody reported`(cadence: Int) throws {
        var held = ScriptedSecond()
        (held.packets, held.sent, held.videoPackets, held.videoBytes, held.frames) = (0, 0, 0, 0, 0)
        var call = ScriptedCall(120, bad: [43..<83], held)
        call.events = [
            ScriptedCall.event("callState", "ON_HOLD", at: 43), ScriptedCall.event("callState", "IN_CALL", at: 83),
        ]
        let facts = call.facts(every: cadence)
            .filter { $0.time <= ScriptedCall.at(43) || $0.time >= ScriptedCall.at(83) }
        let found = try summary(facts)
        #expect(abs(found.heldSeconds - 40) < 0.5)
        #expect(found.score == 100)
    }

    // MARK: Other streams after a gap

    /// The facts of a call that was told until half a minute had passed, and again, by another connection or other streams of the
    /// same, two minutes after that.
    private func reconnected(every cadence: Int, as connection: String) -> [Fact] {
        let before = ScriptedCall(30).facts(every: cadence)
        let after = ScriptedCall(60).facts(every: cadence).map { fact -> Fact in
            guard case .report(let report) = fact else { return fact }
            let objects = report.objects.map { object in
                var moved = object
                moved.timestamp = object.timestamp?.advanced(byMilliseconds: 150_000)
                if let ssrc = object.members["ssrc"]?.wholeNumber { moved.members["ssrc"] = .integer(ssrc + 100) }
                if let last = object.members["lastPacketReceivedTimestamp"]?.number {
                    moved.members["lastPacketReceivedTimestamp"] = .double(last + 150_000)
                }
                return moved
            }
            return .report(
                StatsReport(
                    connection: ConnectionID(rawValue: connection),
                    time: report.time.advanced(byMilliseconds: 150_000),
                    receivedAt: report.receivedAt.advanced(byMilliseconds: 150_000), objects: objects))
        }
        return before + after
    }

    @Test(arguments: [1, 10], ["", "another"])
    func `time of which nobody told is none of the call when others come after it`(
        cadence: Int, connection: String
    ) throws {
        let found = try summary(reconnected(every: cadence, as: connection))
        #expect(found.score == 100)
        // Of the first report after the gap nothing is known but what it counts from then on.
        #expect((80...91).contains(found.scoredSeconds), "\(found.scoredSeconds) s")
        #expect(found.dataQuality.gaps.map { ($0.milliseconds ?? 0) / 10_000 } == [12])
    }
}
