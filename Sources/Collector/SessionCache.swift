import CallModel
import CallQuality

/// A fold between two commits: its archive, and what must be known of it before it is taken up.
struct KeptFold: Sendable {
    let archive: [UInt8]
    /// The key of the last fact that it has; `nil` when it has none.
    let watermark: FactKey?

    init(_ session: CallSession) {
        archive = session.archived()
        watermark = session.watermark
    }

    /// - Returns: `nil` when this program cannot go on from the archive.
    init?(archive: [UInt8]) {
        guard let session = CallSession(archived: archive) else { return nil }
        self.archive = archive
        watermark = session.watermark
    }

    /// The fold; there is one of whatever this program archived.
    var session: CallSession? { CallSession(archived: archive) }
}

/// The folds of the calls that are going on, least recently used ones forgotten first.
///
/// They are kept as archives: that is what a live call takes of memory.
struct SessionCache {
    /// A record's fold as it is kept, and what goes with it.
    struct Entry {
        /// The fold.
        var fold: KeptFold
        /// The names and sessions of the record.
        var links: RecordLinks
        /// Commits since the store had the fold; it catches up from the facts that came since.
        var commitsSinceStored: Int
        fileprivate var lastUse: UInt64
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
    mutating func keep(_ fold: KeptFold, of key: CallKey, links: RecordLinks, commitsSinceStored: Int) {
        uses += 1
        entries[key] = Entry(fold: fold, links: links, commitsSinceStored: commitsSinceStored, lastUse: uses)
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
