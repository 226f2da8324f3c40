import CallModel
import Foundation
import StoreParts
import Testing

@testable import SQLiteStore

/// An outbox that is full, and calls that go while something of them waits.
@Suite struct OutboxLimitTests {
    private static let everything = OutboxLimit(rows: 1_000_000, bytes: .max)
    private static let later = at(10_000_000)

    private func report(_ call: String) -> RecordChange { .sample(.sample(call), facts: [.report(.sample(1000))]) }

    @Test func `no more calls are looked at than go in one step`() throws {
        let calls = (0..<50).map {
            CallActivity(tenant: "t", call: "\($0)", attempt: 1, lastReceivedAt: at($0), lastReceivedUnended: nil)
        }
        let retention = Retention(calls: 30, milliseconds: 1)
        let plan = RetentionPlan(calls: calls, retention: retention, now: at(1_000))
        var asked: [String] = []
        let part = plan.first(12) { call in
            asked.append(call.call)
            return call.call.hasSuffix("0") || call.call.hasSuffix("1") || Int(call.call) ?? 0 > 10
        }
        // Twenty are too many, thirty too old.
        #expect(part.beyondCount.map(\.call) == ["0", "1", "10"] + (11...19).map { "\($0)" })
        #expect(part.beyondAge.isEmpty)
        #expect(asked == (0...19).map { "\($0)" })
        #expect(try plan.first(25).beyondAge.map(\.call) == (20...24).map { "\($0)" })
        // The next step goes on behind what was asked after.
        #expect(plan.dropFirst(asked.count).beyondCount.isEmpty)
        #expect(plan.dropFirst(asked.count).beyondAge == plan.beyondAge)
        #expect(plan.dropFirst(12).beyondCount.map(\.call) == (12...19).map { "\($0)" })
        #expect(plan.dropFirst(23).beyondAge.map(\.call) == (23...49).map { "\($0)" })
        #expect(plan.dropFirst(50).isEmpty)
    }

    private func settleAll(_ store: SQLiteCallStore) async throws {
        while let batch = try await store.nextBatch(Self.everything) { try await store.settle(batch.token) }
    }

    private static let limits = [
        OutboxSettings(maximumEntries: 3), OutboxSettings(maximumBytes: 500),
    ]

    @Test(arguments: limits.indices) func `a full outbox takes nothing until something was shipped`(
        index: Int
    ) async throws {
        try await withOutbox(Self.limits[index]) { store in
            var taken = 0
            var refusal: CallStoreError?
            while refusal == nil, taken < 20 {
                do {
                    try await store.commit([report("call-\(taken)")])
                    taken += 1
                } catch let error as CallStoreError {
                    refusal = error
                }
            }
            guard case .unavailable(.spoolFull, _) = refusal else {
                Issue.record("\(taken) taken, then \(refusal as CallStoreError?)")
                return
            }
            #expect(try await store.counts().records == taken)
            await #expect(throws: CallStoreError.self) { try await store.probe() }
            // Who asks for it is obeyed even then.
            #expect(try await store.erase(.sample("call-0"), now: at(0)) == 1)
            try await settleAll(store)
            try await store.probe()
            try await store.commit([report("more")])
            #expect(try await store.figures().dropped == 0)
        }
    }

    @Test func `what is set aside takes no room`() async throws {
        try await withOutbox(OutboxSettings(maximumEntries: 2)) { store in
            try await store.commit([report("a"), report("b")])
            await #expect(throws: CallStoreError.self) { try await store.commit([report("c")]) }
            try await store.setAside([.sample("a"): "odd", .sample("b"): "odd"])
            try await store.commit([report("c")])
            #expect(try await store.figures().entries == 3)
        }
    }

    @Test func `or the oldest are given up, and counted; erasures are not`() async throws {
        try await withOutbox(OutboxSettings(maximumEntries: 3, whenFull: .dropOldest)) { store in
            _ = try await store.erase(.sample("gone"), now: at(0))
            for call in ["a", "b", "c", "d", "e"] { try await store.commit([report(call)]) }
            let figures = try await store.figures()
            #expect((figures.entries, figures.dropped) == (3, 3))
            let erasure = try await store.nextBatch(Self.everything)
            #expect(erasure?.token.erasure != nil)
            if let erasure { try await store.settle(erasure.token) }
            guard case .changes(let left)? = try await store.nextBatch(Self.everything)?.content else {
                Issue.record("nothing waits")
                return
            }
            #expect(left.map(\.key) == [.sample("d"), .sample("e")])
        }
    }

    // MARK: Retention

    private let retention = Retention(calls: 1)

    @Test func `what waits is not evicted`() async throws {
        try await withOutbox(OutboxSettings()) { store in
            for call in ["a", "b", "c"] { try await store.commit([report(call)]) }
            #expect(try await store.enforce(retention, now: Self.later).evictedByCount == 0)
            #expect(try await store.counts().records == 3)
            let batch = try await store.nextBatch(OutboxLimit(rows: 1, bytes: .max))
            if let batch { try await store.settle(batch.token) }
            #expect(try await store.enforce(retention, now: Self.later).evictedByCount == 1)
            #expect(try await store.records(of: .sample("a")).allSatisfy(\.isEvicted))
            try await settleAll(store)
            #expect(try await store.enforce(retention, now: Self.later).evictedByCount == 1)
            #expect(try await store.figures() == OutboxFigures())
        }
    }

    @Test func `a call stays for its session that waits`() async throws {
        try await withOutbox(OutboxSettings()) { store in
            var call = report("call")
            call.claims = [
                SessionClaim(session: .sample("session"), key: .sample("call"), start: at(0), lastActivity: at(0))
            ]
            try await store.commit([call, report("newer"), report("newest")])
            try await settleAll(store)
            try await store.commit([report("session")])
            #expect(try await store.enforce(retention, now: Self.later).evictedByCount == 1)
            #expect(try await store.records(of: .sample("call")).allSatisfy { !$0.isEvicted })
            try await settleAll(store)
            #expect(try await store.enforce(retention, now: Self.later).evictedByCount == 1)
            #expect(try await store.counts().records == 1)
        }
    }

    @Test(arguments: [true, false]) func `what is set aside, or may be dropped, is evicted and counted`(
        isAside: Bool
    ) async throws {
        try await withOutbox(OutboxSettings(whenFull: isAside ? .refuse : .dropOldest)) { store in
            for call in ["a", "b", "c"] { try await store.commit([report(call)]) }
            if isAside { try await store.setAside([.sample("a"): "odd", .sample("b"): "odd"]) }
            #expect(try await store.enforce(retention, now: Self.later).evictedByCount == 2)
            let figures = try await store.figures()
            #expect((figures.entries, figures.dropped, figures.recordsSetAside) == (1, 2, 0))
        }
    }
}
