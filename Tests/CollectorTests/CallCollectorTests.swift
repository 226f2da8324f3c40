import CallModel
import Foundation
import GRDB
import Logging
import SQLiteStore
import Testing

@testable import Collector

/// The road of a sample, on a real database.
@Suite struct CallCollectorTests {
    private let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c-1"))

    private func event(
        _ type: String, at seconds: Int64, receivedAt received: Int64? = nil, action: String = "callMetric"
    ) -> Fact {
        func moment(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_795_230_000_000 + seconds * 1000) }
        let receipt = moment(received ?? seconds).advanced(byMilliseconds: 50)
        return .event(CallEvent(time: moment(seconds), receivedAt: receipt, action: action, type: type))
    }

    private func submission(_ facts: [Fact], observer: ObserverID = .client, call: String = "c-1") -> Submission {
        Submission(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: call)), observer: observer,
            facts: facts.enumerated().map { Submission.Item(index: $0.offset, fact: $0.element) })
    }

    private func key(_ call: String = "c-1", observer: ObserverID = .client, attempt: Int = 1) -> CallKey {
        CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: call)), observer: observer,
            attempt: attempt)
    }

    @Test func `what is new is accepted, what is known is repeated, what contradicts is told`() async throws {
        let fixture = try CollectorFixture()
        let created = event("callCreate", at: 0)
        var contradiction = event("callCreate", at: 0)
        if case .event(var said) = contradiction {
            said.members["source"] = "another"
            contradiction = .event(said)
        }
        #expect(try await fixture.collector.submit([submission([created])]) == [[.accepted]])
        #expect(
            try await fixture.collector.submit([submission([created, event("callRestSent", at: 1)])])
                == [[.repeated, .accepted]])
        #expect(try await fixture.collector.submit([submission([contradiction])]) == [[.contradicted]])
        #expect(try await fixture.collector.submit([submission([contradiction])]) == [[.repeated]])
        #expect(try await fixture.store.facts(of: key()).count == 2)
    }

    @Test func `a fact that comes late is folded in before it is read`() async throws {
        let fixture = try CollectorFixture()
        _ = try await fixture.collector.submit([
            submission([event("callCreate", at: 0), event("callAnswerReceived", at: 9)])
        ])
        _ = try await fixture.collector.submit([submission([event("callRinging", at: 2)])])
        #expect(try await fixture.store.summaries(of: identity).map(\.isDirty) == [true])

        try await fixture.collector.settle(identity)
        let settled = try await fixture.store.summaries(of: identity)
        #expect(settled.map(\.isDirty) == [false])
        #expect(settled.map(\.summary.setup.postDialDelay) == [2000])
        #expect(settled.map(\.summary.setup.ringTime) == [7000])
    }

    @Test func `two ends under one id stay two records`() async throws {
        let fixture = try CollectorFixture()
        let caller = ObserverID(rawValue: "caller")
        let callee = ObserverID(rawValue: "callee")
        _ = try await fixture.collector.submit([
            submission([event("callCreate", at: 0)], observer: caller),
            submission([event("iceConnected", at: 2, action: "iceState")], observer: callee),
        ])
        let records = try await fixture.store.summaries(of: identity)
        #expect(records.map(\.summary.key) == [key(observer: callee), key(observer: caller)])
    }

    @Test func `a callCreate after the end opens the next attempt, one during the call does not`() async throws {
        let fixture = try CollectorFixture()
        _ = try await fixture.collector.submit([
            submission([
                event("callCreate", at: 0), event("iceConnected", at: 2, action: "iceState"),
                event("callCreate", at: 30), event("ENDED", at: 60, action: "callState"),
            ])
        ])
        _ = try await fixture.collector.submit([
            submission([event("callCreate", at: 100), event("callRinging", at: 103)]),
            submission([event("iceDisconnected", at: 40, action: "iceState")]),
        ])
        try await fixture.collector.settle(identity)
        let records = try await fixture.store.summaries(of: identity)
        #expect(records.map(\.summary.key.attempt) == [1, 2])
        #expect(records.map(\.summary.dataQuality.events) == [5, 2])
        #expect(records.map(\.summary.setup.postDialDelay) == [nil, 3000])
    }

    /// The records of a call, each with its attempt, of which the caller is heard first.
    private func attempts(_ caller: [Fact], _ callee: [Fact]) async throws -> [String] {
        let fixture = try CollectorFixture()
        for (observer, facts) in [("caller", caller), ("callee", callee)] where !facts.isEmpty {
            _ = try await fixture.collector.submit([submission(facts, observer: ObserverID(rawValue: observer))])
        }
        let heads = try await fixture.store.records(of: identity)
        return heads.map { "\($0.key.observer.rawValue) \($0.key.attempt)" }
    }

    @Test func `an end whose clock is ahead tells of the attempt that goes on`() async throws {
        let created = event("callCreate", at: 0)
        #expect(
            try await attempts(
                [created, event("IN_CALL", at: 2, action: "callState")],
                [
                    event("incomingCall", at: 361, receivedAt: 1),
                    event("IN_CALL", at: 362, receivedAt: 2, action: "callState"),
                ]) == ["callee 1", "caller 1"])
        #expect(
            try await attempts(
                [created, event("ENDED", at: 60, action: "callState")],
                [event("incomingCall", at: 361, receivedAt: 1), event("ENDED", at: 421, receivedAt: 60)])
                == ["callee 1", "caller 1"], "one end after the other, as from an export")
        #expect(
            try await attempts([created], [event("incomingCall", at: 361)]) == ["caller 1", "callee 2"],
            "nothing came for six minutes")
        #expect(
            try await attempts([created], [event("incomingCall", at: 361, receivedAt: 900)]) == [
                "caller 1", "callee 2",
            ],
            "both were delivered later")
        #expect(
            try await attempts(
                [event("callCreate", at: 900, receivedAt: 0), event("callCreate", at: 1300, receivedAt: 400)], [])
                == ["caller 1", "caller 2"], "an end is as far ahead of itself as before")
    }

    /// The second call of an id; the callee's post of it comes first. In one body its facts may do so, too.
    @Test func `the caller's beginning that comes after the callee's is of the same attempt`() async throws {
        let fixture = try CollectorFixture()
        let (caller, callee) = (ObserverID(rawValue: "caller"), ObserverID(rawValue: "callee"))
        let first = [event("callCreate", at: 0), event("ENDED", at: 60, action: "callState")]
        let second = [event("callCreate", at: 100), event("callAnswerReceived", at: 104)]
        _ = try await fixture.collector.submit([submission(first, observer: caller)])
        _ = try await fixture.collector.submit([submission([event("incomingCall", at: 101)], observer: callee)])
        for _ in 0..<2 { _ = try await fixture.collector.submit([submission(second, observer: caller)]) }
        try await fixture.collector.settle(identity)
        let records = try await fixture.store.summaries(of: identity)
        #expect(
            records.map { "\($0.summary.key.observer.rawValue) \($0.summary.key.attempt)" }.sorted()
                == ["callee 2", "caller 1", "caller 2"])
        #expect(Set(records.map(\.summary.dataQuality.events)) == [1, 2])
        #expect(records.compactMap(\.summary.setup.answerDelay) == [4000])
    }

    @Test func `late data do not revive an evicted call, a later callCreate opens a new attempt`() async throws {
        let fixture = try CollectorFixture(retention: Retention(calls: 1))
        _ = try await fixture.collector.submit([submission([event("callCreate", at: 0)], call: "old")])
        _ = try await fixture.collector.submit([submission([event("callCreate", at: 500)], call: "new")])
        try await retentionIsDone(fixture.collector)

        let late = try await fixture.collector.submit([submission([event("callRinging", at: 3)], call: "old")])
        #expect(late == [[.refused(.evicted)]])
        #expect(await fixture.collector.counters.evictedCalls == 1)

        let again = try await fixture.collector.submit([submission([event("callCreate", at: 900)], call: "old")])
        #expect(again == [[.accepted]])
        #expect(try await fixture.store.record(key("old", attempt: 2)) != nil)
        #expect(try await fixture.store.record(key("old", attempt: 1)) == nil)
    }

    @Test func `a live call is never evicted`() async throws {
        let start = Timestamp(milliseconds: 1_795_230_000_000)
        let fixture = try CollectorFixture(retention: Retention(calls: 2), now: start.advanced(byMilliseconds: 20_000))
        for index in 0..<6 {
            _ = try await fixture.collector.submit([
                submission([event("callCreate", at: Int64(index))], call: "c\(index)")
            ])
        }
        #expect(try await fixture.store.counts().calls == 6)

        await fixture.pass(milliseconds: 980_000)
        _ = try await fixture.collector.submit([submission([event("callCreate", at: 999)], call: "c9")])
        try await retentionIsDone(fixture.collector)
        let kept = try await fixture.store.calls(CallQuery(now: fixture.clock.now)).calls
        #expect(kept.map(\.summary.key.identity.call.rawValue) == ["c9", "c5"])
    }

    @Test(.timeLimit(.minutes(1))) func `nobody who sends waits for the retention`() async throws {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store, retention: Retention(calls: 1))
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        store.holdRetention { for await _ in released {} }
        let first = [submission([event("callCreate", at: 0)], call: "old")]
        #expect(try await collector.submit(first) == [[FactOutcome.accepted]])
        let second = [submission([event("callCreate", at: 500)], call: "new")]
        #expect(try await collector.submit(second) == [[FactOutcome.accepted]])
        #expect(await collector.counters.evictedCalls == 0)
        release.finish()
        try await retentionIsDone(collector)
        #expect(await collector.counters.evictedCalls == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `nobody who sends waits for the retention of every few seconds`() async throws {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store, retention: Retention(calls: 1_000))
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        store.holdRetention {
            begin.yield()
            for await _ in released {}
        }
        async let upkeep: Void = collector.maintain()
        for await _ in begun { break }
        // What arrives late has to be folded anew, which is not done while calls are removed.
        for (type, time) in [("callCreate", Int64(5)), ("callRinging", 2)] {
            let one = [submission([event(type, at: time)])]
            #expect(try await collector.submit(one) == [[FactOutcome.accepted]])
        }
        async let more: Void = collector.maintain()
        let last = [submission([event("callAnswerReceived", at: 9)])]
        #expect(try await collector.submit(last) == [[FactOutcome.accepted]])
        #expect(await collector.counters.refolds == 0)
        release.finish()
        _ = await (upkeep, more)
        #expect(await collector.counters.refolds == 1)
    }

    private func collector(on store: FaultyStore, retention: Retention) -> CallCollector {
        CallCollector(
            store: store, retention: retention, clock: { CollectorFixture.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Returns when the retention is through that a submission began: an erasure takes its turn after it.
    private func retentionIsDone(_ collector: CallCollector) async throws {
        let nobody = CallIdentity(tenant: .default, call: CallID(rawValue: "nobody"))
        #expect(try await collector.erase(nobody) == 0)
    }

    @Test func `erasing a call leaves nothing of it and what comes late is refused`() async throws {
        let fixture = try CollectorFixture()
        _ = try await fixture.collector.submit([submission([event("callCreate", at: 0)])])
        #expect(try await fixture.collector.erase(identity) == 1)
        #expect(try await fixture.store.counts().facts == 0)
        #expect(
            try await fixture.collector.submit([submission([event("callRinging", at: 3)])]) == [[.refused(.evicted)]])
        #expect(try await fixture.collector.erase(identity) == 0)
    }

    @Test(arguments: [
        CallStoreError.unavailable(.diskFull, detail: "calls.sqlite"), .damaged("a report", reason: "it is no JSON"),
    ])
    func `what came late and cannot be folded in ends no read, and is folded in when it can be`(error: CallStoreError)
        async throws
    {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store, retention: Retention(calls: 10))
        for (type, time) in [("callCreate", Int64(5)), ("callRinging", 2)] {
            _ = try await collector.submit([submission([event(type, at: time)])])
        }
        func isDirty() async throws -> [Bool] { try await store.summaries(of: identity).map(\.isDirty) }
        store.fail([.before(error)])
        try await collector.settleIfPossible(identity)
        #expect(try await isDirty() == [true])
        if await collector.storeHealth.outage != nil {
            // It is not tried while it is known that nothing can be stored.
            try await collector.settleIfPossible(identity)
            #expect(try await isDirty() == [true])
            await collector.maintain()
        } else {
            try await collector.settleIfPossible(identity)
        }
        #expect(try await isDirty() == [false])
    }

    @Test func `a store that fails for another reason ends the read`() async throws {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store, retention: Retention(calls: 10))
        for (type, time) in [("callCreate", Int64(5)), ("callRinging", 2)] {
            _ = try await collector.submit([submission([event(type, at: time)])])
        }
        store.fail([.before(CallStoreError.failed("it is not there"))])
        await #expect(throws: CallStoreError.failed("it is not there")) {
            try await collector.settleIfPossible(identity)
        }
    }

    @Test func `a call that cannot be erased is still there, why is noted, and what came late for it is folded in`()
        async throws
    {
        let fixture = try CollectorFixture()
        let store = FaultyStore(fixture.store)
        let collector = collector(on: store, retention: Retention(calls: 10))
        for (type, time) in [("callCreate", Int64(5)), ("callRinging", 2)] {
            _ = try await collector.submit([submission([event(type, at: time)])])
        }
        let full = CallStoreError.unavailable(.diskFull, detail: "calls.sqlite")
        store.fail([.before(full)])
        await #expect(throws: full) { try await collector.erase(identity) }
        #expect(await collector.storeHealth.outage == StoreHealth.Outage(cause: .diskFull, since: CollectorFixture.now))
        #expect(try await fixture.listed() == ["c-1/client/1"])
        #expect(try await store.summaries(of: identity).map(\.isDirty) == [true])
        await collector.maintain()
        #expect(try await store.summaries(of: identity).map(\.isDirty) == [false])
    }

    @Test func `what does not fit in memory is turned away whole`() async throws {
        let fixture = try CollectorFixture(limits: CollectorLimits(waitingFacts: 1))
        await #expect(throws: CollectorError.overloaded(retryAfterSeconds: 1)) {
            try await fixture.collector.submit([
                submission([event("callCreate", at: 0), event("callRinging", at: 1)])
            ])
        }
        #expect(try await fixture.store.counts().records == 0)
        #expect(try await fixture.collector.submit([submission([event("callCreate", at: 0)])]) == [[.accepted]])
    }

    @Test func `a submission that cannot be stored costs no other`() async throws {
        let fixture = try CollectorFixture()
        let collector = fixture.collector
        _ = try await collector.submit([submission([event("callCreate", at: 0)], call: "first")])
        try await DatabaseQueue(path: fixture.databasePath).write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON record WHEN NEW.callId = 'c7'
                    BEGIN SELECT RAISE(ABORT, 'the disk does not like this one'); END
                    """)
        }
        let stored = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                let batch = [submission([event("callCreate", at: Int64(index))], call: "c\(index)")]
                group.addTask { await (try? collector.submit(batch)) == [[.accepted]] }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(stored == 19)
        #expect(try await fixture.store.counts().records == 20)
    }

    @Test func `a record that cannot be folded anew holds up neither others nor the retention`() async throws {
        let fixture = try CollectorFixture(
            retention: Retention(calls: 1_000, milliseconds: 3_600_000),
            now: Timestamp(milliseconds: 1_795_230_010_000))
        for call in ["bad", "good"] {
            _ = try await fixture.collector.submit([submission([event("callCreate", at: 5)], call: call)])
            _ = try await fixture.collector.submit([submission([event("callRinging", at: 2)], call: call)])
        }
        try await DatabaseQueue(path: fixture.databasePath).write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE UPDATE ON record WHEN NEW.callId = 'bad' AND NEW.isDirty = 0
                    BEGIN SELECT RAISE(ABORT, 'the disk does not like this one'); END
                    """)
        }
        await fixture.collector.maintain()
        #expect(await fixture.collector.counters.refolds == 1)
        #expect(try await fixture.store.dirtyRecords(limit: 10) == [key("bad")])

        await fixture.pass(milliseconds: 7_200_000)
        #expect(await fixture.collector.counters.evictedCalls == 2)
    }

    @Test func `many submissions at once are all answered and share transactions`() async throws {
        let fixture = try CollectorFixture()
        let collector = fixture.collector
        let outcomes = try await withThrowingTaskGroup(of: [[FactOutcome]].self) { group in
            for index in 0..<200 {
                let batch = [submission([event("callCreate", at: Int64(index))], call: "c\(index % 50)")]
                group.addTask { try await collector.submit(batch) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes == Array(repeating: [.accepted], count: 200))
        #expect(await collector.counters.commits < 200)
        #expect(try await fixture.store.counts().facts == 200)
    }

    /// Its fold then lacks what was stored before, so the last that was folded says nothing of what the store has.
    @Test func `what is repeated is known also where the record cannot be folded`() async throws {
        let fixture = try CollectorFixture()
        let told = ["callCreate", "callRestSent", "callRinging", "callAnswerReceived"].enumerated().map {
            event($1, at: Int64($0) * 10)
        }
        #expect(try await fixture.collector.submit([submission(told)]) == [Array(repeating: .accepted, count: 4)])
        let queue = try DatabaseQueue(path: fixture.databasePath)
        try await queue.write {
            try $0.execute(
                sql: "UPDATE fold SET state = x'00'; UPDATE event SET members = '[' WHERE type = 'callCreate'")
        }
        try queue.close()
        try await fixture.restart()
        #expect(try await fixture.collector.submit([submission([event("iceNormal", at: 15)])]) == [[.accepted]])
        #expect(try await fixture.collector.submit([submission([told[2]])]) == [[.repeated]])
    }
}
