public import CallModel

/// Gives what waits in an outbox to another store, batch by batch: at least once, and in the end as it is here.
///
/// A batch that could not be given is given again as it is, so that a store that knows its batches by their content stores
/// it once.
public struct Shipper: Sendable {
    /// What came of one batch.
    public enum Step: Hashable, Sendable {
        /// Nothing waits.
        case idle
        /// It is stored there.
        case shipped(Shipment)
        /// It is not, and comes again.
        case failed(StoreRecourse, String)
    }

    /// What was given.
    public struct Shipment: Hashable, Sendable {
        /// Records of which something was stored.
        public var records = 0
        /// Calls erased.
        public var erasures = 0
        /// Records that went there, erased or beyond its limits, and of which something came late: it is given up.
        public var gone = 0
        /// Calls whose ids had been used there before, by calls that are gone: their attempts are counted behind those now.
        public var renumbered = 0
        /// Records that were set aside, and why.
        public var setAside: [CallKey: String] = [:]
        /// Whether more waits.
        public var isFull = false
    }

    private let outbox: any ChangeOutbox
    private let target: @Sendable () async throws -> any CallStore
    private let limit: OutboxLimit
    private let isWatched: Bool
    private let renumber: (@Sendable (ReusedCall) async throws -> Void)?
    /// What is on its way.
    private var batch: OutboxBatch?

    /// - Parameters:
    ///   - outbox: what waits.
    ///   - target: who is given it; asked for with every batch.
    ///   - limit: how much at a time.
    ///   - isWatched: whether somebody waits to be told what is refused. Else a record is set aside only where others are
    ///     taken: when none is, the fault is likely that of the store, and all would be set aside one after another.
    ///   - renumber: counts attempts of a call behind those that are there, and has it come again. `nil` sets aside what
    ///     has the number of another.
    public init(
        outbox: any ChangeOutbox, target: @escaping @Sendable () async throws -> any CallStore, limit: OutboxLimit,
        isWatched: Bool = false, renumber: (@Sendable (ReusedCall) async throws -> Void)? = nil
    ) {
        self.outbox = outbox
        self.target = target
        self.limit = limit
        self.isWatched = isWatched
        self.renumber = renumber
    }

    /// Has what was set aside tried again, when something may have changed about it.
    /// - Returns: how many records.
    /// - Throws: what the outbox throws.
    public func recall() async throws -> Int { try await outbox.recall() }

    /// Gives the next batch, or the last one again.
    public mutating func step() async -> Step {
        do {
            if batch == nil { batch = try await outbox.nextBatch(limit) }
            guard let batch else { return .idle }
            let shipment = try await ship(batch)
            try await outbox.setAside(shipment.setAside)
            try await outbox.settle(batch.token)
            self.batch = nil
            return .shipped(shipment)
        } catch let error as NothingTaken {
            // Nothing of it is stored: it may come again with what was noted meanwhile, and that may be taken.
            batch = nil
            return .failed(.mend, "\(error)")
        } catch {
            // Records that are refused were set aside. An erasure that is cannot be: somebody has to see to it.
            return .failed(error.recourse == .retry ? .retry : .mend, "\(error)")
        }
    }

    private func ship(_ batch: OutboxBatch) async throws -> Shipment {
        var shipment = Shipment(setAside: batch.unreadable, isFull: batch.isFull)
        switch batch.content {
        case .erasure(let identity, let moment):
            _ = try await target().erase(identity, now: moment)
            shipment.erasures = 1
        case .changes(let changes):
            var refused = try await ship(changes[...])
            shipment.records = changes.count - refused.count
            var reused: [CallIdentity: ReusedCall] = [:]
            for change in changes where refused[change.key] != nil {
                let others = try await target().records(of: change.key.identity)
                guard let earlier = others.first(where: { $0.key == change.key && $0.isEvicted }) else { continue }
                if change.summary.start <= earlier.lastActivity {
                    // It is of the call that went.
                    shipment.gone += 1
                } else if renumber != nil, change.isOfLaterCall(than: earlier, among: others) {
                    let (identity, attempt) = (change.key.identity, change.key.attempt)
                    let first = min(attempt, reused[identity]?.attempt ?? attempt)
                    reused[identity] = ReusedCall(identity: identity, attempt: first, others: others)
                } else {
                    continue
                }
                refused[change.key] = nil
            }
            for call in reused.values { try await renumber?(call) }
            shipment.renumbered = reused.count
            if let reason = refused.values.first, refused.count == changes.count, !isWatched {
                throw NothingTaken(records: changes.count, reason: reason)
            }
            shipment.setAside.merge(refused) { reason, _ in reason }
        }
        return shipment
    }

    /// Commits changes. When what is refused is among them, each half by itself, until it stands alone.
    /// - Returns: what was refused, and why.
    private func ship(_ changes: ArraySlice<RecordChange>) async throws -> [CallKey: String] {
        guard let first = changes.first else { return [:] }
        do {
            try await target().commit(Array(changes))
            return [:]
        } catch  where error.recourse == .setAside {
            guard changes.count > 1 else { return [first.key: "\(error)"] }
            let middle = changes.startIndex + changes.count / 2
            return try await ship(changes[..<middle])
                .merging(try await ship(changes[middle...])) { reason, _ in reason }
        }
    }
}

extension RecordChange {
    /// Whether it is of a call that began after another of its id: its own client tells so, or it goes on with one that
    /// another node told of. What only comes late is part of the call that went, and stays away with it.
    fileprivate func isOfLaterCall(than earlier: RecordHead, among others: [RecordHead]) -> Bool {
        if let createdAt = summary.createdAt, createdAt > earlier.lastActivity { return true }
        return others.contains { !$0.isEvicted && $0.key.attempt > key.attempt && $0.start <= summary.start }
    }
}

/// A call whose id was used before, in another store, by a call that is gone there.
public struct ReusedCall: Hashable, Sendable {
    /// Which call.
    public var identity: CallIdentity
    /// The lowest number of its attempts that is another's there.
    public var attempt: Int
    /// What the other store has of the id, or had.
    public var others: [RecordHead]

    public init(identity: CallIdentity, attempt: Int, others: [RecordHead]) {
        self.identity = identity
        self.attempt = attempt
        self.others = others
    }
}

/// The other store refused each record of a batch.
private struct NothingTaken: Error, CustomStringConvertible {
    let records: Int
    let reason: String

    var description: String { "none of \(records) records is taken; one of the reasons: \(reason)" }
}

extension Error {
    /// What helps; trying again where nothing is known of it.
    fileprivate var recourse: StoreRecourse { (self as? any StoreFailure)?.recourse ?? .retry }
}
