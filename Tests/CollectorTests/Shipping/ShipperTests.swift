import CallModel
import Collector
import Foundation
import GRDB
import SQLiteStore
import TestSupport
import Testing

/// What the other store does wrong costs nothing: accepted, stored there and distinct are the same in the end.
@Suite struct ShipperTests {
    private let fixture: CollectorFixture
    private let target: FaultyStore
    private var shipper: Shipper

    init() throws {
        fixture = try CollectorFixture(outbox: .on(OutboxSettings()))
        target = FaultyStore(
            try SQLiteCallStore.open(path: fixture.directory.appending(path: "target.sqlite").path))
        shipper = Shipper(
            outbox: fixture.store, target: { [target] in target }, limit: OutboxLimit(rows: 20, bytes: .max))
    }

    private static let calls = (1...9).map { "call-\($0)" }
    private static let outage = CallStoreError.unavailable(.failing, detail: "target")

    /// A few facts of each call.
    private func collect() async throws {
        for time in 1...4 {
            for call in Self.calls { try await fixture.post(.statistics(at: Int64(time) * 5000, path: call)) }
        }
    }

    /// Ships until nothing waits.
    /// - Returns: what was not stored at once.
    private mutating func shipAll() async -> [StoreRecourse] {
        var failures: [StoreRecourse] = []
        while true {
            switch await shipper.step() {
            case .idle: return failures
            case .shipped: break
            case .failed(let recourse, _): failures.append(recourse)
            }
        }
    }

    private func expectAllStored(but missing: Set<String> = []) async throws {
        let calls = Self.calls.map { CallKey.of($0).identity }
        let accepted = try await fixture.store.contents(of: calls)
        #expect(accepted.values.map(\.facts.count).reduce(0, +) == 36)
        let wanted = accepted.filter { !missing.contains($0.key.identity.call.rawValue) }
        #expect(try await target.contents(of: calls) == wanted)
        #expect(try await target.counts().facts == 36 - 4 * missing.count)
    }

