public import CallModel

/// Holds what one store has of records against what another has of them.
public struct StoreComparison: Sendable {
    /// How much was found to be the same.
    public struct Tally: Hashable, Sendable {
        /// Records that were looked at.
        public var records = 0
        /// Their reports and events.
        public var facts = 0
        /// Their rows of derived series.
        public var rows = 0
        /// Records that are not the same there, and what of them is not.
        public var different: [CallKey: [String]] = [:]

        /// Nothing was looked at yet.
        public init() {}
    }

    private let source: any CallStore
    private let target: any CallStore

    /// - Parameters:
    ///   - source: whose records are looked for.
    ///   - target: where; it may hold more.
    public init(of source: any CallStore, with target: any CallStore) {
        self.source = source
        self.target = target
    }

    /// Looks at one record.
    /// - Throws: ``CallStoreError``.
    public func compare(_ key: CallKey, into tally: inout Tally) async throws {
        var differences: [String] = []
        let facts = try await source.facts(of: key)
        if try await target.facts(of: key) != facts { differences.append("facts") }
        let (own, other) = (try await source.series(of: key), try await target.series(of: key))
        if own?.intervals != other?.intervals { differences.append("intervals") }
        if own?.scores != other?.scores || own?.windows != other?.windows { differences.append("scores") }
        if try await Self.stored(key, in: source) != Self.stored(key, in: target) { differences.append("summary") }
        if try await source.events(of: key) != target.events(of: key) { differences.append("events") }
        let (links, others) = (try await source.links(of: key), try await target.links(of: key))
        if links.names != others.names || Set(links.claims) != Set(others.claims) { differences.append("names") }
        tally.records += 1
        tally.facts += facts.count
        tally.rows += own.map { $0.intervals.count + $0.scores.count + $0.windows.count } ?? 0
        if !differences.isEmpty { tally.different[key] = differences }
    }

    private static func stored(_ key: CallKey, in store: any CallStore) async throws -> StoredSummary? {
        try await store.summaries(of: key.identity).first { $0.summary.key == key }
    }
}
