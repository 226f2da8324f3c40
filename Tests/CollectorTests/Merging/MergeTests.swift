import CallModel
import ClickHouseStore
import Foundation
import SQLiteStore
import TestSupport
import Testing

@testable import Collector

/// A call whose reports reach two nodes is in the database that they ship to as if one had taken all of them.
@Suite(TestClickHouse.oneServer.required) struct MergeTests {
    private static let calls = ["c", "d", "s"].map { CallKey.of($0).identity }

    /// A call of two observers, with a session and a probe.
    private static func messages() -> [Message] {
        var messages: [Message] = [
            .event("callMetric", "callCreate", at: 0, call: "c"),
            .event("connection", "onConnectionLost", at: 500, session: "s"),
            .event("callMetric", "callRinging", at: 900, call: "c", session: "s"),
            .event("callMetric", "callAnswerReceived", at: 2_000, call: "c", session: "s"),
        ]
        for time in stride(from: 5_000, through: 60_000, by: 5_000) as StrideThrough<Int64> {
            messages.append(.statistics(at: time, path: "c"))
            messages.append(.statistics(at: time, path: "c", ssrc: 9, members: #""side":"callee","#))
            if time.isMultiple(of: 20_000) { messages.append(.statistics(at: time + 1, path: "s", ssrc: 5)) }
            if time.isMultiple(of: 15_000) { messages.append(.wire(at: time + 2, call: "c")) }
        }
        messages.append(.event("callState", "ENDED", at: 61_000, call: "c"))
        return messages
    }

    /// How messages are spread over two nodes.
    enum Split: CaseIterable {
        case alternating, movedInMidCall, bothGotAll, createdAtOneReportedAtTheOther, sidesApart

        func way(_ index: Int, of count: Int) -> SharedDatabase.Way {
            switch self {
            case .alternating: index.isMultiple(of: 2) ? .first : .second
            case .movedInMidCall: index < count / 2 ? .first : .second
            case .bothGotAll: .both
            case .createdAtOneReportedAtTheOther: index < 4 ? .first : .second
            case .sidesApart: index % 3 == 1 ? .second : .first
            }
        }
    }

    @Test(arguments: Split.allCases) func `however its reports are spread, a call ends as on one node`(
        split: Split
    ) async throws {
        try await SharedDatabase.with { shared in
            let messages = Self.messages()
            for (index, message) in messages.enumerated() {
                try await shared.post(message, to: split.way(index, of: messages.count))
                if index == messages.count / 3 { try await shared.ship() }
            }
            try await shared.ship()
            let report = try await shared.merge()
            #expect(report.failures.isEmpty && report.merged == 1)
            try await shared.expectSame(Self.calls)
            // It is done.
            #expect(try await shared.merge(from: 1).merged == 0)
        }
    }

    @Test(TestClickHouse.cluster.required) func `it is so on a cluster`() async throws {
        try await SharedDatabase.with(.cluster) { shared in
            for (index, message) in Self.messages().enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
            }
            try await shared.ship()
            try await shared.merge()
            try await shared.expectSame(Self.calls)
        }
    }

    @Test func `a node that goes on to ship after a merge does not undo it`() async throws {
        try await SharedDatabase.with { shared in
            let messages = Self.messages()
            for (index, message) in messages.enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
                guard index % 7 == 6 else { continue }
                try await shared.ship(index % 2)
                // Two at once do the same.
                let stores = shared.stores
                async let first = SharedDatabase.merge(on: stores[0])
                async let second = SharedDatabase.merge(on: stores[1])
                let reports = try await [first, second]
                #expect(reports.allSatisfy { $0.failures.isEmpty })
            }
            try await shared.ship()
            try await shared.merge()
            try await shared.expectSame(Self.calls)
        }
    }

    @Test func `a call of one node is left alone`() async throws {
        try await SharedDatabase.with { shared in
            for message in Self.messages() { try await shared.post(message, to: .second) }
            try await shared.post(.event("callMetric", "callCreate", at: 0, call: "d"), to: .first)
            try await shared.ship()
            #expect(try await shared.merge() == MergePass.Report())
        }
    }

