public import CallModel
import CallQuality
public import Logging
public import ServiceLifecycle

/// The one road of a sample: everything that is stored passes here, in groups that share a transaction.
///
/// An actor, for it is the one writer of its store. ``submit(_:)`` returns after the commit.
public actor CallCollector {
    let store: any CallStore
    let retention: Retention
    private let limits: CollectorLimits
    let clock: @Sendable () -> Timestamp
    let logger: Logger
    let meter: CollectorMeter

    private var waiting = WaitingLine<TenantID, Work>()
    private var waitingSubmissions: FairShare<TenantID>
    private var waitingFacts: FairShare<TenantID>
    private var isWriting = false
    var isClosing = false
    var sessions: SessionCache
    var standings: StandingCache
    var dirty: Set<CallKey> = []
    /// Those of ``dirty`` that could not be folded anew; tried again when the next maintenance is due.
    var unfoldable: Set<CallKey> = []
    var counted = CollectorCounters()
    var storeState = StoreHealth()
    var retentionClock = RetentionClock()
    var linker: SessionLinker { SessionLinker(store: store) }
    var recordsSinceEnforcement = 0

    /// What waits for the writer.
    private enum Work {
        case store([Submission], CheckedContinuation<[[FactOutcome]], any Error>)
        case settle(CallIdentity, CheckedContinuation<Void, any Error>)
        case erase(CallIdentity, CheckedContinuation<Int, any Error>)
        case rescore(CallKey, CheckedContinuation<CallSummary?, any Error>)
        case maintain(CheckedContinuation<Bool, Never>)
    }

    /// - Parameters:
    ///   - store: where facts go; this collector is its only writer.
    ///   - retention: how long calls are kept.
    ///   - limits: how much is held in memory.
    ///   - clock: tells the time; read for retention only.
    ///   - logger: is told what went wrong and what was evicted.
    ///   - meter: is told what is stored, and how calls went.
    public init(
        store: any CallStore, retention: Retention, limits: CollectorLimits = CollectorLimits(),
        clock: @escaping @Sendable () -> Timestamp, logger: Logger, meter: CollectorMeter = CollectorMeter()
    ) {
        self.store = store
        self.retention = retention
        self.limits = limits
        self.clock = clock
        self.logger = logger
        self.meter = meter
        waitingSubmissions = FairShare(limit: limits.waitingSubmissions)
        waitingFacts = FairShare(limit: limits.waitingFacts)
        sessions = SessionCache(capacity: limits.openSessions)
        standings = StandingCache(capacity: limits.openSessions)
    }

    /// What waits for the writer.
    public var queue: CollectorQueue {
        CollectorQueue(submissions: waitingSubmissions.total, facts: waitingFacts.total)
    }

    /// What was done since the start.
    public var counters: CollectorCounters { counted }

    /// Whether the store takes what it is given.
    public var storeHealth: StoreHealth { storeState }

    /// Stores facts and derives what follows from them.
    ///
    /// - Returns: what became of each fact, in the order of `submissions` and their items, after the commit.
    /// - Throws: ``CollectorError`` when nothing was taken; ``CallStoreError`` when it could not be stored.
    public func submit(_ submissions: [Submission]) async throws -> [[FactOutcome]] {
        guard !isClosing else { throw CollectorError.closing }
        let facts = Self.facts(in: submissions)
        let tenant = submissions.first?.identity.tenant ?? .default
        guard waitingSubmissions.hasRoom(for: 1, of: tenant), waitingFacts.hasRoom(for: facts, of: tenant) else {
            throw CollectorError.overloaded(retryAfterSeconds: 1)
        }
        waitingSubmissions.take(1, of: tenant)
        waitingFacts.take(facts, of: tenant)
        return try await withCheckedThrowingContinuation { enqueue(.store(submissions, $0), of: tenant) }
    }

    /// Folds in what arrived late for a call, so that what is read next shows all that was accepted.
    public func settle(_ identity: CallIdentity) async throws {
        guard dirty.contains(where: { $0.identity == identity }) else { return }
        try await withCheckedThrowingContinuation { enqueue(.settle(identity, $0), of: identity.tenant) }
    }

    /// Removes a call and everything about it; late data do not revive it.
    /// - Returns: the number of records removed.
    public func erase(_ identity: CallIdentity) async throws -> Int {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation { enqueue(.erase(identity, $0), of: identity.tenant) }
    }

    /// Derives a record anew from all its facts, by the current rules, and replaces what was derived before in one
    /// transaction.
    ///
    /// It takes its turn among the submissions: what they bring is in it, or is folded in after it.
    /// - Returns: the new summary; `nil` when there is no such record.
    public func rescore(_ key: CallKey) async throws -> CallSummary? {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation { enqueue(.rescore(key, $0), of: key.identity.tenant) }
    }

    private func enqueue(_ work: Work, of tenant: TenantID) {
        waiting.append(work, of: tenant)
        guard !isWriting else { return }
        isWriting = true
        Task { await write() }
    }
}

