import CallModel
import Testing

@testable import CallQuality

/// A client that lost its connection and made a new one, as it reports every ten seconds.
@Suite struct HandoverTests {
    private static let start: Int64 = 1_795_000_000_000

    private func at(_ second: Double) -> Timestamp {
        Timestamp(milliseconds: Self.start).advanced(byMilliseconds: Int64(1_000 * second))
    }

    private func report(_ connection: String, _ source: AudioSource, at time: Timestamp) -> Fact? {
        guard case .report(let report) = source.report else { return nil }
        return .report(
            StatsReport(
                connection: ConnectionID(rawValue: connection), time: time, receivedAt: time, objects: report.objects))
    }

    private func event(_ type: String, at second: Double) -> Fact {
        .event(CallEvent(time: at(second), receivedAt: at(second), action: "iceState", type: type))
    }

    /// The old connection with sound up to a moment and none after it, told of until another one.
    private func old(soundUntil end: Int, toldUntil last: Int) -> [Fact?] {
        var source = AudioSource(at: Self.start)
        return (0...last / 10).map { report in
            if report > 0 {
                let sound = min(10, max(0, end - 10 * (report - 1)))
                if sound > 0 { source.sound(Double(sound)) }
                if sound < 10 { source.blackout(Double(10 - sound)) }
            }
            return self.report("old", source, at: at(10 * Double(report)))
        }
    }

    /// The new one, from a moment on and up to 140 s.
    private func new(from begin: Int) -> [Fact?] {
        var source = AudioSource(at: Self.start + 1_000 * Int64(begin))
        return ((begin + 9) / 10...14).map { report in
            source.sound(Double(min(10, 10 * report - begin)))
            return self.report("new", source, at: at(10 * Double(report)).advanced(byMilliseconds: 5))
        }
    }

    private func summary(_ facts: [Fact?], _ events: [Fact] = []) throws -> CallSummary {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        for fact in (facts.compactMap(\.self) + events).sorted(by: { $0.key < $1.key }) {
            _ = session.fold([fact])
            session = try #require(CallSession(archived: session.archived()))
        }
        return try #require(session.summary())
    }

    @Test func `time of which no stream tells is not scored`() throws {
        let found = try summary(old(soundUntil: 60, toldUntil: 60) + new(from: 76))
        #expect(found.outages == [])
        #expect(found.score == 100)
        #expect(found.scoredSeconds.rounded() == 124)
    }

    @Test func `what ICE was disconnected for is missing`() throws {
        let events = [event("iceConnected", at: 0), event("iceDisconnected", at: 66), event("iceConnected", at: 76.1)]
        let found = try summary(old(soundUntil: 60, toldUntil: 60) + new(from: 76), events)
        let outage = try #require(found.outages.first)
        #expect(found.outages.count == 1)
        #expect(outage.span.start == at(66) && outage.evidence == ["iceDisconnected"])
        #expect(abs(outage.seconds - 10) < 0.1)
        #expect(found.issues.all.map(\.kind).contains(.blackout))
        #expect(try #require(found.worstScore) < 60)
        #expect(found.scoredSeconds.rounded() == 134)
    }

    @Test func `silence that the old connection had told of goes on until the new one has sound`() throws {
        let found = try summary(old(soundUntil: 61, toldUntil: 70) + new(from: 76))
        let outage = try #require(found.outages.first)
        #expect(found.outages.count == 1)
        #expect(outage.span.start == at(61))
        #expect(abs(outage.seconds - 15) < 0.2)
        #expect(abs(try #require(outage.span.end).seconds(since: at(76))) < 0.2)
        #expect(found.scoredSeconds.rounded() == 140)
    }

    @Test func `who left while silent is not missed until somebody else speaks`() throws {
        let empty = [80, 90, 100, 110, 120].map { second -> Fact? in
            .report(
                StatsReport(
                    connection: ConnectionID(rawValue: "old"), time: at(second), receivedAt: at(second), objects: []))
        }
        let found = try summary(old(soundUntil: 61, toldUntil: 70) + empty + new(from: 126))
        #expect(found.outages.count == 1)
        #expect(abs(try #require(found.outages.first).seconds - 9) < 0.2)
    }

    @Test func `a connection that goes on beside the new one covers all`() throws {
        let events = [event("iceConnected", at: 0), event("iceDisconnected", at: 66), event("iceConnected", at: 76.1)]
        let found = try summary(old(soundUntil: 140, toldUntil: 140) + new(from: 76), events)
        #expect(found.outages == [])
        #expect(found.score == 100)
        #expect(found.scoredSeconds.rounded() == 140)
    }
}
