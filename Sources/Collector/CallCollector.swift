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
    let limits: CollectorLimits
    let clock: @Sendable () -> Timestamp
    let logger: Logger
    let meter: CollectorMeter
    let live: LiveHub

    var schedule: WriteSchedule<Work>
    var waitingSubmissions: FairShare<TenantID>
    var waitingFacts: FairShare<TenantID>
    /// The calls that begin with each group that is on its way to the disk.
    var beginning: [Int: Set<CallIdentity>] = [:]
    /// The group that goes on when it is the only one.
    var waitingForOthers: CheckedContinuation<Void, Never>?
    /// When it began to finish, on the meter's clock.
    var closingSince: Int64?
    var isClosing: Bool { closingSince != nil }
    var sessions: SessionCache
    var standings: StandingCache
    var placed: PlacedFacts
    var dirty: Set<CallKey> = []
    /// Those of ``dirty`` that could not be folded anew; tried again when the next maintenance is due.
    var unfoldable: Set<CallKey> = []
    var damaged = DamageLedger()
    /// Damaged records that are to be derived anew, which is tried once.
    var unmended: Set<CallKey> = []
    var counted = CollectorCounters()
    var storeState = StoreHealth()
    var retentionClock = RetentionClock()
    var linker: SessionLinker { SessionLinker(store: store) }
    var recordsSinceEnforcement = 0
    /// Removes old calls while others write; `nil` when there is nothing to remove.
    var enforcement: Task<Void, Never>?
    /// Whether the retention is to be enforced (again).
    var isEnforcementDue = false

    /// What waits for the writer.
    enum Work {
        case store([Submission], CheckedContinuation<[[FactOutcome]], any Error>)
        case settle(CallIdentity, CheckedContinuation<Void, any Error>)
        case erase(CallIdentity, CheckedContinuation<Int, any Error>)
        case removeErased([ErasedCall], any ChangeOutbox, CheckedContinuation<Int, any Error>)
        case renumber(ReusedCall, any ChangeOutbox, CheckedContinuation<Void, any Error>)
        case rescore(CallKey, CheckedContinuation<CallSummary?, any Error>)
        case maintain(CheckedContinuation<Bool, Never>)

        /// What is to be stored.
        var submissions: [Submission] {
            if case .store(let submissions, _) = self { submissions } else { [] }
        }

        /// Who waits for it to be stored.
        var continuation: CheckedContinuation<[[FactOutcome]], any Error>? {
            if case .store(_, let continuation) = self { continuation } else { nil }
        }
    }

    /// - Parameters:
    ///   - store: where facts go; this collector is its only writer.
    ///   - retention: how long calls are kept.
    ///   - limits: how much is held in memory.
    ///   - clock: tells the time; read for retention only.
    ///   - logger: is told what went wrong and what was evicted.
    ///   - meter: is told what is stored, and how calls went.
    ///   - live: is told what happens to calls, for those who watch.
    public init(
        store: any CallStore, retention: Retention, limits: CollectorLimits = CollectorLimits(),
        clock: @escaping @Sendable () -> Timestamp, logger: Logger, meter: CollectorMeter = CollectorMeter(),
        live: LiveHub = LiveHub()
    ) {
        self.store = store
        self.retention = retention
        self.limits = limits
        self.clock = clock
        self.logger = logger
        self.meter = meter
        self.live = live
        schedule = WriteSchedule(weightPerGroup: limits.factsPerCommit)
        waitingSubmissions = FairShare(limit: limits.waitingSubmissions)
        waitingFacts = FairShare(limit: limits.waitingFacts)
        sessions = SessionCache(capacity: limits.openSessions)
        standings = StandingCache(capacity: limits.openSessions)
        placed = PlacedFacts(capacity: limits.openSessions)
    }

    /// What waits for the writer.
    public var queue: CollectorQueue {
        CollectorQueue(submissions: waitingSubmissions.total, facts: waitingFacts.total)
    }

    /// What was done since the start.
    public var counters: CollectorCounters { counted }

    /// Whether the store takes what it is given.
    public var storeHealth: StoreHealth { storeState }

    /// What was met that is stored and cannot be read, in words that name no file and no call; `nil` while all can.
    public var damageInWords: String? {
        if storeState.damage != nil {
            return "a part of what is stored cannot be read, as the log says; \"sidetone check\" tells which"
        }
        guard damaged.records > 0 else { return nil }
        return "records that cannot be read whole: \(damaged.records); \"sidetone check\" tells which"
    }

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
        return try await withCheckedThrowingContinuation {
            schedule.append(
                WriteSchedule.Entry(
                    item: .store(submissions, $0), tenant: tenant, calls: Set(submissions.map(\.identity)),
                    facts: facts, weight: Self.weight(of: submissions), timesLocked: storeState.timesLocked))
            goOn()
        }
    }

    /// Folds in what arrived late for a call, so that what is read next shows all that was accepted.
    /// - Throws: what the store throws.
    public func settle(_ identity: CallIdentity) async throws {
        guard dirty.contains(where: { $0.identity == identity }) else { return }
        try await withCheckedThrowingContinuation { enqueue(.settle(identity, $0), of: identity.tenant) }
    }

    /// Folds in what arrived late for a call that is about to be read, if that can be stored. In an outage, or where a fact is
    /// damaged, it is read as it was derived, and its records say that they are dirty.
    /// - Throws: what the store throws else.
    public func settleIfPossible(_ identity: CallIdentity) async throws {
        // Whoever reads does not wait for an outage that is known already to show again.
        guard storeState.outage == nil else { return }
        do {
            try await settle(identity)
        } catch let error as CallStoreError where error.isToldOnce {
            report(.refold, error)
        }
    }

    /// Removes a call and everything about it; late data do not revive it.
    /// - Returns: the number of records removed.
    /// - Throws: ``CollectorError/closing``; what the store throws.
    public func erase(_ identity: CallIdentity) async throws -> Int {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation { enqueue(.erase(identity, $0), of: identity.tenant) }
    }

    /// Removes calls that were erased in the store that this one's is shipped to. A call of which something began after that
    /// is another use of the id, and stays.
    /// - Parameters:
    ///   - erased: those calls; most of them are not here.
    ///   - outbox: the store of this collector, as what is shipped knows it.
    /// - Returns: how many were removed.
    /// - Throws: ``CollectorError/closing``; what the store throws.
    public func removeErased(_ erased: [ErasedCall], from outbox: any ChangeOutbox) async throws -> Int {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation {
            enqueue(.removeErased(erased, outbox, $0), of: Self.ownTurn)
        }
    }

    /// Counts attempts of a call behind those that the store has which this one's is shipped to: its id was used before,
    /// by a call that this collector never heard of.
    /// - Parameters:
    ///   - call: the call, and what is known of it there.
    ///   - outbox: the store of this collector, as what is shipped knows it.
    /// - Throws: ``CollectorError/closing``; what the store throws.
    public func renumber(_ call: ReusedCall, in outbox: any ChangeOutbox) async throws {
        guard !isClosing else { throw CollectorError.closing }
        try await withCheckedThrowingContinuation { enqueue(.renumber(call, outbox, $0), of: Self.ownTurn) }
    }

    /// Derives a record anew from all its facts, by the current rules, and replaces what was derived before in one
    /// transaction.
    ///
    /// It takes its turn among the submissions: what they bring is in it, or is folded in after it.
    /// - Returns: the new summary; `nil` when there is no such record.
    /// - Throws: ``CollectorError/closing``; what the store throws.
    public func rescore(_ key: CallKey) async throws -> CallSummary? {
        guard !isClosing else { throw CollectorError.closing }
        return try await withCheckedThrowingContinuation { enqueue(.rescore(key, $0), of: key.identity.tenant) }
    }

    private func enqueue(_ work: Work, of tenant: TenantID) {
        schedule.append(WriteSchedule.Entry(item: work, tenant: tenant))
        goOn()
    }

    private static func weight(of submissions: [Submission]) -> Int {
        submissions.reduce(0) { $1.facts.reduce($0) { $0 + $1.fact.weight } }
    }

    static func facts(in submissions: [Submission]) -> Int {
        submissions.reduce(0) { $0 + $1.facts.count }
    }
}