// MARK: - The writer

extension CallCollector {
    /// Works off what waits, group by group; what arrives during a commit forms the next group.
    private func write() async {
        while !waiting.isEmpty {
            let group = nextGroup()
            var submissions: [Waiting] = []
            for work in group {
                if case .store(let batch, let continuation) = work { submissions.append((batch, continuation)) }
            }
            if !submissions.isEmpty { await store(submissions) }
            for work in group { await carryOut(work) }
        }
        isWriting = false
    }

    /// As much as one transaction takes. Other work goes after the submissions that came with it.
    private func nextGroup() -> [Work] {
        var group: [Work] = []
        var facts = 0
        while facts < limits.factsPerCommit, let (tenant, work) = waiting.next() {
            group.append(work)
            guard case .store(let batch, _) = work else { continue }
            let count = Self.facts(in: batch)
            facts += count
            waitingSubmissions.give(1, of: tenant)
            waitingFacts.give(count, of: tenant)
        }
        return group
    }

    private static func facts(in submissions: [Submission]) -> Int {
        submissions.reduce(0) { $0 + $1.facts.count }
    }

    private func carryOut(_ work: Work) async {
        switch work {
        case .store: break
        case .settle(let identity, let continuation):
            await answer(continuation) {
                for key in self.dirty.filter({ $0.identity == identity }) { _ = try await self.refold(key) }
            }
        case .erase(let identity, let continuation):
            await answer(continuation) { try await self.eraseNow(identity) }
        case .rescore(let key, let continuation):
            await answer(continuation) {
                let summary = try await self.refold(key)
                // Most are over for long; those that go on are read back.
                self.forget(key)
                return summary
            }
        case .maintain(let continuation):
            continuation.resume(returning: await maintainNow())
        }
    }

