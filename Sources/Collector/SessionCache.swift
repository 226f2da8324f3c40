import CallModel
import CallQuality

/// The folds of the calls that are going on, least recently used ones forgotten first.
struct SessionCache {
    private struct Entry {
        var session: CallSession
        var links: RecordLinks
        var lastUse: UInt64
    }

    private var entries: [CallKey: Entry] = [:]
    private var uses: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    mutating func session(of key: CallKey) -> (CallSession, RecordLinks)? {
        guard entries[key] != nil else { return nil }
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key].map { ($0.session, $0.links) }
    }

    /// Keeps a fold, with the names and sessions of its record.
    mutating func keep(_ session: CallSession, links: RecordLinks) {
        uses += 1
        entries[session.key] = Entry(session: session, links: links, lastUse: uses)
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
