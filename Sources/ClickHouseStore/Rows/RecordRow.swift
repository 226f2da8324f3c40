import CallModel
import StoreParts

/// A row of `records`, as it is written.
struct RecordRow: Sendable {
    static let table = ClickHouseTable.records

    /// What is kept from one row of the record to the next.
    var head: RecordHeadRow
    private var lastReceivedAt: Int64
    private var rulesVersion: Int64
    private var outline: CallOutline
    private var summary: String

    /// The record after a change.
    init(_ change: RecordChange, over head: RecordHeadRow) throws {
        let summary = change.summary
        self.head = head
        (self.head.isEmptied, self.head.isMerged) = (false, false)
        self.head.start = summary.start.milliseconds
        self.head.lastActivity = summary.lastActivity.milliseconds
        self.head.closedAt = summary.closedAt?.milliseconds
        self.head.isDirty = change.isDirty
        lastReceivedAt = summary.lastReceivedAt.milliseconds
        rulesVersion = Int64(summary.rulesVersion)
        outline = CallOutline(summary)
        self.summary = StoredJSON.text(of: summary)
        if let share = change.share {
            self.head.standsAlone = share.standsAlone
            self.head.joined = JoinedEvents(share).text
        }
        try check(summary)
    }

    /// What stays of a record that goes: its key, and from when to when it was.
    init(tombstone head: RecordHeadRow, at now: Timestamp, isErased: Bool = false) {
        self.head = head
        (self.head.isDeleted, self.head.isErased) = (true, isErased)
        (self.head.isEmptied, self.head.isMerged) = (false, false)
        (self.head.isDirty, self.head.standsAlone) = (false, false)
        (self.head.facts, self.head.joined) = (0, "")
        lastReceivedAt = now.milliseconds
        rulesVersion = 0
        outline = CallOutline(
            score: nil, worstScore: nil, outcome: .unknown, setupMilliseconds: nil, durationMilliseconds: 0,
            leadingCause: nil, isRelayed: nil)
        summary = ""
    }

    /// What stays of a record whose facts belong to others.
    init(emptied head: RecordHeadRow, version: UInt64) {
        self.init(tombstone: head, at: Timestamp(milliseconds: head.lastActivity))
        (self.head.isDeleted, self.head.isEmptied, self.head.isMerged) = (false, true, true)
        self.head.version = version
    }

    /// The engine has no constraints.
    private func check(_ summary: CallSummary) throws {
        try StoredScores.check([summary.score, summary.worstScore])
        guard summary.lastActivity >= summary.start else {
            throw CallStoreError.refused("a call that is last heard of before it begins cannot be stored")
        }
        guard !summary.key.identity.call.rawValue.isEmpty, summary.key.attempt >= 1 else {
            throw CallStoreError.refused("a call needs an id, and attempts are counted from 1")
        }
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(head.key)
        rows.write(head.number)
        rows.write(head.version)
        rows.write(head.state)
        rows.write(head.start)
        rows.write(head.lastActivity)
        rows.write(lastReceivedAt)
        rows.write(nullable: head.closedAt)
        rows.write(rulesVersion)
        rows.write(head.isDirty)
        rows.write(head.standsAlone)
        rows.write(head.generation)
        rows.write(head.isMerged)
        rows.write(head.facts)
        rows.write(nullable: outline.score.map(UInt8.init(clamping:)))
        rows.write(nullable: outline.worstScore.map(UInt8.init(clamping:)))
        rows.write(outline.outcome.rawValue)
        rows.write(nullable: outline.setupMilliseconds)
        rows.write(outline.durationMilliseconds)
        rows.write(outline.leadingCause?.rawValue ?? "")
        rows.write(nullable: outline.isRelayed.map { UInt8($0 ? 1 : 0) })
        rows.write(array: outline.codecs)
        rows.write(array: outline.issues.map(\.rawValue))
        rows.write(head.joined)
        rows.write(summary)
        rows.write(outline.client ?? "")
    }
}
