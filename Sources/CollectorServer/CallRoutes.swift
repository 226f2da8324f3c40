import CallModel
import CallReport
import Collector
import Hummingbird
import Logging

/// Finding calls, reading what is stored of them, and erasing them.
struct CallRoutes: Sendable {
    let reader: CallReader
    let limits: IngestLimits
    let clock: @Sendable () -> Timestamp

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/v1/calls", .needs(.read), "list calls", handler: list),
            Endpoint(
                .get, "/v1/calls/{callId}/series", .needs(.read), "a call's time series and scores", handler: series),
            Endpoint(
                .get, "/v1/calls/{callId}/facts", .needs(.read), "what was reported last at a moment", handler: facts),
            Endpoint(.get, "/v1/calls/{callId}/events", .needs(.read), "a call's events", handler: events),
            Endpoint(.delete, "/v1/calls/{callId}", .needs(.admin), "erase a call", handler: erase),
        ]
    }

    private func list(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let now = clock()
        let query = try CallListParameters.query(of: request, tenant: try context.tenant, now: now)
        let page = try await reader.store.calls(query)
        let next = page.next.map { CallListParameters.spelling(of: $0, sort: query.sort) }
        return Response(json: [
            "calls": try await reader.store.heads(of: page.calls, at: now),
            "next": next.map(JSONValue.string) ?? .null,
        ])
    }

    private func series(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["points"])
        let points = try parameters.integer("points", in: 1...100_000)
        let selection = try CallSelection(try context.identity(limits), parameters)
        var records: [JSONValue] = []
        for key in try await reader.summaries(selection).map(\.summary.key) {
            // Evicted between the two reads: what is gone is not shown.
            guard let series = try await reader.store.series(of: key) else { continue }
            let json = points.map { JSONCallSeries(series, points: $0) } ?? JSONCallSeries(series)
            records.append(key.record(with: json.members))
        }
        return .records(of: selection, records)
    }

    private func facts(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["at"])
        let moment = try parameters.moment("at")
        let selection = try CallSelection(try context.identity(limits), parameters)
        var records: [JSONValue] = []
        for key in try await reader.summaries(selection).map(\.summary.key) {
            let facts = try await reader.store.facts(of: key, at: moment, limit: Self.mostConnections)
            records.append(key.record(with: JSONFacts(facts).members))
        }
        return .records(of: selection, records)
    }

    /// Of so many connections the reports are shown.
    private static let mostConnections = 16

    private func events(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let selection = try CallSelection(request, context, limits)
        var records: [JSONValue] = []
        for stored in try await reader.summaries(selection) {
            let key = stored.summary.key
            let events = try await reader.store.events(of: key)
            let rows = events.map { JSONEvent($0, createdAt: stored.summary.createdAt).value }
            records.append(key.record(with: ["events": .array(rows)]))
        }
        return .records(of: selection, records)
    }

    private func erase(_ request: Request, _ context: CollectorContext) async throws -> Response {
        _ = try QueryParameters(request, names: [])
        let identity = try context.identity(limits)
        let records = try await reader.collector.erase(identity)
        guard records > 0 else { throw try await reader.absence(of: identity) }
        // For audits: who and how much, but not which call, for then the log would tell what nobody shall know.
        context.logger.notice("a call was erased", metadata: ["records": "\(records)", "token": "\(context.token)"])
        return Response(status: .noContent)
    }
}

extension Response {
    /// The answer to a question about records of one call.
    static func records(of selection: CallSelection, _ records: [JSONValue]) -> Response {
        Response(json: ["callId": .string(selection.identity.call.rawValue), "records": .array(records)])
    }
}

extension CallKey {
    /// An object that names the record and carries `members`.
    func record(with members: JSONObject) -> JSONValue {
        var members = members
        members["callId"] = .string(identity.call.rawValue)
        members["observer"] = .string(observer.rawValue)
        members["attempt"] = .integer(Int64(attempt))
        return .object(members)
    }
}
