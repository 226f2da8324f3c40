import CallModel
import ClientStats
import Collector
import Hummingbird

/// Where clients and probes post what they saw.
struct IngestRoutes: Sendable {
    typealias Parser = @Sendable ([UInt8], ParsingContext) throws(ClientStatsError) -> ParsedBody

    let collector: CallCollector
    let body: IngestBody
    let addresses: AddressPolicy
    let clock: @Sendable () -> Timestamp

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, "/v1/calls/{callId}/stats", .needs(.ingest), "take a statistics report") {
                request, context in
                try await accept(request, context, of: try context.call(body.limits), parsing: StatsBody.parse)
            },
            Endpoint(.post, "/v1/calls/{callId}/events", .needs(.ingest), "take events of one call") {
                request, context in
                try await accept(request, context, of: try context.call(body.limits), parsing: EventsBody.parse)
            },
            Endpoint(.post, "/v1/events", .needs(.ingest), "take events that name their calls") { request, context in
                try await accept(request, context, of: nil, parsing: EventsBody.parse)
            },
            Endpoint(.post, "/v1/wire", .needs(.ingest), "take what probes saw of calls on the wire") {
                request, context in
                try await accept(request, context, of: nil, parsing: WireBody.parse)
            },
        ]
    }

    /// Answers only after everything it says was accepted has been committed.
    private func accept(
        _ request: Request, _ context: CollectorContext, of call: CallID?, parsing parse: Parser
    ) async throws -> Response {
        let tenant = try context.tenant
        let parameters = try QueryParameters(request, names: ["observer"])
        let observer = try request.observer(parameters, body.limits)
        return try await body.read(request, of: tenant) { bytes in
            let parsed: ParsedBody
            let context = ParsingContext(
                tenant: tenant, call: call, observer: observer, receivedAt: clock(), addresses: addresses,
                limits: body.limits.contents)
            do throws(ClientStatsError) {
                parsed = try parse(bytes, context)
            } catch {
                throw APIError(HTTPResponse.Status(refusal: error.reason), error.reason.rawValue, "\(error)")
            }
            // What waits for the writer counts as held until it is stored.
            let outcomes = parsed.submissions.isEmpty ? [] : try await collector.submit(parsed.submissions)
            let receipt = Receipt(of: parsed, outcomes: outcomes)
            body.meter.reject(receipt.refused)
            return try receipt.response()
        }
    }
}
