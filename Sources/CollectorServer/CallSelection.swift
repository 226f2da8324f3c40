import CallModel
import Collector
import Hummingbird

/// Which records of a call a request is about.
struct CallSelection: Sendable {
    let identity: CallIdentity
    /// `nil` for all.
    let observer: ObserverID?
    /// `nil` for all.
    let attempt: Int?

    /// The query parameters that select records.
    static let names = ["observer", "attempt"]

    init(_ identity: CallIdentity, _ parameters: QueryParameters) throws {
        self.identity = identity
        observer = parameters.text("observer").map(ObserverID.init(rawValue:))
        attempt = try parameters.integer("attempt", in: 1...Int.max)
    }

    /// Whether it means a record of its call.
    func includes(_ key: CallKey) -> Bool {
        (observer ?? key.observer) == key.observer && (attempt ?? key.attempt) == key.attempt
    }
}

/// Reads calls so that an answer shows everything that was accepted before it.
struct CallReader: Sendable {
    let collector: CallCollector
    let store: any CallStore

    /// The selected records, at least one, in the order of a report; of a session those of its calls.
    /// - Throws: ``APIError`` 404 for a call or record that is not there, 410 for a call that was.
    func summaries(_ selection: CallSelection) async throws -> [StoredSummary] {
        try await collector.settle(selection.identity)
        for claim in try await store.standing(of: selection.identity).claims {
            try await collector.settle(claim.key.identity)
        }
        let all = try await store.summaries(named: selection.identity)
        guard !all.isEmpty else { throw try await absence(of: selection.identity) }
        let selected = all.filter { selection.includes($0.summary.key) }
        guard !selected.isEmpty else { throw Self.noSuchRecord(selection, among: all) }
        return selected
    }

    /// All that is stored of the selected records.
    func records(_ selection: CallSelection) async throws -> [CallRecord] {
        var records: [CallRecord] = []
        for stored in try await summaries(selection) {
            // Evicted between the two reads: what is gone is not shown.
            guard let record = try await store.record(stored.summary.key) else { continue }
            records.append(record)
        }
        return records
    }

    /// Why a call cannot be shown.
    func absence(of identity: CallIdentity) async throws -> APIError {
        try await store.records(of: identity).isEmpty ? .unknownCall(identity.call) : .evictedCall(identity.call)
    }

    private static func noSuchRecord(_ selection: CallSelection, among all: [StoredSummary]) -> APIError {
        let there = all.map { "observer \"\($0.summary.key.observer.rawValue)\" attempt \($0.summary.key.attempt)" }
        return APIError(
            .notFound, "unknown_record",
            "the call has no such record; it has \(there.joined(separator: ", "))")
    }
}

extension CallSelection {
    /// - Throws: ``APIError`` when the path or the query cannot be read.
    init(
        _ request: Request, _ context: CollectorContext, _ limits: IngestLimits, and names: [String] = []
    ) throws {
        try self.init(try context.identity(limits), try QueryParameters(request, names: Self.names + names))
    }
}