    private func answer<Value: Sendable>(
        _ continuation: CheckedContinuation<Value, any Error>, _ work: () async throws -> Value
    ) async {
        do {
            continuation.resume(returning: try await work())
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// A submission and who waits for its answer.
    private typealias Waiting = ([Submission], CheckedContinuation<[[FactOutcome]], any Error>)

    /// Commits a group and answers it. When that fails, each is tried alone: one that cannot be stored costs no other.
    /// In an outage of the store it is the same for all, and all are answered at once.
    private func store(_ group: [Waiting]) async {
        var transaction = Transaction(limits: limits)
        do {
            var outcomes: [[[FactOutcome]]] = []
            for (batch, _) in group { outcomes.append(try await take(batch, in: &transaction)) }
            let marked = try await linker.mark(&transaction)
            let changes = await transaction.changes()
            let began = meter.moment()
            try await store.commit(changes, marking: marked)
            meter.committed(changes, since: began, now: clock())
            for (index, (batch, _)) in group.enumerated() { meter.count(batch, outcomes[index]) }
            count(outcomes.joined().joined())
            tell(storeState.noteSuccess())
            dirty.formUnion(marked)
            for record in transaction.records.values {
                keep(record)
                if record.isDirty { dirty.insert(record.key) }
            }
            standings.note(transaction, changes)
            recordsSinceEnforcement += transaction.newRecords
            if recordsSinceEnforcement > retention.calls / 100 { await enforceRetention() }
            for (index, (_, continuation)) in group.enumerated() { continuation.resume(returning: outcomes[index]) }
        } catch {
            for key in transaction.records.keys { forget(key) }
            if group.count > 1, !error.isOutage {
                for alone in group { await store([alone]) }
                return
            }
            meter.failed(error)
            report("a transaction failed", error, refusing: group.count)
            for (_, continuation) in group { continuation.resume(throwing: error) }
        }
    }

    private func take(_ batch: [Submission], in transaction: inout Transaction) async throws -> [[FactOutcome]] {
        var outcomes: [[FactOutcome]] = []
        for submission in batch {
            if !transaction.knows(submission.identity) {
                let known = standings.standing(of: submission.identity)
                let standing = if let known { known } else { try await store.standing(of: submission.identity) }
                transaction.learn(submission.identity, standing: standing)
            }
            let keys = transaction.route(submission)
            for (key, facts) in Dictionary(grouping: zip(keys, submission.facts), by: \.0) {
                guard let key else { continue }
                try await open(key, for: facts.map(\.1.fact.key), in: &transaction)
            }
            outcomes.append(transaction.take(submission, keys: keys))
        }
        return outcomes
    }

    /// Brings a record, and the stored facts that new ones may repeat, into the transaction.
    private func open(_ key: CallKey, for factKeys: [FactKey], in transaction: inout Transaction) async throws {
        let isNew = transaction.isNew(key)
        if transaction.records[key] == nil {
            transaction.records[key] =
                isNew
                ? RecordWriter(
                    key: key, session: CallSession(key: key), isDirty: dirty.contains(key), commitsSinceStored: nil)
                : try await writer(of: key)
        }
        guard !isNew, transaction.records[key]?.mayKnow(factKeys) == true else { return }
        transaction.records[key]?.learn(try await store.facts(of: key, among: factKeys))
    }

    /// A record that the store has, with its fold. One that other rules made is made anew first, so that rows of two
    /// rules never stand side by side; where that fails, an empty one that is marked for a new fold.
    private func writer(of key: CallKey) async throws -> RecordWriter {
        if let known = known(key) { return known }
        let links = try await store.links(of: key)
        if let session = try await storedSession(of: key) {
            return RecordWriter(
                key: key, session: session, isDirty: dirty.contains(key), links: links, commitsSinceStored: nil)
        }
        do {
            _ = try await refold(key)
            if let known = known(key) { return known }
        } catch {
            guard !error.isOutage else { throw error }
            report("a record was not folded anew", error)
        }
        return RecordWriter(
            key: key, session: CallSession(key: key), isDirty: true, links: links, commitsSinceStored: nil)
    }

    /// A record whose fold is in memory.
    private func known(_ key: CallKey) -> RecordWriter? {
        guard let entry = sessions.entry(of: key), let session = entry.session else { return nil }
        return RecordWriter(
            key: key, session: session, isDirty: dirty.contains(key), links: entry.links,
            commitsSinceStored: entry.commitsSinceStored)
    }

    /// The fold that is stored, brought up to date; `nil` when this program cannot go on from it.
    private func storedSession(of key: CallKey) async throws -> CallSession? {
        guard let bytes = try await store.session(of: key), var session = CallSession(archived: bytes) else {
            return nil
        }
        guard let watermark = session.watermark else { return session }
        _ = session.fold(try await store.facts(of: key).drop { $0.key <= watermark })
        return session
    }

    private func keep(_ record: RecordWriter) {
        guard !record.archive.isEmpty else { return }
        guard !record.isOver else { return sessions.forget(record.key) }
        sessions.keep(
            record.archive, of: record.key, links: record.currentLinks, commitsSinceStored: record.commitsSinceStored)
    }

    private func forget(_ key: CallKey) {
        sessions.forget(key)
        standings.forget(key.identity)
    }

    private func count(_ outcomes: some Sequence<FactOutcome>) {
        counted.commits += 1
        for outcome in outcomes {
            switch outcome {
            case .accepted: counted.accepted += 1
            case .repeated: counted.repeated += 1
            case .contradicted: counted.contradicted += 1
            case .refused: counted.refusedAsEvicted += 1
            }
        }
    }
}

// MARK: - Service

extension CallCollector: Service {
    /// Whose turn the collector's own work takes; no token has this tenant.
    private static let ownTurn = TenantID(rawValue: "")
    /// How long late facts are gathered before their call is folded anew.
    private static let maintenanceInterval = Duration.seconds(2)

    /// Folds late facts in and enforces the retention, until the program shuts down; then finishes what waits.
    public func run() async throws {
        try await adoptDirtyRecords()
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.maintenanceInterval) } catch { break }
                await self.maintain()
            }
        }
        isClosing = true
        repeat { await maintain() } while !waiting.isEmpty
    }

    /// Finds the records that waited for a new fold when the last program ended.
    public func adoptDirtyRecords() async throws {
        dirty.formUnion(try await store.dirtyRecords(limit: 100_000))
    }

    /// What ``run()`` does every few seconds.
    func maintain() async {
        unfoldable = []
        meter.countEndings(now: clock())
        while await withCheckedContinuation({ enqueue(.maintain($0), of: Self.ownTurn) }), !isClosing {}
    }
}
