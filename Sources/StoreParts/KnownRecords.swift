package import CallModel

/// What was read for one record and serves the next: the records of a call show each other.
package struct KnownRecords: Sendable {
    /// All records of calls.
    package var summaries: [CallIdentity: [StoredSummary]] = [:]
    /// The time series of ``CallRecord/others``.
    package var intervals: [CallKey: [MediaInterval]] = [:]

    package init() {}

    /// All records of these calls, as far as they are known.
    package func summaries(of calls: Set<CallIdentity>) -> [StoredSummary] {
        calls.flatMap { summaries[$0] ?? [] }
    }
}
