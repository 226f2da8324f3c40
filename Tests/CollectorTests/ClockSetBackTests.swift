import CallModel
import Collector
import SQLiteStore
import TestSupport
import Testing

/// Calls whose client's clock is set back while they go on.
@Suite(SharedData.required) struct ClockSetBackTests {
    private static let calls = ["10-outage5s", "29-mute-hold", "24-ice-one-relay"]

    /// How far a clock is set back, in ms, and how often its client reports. The recordings were made every second to the
    /// millisecond: a step of whole seconds would give two reports the same time.
    struct Step: Sendable, CustomStringConvertible {
        var milliseconds: Int64
        var cadence: RecordedCall.Cadence

        var description: String { "\(milliseconds) ms, \(cadence)" }
    }

    private static let steps = [
        Step(milliseconds: 5_437, cadence: .oneSecond), Step(milliseconds: 20_437, cadence: .oneSecond),
        Step(milliseconds: 60_437, cadence: .tenSeconds), Step(milliseconds: 3_600_437, cadence: .tenSeconds),
        Step(milliseconds: 3_600_437, cadence: .oneSecond),
    ]

    /// What the client tells, in order of receipt, if its clock is set back once that share of the facts is told.
    private func told(_ facts: [Fact], setBackBy milliseconds: Int64, after share: Double = 0.5) -> [Fact] {
        guard let first = facts.first?.time, let last = facts.last?.time else { return facts }
        let moment = first.advanced(byMilliseconds: Int64(share * Double(last.milliseconds(since: first))))
        return facts.map { fact in
            guard fact.time > moment else { return fact }
            switch fact {
            case .report(let report): return .report(report.moved(byMilliseconds: -milliseconds))
            case .event(var event):
                event.time = event.time.advanced(byMilliseconds: -milliseconds)
                return .event(event)
            case .wire: return fact
            }
        }
    }

    private func submission(_ facts: [Fact], of call: RecordedCall) -> Submission {
        Submission(
            identity: call.key.identity, observer: call.key.observer,
            facts: facts.enumerated().map { Submission.Item(index: $0.offset, fact: $0.element) })
    }

    private func record(_ facts: [Fact], of call: RecordedCall, inOneGo: Bool = false) async throws -> CallRecord {
        let fixture = try CollectorFixture()
        for batch in inOneGo ? [facts] : facts.map({ [$0] }) {
            _ = try await fixture.collector.submit([submission(batch, of: call)])
        }
        try await fixture.collector.settle(call.key.identity)
        return try #require(try await fixture.store.record(call.key))
    }

    /// What is said of the clock, left out of a record, and what the record is without it.
    private func withoutClock(_ record: CallRecord) -> CallRecord {
        var record = record
        record.summary.dataQuality.clock = nil
        record.summary.dataQuality.clockStepMilliseconds = nil
        record.summary.dataQuality.notes.removeAll { $0.hasPrefix("the client's clock was set back") }
        record.summary.issues.all.removeAll { $0.kind == .clockTrouble }
        return record
    }

    @Test(arguments: calls, steps) func `a call is what it is without the step`(name: String, step: Step) async throws {
        for end in RecordedCall.End.allCases {
            let call = RecordedCall.shared(name, end)
            let facts = try call.facts(step.cadence)
            let found = try await record(told(facts, setBackBy: step.milliseconds), of: call)
            #expect(found.summary.dataQuality.clockStepMilliseconds == -step.milliseconds)
            #expect(
                found.summary.issues.all.filter { $0.kind == .clockTrouble }.map(\.worst?.value) == [
                    -Double(step.milliseconds) / 1000
                ])
            let without = withoutClock(try await record(facts, of: call))
            #expect(withoutClock(found) == without, "\(end)")
        }
    }

    /// The order of the reports is as it was: a report may as well have been late.
    @Test(arguments: calls, [3, 7] as [Int64]) func `a step of less than a report's length moves nothing`(
        name: String, seconds: Int64
    ) async throws {
        let call = RecordedCall.shared(name, .caller)
        let facts = told(try call.facts(), setBackBy: 1000 * seconds)
        let found = try await record(facts, of: call)
        #expect(found.summary.dataQuality.clock == nil)
        #expect(Set(found.events.map(\.time)) == Set(facts.compactMap { $0.isReport ? nil : $0.time }))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `in whatever order its facts arrive, it is the same`(
        seed: UInt64
    ) async throws {
        let call = RecordedCall.shared("10-outage5s", .caller)
        let facts = told(try call.facts(), setBackBy: 60_437)
        let inOrder = try await record(facts, of: call)
        var random = RandomSource(seed: seed)
        #expect(try await record(facts.shuffled(using: &random), of: call) == inOrder)
        #expect(try await record(facts.sorted { $0.key < $1.key }, of: call) == inOrder)
        #expect(try await record(facts, of: call, inOneGo: true) == inOrder)
    }

    /// Each takes up to a minute, so that they come in another order than they were made.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `late facts are of no clock that was set back`(seed: UInt64)
        async throws
    {
        let call = RecordedCall.shared("10-outage5s", .caller)
        var random = RandomSource(seed: seed)
        let late = try call.facts(.oneSecond).map { fact in
            var fact = fact
            fact.receivedAt = fact.time.advanced(byMilliseconds: Int64.random(in: 0...60_000, using: &random))
            return fact
        }.sorted { $0.receivedAt < $1.receivedAt }
        #expect(try await record(late, of: call).summary.dataQuality.clock == nil)
    }

    /// Facts take up to half a second, and a client sends five reports at a time.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `what is set back is told to within the way that facts take`(
        seed: UInt64
    ) async throws {
        let call = RecordedCall.shared("29-mute-hold", .caller)
        var random = RandomSource(seed: seed)
        let facts = told(try call.facts(.oneSecond), setBackBy: 30_437)
        let last = facts.map(\.receivedAt).max()
        let batches = stride(from: 0, to: facts.count, by: 5).map { Array(facts[$0..<min($0 + 5, facts.count)]) }
        let batched = batches.flatMap { batch in
            let receipt = (batch.map(\.receivedAt).max() ?? last ?? CollectorFixture.now)
                .advanced(byMilliseconds: Int64.random(in: 0...500, using: &random))
            return batch.map { fact in
                var fact = fact
                fact.receivedAt = receipt
                return fact
            }
        }
        let found = try await record(batched, of: call)
        let step = try #require(found.summary.dataQuality.clockStepMilliseconds)
        #expect(abs(step + 30_437) <= 500)
        let without = try await record(try call.facts(.oneSecond), of: call)
        #expect(found.summary.score == without.summary.score)
        #expect(found.summary.dataQuality.counterResets == without.summary.dataQuality.counterResets)
    }
}