    @Test mutating func `a store that fails before, after or in between has everything once in the end`() async throws {
        var random = RandomSource(seed: 3)
        try await collect()
        let faults = (0..<30).map { _ -> FaultyStore.Fault in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .before(Self.outage)
            case 1: .after(Self.outage)
            case 2: .slow(.milliseconds(3))
            default: .before(CallStoreError.misconfigured("wrong password"))
            }
        }
        target.fail(faults)
        let failures = await shipAll()
        #expect(failures.contains(.retry) && failures.contains(.mend))
        try await expectAllStored()
        #expect(try await fixture.store.figures() == OutboxFigures())
    }

    @Test mutating func `what failed is given again as it was, whatever was noted meanwhile`() async throws {
        try await collect()
        target.fail([.after(Self.outage), .before(Self.outage)])
        #expect(await shipper.step() == .failed(.retry, "\(Self.outage)"))
        try await fixture.post(.statistics(at: 60_000, path: "call-1"))
        #expect(await shipper.step() == .failed(.retry, "\(Self.outage)"))
        guard case .shipped = await shipper.step() else {
            Issue.record("not shipped")
            return
        }
        let batches = target.batches
        #expect(batches.count == 3)
        #expect(batches[0] == batches[1] && batches[1] == batches[2])
    }

    @Test mutating func `errors nobody knows are tried again`() async throws {
        struct Odd: Error {}
        try await collect()
        target.fail([.before(Odd()), .before(CallStoreError.failed("odd")), .before(CallStoreError.inUse("there"))])
        #expect(await shipAll() == [.retry, .retry, .retry])
        try await expectAllStored()
    }

    @Test mutating func `a record that is refused is set aside, and the others are stored`() async throws {
        try await collect()
        target.refuse([.of("call-3"), .of("call-8")])
        #expect(await shipAll() == [])
        try await expectAllStored(but: ["call-3", "call-8"])
        let reasons = try await fixture.store.recordsSetAside(limit: 10)
        #expect(
            reasons
                == ["call-3", "call-8"].map {
                    RecordSetAside(key: .of($0), reason: "\(CallStoreError.refused("\($0) is odd"))")
                })
        #expect(try await fixture.store.figures().recordsSetAside == 2)
        // What follows of it waits, too, and the others go on.
        try await fixture.post(.statistics(at: 60_000, path: "call-3"), .statistics(at: 60_000, path: "call-4"))
        let asked = target.given.count
        #expect(await shipAll() == [])
        #expect(target.given.dropFirst(asked) == [[.of("call-4")]])
    }

    @Test mutating func `a store that takes no record at all is at fault, and nothing is set aside`() async throws {
        try await collect()
        target.refuse(Set(Self.calls.map { .of($0) }))
        for _ in 1...3 {
            guard case .failed(.mend, let reason) = await shipper.step() else {
                Issue.record("not told")
                return
            }
            #expect(reason.contains("records is taken") && reason.contains("is odd"))
        }
        #expect(try await fixture.store.figures().recordsSetAside == 0)
        target.refuse([])
        #expect(await shipAll() == [])
        try await expectAllStored()
    }

    @Test mutating func `a record that is refused by itself waits for another that is taken`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "odd"))
        target.refuse([.of("odd")])
        guard case .failed(.mend, _) = await shipper.step() else {
            Issue.record("not told")
            return
        }
        try await fixture.post(.statistics(at: 5000, path: "good"))
        #expect(await shipAll() == [])
        #expect(try await fixture.store.recordsSetAside(limit: 10).map(\.key) == [.of("odd")])
        #expect(try await target.counts().records == 1)
    }

    @Test func `one that somebody watches sets aside what is refused, whatever it is`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "odd"))
        target.refuse([.of("odd")])
        var shipper = Shipper(
            outbox: fixture.store, target: { [target] in target }, limit: OutboxLimit(rows: 20, bytes: .max),
            isWatched: true)
        guard case .shipped(let shipment) = await shipper.step() else {
            Issue.record("not shipped")
            return
        }
        #expect(shipment.setAside == [.of("odd"): "\(CallStoreError.refused("odd is odd"))"])
        #expect(await shipper.step() == .idle)
    }

    @Test mutating func `what was set aside is stored when it is not refused any more`() async throws {
        try await collect()
        target.refuse([.of("call-3")])
        _ = await shipAll()
        target.refuse([])
        #expect(try await shipper.recall() == 1)
        #expect(await shipAll() == [])
        try await expectAllStored()
        #expect(try await fixture.store.figures() == OutboxFigures())
    }

    @Test mutating func `an outage among refusals sets nothing aside that was not refused`() async throws {
        try await collect()
        target.refuse([.of("call-1")])
        target.fail([.after(Self.outage), .before(Self.outage), .after(Self.outage)])
        let failures = await shipAll()
        #expect(failures == [.retry, .retry, .retry])
        try await expectAllStored(but: ["call-1"])
        #expect(try await fixture.store.recordsSetAside(limit: 10).map(\.key) == [.of("call-1")])
    }

    @Test mutating func `what cannot be read here is set aside`() async throws {
        try await collect()
        try await fixture.damage(report: "call-2")
        #expect(await shipAll() == [])
        #expect(try await fixture.store.recordsSetAside(limit: 10).map(\.key) == [.of("call-2")])
        #expect(try await target.counts().records == 8)
    }

    @Test mutating func `an erasure arrives though its answer was lost, and another use of the id stays`() async throws
    {
        try await collect()
        _ = await shipAll()
        _ = try await fixture.collector.erase(CallKey.of("call-5").identity)
        try await fixture.post(.event("callMetric", "callCreate", at: 900_000, call: "call-5"))
        target.fail([.after(Self.outage)])
        #expect(await shipAll() == [.retry])
        let records = try await target.records(of: CallKey.of("call-5").identity)
        #expect(records.map(\.key.attempt) == [1, 2])
        #expect(records.map(\.isEvicted) == [true, false])
        #expect(try await target.facts(of: .of("call-5")).isEmpty)
    }

    @Test mutating func `an erasure that is refused waits for somebody, and is carried out in the end`() async throws {
        try await collect()
        _ = await shipAll()
        _ = try await fixture.collector.erase(CallKey.of("call-5").identity)
        target.fail([.before(CallStoreError.refused("odd"))])
        #expect(await shipAll() == [.mend])
        #expect(try await target.records(of: CallKey.of("call-5").identity).map(\.isEvicted) == [true])
    }
}

extension CollectorFixture {
    /// Makes the reports of a call unreadable, as a fault of the disk does.
    func damage(report call: String) async throws {
        let database = try DatabaseQueue(path: databasePath)
        try await database.write { db in
            try db.execute(
                sql: "UPDATE report SET objects = x'00' WHERE recordId = (SELECT id FROM record WHERE callId = ?)",
                arguments: [call])
        }
        try database.close()
    }
}
