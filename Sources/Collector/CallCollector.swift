public import CallModel
import CallQuality
public import Logging
public import ServiceLifecycle

/// The one road of a sample: everything that is stored passes here, in groups that share a transaction.
///
/// An actor, for it is the one writer of its store. ``submit(_:)`` returns after the commit.
public actor CallCollector {
    private let store: any CallStore
    private let retention: Retention
    private let limits: CollectorLimits
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let meter: CollectorMeter

    private var waiting: [Work] = []
    private var waitingFacts = 0
    private var isWriting = false
    private var isClosing = false
    private var sessions: SessionCache
    private var standings: StandingCache
    private var dirty: Set<CallKey> = []
    /// Those of ``dirty`` that could not be folded anew; tried again when the next maintenance is due.
    private var unfoldable: Set<CallKey> = []
    private var counted = CollectorCounters()
    private var storeState = StoreHealth()
    private var retentionClock = RetentionClock()
    private var linker: SessionLinker { SessionLinker(store: store) }
    private var recordsSinceEnforcement = 0

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
        sessions = SessionCache(capacity: limits.openSessions)
        standings = StandingCache(capacity: limits.openSessions)
    }

    /// What waits for the writer.
    public var queue: CollectorQueue { CollectorQueue(submissions: waiting.count, facts: waitingFacts) }

    /// What was done since the start.
    public var counters: CollectorCounters { counted }

    /// Whether the store takes what it is given.
    public var storeHealth: StoreHealth { storeState }

    /// Stores facts and derives what follows from them.
    ///
    /// - Returns: what became of each fact, in the order of `submissions` and their items, after the commit.
    /// - Throws: ``CollectorError`` when nothing was taken; ``CallStoreError`` when it could not be stored.
    public func submit(_ submissions: [Submission]) async throws -> [[FactOutcome]] {
        let facts = submissions.reduce(0) { $0 + $1.facts.count }
        guard !isClosing else { throw CollectorError.closing }
        guard waiting.count < limits.waitingSubmissions, waitingFacts + facts <= limits.waitingFacts else {
            throw CollectorError.overloaded(retryAfterSeconds: 1)
        }
        waitingFacts += facts
        return try await withCheckedThrowingContinuation { enqueue(.store(submissions, $0)) }
    }

    /// Folds in what arrived late for a call, so that what is read next shows all that was accepted.
    public func settle(_ identity: CallIdentity) async throws {
        guard dirty.contains(where: { $0.identity == identity }) else { return }
        try await withCheckedThrowingContinuation { enqueue(.settle(identity, $0)) }
    }

    /// Removes a call and everything about it; late data do not revive it.
    /// - Returns: the number of records removed.
    public func erase(_ identity: CallIdentity) async throws -> Int {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation { enqueue(.erase(identity, $0)) }
    }

    /// Derives a record anew from all its facts, by the current rules, and replaces what was derived before in one
    /// transaction.
    ///
    /// It takes its turn among the submissions: what they bring is in it, or is folded in after it.
    /// - Returns: the new summary; `nil` when there is no such record.
    public func rescore(_ key: CallKey) async throws -> CallSummary? {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation { enqueue(.rescore(key, $0)) }
    }

    private func enqueue(_ work: Work) {
        waiting.append(work)
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
        var facts = 0
        var count = 0
        while count < waiting.count, facts < limits.factsPerCommit {
            if case .store(let batch, _) = waiting[count] { facts += batch.reduce(0) { $0 + $1.facts.count } }
            count += 1
        }
        let group = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        waitingFacts -= group.reduce(0) { sum, work in
            guard case .store(let batch, _) = work else { return sum }
            return sum + batch.reduce(0) { $0 + $1.facts.count }
        }
        return group
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

// MARK: - Late facts, retention

extension CallCollector {
    /// Folds all facts of a record anew and replaces what was derived before.
    /// - Returns: the new summary; `nil` when there are no facts.
    private func refold(_ key: CallKey) async throws -> CallSummary? {
        let facts = try await store.facts(of: key)
        let part = try await linker.part(of: key)
        var summary: CallSummary?
        if let change = RecordWriter.refold(key, facts: facts, part: part) {
            let began = meter.moment()
            try await store.commit([change])
            meter.committed([change], since: began, now: clock())
            standings.forget(key.identity)
            sessions.keep(
                change.session ?? [], of: key, links: try await store.links(of: key), commitsSinceStored: 0)
            counted.refolds += 1
            summary = change.summary
        }
        dirty.remove(key)
        return summary
    }

    private func eraseNow(_ identity: CallIdentity) async throws -> Int {
        sessions.forget(identity)
        standings.forgetAll()
        dirty = dirty.filter { $0.identity != identity }
        let claims = try await store.standing(of: identity).claims
        let erased = try await store.erase(identity, now: clock())
        dirty.formUnion(claims.map(\.key))
        return erased
    }

    /// A record that cannot be folded stays dirty and is tried again; it holds up neither others nor the retention.
    /// - Returns: whether more waits: submissions have their turn in between.
    private func maintainNow() async -> Bool {
        guard await isWritable() else { return false }
        let due = dirty.subtracting(unfoldable)
        let turn = due.prefix(isClosing ? Self.refoldsAtTheEnd : Self.refoldsPerTurn)
        for key in turn {
            do {
                _ = try await refold(key)
            } catch {
                unfoldable.insert(key)
                report("a record was not folded anew", error)
                guard !error.isOutage else { return false }
            }
        }
        guard turn.count == due.count else { return true }
        await enforceRetention()
        return false
    }

    /// Records that are folded anew between two groups of submissions: clients wait for as long as these take.
    private static let refoldsPerTurn = 16
    /// Records that are folded anew before the program ends; those beyond wait for the next start.
    private static let refoldsAtTheEnd = 1_000

    /// Runs when the number of calls may be a hundredth beyond the limit, and every few seconds.
    private func enforceRetention() async {
        recordsSinceEnforcement = 0
        do {
            let now = retentionClock.now(clock())
            let report = try await store.enforce(retention, now: now)
            let evicted = report.evictedByCount + report.evictedByAge
            guard evicted > 0 else { return }
            standings.forgetEvictable(retention, now: now)
            counted.evictedCalls += evicted
            meter.evicted(evicted)
            logger.info("calls evicted", metadata: ["count": "\(evicted)", "keptLive": "\(report.keptLive)"])
        } catch {
            report("retention failed", error)
        }
    }
}

// MARK: - Faults of the store

extension CallCollector {
    /// Takes in that something could not be read from the store, or written to it.
    public func noteFailure(_ error: CallStoreError) {
        report("reading calls failed", error)
    }

    /// Logs what went wrong; an outage, and damage, only when it is new.
    private func report(_ what: Logger.Message, _ error: any Error, refusing submissions: Int = 0) {
        tell(storeState.note(error, refusing: submissions, at: clock()))
        if (error as? CallStoreError)?.isToldOnce != true { logger.error(what, metadata: ["error": "\(error)"]) }
    }

    private func tell(_ news: StoreHealth.News?) {
        news?.log(to: logger, at: clock())
    }

    /// In an outage tries whether it is over, though nobody sends anything.
    private func isWritable() async -> Bool {
        guard storeState.outage != nil else { return true }
        do {
            try await store.probe()
            tell(storeState.noteSuccess())
            return true
        } catch {
            report("the store cannot be written to", error)
            return false
        }
    }
}

// MARK: - Service

extension CallCollector: Service {
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
        await maintain()
    }

    /// Finds the records that waited for a new fold when the last program ended.
    public func adoptDirtyRecords() async throws {
        dirty.formUnion(try await store.dirtyRecords(limit: 100_000))
    }

    /// What ``run()`` does every few seconds.
    func maintain() async {
        unfoldable = []
        meter.countEndings(now: clock())
        while await withCheckedContinuation({ enqueue(.maintain($0)) }), !isClosing {}
    }
}
