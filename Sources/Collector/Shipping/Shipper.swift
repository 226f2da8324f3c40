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
        /// Records that were set aside, and why.
        public var setAside: [CallKey: String] = [:]
        /// Whether more waits.
        public var isFull = false
    }

    private let outbox: any ChangeOutbox
    private let target: @Sendable () async throws -> any CallStore
    private let limit: OutboxLimit
    private let isWatched: Bool
    /// What is on its way.
    private var batch: OutboxBatch?

    /// - Parameters:
    ///   - outbox: what waits.
    ///   - target: who is given it; asked for with every batch.
    ///   - limit: how much at a time.
    ///   - isWatched: whether somebody waits to be told what is refused. Else a record is set aside only where others are
    ///     taken: when none is, the fault is likely that of the store, and all would be set aside one after another.
    public init(
        outbox: any ChangeOutbox, target: @escaping @Sendable () async throws -> any CallStore, limit: OutboxLimit,
        isWatched: Bool = false
    ) {
        self.outbox = outbox
        self.target = target
        self.limit = limit
        self.isWatched = isWatched
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
            for change in changes where refused[change.key] != nil {
                guard try await isGone(change) else { continue }
                refused[change.key] = nil
                shipment.gone += 1
            }
            if let reason = refused.values.first, refused.count == changes.count, !isWatched {
                throw NothingTaken(records: changes.count, reason: reason)
            }
            shipment.records = changes.count - refused.count - shipment.gone
            shipment.setAside.merge(refused) { reason, _ in reason }
        }
        return shipment
    }

    /// Whether the record went there, and the change is of the call that it was: its id may have been used again since.
    private func isGone(_ change: RecordChange) async throws -> Bool {
        try await target().records(of: change.key.identity).contains { head in
            head.key == change.key && head.isEvicted && change.summary.start <= head.lastActivity
        }
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
