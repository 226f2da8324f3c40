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
        for (identity, standing) in transaction.standings {
            let records = changed[identity] ?? []
            let isPlain =
                standing.claims.isEmpty
                && transaction.records.values.allSatisfy {
                    $0.key.identity != identity || $0.currentLinks.claims.isEmpty
                }
            guard isPlain else {
                entries[identity] = nil
                continue
            }
            var heads = Dictionary(standing.heads.map { ($0.key, $0) }) { first, _ in first }
            for change in records { heads[change.key] = RecordHead(of: change) }
            let received = records.map(\.summary.lastReceivedAt).max() ?? entries[identity]?.lastReceivedAt
            entries[identity] = received.map {
                Entry(
                    heads: heads.values.sorted {
                        ($0.key.attempt, $0.key.observer.rawValue) < ($1.key.attempt, $1.key.observer.rawValue)
                    }, lastReceivedAt: $0)
            }
        }
        for claim in changes.flatMap(\.claims) { entries[claim.session] = nil }
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
                && !entry.heads.contains(where: \.hasEnded)
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