    @Test func `one node makes a pass at a time`() async throws {
        try await SharedDatabase.with { shared in
            var first = MergePass(on: shared.stores[0])
            var second = MergePass(on: shared.stores[1])
            let made = [
                try await first.run(now: CollectorFixture.now), try await second.run(now: CollectorFixture.now),
                try await second.run(now: CollectorFixture.now, isForced: true),
            ]
            #expect(made == [MergePass.Report(), nil, MergePass.Report()])
        }
    }

    /// Each node counts the attempts that it heard of.
    @Test func `an id that is used again at the other node is another attempt`() async throws {
        try await SharedDatabase.with { shared in
            func attempt(at start: Int64, _ way: SharedDatabase.Way) async throws {
                try await shared.post(.event("callMetric", "callCreate", at: start, call: "c"), to: way)
                for time in [5_000, 10_000, 15_000] as [Int64] {
                    try await shared.post(.statistics(at: start + time, path: "c"), to: way)
                }
                try await shared.post(.event("callState", "ENDED", at: start + 16_000, call: "c"), to: way)
            }
            try await attempt(at: 0, .first)
            try await attempt(at: 100_000, .second)
            try await shared.ship()
            try await shared.merge()
            try await shared.expectSame(Self.calls)
            try await attempt(at: 200_000, .first)
            try await shared.ship(0)
            try await shared.merge()
            try await attempt(at: 300_000, .second)
            try await attempt(at: 400_000, .both)
            try await shared.ship()
            // Facts are moved some time after they were asked to.
            try await eventually("five facts are there") {
                try await shared.merge()
                let facts = try await shared.stores[0].records(of: Self.calls[0]).count
                return facts == 5
            }
            try await shared.expectSame(Self.calls)
        }
    }

    /// A call from its beginning to its end, and where each message of it goes.
    private func call(
        at start: Int64, of shared: SharedDatabase, _ way: (Int) -> SharedDatabase.Way
    ) async throws {
        try await shared.post(.event("callMetric", "callCreate", at: start, call: "c"), to: way(0))
        for index in 1...6 {
            try await shared.post(.statistics(at: start + Int64(index) * 5_000, path: "c"), to: way(index))
        }
        try await shared.post(.event("callState", "ENDED", at: start + 31_000, call: "c"), to: way(7))
    }

    @Test func `an id that is used again is another attempt, though only the database knows of the first`() async throws
    {
        try await SharedDatabase.with { shared in
            try await call(at: 0, of: shared) { _ in .first }
            try await shared.ship()
            #expect(try await shared.merge { $0.retention = Retention(calls: 0) }.evicted == 1)
            try await call(at: 100_000, of: shared) { _ in .second }
            #expect(try await shared.ship(1).isEmpty)
            let key = CallKey(identity: Self.calls[0], observer: .client, attempt: 2)
            let node = shared.nodes[1]
            for store in [node.store, shared.stores[0]] as [any CallStore] {
                let heads = try await store.records(of: key.identity)
                #expect(heads.map(\.key.attempt) == [1, 2] && heads.map(\.isEvicted) == [true, false])
                #expect(heads.map(\.isDirty) == [false, false])
                #expect(try await store.facts(of: key).count == 8)
            }
            let reports = try await SharedDatabase.reports(shared.stores[0])
            #expect(reports == (try await SharedDatabase.reports(node.store)))
            #expect(reports == (try await SharedDatabase.reports(shared.single.store)).filter { $0.key == key })
            // What comes late for the first does not become part of it, and the call goes on under its number.
            try await shared.post(.statistics(at: 3_000, path: "c"), to: .second)
            try await call(at: 200_000, of: shared) { _ in .second }
            #expect(try await shared.ship(1).isEmpty)
            #expect(try await shared.stores[0].records(of: key.identity).map(\.key.attempt) == [1, 2, 3])
            #expect(try await shared.stores[0].facts(of: key).count == 8)
            #expect(try await node.store.figures() == OutboxFigures(dropped: 0))
        }
    }

    @Test func `what a node has left of a call that was erased elsewhere does not come back as another`() async throws {
        try await SharedDatabase.with { shared in
            try await call(at: 0, of: shared) { $0 < 3 ? .first : .second }
            try await shared.ship(0)
            _ = try await shared.nodes[0].collector.erase(Self.calls[0])
            try await shared.ship(0)
            #expect(try await shared.stores[0].erase(Self.calls[0], now: CollectorFixture.now) == 0)
            try await shared.post(.statistics(at: 5_000, path: "d"), to: .second)
            #expect(try await shared.ship(1).keys.map(\.text) == ["c/client/1"])
            #expect(try await shared.stores[0].records(of: Self.calls[0]).allSatisfy { $0.isEvicted })
        }
    }

