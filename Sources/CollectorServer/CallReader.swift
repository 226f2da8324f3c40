import CallModel
import Collector
import Hummingbird

/// Reads calls. What is in the server's own store shows everything that was accepted before, unless nothing can be stored
/// now; what all servers took shows what was shipped so far.
struct CallReader: Sendable {
    let collector: CallCollector
    let stores: ShownStores
    private let lane = ReadLane()

    init(collector: CallCollector, stores: ShownStores) {
        self.collector = collector
        self.stores = stores
    }

    /// Records of one call, or, of a session, of its calls.
    struct Found: Sendable {
        /// Where they are.
        let store: any CallStore
        /// Whether that is the server's own.
        let isOwn: Bool
        /// At least one, in the order of a report.
        let summaries: [StoredSummary]
    }

    /// Finds the selected records, and reads more of them.
    /// - Throws: ``APIError`` 404 for a call or record that is not there, 410 for a call that was; ``SharedStoreError``.
    func read<Result>(
        _ selection: CallSelection, _ use: (Found) async throws -> Result
    ) async throws -> Result {
        let shared = try await stores.readShared { store in
            guard let found = try await found(selection, in: store, isOwn: false) else { return Result?.none }
            return try await use(found)
        }
        if let shared { return shared }
        // What was taken a moment ago is here already.
        try await settle(selection.identity)
        guard let own = try await found(selection, in: stores.own, isOwn: true) else {
            throw APIError.unknownCall(selection.identity.call)
        }
        for stored in own.summaries { await note(stored.damage, of: stored.summary.key) }
        return try await use(own)
    }

    /// Finds the selected records, reads more of them, about `rows` of each, and makes of it what is shown; long calls in turn.
    ///
    /// - Throws: as ``read(_:_:)``, and ``APIError`` 503 when too many wait for their turn.
    func show<Stored: Sendable, Shown: Sendable>(
        _ selection: CallSelection, rows: (CallSummary) -> Int, reading: (Found) async throws -> Stored,
        showing: @escaping @Sendable (Stored) -> Shown
    ) async throws -> Shown {
        try await read(selection) { found in
            let rows = found.summaries.reduce(0) { $0 + rows($1.summary) }
            return try await lane.run(
                rows: rows, of: selection.identity.tenant, reading: { try await reading(found) }, showing: showing)
        }
    }

    /// Makes something of all that is stored of the selected records; long calls in turn.
    /// - Throws: as ``show(_:rows:reading:showing:)``.
    func showRecords<Shown: Sendable>(
        _ selection: CallSelection, showing: @escaping @Sendable ([CallRecord]) -> Shown
    ) async throws -> Shown {
        try await show(selection, rows: \.mostRows, reading: records, showing: showing)
    }

    private func records(_ found: Found) async throws -> [CallRecord] {
        let records = try await found.store.records(found.summaries.map(\.summary.key))
        for record in records { await note(record.damage, of: record.summary.key) }
        return records
    }

    /// Records as a list shows them.
    func heads(of calls: [StoredSummary], in store: any CallStore, at now: Timestamp) async throws -> JSONValue {
        let ribbons = try await store.ribbons(of: calls.map(\.summary.key), parts: StoredSummary.ribbonParts)
        for call in calls {
            let damage = call.damage + (ribbons[call.summary.key]?.damage ?? [])
            await note(damage, of: call.summary.key)
        }
        return .array(calls.map { $0.head(at: now, ribbon: ribbons[$0.summary.key]) })
    }

    /// Tells the collector of what cannot be understood; of the rest, which is nearly all, it need not hear.
    func note(_ damage: [RecordDamage], of key: CallKey) async {
        guard !damage.isEmpty else { return }
        await collector.noteDamage(damage, of: key)
    }

    /// Removes a call, whichever server took it; of a session's id, as in any other request, its calls.
    /// - Throws: ``APIError`` 404 for a call that is not there, 410 for one that was; ``SharedStoreError``.
    /// - Returns: how many records there were.
    func erase(_ identity: CallIdentity, now: Timestamp) async throws -> Int {
        // What all servers took comes first: what is erased here is erased there, too, when it is shipped, and would leave
        // nothing to be found.
        var (shared, fault) = (0, SharedStoreError?.none)
        do {
            shared =
                try await stores.readShared { store in
                    var erased = 0
                    for call in try await store.calls(named: identity) {
                        erased += try await store.erase(call, now: now)
                    }
                    return erased
                } ?? 0
        } catch let error as SharedStoreError {
            fault = error
        }
        var own = 0
        for call in try await stores.own.calls(named: identity) { own += try await collector.erase(call) }
        // What was erased here is shipped when that can be reached again.
        if let fault, own == 0 { throw fault }
        guard own == 0, shared == 0 else { return max(own, shared) }
        let wasHere = try await !stores.own.records(of: identity).isEmpty
        let wasThere = try await stores.readShared { try await !$0.records(of: identity).isEmpty } ?? false
        throw wasHere || wasThere ? APIError.evictedCall(identity.call) : .unknownCall(identity.call)
    }

    /// - Returns: `nil` for a call that the store never had.
    private func found(_ selection: CallSelection, in store: any CallStore, isOwn: Bool) async throws -> Found? {
        let all = try await store.summaries(named: selection.identity)
        guard !all.isEmpty else {
            guard try await store.records(of: selection.identity).isEmpty else {
                throw APIError.evictedCall(selection.identity.call)
            }
            return nil
        }
        let selected = all.filter { selection.includes($0.summary.key) }
        guard !selected.isEmpty else { throw Self.noSuchRecord(selection, among: all) }
        guard selected.count <= Self.mostRecords else { throw Self.tooManyRecords(selected.count) }
        return Found(store: store, isOwn: isOwn, summaries: selected)
    }

    private func settle(_ identity: CallIdentity) async throws {
        try await collector.settleIfPossible(identity)
        for claim in try await stores.own.standing(of: identity).claims {
            try await collector.settleIfPossible(claim.key.identity)
        }
    }

    /// An answer about a call has at most so many records, as a page of a list; a conference may have more.
    private static let mostRecords = 1_000
    /// So many of them an error names.
    private static let mostNamed = 5

    private static func tooManyRecords(_ count: Int) -> APIError {
        APIError(
            .badRequest, "bad_parameter",
            "this is about \(count) records, of which an answer has at most \(mostRecords); "
                + "choose by observer and attempt")
    }

    private static func noSuchRecord(_ selection: CallSelection, among all: [StoredSummary]) -> APIError {
        let named = all.count > mostNamed + 1 ? all.prefix(mostNamed) : all[...]
        let there = named.map { "observer \"\($0.summary.key.observer.rawValue)\" attempt \($0.summary.key.attempt)" }
        let more = all.count > named.count ? ["and \(all.count - named.count) more"] : []
        return APIError(
            .notFound, "unknown_record",
            "the call has no such record; it has \((there + more).joined(separator: ", "))")
    }
}

extension CallSummary {
    /// About how many intervals, scores and events there are of it, at most.
    var mostRows: Int { dataQuality.reports * (streams.count + 1) + dataQuality.events }
}
