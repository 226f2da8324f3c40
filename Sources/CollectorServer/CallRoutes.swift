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
        let (calls, next) = try await reader.stores.readAll { store in
            let page = try await store.calls(query)
            return (try await reader.heads(of: page.calls, in: store, at: now), page.next)
        }
        let spelling = next.map { CallListParameters.spelling(of: $0, sort: query.sort) }
        return Response(json: ["calls": calls, "next": spelling.map(JSONValue.string) ?? .null])
    }

    private func series(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["points"])
        let points = try parameters.integer("points", in: 1...100_000)
        let selection = try CallSelection(try context.identity(limits), parameters)
        return try await records(of: selection, rows: \.mostRows) { stored, store in
            // Evicted between the two reads: what is gone is not shown.
            guard let series = try await store.series(of: stored.summary.key) else { return nil }
            await reader.note(series.damage, of: stored.summary.key)
            return { (points.map { JSONCallSeries(series, points: $0) } ?? JSONCallSeries(series)).members }
        }
    }

    private func facts(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["at"])
        let moment = try parameters.moment("at")
        let selection = try CallSelection(try context.identity(limits), parameters)
        return try await records(of: selection, rows: { _ in Self.mostConnections }) { stored, store in
            let key = stored.summary.key
            let facts = try await store.factsWithSessions(of: key, at: moment, limit: Self.mostConnections)
            await reader.note(facts.damage, of: key)
            return { JSONFacts(facts).members }
        }
    }

    /// Of so many connections the reports are shown.
    private static let mostConnections = 16

    private func events(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let selection = try CallSelection(request, context, limits)
        return try await records(of: selection, rows: \.dataQuality.events) { stored, store in
            let events = try await store.events(of: stored.summary.key)
            await reader.note(events.damage, of: stored.summary.key)
            let told = stored.summary.dataQuality.clock?.putRight(events.value) ?? events.value
            return {
                [
                    "events": .array(told.map { JSONEvent($0, createdAt: stored.summary.createdAt).value }),
                    "damage": JSONDamage(events.damage).value,
                ]
            }
        }
    }

    /// The answer to a question about records of one call: an object a record, with the members that are made of what
    /// `reading` found of it.
    private func records(
        of selection: CallSelection, rows: (CallSummary) -> Int,
        reading: (StoredSummary, any CallStore) async throws -> (@Sendable () -> JSONObject)?
    ) async throws -> Response {
        try await reader.show(selection, rows: rows) { found in
            var records: [@Sendable () -> JSONValue] = []
            for stored in found.summaries {
                guard let members = try await reading(stored, found.store) else { continue }
                records.append { stored.summary.key.record(with: members()) }
            }
            return records
        } showing: { records in
            .records(of: selection, records.map { $0() })
        }
    }

    private func erase(_ request: Request, _ context: CollectorContext) async throws -> Response {
        _ = try QueryParameters(request, names: [])
        let identity = try context.identity(limits)
        let records = try await reader.erase(identity, now: clock())
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
