import CallModel
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

/// What a store notes for another.
@Suite struct OutboxTests {
    private static let everything = OutboxLimit(rows: 1_000_000, bytes: .max)

    private func changes(_ batch: OutboxBatch?) throws -> [RecordChange] {
        guard case .changes(let changes) = try #require(batch).content else { return [] }
        return changes
    }

    private func report(_ call: String, _ time: Int64) -> RecordChange {
        .sample(.sample(call), facts: [.report(.sample(time))])
    }

    @Test func `a store that is not told to notes nothing`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            try await store.commit([.full(.sample("call"))], marking: [.sample("call")])
            _ = try await store.erase(.sample("call"), now: at(0))
            #expect(try await store.nextBatch(Self.everything) == nil)
            #expect(try await store.figures() == OutboxFigures())
            try await store.close()
        }
    }

    @Test func `a change comes as it was committed, until it is settled`() async throws {
        try await withOutbox { store in
            let change = RecordChange.full(.sample("call"))
            try await store.commit([change])
            let batch = try #require(try await store.nextBatch(Self.everything))
            let again = try await store.nextBatch(Self.everything)
            #expect(batch == again)
            var wanted = change
            wanted.facts = change.facts.sorted { $0.key < $1.key }
            var given = try #require(try changes(batch).first)
            given.facts.sort { $0.key < $1.key }
            #expect(given == wanted)
            #expect(!batch.isFull)
            try await store.settle(batch.token)
            #expect(try await store.nextBatch(Self.everything) == nil)
            #expect(try await store.figures() == OutboxFigures())
        }
    }

    @Test func `several changes of a record are one, of what is stored now`() async throws {
        try await withOutbox { store in
            try await store.commit([report("a", 1000)])
            try await store.commit([report("b", 1000)])
            try await store.commit([report("a", 2000)])
            let changes = try changes(try await store.nextBatch(Self.everything))
            #expect(changes.map(\.key) == [.sample("a"), .sample("b")])
            #expect(changes[0].facts.map(\.time) == [at(1000), at(2000)])
            #expect(try await store.figures().entries == 3)
        }
    }

    @Test func `what is noted while a batch is on its way stays`() async throws {
        try await withOutbox { store in
            try await store.commit([report("a", 1000)])
            let batch = try #require(try await store.nextBatch(Self.everything))
            try await store.commit([report("a", 900_000)])
            try await store.settle(batch.token)
            let left = try changes(try await store.nextBatch(Self.everything))
            #expect(left.map { $0.facts.map(\.time) } == [[at(900_000)]])
        }
    }

    @Test func `a batch ends at its limit, those that waited longest first`() async throws {
        try await withOutbox { store in
            for call in ["a", "b", "c"] { try await store.commit([report(call, 1000)]) }
            var order: [CallKey] = []
            while let batch = try await store.nextBatch(OutboxLimit(rows: 1, bytes: .max)) {
                order += try changes(batch).map(\.key)
                #expect(batch.isFull == (order.count < 3))
                try await store.settle(batch.token)
            }
            #expect(order == [.sample("a"), .sample("b"), .sample("c")])
        }
    }

    @Test func `events come before the records that have them, though one commit wrote both`() async throws {
        try await withOutbox { store in
            let event = Fact.event(.sample(1000, "onConnectionLost"))
            let session = RecordChange.sample(.sample("session"), facts: [event])
            var call = report("call", 1000)
            call.share = SessionOutcome(events: [session.key: [event.key]])
            try await store.commit([call, session, report("other", 1000)])
            var order: [CallKey] = []
            while let batch = try await store.nextBatch(OutboxLimit(rows: 1, bytes: .max)) {
                order += try changes(batch).map(\.key)
                try await store.settle(batch.token)
            }
            #expect(order == [.sample("session"), .sample("other"), .sample("call")])
        }
    }

    @Test func `a record of many entries is given in parts`() async throws {
        try await withOutbox { store in
            for step in 0..<10 { try await store.commit([report("a", Int64(step) * 100_000)]) }
            var times: [Timestamp] = []
            while let batch = try await store.nextBatch(OutboxLimit(rows: 6, bytes: .max)) {
                let facts = try changes(batch).flatMap(\.facts)
                #expect(facts.count <= 3)
                times += facts.map(\.time)
                try await store.settle(batch.token)
            }
            #expect(times == (0..<10).map { at(Int64($0) * 100_000) })
        }
    }

    @Test func `rows that replace come whole, rows that follow by themselves`() async throws {
        let stream = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "1")
        let rows = (1...30).map {
            MediaInterval(stream: stream, start: at(Int64($0 - 1) * 10_000), end: at(Int64($0) * 10_000), segment: 0)
        }
        try await withOutbox { store in
            try await store.commit([.sample(.sample(.sample("a")), derived: .append(Array(rows[..<29]), []))])
            try await store.settle(try #require(try await store.nextBatch(Self.everything)).token)
            try await store.commit([.sample(.sample(.sample("a")), derived: .append([rows[29]], []))])
            let appended = try #require(try await store.nextBatch(Self.everything))
            #expect(try changes(appended).map(\.derived) == [.append([rows[29]], [])])
            try await store.commit([.sample(.sample(.sample("a")), derived: .replace(Array(rows[..<2]), []))])
            let replaced = try #require(try await store.nextBatch(Self.everything))
            #expect(try changes(replaced).map(\.derived) == [.replace(Array(rows[..<2]), [])])
        }
    }

    @Test func `marks are noted once, and erasures come first`() async throws {
        try await withOutbox { store in
            try await store.commit([report("a", 1000), report("b", 1000)])
            try await store.settle(try #require(try await store.nextBatch(Self.everything)).token)
            try await store.commit([], marking: [.sample("a"), .sample("none")])
            try await store.commit([], marking: [.sample("a")])
            try await store.markAllDirty([.sample("a")])
            #expect(try await store.figures().entries == 1)
            let marked = try #require(try changes(try await store.nextBatch(Self.everything)).first)
            #expect(marked.isDirty && marked.facts.isEmpty && marked.session == nil)
            #expect(marked.derived == .append([], []))
            _ = try await store.erase(.sample("b"), now: at(77))
            let erasure = try #require(try await store.nextBatch(Self.everything))
            #expect(erasure.content == .erasure(.sample("b"), at(77)))
            try await store.settle(erasure.token)
            #expect(try changes(try await store.nextBatch(Self.everything)) == [marked])
        }
    }

    @Test func `of an erased call nothing waits but that it is`() async throws {
        try await withOutbox { store in
            try await store.commit([.full(.sample("a")), .full(.sample("a", observer: "B"))])
            _ = try await store.erase(.sample("a"), now: at(0))
            #expect(try await store.figures() == OutboxFigures(entries: 1, bytes: 0, oldest: at(0)))
        }
    }

    @Test func `of a call that was erased in the other store nothing waits, not even that`() async throws {
        try await withOutbox { store in
            try await store.commit([.full(.sample("a")), .full(.sample("a", observer: "B"))])
            #expect(try await store.removeErased(.sample("a"), now: at(0)) == 2)
            #expect(try await store.figures() == OutboxFigures())
            #expect(try await store.records(of: .sample("a")).map(\.isEvicted) == [true, true])
            #expect(try await store.removeErased(.sample("a"), now: at(1)) == 0)
        }
    }

    // MARK: Numbers of attempts

    @Test func `attempts are counted behind those of the other store, and late facts of those find no record`()
        async throws
    {
        try await withOutbox { store in
            func key(_ attempt: Int, _ call: String = "a") -> CallKey {
                CallKey(identity: .sample(call), observer: CallKey.sample("a").observer, attempt: attempt)
            }
            func head(_ attempt: Int, isEvicted: Bool) -> RecordHead {
                RecordHead(
                    key: key(attempt), start: at(0), lastActivity: at(9), hasEnded: true, isEvicted: isEvicted,
                    isDirty: false)
            }
            for attempt in [1, 2, 3] { try await store.commit([.full(key(attempt))]) }
            try await store.commit([.full(key(1, "b"))])
            let others = [head(1, isEvicted: false), head(2, isEvicted: true), head(4, isEvicted: true)]
            #expect(try await store.renumber(.sample("a"), from: 2, behind: others, now: at(77)) == [key(5), key(6)])
            let heads = try await store.records(of: .sample("a"))
            #expect(heads.map(\.key.attempt) == [1, 2, 4, 5, 6])
            #expect(heads.map(\.isEvicted) == [false, true, true, false, false])
            #expect(heads.map(\.isDirty) == [false, false, false, true, true])
            #expect(try await store.facts(of: key(5)).count == store.facts(of: key(1)).count)
            #expect(try await store.records(of: .sample("b")).map(\.key.attempt) == [1])
            #expect(try await store.renumber(.sample("a"), from: 5, behind: others, now: at(78)) == [])
        }
    }

    // MARK: Beginning and ending

    @Test func `what was stored before the outbox was begun is noted, too`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            var store = try SQLiteCallStore.open(path: path)
            let change = RecordChange.full(.sample("call"))
            try await store.commit([change])
            try await store.close()
            for keeping in [OutboxKeeping.on(OutboxSettings()), .asBefore, .on(OutboxSettings())] {
                store = try SQLiteCallStore.open(path: path, outbox: keeping)
                #expect(try await store.figures().entries == 1)
                let whole = try #require(try changes(try await store.nextBatch(Self.everything)).first)
                #expect(Set(whole.facts) == Set(change.facts))
                #expect(whole.derived == .replace(try await store.intervals(of: .sample("call")), [.full]))
                #expect(whole.names == change.names && whole.claims == change.claims)
                #expect(whole.share == change.share && whole.session == change.session)
                try await store.close()
            }
            store = try SQLiteCallStore.open(path: path, outbox: .off)
            try await store.commit([report("call", 900_000)])
            #expect(try await store.figures().entries == 1)
            try await store.close()
            store = try SQLiteCallStore.open(path: path, outbox: .on(OutboxSettings()))
            #expect(try changes(try await store.nextBatch(Self.everything)).map(\.facts.count) == [4])
            try await store.close()
        }
    }

    @Test func `what was given comes again, as a whole, when it is asked for`() async throws {
        try await withOutbox { store in
            let change = RecordChange.full(.sample("call"))
            try await store.commit([change, report("other", 1000)])
            let batch = try #require(try await store.nextBatch(Self.everything))
            try await store.settle(batch.token)
            try await store.noteAgain([.sample("call"), .sample("nobody")])
            let again = try changes(try await store.nextBatch(Self.everything))
            #expect(again.map(\.key) == [.sample("call")])
            let whole = try #require(again.first)
            #expect(Set(whole.facts) == Set(change.facts))
            #expect(whole.derived == .replace(try await store.intervals(of: .sample("call")), [.full]))
            #expect(whole.names == change.names && whole.claims == change.claims)
            #expect(whole.share == change.share && whole.session == change.session)
        }
    }

    @Test func `the oldest entry has the time of the clock, or of its receipt`() async throws {
        try await withOutbox { store in
            try await store.commit([report("a", 1000)])
            #expect(try await store.figures().oldest == at(60_000))
        }
        try await withOutbox(OutboxSettings(clock: { at(5) })) { store in
            try await store.commit([report("a", 1000)])
            #expect(try await store.figures().oldest == at(5))
        }
    }

    // MARK: Set aside

    @Test func `a record that is set aside stays behind until it is recalled`() async throws {
        try await withOutbox { store in
            try await store.commit([report("a", 1000), report("b", 1000)])
            let batch = try #require(try await store.nextBatch(Self.everything))
            try await store.setAside([.sample("a"): "odd"])
            try await store.settle(batch.token)
            #expect(try await store.recordsSetAside(limit: 9) == [RecordSetAside(key: .sample("a"), reason: "odd")])
            try await store.commit([report("a", 2000)])
            #expect(try await store.nextBatch(Self.everything) == nil)
            let figures = try await store.figures()
            #expect((figures.entries, figures.recordsSetAside, figures.oldest) == (2, 1, nil))
            #expect(try await store.recall() == 1)
            #expect(try changes(try await store.nextBatch(Self.everything)).map(\.facts.count) == [2])
        }
    }

    @Test func `a record that cannot be read is told, and the others come`() async throws {
        try await withOutbox { store in
            try await store.commit([report("a", 1000), report("b", 1000)])
            try await store.write { db in
                try db.execute(
                    sql: "UPDATE report SET objects = x'00' WHERE recordId = (SELECT id FROM record WHERE callId = 'a')"
                )
            }
            let batch = try #require(try await store.nextBatch(Self.everything))
            #expect(batch.unreadable.keys.map { $0 } == [.sample("a")])
            #expect(try changes(batch).map(\.key) == [.sample("b")])
            #expect(batch.token.lastEntries.count == 2)
        }
    }
}

extension ScoreInterval {
    /// The score of ``RecordChange/full(_:)``.
    fileprivate static let full = ScoreInterval(series: .window, start: at(0), end: at(10_000), score: 90)
}