    @Test func `it is one call, though one of two nodes that took it knows of an earlier one`() async throws {
        try await SharedDatabase.with { shared in
            try await call(at: 0, of: shared) { _ in .first }
            try await shared.ship()
            try await shared.merge { $0.retention = Retention(calls: 0) }
            try await call(at: 100_000, of: shared) { $0 < 3 ? .first : .second }
            #expect(try await shared.ship().isEmpty)
            let key = CallKey(identity: Self.calls[0], observer: .client, attempt: 2)
            try await eventually("eight facts are there") {
                try await shared.merge()
                return try await shared.stores[0].facts(of: key).count == 8
            }
            try await eventually("the reports are those of one server") {
                try await shared.merge()
                return try await SharedDatabase.reports(shared.stores[0])
                    == SharedDatabase.reports(shared.single.store).filter { $0.key == key }
            }
        }
    }

    @Test func `tenants with the same id never see each other`() async throws {
        try await SharedDatabase.with { shared in
            let other = TenantID(rawValue: "other")
            for (index, message) in Self.messages().enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
                guard index % 3 == 0 else { continue }
                try await shared.post(message, to: index.isMultiple(of: 2) ? .second : .first, tenant: other)
            }
            try await shared.ship()
            #expect(try await shared.merge().merged == 2)
            try await shared.expectSame(Self.calls)
            await shared.single.collector.maintain()
            let wanted = try await SharedDatabase.reports(shared.single.store, tenant: other)
            #expect(try await SharedDatabase.reports(shared.stores[1], tenant: other) == wanted)
            #expect(!wanted.isEmpty && wanted.keys.allSatisfy { $0.identity.tenant == other })
        }
    }

    // MARK: Removing

    @Test func `a call of two nodes that one of them erases is gone, and stays so`() async throws {
        try await SharedDatabase.with { shared in
            let messages = Self.messages()
            for (index, message) in messages.dropLast().enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
            }
            try await shared.ship()
            try await shared.merge()
            #expect(try await shared.nodes[0].collector.erase(Self.calls[0]) > 0)
            try await shared.ship(0)
            #expect(try await shared.stores[1].summaries(of: Self.calls[0]).isEmpty)
            // The other node has something left of it.
            try await shared.post(messages[messages.count - 1], to: .second)
            try await shared.post(.statistics(at: 65_000, path: "c"), to: .second)
            #expect(try await shared.ship(1).isEmpty)
            #expect(try await shared.merge().failures.isEmpty)
            for store in shared.stores {
                #expect(try await store.summaries(of: Self.calls[0]).isEmpty)
                #expect(try await store.records(of: Self.calls[0]).allSatisfy { $0.isEvicted })
                #expect(try await store.facts(of: CallKey.of("c")).isEmpty)
            }
        }
    }

    /// Removes from the second node what was erased in the database.
    private func follow(_ pass: inout ErasurePass, _ shared: SharedDatabase) async throws -> Int {
        let node = shared.nodes[1]
        return try await pass.run(on: shared.stores[1]) {
            try await node.collector.removeErased($0, from: node.store)
        }
    }

    @Test func `what is erased at one node goes from the file of the other`() async throws {
        try await SharedDatabase.with { shared in
            for (index, message) in Self.messages().enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
            }
            for call in ["x", "y", "z"] { try await shared.post(.statistics(at: 5_000, path: call), to: .second) }
            try await shared.ship()
            try await shared.merge()
            // A page a call.
            var pass = ErasurePass(overlapSeconds: 3_600, callsPerPage: 1)
            #expect(try await follow(&pass, shared) == 0)
            for call in ["c", "x", "y", "unknown"] {
                _ = try await shared.nodes[0].collector.erase(CallKey.of(call).identity)
            }
            try await shared.ship(0)
            // Something of it waits to be shipped.
            try await shared.post(.statistics(at: 6_000, path: "y"), to: .second)
            #expect(try await follow(&pass, shared) == 3)
            let store = shared.nodes[1].store
            for call in ["c", "x", "y"] {
                #expect(try await store.records(of: CallKey.of(call).identity).allSatisfy { $0.isEvicted })
                #expect(try await store.facts(of: CallKey.of(call)).isEmpty)
            }
            #expect(try await store.summaries(of: CallKey.of("z").identity).count == 1)
            // There is nobody to tell.
            #expect(try await store.figures().entries == 0)
            #expect(try await follow(&pass, shared) == 0)
        }
    }

    @Test func `what went by the limits of the database stays in the files of nodes, unless it is erased`()
        async throws
    {
        try await SharedDatabase.with { shared in
            for call in ["c", "d"] { try await shared.post(.statistics(at: 5_000, path: call), to: .second) }
            try await shared.ship()
            #expect(try await shared.merge { $0.retention = Retention(calls: 0) }.evicted == 2)
            var pass = ErasurePass()
            #expect(try await follow(&pass, shared) == 0)
            #expect(try await shared.stores[0].erase(Self.calls[0], now: CollectorFixture.now) == 0)
            #expect(try await shared.stores[0].counts() == StoreCounts(calls: 0, records: 0, facts: 0, tombstones: 2))
            #expect(try await follow(&pass, shared) == 1)
            let left = try await SharedDatabase.reports(shared.nodes[1].store).keys.map(\.text)
            #expect(left == ["d/client/1"])
        }
    }

    @Test func `a call that has the id of an erased one stays`() async throws {
        try await SharedDatabase.with { shared in
            try await shared.post(.statistics(at: 5_000, path: "c"), to: .first)
            try await shared.ship()
            _ = try await shared.nodes[0].collector.erase(Self.calls[0])
            try await shared.ship(0)
            try await shared.post(.statistics(at: 50_000, path: "c"), to: .second)
            var pass = ErasurePass()
            #expect(try await follow(&pass, shared) == 0)
            #expect(try await shared.nodes[1].store.summaries(of: Self.calls[0]).count == 1)
        }
    }

    @Test func `an erasure in the middle of a merge stands`() async throws {
        try await SharedDatabase.with { shared in
            for (index, message) in Self.messages().enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
            }
            try await shared.ship()
            let store = shared.stores[0]
            let groups = try await store.groupsInParts(among: [Self.calls[0]], settled: 0)
            let parts = try #require(try await store.parts(of: groups).first)
            let merge = try await CallMerger(parts, silenceMilliseconds: 300_000).merge()
            #expect(try await shared.stores[1].erase(Self.calls[0], now: CollectorFixture.now) > 0)
            #expect(try await store.commit([merge]) == 0)
            #expect(try await store.summaries(of: Self.calls[0]).isEmpty)
        }
    }

    @Test func `the database has limits of its own`() async throws {
        try await SharedDatabase.with { shared in
            for call in 0..<5 {
                for time in [0, 5_000] as [Int64] {
                    try await shared.post(
                        .statistics(at: Int64(call) * 10_000 + time, path: "c\(call)"),
                        to: call.isMultiple(of: 2) ? .first : .second)
                }
            }
            try await shared.ship()
            let report = try await shared.merge { $0.retention = Retention(calls: 2) }
            #expect(report.evicted == 3)
            let left = try await SharedDatabase.reports(shared.stores[1]).keys.map(\.text).sorted()
            #expect(left == ["c3/client/1", "c4/client/1"])
            // It was seen to a moment ago.
            #expect(try await shared.merge(from: 1) { $0.retention = Retention(calls: 1) }.evicted == 0)
            #expect(
                try await shared.merge(from: 1) {
                    $0.retention = Retention(calls: 1)
                    $0.retentionSeconds = 0
                }.evicted == 1)
        }
    }

    @Test func `rows that none shows are taken out some time later`() async throws {
        try await SharedDatabase.with { shared in
            for (index, message) in Self.messages().enumerated() {
                try await shared.post(message, to: index.isMultiple(of: 2) ? .first : .second)
                if index % 10 == 0 {
                    try await shared.ship()
                    try await shared.merge()
                }
            }
            try await shared.ship()
            try await shared.merge()
            let store = shared.stores[0]
            let now = try await store.seconds()
            #expect(try await store.removeOldRows(from: 0, to: now + 10) > 0)
            try await eventually("nothing is left to take out") {
                try await store.removeOldRows(from: 0, to: now + 10) == 0
            }
            try await shared.expectSame(Self.calls)
        }
    }
}
