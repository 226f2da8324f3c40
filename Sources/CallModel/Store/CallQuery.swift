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
        /// Lowest ``CallSummary/worstScore`` first; records without one come last.
        case worstStretch
        /// Longest ``CallOutline/setupMilliseconds`` first; records without one come last.
        case slowestSetup
        /// Longest ``CallOutline/durationMilliseconds`` first.
        case longest
        /// Latest heard of first, by the collector's clock.
        case active
    }

    /// Which records are listed.
    public var filter: CallFilter
    /// The order of the list.
    public var sort: Sort
    /// 1...1000.
    public var limit: Int
    /// Continue after the page that gave this cursor.
    public var cursor: CallCursor?

    public init(_ filter: CallFilter, sort: Sort = .newest, limit: Int = 50) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
    }

    public init(tenant: TenantID = .default, sort: Sort = .newest, limit: Int = 50, now: Timestamp) {
        self.init(CallFilter(tenant: tenant, now: now), sort: sort, limit: limit)
    }
}

/// Where a page ended: the sort value and running number of its last record.
///
/// Pages stay consistent while calls arrive: nothing is shown twice or skipped for a new call.
public struct CallCursor: Hashable, Sendable {
    /// Start in ms, a length in ms, or a score; −1 stands for "none".
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
