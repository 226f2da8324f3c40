import CallModel
import CallReport
import Collector
import Crypto
import Foundation
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
                .get, "/v1/calls/{callId}/report", .needs(.read), "a call's report, format=text, json or html",
                handler: report),
        ]
    }

    private func detail(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let selection = try CallSelection(request, context, limits)
        let now = clock()
        return try await reader.read(selection) { found in
            var records: [JSONValue] = []
            for stored in found.summaries {
                let ties = try await found.store.ties(of: stored.summary.key)
                let summary = JSONSummary(
                    stored.summary, at: now, isDirty: stored.isDirty, ties: ties, damage: stored.damage)
                records.append(summary.value)
            }
            return .records(of: selection, records)
        }
    }

    private func report(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["format"])
        let format = try parameters.choice("format", of: CallReportFormat.self) ?? .text
        let selection = try CallSelection(try context.identity(limits), parameters)
        switch format {
        case .json: return .records(of: selection, try await reports(of: selection).map(\.value))
        case .text: return Response(text: try await text(of: selection))
        case .html: return Response(report: HTMLReport(try await reader.records(selection), at: clock()))
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

extension Response {
    /// A report for browsers, in which just its own script may run and nothing may be fetched.
    fileprivate init(report: HTMLReport) {
        self.init(text: report.render(), type: "text/html; charset=utf-8")
        headers[.contentSecurityPolicy] = Self.reportPolicy
    }

    private static let reportPolicy =
        "default-src 'none'; script-src \(source(of: HTMLReport.script)); style-src \(source(of: HTMLReport.style)); "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// How a policy names an inline script or style ([CSP 3 §2.3.1](https://www.w3.org/TR/CSP3/#framework-directive-source-list)).
    private static func source(of text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}
