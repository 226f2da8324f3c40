/// What a store has committed and another is yet to be given: a durable spool, seen by whoever ships it.
///
/// Entries are noted in the transaction of the commit and say what changed, not what it is now: a batch is made of what
/// is stored when it is read. So a batch may be given twice, and one that repeats part of another does no harm. What was
/// evicted here is none of the other store's business, what was erased is.
public protocol ChangeOutbox: Sendable {
    /// The next batch, of the records that have waited longest; `nil` when nothing waits.
    ///
    /// Until it is settled the same comes again, with what was noted meanwhile. An erasure comes before all changes and by
    /// itself: what was noted of the call before it is gone, what comes after belongs to another use of its id.
    func nextBatch(_ limit: OutboxLimit) async throws -> OutboxBatch?
    /// Removes what a batch was made of, now that it is stored elsewhere. What was noted meanwhile stays, and so does what
    /// was set aside.
    func settle(_ token: OutboxToken) async throws
    /// Keeps what waits of these records, and what will, out of batches, each for a reason.
    func setAside(_ records: [CallKey: String]) async throws
    /// Has what was set aside come again.
    /// - Returns: of how many records.
    func recall() async throws -> Int
    /// Has all of these records come again, whatever was given of them; those that are not there are passed over.
    func noteAgain(_ keys: some Collection<CallKey> & Sendable) async throws
    /// Removes a call that was erased in the other store, with what waits of it. As ``CallStore/erase(_:now:)``, but the
    /// other store is not told: there the id may be another call's by now.
    /// - Returns: the number of records removed.
    func removeErased(_ identity: CallIdentity, now: Timestamp) async throws -> Int
    /// Counts the attempts of a call from `attempt` on behind those that the other store has, for there that number is of
    /// another call. What went there is noted as gone here. The records wait for a new fold, which their summaries and
    /// folds are to be replaced by at once, for those name the number they had.
    /// - Parameters:
    ///   - identity: the call.
    ///   - attempt: the lowest number that is another's there.
    ///   - others: what the other store has of the call, or had.
    ///   - now: the collector's clock.
    /// - Returns: the records, under their new keys.
    /// - Throws: ``CallStoreError``.
    func renumber(
        _ identity: CallIdentity, from attempt: Int, behind others: [RecordHead], now: Timestamp
    ) async throws -> [CallKey]
    /// The records that were set aside, at most `limit`, the longest first.
    func recordsSetAside(limit: Int) async throws -> [RecordSetAside]
    /// How much waits.
    func figures() async throws -> OutboxFigures
}

/// How much a batch may hold. One record is always given, whatever its size.
public struct OutboxLimit: Hashable, Sendable {
    /// Facts and derived rows, and one for each record.
    public var rows: Int
    /// As ``OutboxFigures/bytes`` counts them.
    public var bytes: Int64

    public init(rows: Int, bytes: Int64) {
        self.rows = rows
        self.bytes = bytes
    }
}

/// What the other store is given in one commit.
public struct OutboxBatch: Hashable, Sendable {
    /// What happened.
    public enum Content: Hashable, Sendable {
        /// Each record once.
        case changes([RecordChange])
        /// A call was erased at this moment of the collector's clock.
        case erasure(CallIdentity, Timestamp)
    }

    /// What the other store is to be told.
    public var content: Content
    /// Records whose rows here cannot be understood: why.
    public var unreadable: [CallKey: String]
    /// To be settled when it is stored.
    public var token: OutboxToken
    /// Whether the limit ended it, and more waits.
    public var isFull: Bool

    public init(
        content: Content, unreadable: [CallKey: String] = [:], token: OutboxToken, isFull: Bool
    ) {
        self.content = content
        self.unreadable = unreadable
        self.token = token
        self.isFull = isFull
    }
}

/// The entries that a batch was made of; means something to the outbox that made it only.
public struct OutboxToken: Hashable, Sendable {
    /// By the number of the record, the last of its entries.
    public var lastEntries: [Int64: Int64]
    /// The entry of an erasure.
    public var erasure: Int64?

    public init(lastEntries: [Int64: Int64] = [:], erasure: Int64? = nil) {
        self.lastEntries = lastEntries
        self.erasure = erasure
    }
}

/// A record that is kept out of batches.
public struct RecordSetAside: Hashable, Sendable {
    /// Which record.
    public var key: CallKey
    /// Why.
    public var reason: String

    public init(key: CallKey, reason: String) {
        self.key = key
        self.reason = reason
    }
}

/// How much waits in an outbox.
public struct OutboxFigures: Hashable, Sendable {
    /// Changes of records, and erasures; those of records set aside are counted, too.
    public var entries: Int
    /// What the facts and rows of ``entries`` take of the database, about.
    public var bytes: Int64
    /// When the oldest of ``entries`` that is not set aside was noted; `nil` when there is none.
    public var oldest: Timestamp?
    /// Records set aside.
    public var recordsSetAside: Int
    /// Entries that were given up to make room, since the outbox was begun.
    public var dropped: Int

    public init(
        entries: Int = 0, bytes: Int64 = 0, oldest: Timestamp? = nil, recordsSetAside: Int = 0, dropped: Int = 0
    ) {
        self.entries = entries
        self.bytes = bytes
        self.oldest = oldest
        self.recordsSetAside = recordsSetAside
        self.dropped = dropped
    }
}
