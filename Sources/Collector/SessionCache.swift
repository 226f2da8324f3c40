import CallModel
import CallQuality

/// The folds of the calls that are going on, least recently used ones forgotten first.
///
/// They are kept as archives: that is what a live call takes of memory.
struct SessionCache {
    /// A record's fold as it is kept, and what goes with it.
    struct Entry {
        fileprivate var archive: [UInt8]
        /// The names and sessions of the record.
        var links: RecordLinks
        /// Commits since the store had the fold; it catches up from the facts that came since.
        var commitsSinceStored: Int
        fileprivate var lastUse: UInt64

        /// The fold.
        var session: CallSession? { CallSession(archived: archive) }
    }

    private var entries: [CallKey: Entry] = [:]
    private var uses: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    mutating func entry(of key: CallKey) -> Entry? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]
    }

    /// Keeps a fold, with the names and sessions of its record.
    mutating func keep(_ archive: [UInt8], of key: CallKey, links: RecordLinks, commitsSinceStored: Int) {
        uses += 1
        entries[key] = Entry(archive: archive, links: links, commitsSinceStored: commitsSinceStored, lastUse: uses)
        if entries.count > capacity { forgetOldest() }
    }

    mutating func forget(_ key: CallKey) {
        entries[key] = nil
    }

    mutating func forget(_ identity: CallIdentity) {
        entries = entries.filter { $0.key.identity != identity }
    }

    /// Makes room for a quarter, so that the search is rare.
    private mutating func forgetOldest() {
        let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(max(1, capacity / 4))
        for (key, _) in oldest { entries[key] = nil }
    }
}