// MARK: - Service

extension CallCollector: Service {
    /// Whose turn the collector's own work takes; no token has this tenant.
    static let ownTurn = TenantID(rawValue: "")
    /// How long late facts are gathered before their call is folded anew.
    private static let maintenanceInterval = Duration.seconds(2)

    /// Folds late facts in and enforces the retention, until the program shuts down; then finishes what waits.
    public func run() async throws {
        try await adoptDirtyRecords()
        await cancelWhenGracefulShutdown {
            await self.adoptLiveCalls()
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.maintenanceInterval) } catch { break }
                await self.maintain()
            }
        }
        await finish()
    }

    /// Finishes what waits; what is submitted from now on is refused. Who does without ``run()`` ends with this, before the
    /// store is closed.
    public func finish() async {
        closingSince = closingSince ?? meter.moment()
        repeat { await maintain() } while !schedule.isIdle || enforcement != nil
    }

    /// Finds the records that waited for a new fold when the last program ended.
    /// - Throws: what the store throws.
    public func adoptDirtyRecords() async throws {
        dirty.formUnion(try await store.dirtyRecords(limit: 100_000))
    }

    /// What ``run()`` does every few seconds.
    func maintain() async {
        unfoldable = []
        meter.countEndings(now: clock())
        while await withCheckedContinuation({ enqueue(.maintain($0), of: Self.ownTurn) }),
            !isClosing && !Task.isCancelled || enforcement != nil
        {
            await enforcementIsOver()
        }
        await enforcementIsOver()
    }
}
