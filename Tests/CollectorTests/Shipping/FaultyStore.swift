import CallModel
import Synchronization

/// A real store that fails when it is told to.
final class FaultyStore: CallStore {
    /// What goes wrong with one commit or erasure.
    enum Fault: Sendable {
        /// Nothing is stored.
        case before(any Error)
        /// All of it is stored, and the answer is lost.
        case after(any Error)
        /// Nothing is stored, as is found out only when this has returned.
        case held(@Sendable () async -> Void, any Error)
        /// It takes this long.
        case slow(Duration)
    }

    private struct State {
        var faults: [Fault] = []
        var refused: Set<CallKey> = []
        var given: [[CallKey]] = []
        var batches: [[RecordChange]] = []
        var reads: [CallKey: Int] = [:]
        var beforeEnforcing: (@Sendable () async -> Void)?
        var beforeCommitting: (@Sendable (any CallStore) async throws -> Void)?
    }

    private let store: any CallStore
    private let state = Mutex(State())

    init(_ store: any CallStore) { self.store = store }

    /// The next commits and erasures go wrong so, one after another.
    func fail(_ faults: [Fault]) { state.withLock { $0.faults += faults } }

    /// Commits with one of these records are refused as a whole.
    func refuse(_ keys: Set<CallKey>) { state.withLock { $0.refused = keys } }

    /// The retention begins when this has returned.
    func holdRetention(_ hold: @escaping @Sendable () async -> Void) { state.withLock { $0.beforeEnforcing = hold } }

    /// The next commit begins when this has returned, which may do something to the store.
    func beforeNextCommit(_ work: @escaping @Sendable (any CallStore) async throws -> Void) {
        state.withLock { $0.beforeCommitting = work }
    }

    /// The records of each commit that was asked for.
    var given: [[CallKey]] { state.withLock { $0.given } }
    /// Each commit that was asked for.
    var batches: [[RecordChange]] { state.withLock { $0.batches } }

    /// How often all facts of a record were read.
    func reads(of key: CallKey) -> Int { state.withLock { $0.reads[key] ?? 0 } }

    private func carryOut<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        let fault = state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
        switch fault {
        case nil: return try await work()
        case .before(let error): throw error
        case .held(let hold, let error):
            await hold()
            throw error
        case .after(let error):
            _ = try await work()
            throw error
        case .slow(let duration):
            try await Task.sleep(for: duration)
            return try await work()
        }
    }

    func commit(_ changes: [RecordChange], marking dirty: some Collection<CallKey> & Sendable) async throws {
        let first = state.withLock { state in
            defer { state.beforeCommitting = nil }
            return state.beforeCommitting
        }
        try await first?(store)
        let refused = state.withLock { state in
            state.given.append(changes.map(\.key))
            state.batches.append(changes)
            return changes.first { state.refused.contains($0.key) }
        }
        if let refused { throw CallStoreError.refused("\(refused.key.identity.call.rawValue) is odd") }
        try await carryOut { try await store.commit(changes, marking: dirty) }
    }

    func erase(_ identity: CallIdentity, now: Timestamp) async throws -> Int {
        try await carryOut { try await store.erase(identity, now: now) }
    }

    // MARK: What is handed through

    func records(of identity: CallIdentity) async throws -> [RecordHead] { try await store.records(of: identity) }
    func facts(of key: CallKey, among keys: [FactKey]) async throws -> [Fact] {
        try await store.facts(of: key, among: keys)
    }
    func facts(of key: CallKey) async throws -> [Fact] {
        state.withLock { $0.reads[key, default: 0] += 1 }
        return try await store.facts(of: key)
    }
    func session(of key: CallKey) async throws -> [UInt8]? { try await store.session(of: key) }
    func dirtyRecords(limit: Int) async throws -> [CallKey] { try await store.dirtyRecords(limit: limit) }
    func outdatedRecords(_ query: RescoreQuery, before: Int64?, limit: Int) async throws -> [OutdatedRecord] {
        try await store.outdatedRecords(query, before: before, limit: limit)
    }
    func countOutdated(_ query: RescoreQuery) async throws -> Int { try await store.countOutdated(query) }
    func markAllDirty(_ calls: Set<CallIdentity>) async throws { try await store.markAllDirty(calls) }
    func standing(of identity: CallIdentity) async throws -> CallStanding { try await store.standing(of: identity) }
    func links(of key: CallKey) async throws -> RecordLinks { try await store.links(of: key) }
    func enforce(_ retention: Retention, now: Timestamp) async throws -> RetentionReport {
        await state.withLock { $0.beforeEnforcing }?()
        return try await store.enforce(retention, now: now)
    }
    func calls(_ query: CallQuery) async throws -> CallPage { try await store.calls(query) }
    func fleet(_ filter: CallFilter) async throws -> FleetSummary { try await store.fleet(filter) }
    func ribbons(of keys: [CallKey], parts: Int) async throws -> [CallKey: PartlyRead<ScoreRibbon>] {
        try await store.ribbons(of: keys, parts: parts)
    }
    func summaries(of identity: CallIdentity) async throws -> [StoredSummary] {
        try await store.summaries(of: identity)
    }
    func ties(of key: CallKey) async throws -> CallTies { try await store.ties(of: key) }
    func record(_ key: CallKey) async throws -> CallRecord? { try await store.record(key) }
    func records(_ keys: [CallKey]) async throws -> [CallRecord] { try await store.records(keys) }
    func series(of key: CallKey) async throws -> CallSeries? { try await store.series(of: key) }
    func facts(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> PartlyRead<[Fact]> {
        try await store.facts(of: key, at: moment, limit: limit)
    }
    func intervals(of key: CallKey) async throws -> [MediaInterval] { try await store.intervals(of: key) }
    func scores(of key: CallKey, series: ScoreInterval.Series) async throws -> [ScoreInterval] {
        try await store.scores(of: key, series: series)
    }
    func events(of key: CallKey) async throws -> PartlyRead<[CallEvent]> { try await store.events(of: key) }
    func counts() async throws -> StoreCounts { try await store.counts() }
    func latestReceipt() async throws -> Timestamp? { try await store.latestReceipt() }
    func probe() async throws { try await store.probe() }
    func close() async throws { try await store.close() }
}
