import CallModel
import CallReport
import Hummingbird

/// Many calls at a glance.
struct FleetRoutes: Sendable {
    let stores: ShownStores
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
        var (members, worst) = try await stores.readAll { store in
            (
                JSONFleet(try await store.fleet(filter)).members,
                try await store.heads(of: Self.worst(of: filter, in: store), at: now)
            )
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
