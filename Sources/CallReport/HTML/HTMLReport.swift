public import CallModel
import WebPage

/// The report as one HTML file that needs nothing else: drawn by the code of the built-in page from the figures that stand
/// in it, with the text report for who has no scripts. It opens from a disk without network, and asks nobody for anything.
public struct HTMLReport: Sendable {
    private let records: [CallRecord]
    private let now: Timestamp

    /// - Parameters:
    ///   - records: Those to show, one after another; at least one.
    ///   - now: The moment that decides whether a call is live, on the collector's clock.
    public init(_ records: [CallRecord], at now: Timestamp) {
        self.records = records
        self.now = now
    }

    /// What the file runs; the same in every report, so that a server can allow it by its hash.
    public static let script = ScriptBundle.text(of: WebFile.reportModules)

    /// How the file looks; the same in every report.
    public static let style = WebFile.style.text

    /// The whole file.
    public func render() -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <title>\(title.escapedForHTML)</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main><noscript><pre>\(TextReport.render(records, at: now).escapedForHTML)</pre></noscript></main>
        <script type="application/json" id="data">\(data.canonicalText.escapedForScript)</script>
        <script type="module">\(Self.script)</script>
        </body>
        </html>

        """
    }

    /// Nothing from anywhere else. The report's own script and style have no name that could be allowed; what is data
    /// stands where nothing runs.
    private static let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

    /// As many rows a stream as a wide screen has room for: a call of a day is no larger than one of an hour.
    private static let points = 400

    private var title: String {
        guard let summary = records.first?.summary else { return "Sidetone" }
        return "\(summary.key.identity.call.rawValue.printable) · Sidetone"
    }

    private var data: JSONValue {
        ["records": .array(records.map(value))]
    }

    /// What the page asks for in three requests.
    private func value(of record: CallRecord) -> JSONValue {
        let summary = JSONSummary(
            record.summary, at: now, isDirty: record.isDirty, ties: record.ties, damage: record.damage)
        return [
            "summary": summary.value, "series": .object(JSONCallSeries(record.series, points: Self.points).members),
            "events": .array(record.events.map { JSONEvent($0, createdAt: record.summary.createdAt).value }),
        ]
    }
}
