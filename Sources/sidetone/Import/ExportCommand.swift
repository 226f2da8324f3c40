import ArgumentParser
import CallModel
import ClientStats
import Foundation
import Logging
import SQLiteStore

/// `sidetone export`: writes what is kept of calls, so that it can be imported elsewhere.
struct ExportCommand: SensorCommand {
    /// What is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// One report, event or wire report a line.
        case lines
        /// `CallStatistics.log`, as the sample of the Kandy SDK writes it.
        case log
    }

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write what is kept of calls as JSON Lines, or as CallStatistics.log.",
        discussion: """
            Either holds everything: imported, it gives the same report. Addresses were cut and
            secrets dropped when they came in. The database may be in use by another sidetone.

            Examples:
              sidetone export --call A551CA43-94A6 > call.jsonl
              sidetone export --format log > CallStatistics.log
            """)

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    @Option(help: ArgumentHelp("Only this call, from all ends; may be repeated.", valueName: "id"))
    var call: [String] = []

    @Option(help: "What to write.")
    var format = Format.lines

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    func run(_: Sensor?, _ logger: Logger) async throws {
        let store = try SQLiteCallStore.openReadOnly(path: database)
        do {
            try await write(try await summaries(in: store), of: store)
        } catch {
            // The first error says what went wrong; one from closing would only hide it.
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    // MARK: Which

    private func summaries(in store: SQLiteCallStore) async throws -> [CallSummary] {
        var summaries: [CallSummary] = []
        guard call.isEmpty else {
            for name in call {
                let identity = CallIdentity(tenant: .default, call: CallID(rawValue: name))
                let found = try await store.summaries(of: identity).map(\.summary)
                guard !found.isEmpty else { throw ExportFailure.noSuchCall(name, database: database) }
                summaries += found
            }
            return summaries
        }
        var query = CallQuery(sort: .oldest, limit: 1000, now: Clock.now())
        repeat {
            let page = try await store.calls(query)
            summaries += page.calls.map(\.summary)
            query.cursor = page.next
        } while query.cursor != nil
        return summaries
    }

    // MARK: Writing

    private func write(_ summaries: [CallSummary], of store: SQLiteCallStore) async throws {
        var isFirst = true
        if format == .log { put("[") }
        for summary in summaries.sorted(by: Self.areInOrder) {
            let facts = try await store.facts(of: summary.key)
            let (call, observer) = (summary.key.identity.call, summary.key.observer)
            switch format {
            case .lines:
                put(facts.map { ExportedFact.line(of: $0, call: call, observer: observer) + "\n" }.joined())
            case .log:
                let isMarked = summaries.contains { Self.overlap($0, summary) }
                let entry = ExportedFact.logEntry(of: facts, call: call, observer: observer, isMarked: isMarked)
                put((isFirst ? "" : ",\n") + entry)
            }
            isFirst = false
        }
        if format == .log { put("]\n") }
    }

    /// The oldest first, as the sample logger has them; so attempts of a call are in their order, too.
    private static func areInOrder(_ left: CallSummary, _ right: CallSummary) -> Bool {
        (left.start, left.key.identity.call.rawValue, left.key.observer.rawValue)
            < (right.start, right.key.identity.call.rawValue, right.key.observer.rawValue)
    }

    /// Whether two records are of the same time.
    private static func overlap(_ one: CallSummary, _ other: CallSummary) -> Bool {
        one.key != other.key && one.start <= other.lastActivity && other.start <= one.lastActivity
    }

    private func put(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

/// Why nothing was exported.
enum ExportFailure: Error, Hashable, CustomStringConvertible {
    /// The database has no such call.
    case noSuchCall(String, database: String)

    var description: String {
        switch self {
        case .noSuchCall(let call, let database):
            "no call \(call) in \(database); statsreport list --database \(database) lists those there are"
        }
    }
}
