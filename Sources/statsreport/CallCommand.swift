import ArgumentParser
import CallModel
import CallReport
import StandardStreams

/// `statsreport call ID`: one call.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Show how one call went.",
        usage: "statsreport call [<options>] <call>",
        discussion: """
            Prints a report for each end that reported, of the last attempt if the \
            identifier was used more than once. As JSON, the reports are in \
            {"calls": [...]}, however many they are.

            EXAMPLES
              statsreport call A551CA43-94A6                    all ends
              statsreport call A551CA43-94A6 --observer caller  one of them
              statsreport call A551CA43-94A6 --format json | jq '.calls[].verdict'
              statsreport call A551CA43-94A6 --format html > call.html
            """)

    @Argument(help: ArgumentHelp("The identifier the client gave the call, in full.", valueName: "call"))
    var call: String

    @Option(help: ArgumentHelp("Only what this end saw.", valueName: "name"))
    var observer: String?

    @Option(help: ArgumentHelp("Which use of the identifier, from 1. (default: the last)", valueName: "number"))
    var attempt: Int?

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The form of the report; html is one file for a browser.")
    var format = CallReportFormat.text

    @OptionGroup var colors: ColorOptions

    func validate() throws {
        if let attempt, attempt < 1 {
            throw ValidationError("--attempt counts from 1, not \(attempt).")
        }
    }

    func run() async throws {
        let now = Clock.now()
        let records = try await database.read { try await selectedRecords(in: $0) }
        switch format {
        case .text: try StandardOutput.write(TextReport.render(records, at: now, style: colors.style))
        case .json:
            let value: JSONValue = ["calls": .array(records.map { JSONReport($0, at: now).value })]
            try StandardOutput.write(value.indentedText)
        case .html: try StandardOutput.write(HTMLReport(records, at: now).render())
        }
    }

    private func selectedRecords(in store: any CallStore) async throws -> [CallRecord] {
        let lookup = CallLookup(call: call, observer: observer, attempt: attempt, database: database)
        // A record may be evicted between two reads; then there is nothing to show of it.
        let records = try await store.records(try await lookup.summaries(in: store).map(\.key))
        guard !records.isEmpty else { throw ReportError.removedCall(call, database: database.place) }
        return records
    }
}
