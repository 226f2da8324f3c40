import CallModel
import Foundation
import GRDB
import SQLiteStore
import TestSupport
import Testing

@testable import Collector

/// Records of earlier rules are derived anew, beside ingest and readers.
@Suite struct RescoringTests {
    private static let calls = ["03-loss5", "10-outage5s", "26-no-answer", "29-mute-hold"]

    private static func recorded() -> [RecordedCall] {
        calls.flatMap { name in
            RecordedCall.End.allCases.map {
                RecordedCall(SharedData.packageRoot.appending(path: "SampleData/\(name)"), end: $0)
            }
        }
    }

    private func submission(_ facts: some Sequence<Fact>, of call: RecordedCall) -> Submission {
        Submission(
            identity: call.key.identity, observer: call.key.observer,
            facts: facts.enumerated().map { Submission.Item(index: $0.offset, fact: $0.element) })
    }

    /// A store with all facts of the recorded calls for which `isKept` holds.
    private func filled(
        _ fixture: CollectorFixture, keeping isKept: (Int) -> Bool = { _ in true }
    ) async throws {
        for call in Self.recorded() {
            let facts = try call.facts().enumerated().filter { isKept($0.offset) }.map(\.element)
            _ = try await fixture.collector.submit([submission(facts, of: call)])
        }
    }

    /// Makes all records such as rules of another version would have left them: other scores, rows that are none of
    /// today's, and a fold that cannot be read.
    private func outdate(_ fixture: CollectorFixture) async throws {
        let queue = try DatabaseQueue(path: fixture.databasePath)
        try await queue.write { db in
            try db.execute(
                sql: """
                    UPDATE record SET rulesVersion = 0, score = 1, isDirty = 0,
                    summary = json_set(summary, '$.rulesVersion', 0, '$.score', 1);
                    UPDATE fold SET state = x'00';
                    DELETE FROM derived WHERE id % 2 = 0;
                    UPDATE derived SET content = json_set(content, '$.scores', json('[]'));
                    INSERT INTO earlierScore SELECT id, 'window', start, start + 7, 1, NULL, NULL, '{}', NULL, '[]', 0, 0, NULL
                    FROM record;
                    """)
        }
        try queue.close()
        try await fixture.restart()
    }

    private func rescoring(_ fixture: CollectorFixture) -> Rescoring {
        Rescoring(collector: fixture.collector, store: fixture.store)
    }

    private func reports(_ fixture: CollectorFixture) async throws -> [CallKey: String] {
        var reports: [CallKey: String] = [:]
        for call in Self.recorded() { reports[call.key] = try await fixture.report(call.key) }
        return reports
    }

    /// The reports of calls whose facts were folded as they came.
    private func undisturbed() async throws -> [CallKey: String] {
        let fixture = try CollectorFixture()
        try await filled(fixture)
        return try await reports(fixture)
    }

    @Test func `what other rules derived becomes what these derive, and what changed is told`() async throws {
        let expected = try await undisturbed()
        let fixture = try CollectorFixture()
        try await filled(fixture)
        try await outdate(fixture)
        #expect(try await reports(fixture) != expected)
        let rescoring = rescoring(fixture)
        #expect(try await rescoring.left() == expected.count)

        var told: [Int] = []
        let tally = try await rescoring.run { told.append($0.done) }
        #expect(try await reports(fixture) == expected)
        #expect(told == Array(1...expected.count))
        #expect(tally.records == expected.count && tally.failed == 0 && tally.gone == 0)
        var scores: [CallKey: Int] = [:]
        for key in expected.keys { scores[key] = try await fixture.store.record(key)?.summary.score }
        #expect(tally.scoresLost == expected.count - scores.count && tally.scoresGained == 0)
        let changes = scores.values.map { abs($0 - 1) }.filter { $0 > 0 }
        #expect(tally.changes == changes.count && tally.pointsChanged == changes.reduce(0, +))
        #expect(tally.largest.map(\.after) == scores.values.max())
        #expect(try await rescoring.left() == 0)
        #expect(try await rescoring.run() == RescoreTally())
    }

    @Test func `stopped in the middle it goes on with those that are left`() async throws {
        let expected = try await undisturbed()
        let fixture = try CollectorFixture()
        try await filled(fixture)
        try await outdate(fixture)
        let first = rescoring(fixture)
        let part = try await Task {
            try await first.run { if $0.done == 3 { withUnsafeCurrentTask { $0?.cancel() } } }
        }.value
        #expect(part.done == 3)
        try await fixture.restart()
        let second = rescoring(fixture)
        #expect(try await second.left() == expected.count - 3)
        #expect(try await second.run().done == expected.count - 3)
        #expect(try await reports(fixture) == expected)
    }

