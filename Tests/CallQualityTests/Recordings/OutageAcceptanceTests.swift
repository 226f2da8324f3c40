import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// Silence that packet counters do not show.
@Suite(SharedData.required) struct OutageAcceptanceTests {
    @Test(arguments: RecordedEnd.both(["10-outage5s"]), RecordedCall.Cadence.allCases)
    func `a path that was down for 5 s is an outage of 5 s in the lowest band`(
        _ source: RecordedEnd, _ cadence: RecordedCall.Cadence
    ) async throws {
        let record = try await source.record(cadence)
        let down = try #require(try await Recordings.shared.wire(source.name).downtimes.first)
        let outage = try #require(record.summary.outages.first, "\(source.testDescription)")
        #expect(record.summary.outages.count == 1)
        #expect(abs(outage.seconds - 5) <= 0.5)
        let tolerance = cadence == .oneSecond ? 1.2 : 10.0
        #expect(abs(outage.span.start.seconds(since: down.start)) < tolerance)
        let worst = try #require(record.summary.worstScore)
        #expect(QualityBand(score: worst) == .bad)
        let lost = try #require(record.stream(.inbound, .audio)?.packetsLost)
        #expect(lost <= 2, "the client did not count the outage; if it does now, this recording proves nothing")
    }

    @Test(arguments: RecordedEnd.both(["34-gap-ladder"]))
    func `every gap of a second and more is found, and its length`(_ source: RecordedEnd) async throws {
        let record = try await source.record(.oneSecond)
        let gaps = try await Recordings.shared.wire(source.name).downtimes
        let long = gaps.filter { ($0.milliseconds ?? 0) >= 1_050 }
        #expect(long.count == 5)
        for gap in long {
            let seconds = Double(try #require(gap.milliseconds)) / 1000
            let found = record.summary.outages.filter { $0.span.overlaps(gap.start...(gap.end ?? gap.start)) }
            let outage = try #require(found.first, "\(source.testDescription): no outage for the gap of \(seconds) s")
            #expect(found.count == 1, "\(source.testDescription), gap of \(seconds) s: \(found)")
            #expect(
                abs(outage.seconds - seconds) <= max(0.1, 0.05 * seconds),
                "\(source.testDescription), gap of \(seconds) s: \(outage.seconds) s")
        }
    }

    @Test(arguments: RecordedEnd.both(["34-gap-ladder"]), [0, 1])
    func `so it is in reports of two seconds, wherever they cut it`(_ source: RecordedEnd, from first: Int) async throws
    {
        let facts = try Recordings.facts(source.name, source.end, .oneSecond)
        var count = -1
        let thinned = facts.filter { fact in
            guard case .report = fact else { return true }
            count += 1
            return count % 2 == first
        }
        var session = CallSession(key: RecordedCall.shared(source.name, source.end).key)
        _ = session.fold(thinned)
        let outages = try #require(session.summary()).outages
        for gap in try await Recordings.shared.wire(source.name).downtimes where gap.milliseconds ?? 0 >= 1_050 {
            let seconds = Double(try #require(gap.milliseconds)) / 1000
            let found = outages.filter { $0.span.overlaps(gap.start...(gap.end ?? gap.start)) }
            #expect(found.count == 1, "\(source.testDescription), gap of \(seconds) s: \(found)")
            #expect(abs((found.first?.seconds ?? 0) - seconds) <= max(0.1, 0.05 * seconds), "\(found)")
        }
    }

    /// Members that not all engines have.
    private static let optionalMembers = [
        ["lastPacketReceivedTimestamp"],
        ["lastPacketReceivedTimestamp", "concealedSamples", "silentConcealedSamples", "concealmentEvents"],
    ]

    @Test(arguments: RecordedEnd.both(["10-outage5s", "34-gap-ladder"]), optionalMembers)
    func `a long gap is one outage of its length, also where the client does not say when the last packet came`(
        _ source: RecordedEnd, without members: [String]
    ) async throws {
        var session = CallSession(key: RecordedCall.shared(source.name, source.end).key)
        let facts = try Recordings.facts(source.name, source.end, .oneSecond)
        _ = session.fold(facts.map { Self.removing(members, from: $0) })
        let outages = try #require(session.summary()).outages
        for gap in try await Recordings.shared.wire(source.name).downtimes where gap.milliseconds ?? 0 >= 3_000 {
            let found = outages.filter { $0.span.overlaps(gap.start...(gap.end ?? gap.start)) }
            let seconds = Double(try #require(gap.milliseconds)) / 1000
            #expect(found.count == 1, "\(source.testDescription), gap of \(seconds) s: \(found)")
            // Of reports of every second, those without a packet tell.
            let tolerance = members.count > 1 ? 1.2 : max(0.1, 0.05 * seconds)
            #expect(abs((found.first?.seconds ?? 0) - seconds) <= tolerance, "\(source.testDescription): \(found)")
        }
    }

    private static func removing(_ members: [String], from fact: Fact) -> Fact {
        guard case .report(let report) = fact else { return fact }
        let objects = report.objects.map { object in
            var object = object
            for member in members { object.members[member] = nil }
            return object
        }
        return .report(
            StatsReport(
                connection: report.connection, time: report.time, receivedAt: report.receivedAt, objects: objects))
    }

    @Test(arguments: RecordedEnd.both(["34-gap-ladder"]))
    func `gaps below three quarters of a second are no outages`(_ source: RecordedEnd) async throws {
        let record = try await source.record(.oneSecond)
        let gaps = try await Recordings.shared.wire(source.name).downtimes
        for outage in record.summary.outages {
            let causes = gaps.filter { outage.span.overlaps($0.start...($0.end ?? $0.start)) }
            #expect(causes.contains { ($0.milliseconds ?? 0) >= 750 }, "\(source.testDescription): \(outage)")
        }
    }

    @Test(arguments: RecordedEnd.both(["30-ip-change"]), RecordedCall.Cadence.allCases)
    func `a change of network shows as silence and a new path, though ICE said nothing`(
        _ source: RecordedEnd, _ cadence: RecordedCall.Cadence
    ) async throws {
        let record = try await source.record(cadence)
        #expect(record.summary.iceDisconnects == [])
        #expect(record.summary.outages.count == 1)
        let seconds = try #require(record.summary.outages.first?.seconds)
        #expect(abs(seconds - 3.5) <= 0.5)
        #expect(record.summary.path.changes.count >= 1)
    }

    @Test func `an app that says it changes network is believed about itself, not about the silence`() async throws {
        let record = try await Recordings.shared.record("30-ip-change", .caller)
        let change = try #require(record.summary.ipChanges.first?.milliseconds)
        #expect(abs(change - 7_000) < 500)
    }
}
