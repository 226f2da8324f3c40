import CallModel
import ClientStats
import Collector
import SQLiteStore
import TestSupport
import Testing

/// What probes tell takes the same road as what clients tell, with the same guarantees.
@Suite struct WireRoadTests {
    private let call = WireCall()

    /// Sends `facts` in batches of random size, some of them twice, with restarts in between.
    private func stored(_ facts: [Fact], seed: UInt64) async throws -> String? {
        var random = RandomSource(seed: seed)
        let fixture = try CollectorFixture()
        var rest = facts[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...5, using: &random))
            rest = rest.dropFirst(batch.count)
            for _ in 0...Int.random(in: 0...1, using: &random) {
                _ = try await fixture.collector.submit([call.submission(batch)])
            }
            if Int.random(in: 0..<3, using: &random) == 0 { _ = try await fixture.report(call.key) }
            if Int.random(in: 0..<3, using: &random) == 0 { try await fixture.restart() }
        }
        return try await fixture.report(call.key)
    }

    private func undisturbed() async throws -> String? {
        let fixture = try CollectorFixture()
        _ = try await fixture.collector.submit([call.submission(WireCall.facts)])
        return try await fixture.report(call.key)
    }

    @Test func `the record says what the probe saw`() async throws {
        let fixture = try CollectorFixture()
        let outcomes = try await fixture.collector.submit([call.submission(WireCall.facts)])
        #expect(outcomes == [Array(repeating: .accepted, count: WireCall.facts.count)])
        let summary = try #require(try await fixture.store.summaries(of: call.key.identity).first?.summary)
        #expect(summary.key == call.key)
        #expect(summary.setup.ringTime == 3_600)
        #expect(summary.setup.sessionRequestDelay == 400)
        #expect(summary.setup.sessionDisconnectDelay == 30)
        #expect(summary.setup.sessionDurationTime == 57_000)
        #expect(summary.aliases == ["Session-ID: 7"])
        #expect(summary.sensor == SensorHealth(packetsDroppedByKernel: 3, packetsRecordedTwice: 12))
        #expect(summary.streams.map(\.stream.source) == ["4711"])
        #expect(summary.streams.first?.wire == WireCall.report(WireCall.reports).streams.first)
        #expect(summary.secondaryStreams.map(\.id) == ["4712"])
        #expect(summary.score != nil)
        #expect(summary.endedAt == Timestamp(milliseconds: 1_795_230_061_000))
        #expect(summary.dataQuality.contradictions == 0)
        #expect(summary.dataQuality.unknownEvents == [])
    }

    @Test(arguments: 1...8)
    func `order, batches, repeats and restarts change nothing`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        let inOrder = try await undisturbed()
        #expect(inOrder?.isEmpty == false)
        #expect(try await stored(WireCall.facts, seed: seed) == inOrder, "in order, seed \(seed)")
        let shuffled = WireCall.facts.shuffled(using: &random)
        #expect(try await stored(shuffled, seed: seed) == inOrder, "shuffled, seed \(seed)")
    }

    @Test func `a report that was lost on the way costs detail, not truth`() async throws {
        let fixture = try CollectorFixture()
        let lost = WireCall.report(4)
        _ = try await fixture.collector.submit([call.submission(WireCall.facts.filter { $0 != .wire(lost) })])
        let summary = try await fixture.store.summaries(of: call.key.identity).first?.summary
        #expect(summary?.streams.first?.packets == 12 * 250 - 144)
        #expect(summary?.streams.first?.packetsLost == 144)
    }

    @Test(arguments: [false, true])
    func `a report that contradicts is told and counted, and which one stands does not hang on the order`(
        isReversed: Bool
    ) async throws {
        let fixture = try CollectorFixture()
        let said = WireCall.report(6)
        let contradiction = WireReport(
            time: said.time, receivedAt: said.receivedAt, streams: said.streams, sensor: said.sensor,
            audioPacketsSent: 1)
        let pair = isReversed ? [contradiction, said] : [said, contradiction]
        let others = WireCall.facts.filter { $0 != .wire(said) }
        #expect(try await submit([.wire(pair[0])], to: fixture) == [.accepted])
        #expect(try await submit(others, to: fixture) == Array(repeating: .accepted, count: others.count))
        #expect(try await submit([.wire(pair[1])], to: fixture) == [.contradicted])
        #expect(try await submit([.wire(pair[1])], to: fixture) == [.repeated])
        #expect(try await submit([.wire(pair[0])], to: fixture) == [.repeated])
        try await fixture.collector.settle(call.key.identity)
        let summary = try await fixture.store.summaries(of: call.key.identity).first?.summary
        #expect(summary?.dataQuality.contradictions == 1)
        let merged = Fact.wire(said).merged(with: .wire(contradiction))
        #expect(try await fixture.store.facts(of: call.key).contains(merged))
    }

    private func submit(_ facts: [Fact], to fixture: CollectorFixture) async throws -> [FactOutcome] {
        try await fixture.collector.submit([call.submission(facts)]).flatMap(\.self)
    }

    @Test func `an INVITE after the end opens the next attempt`() async throws {
        let fixture = try CollectorFixture()
        _ = try await submit(WireCall.facts, to: fixture)
        let later = Timestamp(milliseconds: 1_795_230_070_000)
        let invite = CallEvent(time: later, receivedAt: later, action: "sip", type: "INVITE", sequence: 10)
        #expect(try await submit([.event(invite)], to: fixture) == [.accepted])
        #expect(try await fixture.store.records(of: call.key.identity).map(\.key.attempt) == [1, 2])
    }

    @Test func `an erased call does not come back with a late wire report`() async throws {
        let fixture = try CollectorFixture()
        _ = try await submit(WireCall.facts, to: fixture)
        #expect(try await fixture.collector.erase(call.key.identity) == 1)
        #expect(try await submit([.wire(WireCall.report(WireCall.reports))], to: fixture) == [.refused(.evicted)])
        #expect(try await fixture.store.counts().facts == 0)
    }
}
