package import CallModel

/// What was read for one record and serves the next: the records of a call show each other.
package struct KnownRecords: Sendable {
    /// All records of calls.
    package private(set) var summaries: [CallIdentity: [StoredSummary]] = [:]
    /// The time series of ``CallRecord/others``.
    package var intervals: [CallKey: [MediaInterval]] = [:]

    package init() {}

    /// Takes in all records of a call, in the order of a report: each record of it has them beside it, in this order.
    package mutating func learn(_ records: [StoredSummary], of call: CallIdentity) {
        summaries[call] = records.sorted { CallSummary.areInReportOrder($0.summary, $1.summary) }
    }

    /// All records of these calls, as far as they are known.
    package func summaries(of calls: Set<CallIdentity>) -> [StoredSummary] {
        // Of one call, as of most, nothing is copied.
        if calls.count == 1, let call = calls.first { return summaries[call] ?? [] }
        return calls.flatMap { summaries[$0] ?? [] }
    }
}
