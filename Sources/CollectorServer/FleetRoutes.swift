import CallModel
import CallReport
import Collector
import Hummingbird

/// Many calls at a glance.
struct FleetRoutes: Sendable {
    let reader: CallReader
    let clock: @Sendable () -> Timestamp

    /// Of so many the heads are shown.
    private static let worstCalls = 5

    var endpoints: [Endpoint] {
        [Endpoint(.get, "/v1/fleet", .needs(.read), "many calls at a glance", handler: fleet)]
    }

    private func fleet(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let now = clock()
        let parameters = try QueryParameters(request, names: CallFilterParameters.names)
        let filter = try CallFilterParameters.filter(parameters, tenant: try context.tenant, now: now)
        var (members, worst) = try await reader.stores.readAll { store in
            let fleet = try await store.fleet(filter)
            for (key, damage) in fleet.damage { await reader.note([damage], of: key) }
            let worst = try await Self.worst(of: filter, in: store)
            return (JSONFleet(fleet).members, try await reader.heads(of: worst, in: store, at: now))
        }
        members["from"] = JSONValue(filter.startedFrom)
        members["to"] = JSONValue(filter.startedBefore)
        members["worst"] = worst
        return Response(json: .object(members))
    }

    /// The records with the worst stretches, those without a score left out.
    private static func worst(of filter: CallFilter, in store: any CallStore) async throws -> [StoredSummary] {
        guard filter.isScored != false else { return [] }
        var filter = filter
        filter.isScored = true
        return try await store.calls(CallQuery(filter, sort: .worstStretch, limit: worstCalls)).calls
    }
}
