import CallModel
import CallReport
import Collector
import Hummingbird

/// Reports of calls, for people and for programs.
struct ReportRoutes: Sendable {
    let reader: CallReader
    let limits: IngestLimits
    let clock: @Sendable () -> Timestamp

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/v1/calls/{callId}", .needs(.read), "what is known of a call", handler: detail),
            Endpoint(
                .get, "/v1/calls/{callId}/report", .needs(.read), "a call's report, format=text or json",
                handler: report),
        ]
    }

    private func detail(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let selection = try CallSelection(request, context, limits)
        let now = clock()
        var records: [JSONValue] = []
        for stored in try await reader.summaries(selection) {
            let ties = try await reader.store.ties(of: stored.summary.key)
            records.append(JSONSummary(stored.summary, at: now, isDirty: stored.isDirty, ties: ties).value)
        }
        return .records(of: selection, records)
    }

    private func report(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["format"])
        let format = try parameters.choice("format", of: ReportFormat.self) ?? .text
        let selection = try CallSelection(try context.identity(limits), parameters)
        switch format {
        case .json: return .records(of: selection, try await reports(of: selection).map(\.value))
        case .text: return Response(text: try await text(of: selection))
        }
    }

    private func reports(of selection: CallSelection) async throws -> [JSONReport] {
        let now = clock()
        return try await reader.records(selection).map { JSONReport($0, at: now) }
    }

    /// The reports of all selected records, one after another with a rule between.
    private func text(of selection: CallSelection) async throws -> String {
        let now = clock()
        let style = TextStyle(columns: 80, isColoured: false)
        return TextReport.render(try await reader.records(selection), at: now, style: style)
    }
}
