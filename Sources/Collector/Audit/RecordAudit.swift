public import CallModel
import CallQuality

/// Derives stored records anew and holds what comes out against what is stored, without changing anything.
public struct RecordAudit: Sendable {
    /// What came of one record.
    public enum Finding: Hashable, Sendable {
        /// What is stored is what follows from the facts.
        case same
        /// Facts wait to be folded in, other rules derived it, or it is written to all the time: there is nothing to hold it
        /// against.
        case notDue
        /// What differs.
        case different([String])
        /// Why it cannot be derived.
        case failed(String)
    }

    private let store: any CallStore
    private let unlikeSummary: @Sendable (CallKey) async throws -> [String]
    /// A record that is being written to is read again so often.
    private static let attempts = 5
    private static let page = 500

    /// - Parameters:
    ///   - store: may be open for reading only.
    ///   - unlikeSummary: names what the store keeps of a record beside its summary that should say the same, and does
    ///     not.
    public init(
        store: any CallStore, unlikeSummary: @escaping @Sendable (CallKey) async throws -> [String] = { _ in [] }
    ) {
        self.store = store
        self.unlikeSummary = unlikeSummary
    }

    /// All records, the latest first.
    /// - Parameter most: so many at most.
    /// - Returns: their keys.
    /// - Throws: ``CallStoreError``.
    public func records(most: Int) async throws -> [CallKey] {
        // No rules have this version, so all records have others.
        let all = RescoreQuery(rulesVersion: -1)
        var keys: [CallKey] = []
        var last: Int64?
        while keys.count < most,
            case let page = try await store.outdatedRecords(all, before: last, limit: min(Self.page, most - keys.count)),
            !page.isEmpty
        {
            keys += page.map(\.key)
            last = page.last?.number
        }
        return keys
    }

    /// Holds one record against its facts.
    public func check(_ key: CallKey) async -> Finding {
        do {
            for _ in 0..<Self.attempts {
                guard let stored = try await stored(key) else { return .notDue }
                let finding = try await compare(key, as: stored)
                // While somebody writes, two reads may see two states: what differs counts where nobody did.
                if finding == .same { return finding }
                if try await self.stored(key) == stored { return finding }
            }
            return .notDue
        } catch {
            return .failed("\(error)")
        }
    }

    /// The summary of a record that can be held against its facts.
    private func stored(_ key: CallKey) async throws -> StoredSummary? {
        let stored = try await store.summaries(of: key.identity).first { $0.summary.key == key }?.whole()
        return stored.flatMap { !$0.isDirty && $0.summary.rulesVersion == ScoreModel.rulesVersion ? $0 : nil }
    }

    private func compare(_ key: CallKey, as stored: StoredSummary) async throws -> Finding {
        let facts = try await store.facts(of: key)
        var linker = SessionLinker(store: store)
        let part = try await linker.part(of: key)
        guard let change = RecordWriter.refold(key, facts: facts, part: part) else {
            return .different(["it has no facts"])
        }
        guard case .replace(let intervals, let scores) = change.derived else { return .same }
        var differences: [String] = []
        if change.summary != stored.summary { differences.append("summary") }
        if try await Set(store.intervals(of: key)) != Set(intervals) { differences.append("intervals") }
        for series in [ScoreInterval.Series.live, .window] {
            let wanted = scores.filter { $0.series == series }
            if try await Set(store.scores(of: key, series: series)) != Set(wanted) {
                differences.append(series == .live ? "scores" : "scores of windows")
            }
        }
        differences += try await unlikeSummary(key)
        return differences.isEmpty ? .same : .different(differences)
    }
}
