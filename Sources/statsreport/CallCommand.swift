import ArgumentParser
import CallModel
import CallReport

/// `statsreport call ID`: one call.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Show how one call went.",
        discussion: """
            Prints a report for each end that reported, of the last attempt if the \
            identifier was used more than once. As JSON, the reports are in \
            {"calls": [...]}, however many they are.

            EXAMPLES
              statsreport call A551CA43-94A6                    all ends
              statsreport call A551CA43-94A6 --observer caller  one of them
              statsreport call A551CA43-94A6 --format json | jq '.calls[].verdict'
            """)

    @Argument(help: ArgumentHelp("The identifier the client gave the call, in full.", valueName: "call"))
    var call: String

    @Option(help: ArgumentHelp("Only what this end saw.", valueName: "name"))
    var observer: String?

    @Option(help: ArgumentHelp("Which use of the identifier, from 1. (default: the last)", valueName: "number"))
    var attempt: Int?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let attempt, attempt < 1 {
            throw ValidationError("--attempt counts from 1, not \(attempt).")
        }
    }

    func run() async throws {
        let now = Clock.now()
        let records = try await database.read { try await selectedRecords(in: $0) }
        switch output.format {
        case .text: try StandardOutput.write(TextReport.render(records, at: now, style: output.style))
        case .json:
            let value: JSONValue = ["calls": .array(records.map { JSONReport($0, at: now).value })]
            try StandardOutput.write(value.indentedText)
        }
    }

    private func selectedRecords(in store: any CallStore) async throws -> [CallRecord] {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: call))
        let keys = try await store.summaries(named: identity).map(\.summary.key)
        guard !keys.isEmpty else { throw try await missing(identity, in: store) }
        let wanted = selected(from: keys)
        guard !wanted.isEmpty else {
            throw ReportError.noSuchRecord(call, records: keys.map { "\($0.observer.rawValue) attempt \($0.attempt)" })
        }
        var records: [CallRecord] = []
        for key in wanted {
            // A record may be evicted between two reads; then there is nothing to show of it.
            if let record = try await store.record(key) { records.append(record) }
        }
        guard !records.isEmpty else { throw ReportError.removedCall(call, database: database.database) }
        return records
    }

    private func selected(from keys: [CallKey]) -> [CallKey] {
        let seen = keys.filter { observer == nil || $0.observer.rawValue == observer }
        // The id of a session stands for several calls.
        let last = Dictionary(grouping: seen, by: \.identity).compactMapValues { $0.map(\.attempt).max() }
        return seen.filter { $0.attempt == attempt ?? last[$0.identity] }
    }

    private func missing(_ identity: CallIdentity, in store: any CallStore) async throws -> ReportError {
        if try await store.records(of: identity).contains(where: \.isEvicted) {
            return .removedCall(call, database: database.database)
        }
        return .noSuchCall(call, database: database.database, calls: try await store.counts().calls)
    }
}
