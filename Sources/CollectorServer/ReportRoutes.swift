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
        return try await reader.show(selection, rows: { _ in 1 }) { found in
            var records: [(StoredSummary, CallTies)] = []
            for stored in found.summaries {
                records.append((stored, try await found.store.ties(of: stored.summary.key)))
            }
            return records
        } showing: { records in
            .records(
                of: selection,
                records.map { stored, ties in
                    JSONSummary(stored.summary, at: now, isDirty: stored.isDirty, ties: ties, damage: stored.damage)
                        .value
                })
        }
    }

    private func report(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: CallSelection.names + ["format"])
        let format = try parameters.choice("format", of: CallReportFormat.self) ?? .text
        let selection = try CallSelection(try context.identity(limits), parameters)
        let now = clock()
        return try await reader.showRecords(selection) { records in
            switch format {
            case .json: .records(of: selection, records.map { JSONReport($0, at: now).value })
            case .text: Response(text: TextReport.render(records, at: now, style: Self.style))
            case .html: Response(report: HTMLReport(records, at: now))
            }
        }
    }

    private static let style = TextStyle(columns: 80, isColoured: false)
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
