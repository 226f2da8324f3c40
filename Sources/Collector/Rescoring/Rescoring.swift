public import CallModel
import CallQuality

/// Derives stored records anew that earlier rules derived, the latest first.
///
/// Each record is one transaction, so whoever reads sees all of a record by the one rules or all of it by the others.
/// What is done stays done: run again, it goes on with those that are left.
public struct Rescoring: Sendable {
    private let collector: CallCollector
    private let store: any CallStore
    private let query: RescoreQuery

    /// Records whose keys are held at a time.
    private static let page = 500

    /// - Parameters:
    ///   - collector: does the work, between submissions.
    ///   - store: the collector's store.
    ///   - calls: only these; empty for all.
    public init(collector: CallCollector, store: any CallStore, calls: Set<CallIdentity> = []) {
        self.collector = collector
        self.store = store
        query = Self.query(calls: calls)
    }

    /// The records that this program's rules did not derive.
    public static func query(calls: Set<CallIdentity> = []) -> RescoreQuery {
        RescoreQuery(rulesVersion: ScoreModel.rulesVersion, calls: calls)
    }

    /// How many records are left.
    /// - Throws: what the store throws.
    public func left() async throws -> Int {
        try await store.countOutdated(query)
    }

    /// Goes through all that are left, each once.
    ///
    /// A record that cannot be derived costs no other: it is counted, and stays as it was.
    /// - Parameter progress: is told what was done after every record.
    /// - Returns: what was done; when the task is cancelled or the collector closes, up to then.
    /// - Throws: ``CallStoreError`` when the store cannot say what is left.
    public func run(progress: (RescoreTally) -> Void = { _ in }) async throws -> RescoreTally {
        var tally = RescoreTally()
        var last: Int64?
        while case let page = try await store.outdatedRecords(query, before: last, limit: Self.page), !page.isEmpty {
            for record in page {
                guard !Task.isCancelled else { return tally }
                do {
                    tally.count(record, now: try await collector.rescore(record.key))
                } catch CollectorError.closing {
                    return tally
                } catch {
                    tally.count(record, failure: "\(error)")
                }
                progress(tally)
            }
            last = page.last?.number
        }
        return tally
    }
}
