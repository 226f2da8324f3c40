import CallModel
import Foundation
import SQLiteStore
import TestSupport
import Testing

@testable import Collector

/// Whatever happens, and however it is shipped: in the end the other store has what this one has.
@Suite struct ShippingPropertyTests {
    private static let seeds: ClosedRange<UInt64> = 1...10

    private func target(beside fixture: CollectorFixture) throws -> SQLiteCallStore {
        try SQLiteCallStore.open(path: fixture.directory.appending(path: "target.sqlite").path)
    }

    @Test(arguments: seeds) func `the other store ends as this one is`(seed: UInt64) async throws {
        var history = RandomHistory(seed: seed)
        let fixture = try CollectorFixture(outbox: .on(OutboxSettings()))
        let target = try target(beside: fixture)
        for _ in 0..<120 {
            try await history.goOn(fixture)
            guard history.fails(1, in: 3) else { continue }
            try await ship(&history, fixture, target)
        }
        await fixture.collector.maintain()
        while try await shipOne(OutboxLimit(rows: 50, bytes: .max), fixture.store, target) {}
        #expect(try await fixture.store.figures() == OutboxFigures())
        let calls = RandomHistory.calls
        #expect(try await target.contents(of: calls) == fixture.store.contents(of: calls), "seed \(seed)")
        let there = Array(Set(try await target.contents(of: calls).keys.map(\.identity)))
        let (given, wanted) = (try await target.claims(on: there), try await fixture.store.claims(on: there))
        #expect(given.isSuperset(of: wanted), "seed \(seed)")
        // What an erased call claimed may be there as it was shipped, too.
        #expect(given.subtracting(wanted).allSatisfy { $0.key.identity.call.rawValue == "erased" }, "seed \(seed)")
        #expect(try await target.counts().facts == fixture.store.counts().facts)
        try await target.close()
    }

    /// Some batches; of some the answer is lost, so that they come again.
    private func ship(
        _ history: inout RandomHistory, _ fixture: CollectorFixture, _ target: SQLiteCallStore
    ) async throws {
        while !history.fails(1, in: 3) {
            guard let batch = try await fixture.store.nextBatch(history.limit()) else { return }
            if history.fails(1, in: 4) { try await history.goOn(fixture) }
            try await Self.give(batch, to: target)
            if history.fails(1, in: 4) { try await Self.give(batch, to: target) }
            if history.fails(1, in: 4) { try await history.goOn(fixture) }
            if history.fails(3, in: 4) { try await fixture.store.settle(batch.token) }
        }
    }

    private func shipOne(_ limit: OutboxLimit, _ source: SQLiteCallStore, _ target: SQLiteCallStore) async throws
        -> Bool
    {
        guard let batch = try await source.nextBatch(limit) else { return false }
        try await Self.give(batch, to: target)
        try await source.settle(batch.token)
        return true
    }

    private static func give(_ batch: OutboxBatch, to target: SQLiteCallStore) async throws {
        #expect(batch.unreadable.isEmpty)
        switch batch.content {
        case .changes(let changes): try await target.commit(changes)
        case .erasure(let identity, let moment): _ = try await target.erase(identity, now: moment)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func `what was stored before the outbox was begun arrives, too`(
        seed: UInt64
    ) async throws {
        var history = RandomHistory(seed: seed)
        let fixture = try CollectorFixture()
        for _ in 0..<80 { try await history.goOn(fixture) }
        await fixture.collector.maintain()
        try await fixture.store.close()
        let source = try SQLiteCallStore.open(path: fixture.databasePath, outbox: .on(OutboxSettings()))
        let target = try target(beside: fixture)
        while try await shipOne(history.limit(), source, target) {}
        let calls = RandomHistory.calls
        #expect(try await target.contents(of: calls) == source.contents(of: calls), "seed \(seed)")
        try await source.close()
        try await target.close()
    }

    /// A tenth of what comes is kept here; all of it arrives there.
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func `what is evicted here was shipped before, and stays there`(
        seed: UInt64
    ) async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 4), outbox: .on(OutboxSettings()))
        let target = try target(beside: fixture)
        var random = RandomSource(seed: seed)
        var calls: [CallIdentity] = []
        for number in 0..<40 {
            let call = "call-\(number)"
            calls.append(CallKey.of(call).identity)
            try await fixture.post(.event("callMetric", "callCreate", at: 0, call: call))
            try await fixture.post(.statistics(at: 10_000, path: call), .statistics(at: 15_000, path: call))
            await fixture.collector.maintain()
            // The last ones wait in any case.
            if number < 30, Int.random(in: 0..<5, using: &random) == 0 {
                while try await shipOne(OutboxLimit(rows: 7, bytes: .max), fixture.store, target) {}
            }
        }
        let waiting = try await fixture.store.figures().entries
        #expect(waiting > 0)
        while try await shipOne(OutboxLimit(rows: 7, bytes: .max), fixture.store, target) {}
        await fixture.collector.maintain()
        #expect(try await fixture.store.counts().calls == 4)
        #expect(try await fixture.store.figures() == OutboxFigures())
        let facts = try await target.facts(of: calls)
        #expect(facts.count == 40)
        #expect(facts.values.allSatisfy { $0.count == 3 })
        try await target.close()
    }
}
