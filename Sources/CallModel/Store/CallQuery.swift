/// Which call records to list, in what order, and from where on.
public struct CallQuery: Hashable, Sendable {
    /// The order of a list. Each is total: ties are broken by the record's running number.
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        /// Latest start first.
        case newest
        /// Earliest start first.
        case oldest
        /// Lowest ``CallSummary/score`` first; records without a score come last.
        case worst
        /// Highest score first; records without a score come last.
        case best
    }

    /// Whether a call is going on.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case live, ended
    }

    /// Whose calls.
    public var tenant: TenantID
    /// Only calls that started at or after this moment.
    public var startedFrom: Timestamp?
    /// Only calls that started before this moment.
    public var startedBefore: Timestamp?
    /// Only calls with at least this score; leaves out calls without one.
    public var minimumScore: Int?
    /// Only calls with at most this score; leaves out calls without one.
    public var maximumScore: Int?
    /// Only calls that go on, or only those that do not; `nil` for both.
    public var state: State?
    /// Only calls with this outcome; `nil` for all.
    public var outcome: CallOutcome?
    /// Only calls with an issue of this kind; `nil` for all.
    public var issue: IssueKind?
    /// The order of the list.
    public var sort: Sort
    /// 1...1000.
    public var limit: Int
    /// Continue after the page that gave this cursor.
    public var cursor: CallCursor?
    /// The moment `state` refers to.
    public var now: Timestamp

    public init(tenant: TenantID = .default, sort: Sort = .newest, limit: Int = 50, now: Timestamp) {
        self.tenant = tenant
        self.sort = sort
        self.limit = limit
        self.now = now
    }
}

/// Where a page ended: the sort value and running number of its last record.
///
/// Pages stay consistent while calls arrive: nothing is shown twice or skipped for a new call.
public struct CallCursor: Hashable, Sendable {
    /// Start in ms, or score; −1 stands for "no score".
    public var sortValue: Int64
    /// The store's running number of the record.
    public var recordNumber: Int64

    public init(sortValue: Int64, recordNumber: Int64) {
        self.sortValue = sortValue
        self.recordNumber = recordNumber
    }
}

extension CallCursor: CustomStringConvertible, LosslessStringConvertible {
    public var description: String { "\(sortValue).\(recordNumber)" }

    public init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let value = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        self.init(sortValue: value, recordNumber: number)
    }
}

/// A page of a list.
public struct CallPage: Hashable, Sendable {
    /// The records of this page, in order.
    public var calls: [StoredSummary]
    /// `nil` on the last page.
    public var next: CallCursor?

    public init(calls: [StoredSummary], next: CallCursor?) {
        self.calls = calls
        self.next = next
    }
}
