import CallModel

/// What the store would say of the calls that are going on, so that it need not be asked for every report.
///
/// Only of calls that have nothing to do with sessions: what others tell of those changes what they are.
struct StandingCache {
    private struct Entry {
        var heads: [RecordHead]
        /// On the collector's clock.
        var lastReceivedAt: Timestamp
    }

    private var entries: [CallIdentity: Entry] = [:]
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    func standing(of identity: CallIdentity) -> CallStanding? {
        entries[identity].map { CallStanding(heads: $0.heads, claims: []) }
    }

    /// Takes in what was committed.
    mutating func note(_ transaction: Transaction, _ changes: [RecordChange]) {
        if entries.count > capacity { entries = [:] }
        let changed = Dictionary(grouping: changes, by: \.key.identity)
        let claiming = Set(transaction.records.values.filter { !$0.currentLinks.claims.isEmpty }.map(\.key.identity))
        for (identity, standing) in transaction.standings {
            let isPlain = standing.claims.isEmpty && !claiming.contains(identity)
            entries[identity] = isPlain ? entry(of: identity, standing.heads, changed[identity] ?? []) : nil
        }
        for claim in changes.flatMap(\.claims) { entries[claim.session] = nil }
    }

    /// - Returns: `nil` for a call that is over: hardly anything comes for it any more.
    private func entry(of identity: CallIdentity, _ known: [RecordHead], _ changes: [RecordChange]) -> Entry? {
        var heads = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
        for change in changes { heads[change.key] = RecordHead(of: change) }
        let received = changes.map(\.summary.lastReceivedAt).max() ?? entries[identity]?.lastReceivedAt
        guard let received, !heads.values.contains(where: \.hasEnded),
            !changes.contains(where: { $0.summary.closedAt != nil })
        else { return nil }
        return Entry(heads: Array(heads.values), lastReceivedAt: received)
    }

    mutating func forget(_ identity: CallIdentity) {
        entries[identity] = nil
    }

    mutating func forgetAll() {
        entries = [:]
    }

    /// Forgets those that may have been evicted: all but the live ones.
    mutating func forgetEvictable(_ retention: Retention, now: Timestamp) {
        entries = entries.filter { _, entry in
            now.milliseconds(since: entry.lastReceivedAt) < retention.silenceLimitMilliseconds
        }
    }
}

extension RecordHead {
    /// The head of a record after a change of it.
    fileprivate init(of change: RecordChange) {
        self.init(
            key: change.key, start: change.summary.start, lastActivity: change.summary.lastActivity,
            hasEnded: change.summary.endedAt != nil, isEvicted: false, isDirty: change.isDirty)
    }
}
