import CallModel
import Collector
import Foundation
import TestSupport
import Testing

/// The invariant of the design: for the same facts and receipt times, arrival order, batching, repeats and restarts
/// never change what a call's report says.
@Suite(SharedData.required) struct ArrivalOrderTests {
    private static let calls = ["10-outage5s", "29-mute-hold", "51-chromium90-loss5", "24-ice-one-relay"]

    private func submission(_ facts: ArraySlice<Fact>, of call: RecordedCall) -> Submission {
        Submission(
            identity: call.key.identity, observer: call.key.observer,
            facts: facts.enumerated().map { Submission.Item(index: $0.offset, fact: $0.element) })
    }

    /// Sends `facts` in batches of random size, some of them twice, with restarts in between.
    private func stored(
        _ facts: [Fact], of call: RecordedCall, seed: UInt64, restarts: Bool
    ) async throws -> String? {
        var random = RandomSource(seed: seed)
        let fixture = try CollectorFixture()
        var rest = facts[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...5, using: &random))
            rest = rest.dropFirst(batch.count)
            _ = try await fixture.collector.submit([submission(batch, of: call)])
            if Int.random(in: 0..<4, using: &random) == 0 {
                _ = try await fixture.collector.submit([submission(batch, of: call)])
            }
            if Int.random(in: 0..<3, using: &random) == 0 { _ = try await fixture.report(call.key) }
            if restarts, Int.random(in: 0..<3, using: &random) == 0 { try await fixture.restart() }
        }
        return try await fixture.report(call.key)
    }

    @Test(arguments: calls, RecordedCall.End.allCases)
    func `the stored report does not depend on how its facts arrived`(name: String, end: RecordedCall.End) async throws
    {
        let call = RecordedCall.shared(name, end)
        let facts = try call.facts()
        let inOrder = try await stored(facts, of: call, seed: 0, restarts: false)
        #expect(inOrder?.isEmpty == false)
        for seed: UInt64 in 1...4 {
            var random = RandomSource(seed: seed)
            let shuffled = facts.shuffled(using: &random)
            let report = try await stored(shuffled, of: call, seed: seed, restarts: true)
            #expect(report == inOrder, "\(name) \(end), seed \(seed)")
        }
    }

    @Test(arguments: calls)
    func `restarts between any two requests in order change nothing`(name: String) async throws {
        let call = RecordedCall.shared(name, .caller)
        let facts = try call.facts()
        let undisturbed = try await stored(facts, of: call, seed: 0, restarts: false)
        let disturbed = try await stored(facts, of: call, seed: 7, restarts: true)
        #expect(disturbed == undisturbed)
    }

    /// The parts of one report may come in several messages.
    @Test(arguments: calls)
    func `a report that arrives in parts is the report`(name: String) async throws {
        let call = RecordedCall.shared(name, .callee)
        let facts = try call.facts()
        var random = RandomSource(seed: 11)
        let parts = facts.flatMap { fact -> [Fact] in
            guard case .report(let report) = fact else { return [fact] }
            let objects = report.objects.shuffled(using: &random)
            return [objects.prefix(objects.count / 2), objects.suffix(objects.count - objects.count / 2)].map {
                .report(
                    StatsReport(
                        connection: report.connection, time: report.time, receivedAt: report.receivedAt,
                        objects: Array($0), notes: report.notes))
            }
        }
        let whole = try await stored(facts, of: call, seed: 0, restarts: false)
        let pieced = try await stored(parts.shuffled(using: &random), of: call, seed: 3, restarts: true)
        #expect(pieced == whole)
    }

    /// Groups of submissions overlap then.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `calls that report at once are what they are one after another`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        let ends = Self.calls.flatMap { name in RecordedCall.End.allCases.map { RecordedCall.shared(name, $0) } }
        var submissions: [Submission] = []
        for call in ends { submissions += try call.facts().map { submission([$0], of: call) } }
        submissions.shuffle(using: &random)
        let fixture = try CollectorFixture()
        let collector = fixture.collector
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for submission in submissions {
                tasks.addTask {
                    let outcomes = try await collector.submit([submission])
                    #expect(outcomes == [[.accepted]])
                }
            }
            try await tasks.waitForAll()
        }
        #expect(await collector.counters.commits < submissions.count / 4)
        let oneByOne = try CollectorFixture()
        for call in ends {
            for fact in try call.facts() { _ = try await oneByOne.collector.submit([submission([fact], of: call)]) }
        }
        for call in ends {
            let expected = try #require(try await oneByOne.report(call.key))
            #expect(try await fixture.report(call.key) == expected, "\(call.key.text), seed \(seed)")
        }
    }
}
