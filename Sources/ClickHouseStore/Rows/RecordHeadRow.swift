import CallModel

/// What a commit must know of a record that is there, or was.
struct RecordHeadRow: Hashable, Sendable {
    var key: CallKey
    /// The store's running number of the record.
    var number: Int64
    /// Grows with every row that is written of the record.
    var version: UInt64
    /// A tombstone.
    var isDeleted: Bool
    /// A tombstone of what somebody erased. What went by the limits has another.
    var isErased: Bool
    /// Whether nothing is left of it, because its facts belong to other attempts. A node may go on to write to it.
    var isEmptied: Bool
    var start: Int64
    var lastActivity: Int64
    /// ``CallSummary/closedAt``.
    var closedAt: Int64?
    var isDirty: Bool
    var standsAlone: Bool
    /// Which derived rows are its; earlier ones have another.
    var generation: UInt64
    /// Whether it is what all nodes took, put together, and no node wrote to it since.
    var isMerged: Bool
    /// How many facts there are.
    var facts: UInt64
    /// See ``JoinedEvents``.
    var joined: String

    static let selection = """
        tenant, call_id, attempt, observer, number, ver, deleted, start_ms, last_ms, end_ms, dirty, stands_alone,
        generation, merged, facts, joined
        """

    init(_ row: inout RowBinaryReader) throws {
        key = try row.callKey()
        number = try row.int64()
        version = try row.uint64()
        let state = try row.uint8()
        (isErased, isEmptied) = (state == Self.erased, state == Self.emptied)
        isDeleted = state == Self.evicted || isErased
        start = try row.int64()
        lastActivity = try row.int64()
        closedAt = try row.nullable { try $0.int64() }
        isDirty = try row.bool()
        standsAlone = try row.bool()
        generation = try row.uint64()
        isMerged = try row.bool()
        facts = try row.uint64()
        joined = try row.string()
    }

    private static let evicted: UInt8 = 1
    private static let emptied: UInt8 = 2
    private static let erased: UInt8 = 3

    /// A condition on `records`: a tombstone.
    static let isTombstone = "deleted IN (\(evicted), \(erased))"
    /// A condition on `records`: a tombstone of what somebody erased.
    static let isOfErased = "deleted = \(erased)"

    /// What the column `deleted` holds: 0 for a record that is there.
    var state: UInt8 { isErased ? Self.erased : isDeleted ? Self.evicted : isEmptied ? Self.emptied : 0 }

    /// Whether an event ended the call. Where its probe only stopped to watch, that was after the rest.
    var hasEnded: Bool { closedAt.map { $0 <= lastActivity } ?? false }

    /// Whether it is there.
    var isThere: Bool { state == 0 }

    /// A record of which nothing is stored yet.
    init(new key: CallKey, number: Int64) {
        self.key = key
        self.number = number
        (version, generation, facts, joined) = (0, 0, 0, "")
        (isDeleted, isErased, isEmptied, isMerged, isDirty, standsAlone) = (false, false, false, false, false, false)
        (start, lastActivity, closedAt) = (0, 0, nil)
    }
}

extension RecordHead {
    /// A record that claims a session has its times from the claim: those of the facts under its own id.
    init(_ row: RecordHeadRow, claim: SessionClaim?) {
        self.init(
            key: row.key, start: claim?.start ?? Timestamp(milliseconds: row.start),
            lastActivity: claim?.lastActivity ?? Timestamp(milliseconds: row.lastActivity),
            hasEnded: claim.map { $0.endedAt != nil } ?? row.hasEnded, isEvicted: row.isDeleted,
            isDirty: row.isDirty && !row.isDeleted)
    }
}