    @Test func `facts that come while their record is derived anew are neither lost nor counted twice`() async throws {
        let expected = try await undisturbed()
        for seed: UInt64 in 1...4 {
            var random = RandomSource(seed: seed)
            let fixture = try CollectorFixture()
            let period = Int.random(in: 2...4, using: &random)
            try await filled(fixture) { $0 % period == 0 }
            try await outdate(fixture)
            let (collector, rescoring) = (fixture.collector, rescoring(fixture))
            let messages = try Self.recorded().flatMap { call in
                try call.facts().enumerated().filter { $0.offset % period != 0 }
                    .map { submission([$0.element], of: call) }
            }.shuffled(using: &random)
            try await withThrowingTaskGroup { group in
                group.addTask { _ = try await rescoring.run() }
                group.addTask {
                    for message in messages { _ = try await collector.submit([message]) }
                }
                try await group.waitForAll()
            }
            #expect(try await reports(fixture) == expected, "seed \(seed)")
            #expect(try await rescoring.left() == 0)
        }
    }

    @Test func `readers see a record by the one rules or by the other, never by both`() async throws {
        let fixture = try CollectorFixture()
        try await filled(fixture) { $0 % 2 == 0 }
        try await outdate(fixture)
        let (collector, store) = (fixture.collector, fixture.store)
        let rescoring = rescoring(fixture)
        let calls = Self.recorded()
        let late = try calls.map { call in
            submission(try call.facts().enumerated().filter { $0.offset % 2 == 1 }.map(\.element), of: call)
        }
        let reads = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                for message in late { _ = try await collector.submit([message]) }
                _ = try await rescoring.run()
                return 0
            }
            group.addTask {
                var reads = 0
                while try await rescoring.left() > 0 {
                    for call in calls {
                        guard let record = try await store.record(call.key) else { continue }
                        reads += 1
                        let isOld = record.windows.contains { $0.end.milliseconds(since: $0.start) == 7 }
                        #expect(isOld == (record.summary.rulesVersion == 0), "\(call.key)")
                        if isOld { #expect(record.windows.count == 1 && record.scores.isEmpty) }
                    }
                }
                return reads
            }
            return try await group.reduce(0, +)
        }
        #expect(reads > 0)
    }

    @Test func `the first fact that comes for a record of other rules brings all of it up to date`() async throws {
        let call = Self.recorded()[0]
        let facts = try call.facts()
        let undisturbed = try CollectorFixture()
        _ = try await undisturbed.collector.submit([submission(facts, of: call)])
        let fixture = try CollectorFixture()
        _ = try await fixture.collector.submit([submission(facts.dropLast(), of: call)])
        try await outdate(fixture)
        _ = try await fixture.collector.submit([submission(facts.suffix(1), of: call)])
        let record = try #require(try await fixture.store.record(call.key))
        #expect(!record.isDirty)
        #expect(try await fixture.report(call.key) == undisturbed.report(call.key))
    }

    @Test func `a record that cannot be derived costs no other, stays as it was, and is told with the reason`()
        async throws
    {
        let fixture = try CollectorFixture()
        try await filled(fixture)
        try await outdate(fixture)
        let calls = Self.recorded()
        let damaged = calls[3]
        try await DatabaseQueue(path: fixture.databasePath).write { db in
            try db.execute(
                sql: """
                    UPDATE report SET objects = x'00' WHERE recordId =
                    (SELECT id FROM record WHERE callId = ? AND observer = ?)
                    """,
                arguments: [damaged.key.identity.call.rawValue, damaged.key.observer.rawValue])
        }
        let rescoring = rescoring(fixture)
        let tally = try await rescoring.run()
        #expect(tally.failed == 1 && tally.done == tally.records + 1)
        #expect(tally.failures.values.map(\.example) == [damaged.key])
        #expect(tally.failures.keys.allSatisfy { $0.contains("is damaged") }, "\(tally.failures)")
        let record = try #require(try await fixture.store.record(damaged.key))
        #expect(record.summary.rulesVersion == 0 && record.windows.count == 1)
        #expect(try await rescoring.left() == 1)
        #expect(try await rescoring.run().failed == 1)
    }

    @Test func `records that were marked are worked off in turns, all of them`() async throws {
        let fixture = try CollectorFixture()
        let collector = fixture.collector
        let identities = (0..<50).map { CallIdentity(tenant: .default, call: CallID(rawValue: "c\($0)")) }
        let event = Fact.event(
            CallEvent(time: CollectorFixture.now, receivedAt: CollectorFixture.now, action: "callMetric", type: "x"))
        _ = try await collector.submit(
            identities.map { Submission(identity: $0, observer: .client, facts: [.init(index: 0, fact: event)]) })
        try await fixture.store.markAllDirty([])
        try await collector.adoptDirtyRecords()
        await collector.maintain()
        #expect(try await fixture.store.dirtyRecords(limit: 100).isEmpty)
        #expect(await collector.counters.refolds == 50)
    }
}
