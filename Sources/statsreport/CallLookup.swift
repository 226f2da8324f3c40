import CallModel

/// Finds the records that an identifier on the command line stands for.
struct CallLookup {
    var call: String
    /// Only what this end saw; `nil`: all of them.
    var observer: String?
    /// Which use of the identifier, from 1; `nil`: the last.
    var attempt: Int?
    /// The file, for messages, and whose calls.
    var database: DatabaseOptions

    /// In the order of a report, at least one.
    /// - Throws: ``ReportError`` when there is none.
    func summaries(in store: any CallStore) async throws -> [CallSummary] {
        let identity = CallIdentity(tenant: TenantID(rawValue: database.tenant), call: CallID(rawValue: call))
        let found = try await store.summaries(named: identity).map(\.summary)
        guard !found.isEmpty else { throw try await missing(identity, in: store) }
        let wanted = selected(from: found)
        guard !wanted.isEmpty else { throw ReportError.noSuchRecord(call, records: Self.names(found)) }
        return wanted
    }

    /// What tells the records of one call apart, for messages; in an order that no fact changes that is still to be folded.
    static func names(_ summaries: [CallSummary]) -> [String] {
        summaries.sorted { ($0.key.attempt, $0.key.observer.rawValue) < ($1.key.attempt, $1.key.observer.rawValue) }
            .map { "\($0.key.observer.rawValue) attempt \($0.key.attempt)" }
    }

    private func selected(from summaries: [CallSummary]) -> [CallSummary] {
        let seen = summaries.filter { observer == nil || $0.key.observer.rawValue == observer }
        // The id of a session stands for several calls.
        let last = Dictionary(grouping: seen, by: \.key.identity).compactMapValues { $0.map(\.key.attempt).max() }
        return seen.filter { $0.key.attempt == attempt ?? last[$0.key.identity] }
    }

    private func missing(_ identity: CallIdentity, in store: any CallStore) async throws -> ReportError {
        if try await store.records(of: identity).contains(where: \.isEvicted) {
            return .removedCall(call, database: database.place)
        }
        let filter = CallFilter(tenant: identity.tenant, now: Timestamp(milliseconds: 0))
        return .noSuchCall(
            call, tenant: identity.tenant, database: database.place, records: try await store.fleet(filter).calls,
            like: try await like(identity, in: store))
    }

    /// The ids that have this one in them, as a list cut short or another case has it; none where they are many.
    private func like(_ identity: CallIdentity, in store: any CallStore) async throws -> [String] {
        var filter = CallFilter(tenant: identity.tenant, now: Timestamp(milliseconds: 0))
        filter.text = call
        let found = try await store.calls(CallQuery(filter, limit: Self.mostRecordsLike)).calls
        let calls = Set(found.map(\.summary.key.identity.call.rawValue))
        return found.count < Self.mostRecordsLike && calls.count <= Self.mostCallsLike ? calls.sorted() : []
    }

    private static let mostCallsLike = 3
    private static let mostRecordsLike = 20
}
