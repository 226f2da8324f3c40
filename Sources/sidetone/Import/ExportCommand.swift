import ArgumentParser
import CallModel
import ClientStats
import Foundation
import Logging
import SQLiteStore
import StandardStreams

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
        usage: "sidetone export <options>",
        discussion: """
            Either holds everything, also what was told under the id of a call's session: imported, it \
            gives the same report. Addresses were cut and secrets dropped when they came in. The database \
            may be in use by another sidetone.

            Examples:
              sidetone export --call A551CA43-94A6 > call.jsonl
              sidetone export --format log > CallStatistics.log
            """)

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    @Option(help: ArgumentHelp("Only this call, from all ends; may be repeated.", valueName: "id"))
    var call: [String] = []

    @Option(help: ArgumentHelp("Whose calls, where the server takes tokens.", valueName: "name"))
    var tenant = TenantID.default.rawValue

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
        let tenant = TenantID(rawValue: tenant)
        guard call.isEmpty else {
            var summaries: [CallSummary] = []
            for name in call {
                let identity = CallIdentity(tenant: tenant, call: CallID(rawValue: name))
                let found = try await (store.summaries(of: identity) + store.summaries(named: identity))
                guard !found.isEmpty else { throw ExportFailure.noSuchCall(identity, database: database) }
                summaries += found.map(\.summary)
            }
            return try await Self.withSessions(summaries, in: store)
        }
        let all = try await store.counts().records
        var summaries: [CallSummary] = []
        var query = CallQuery(tenant: tenant, sort: .oldest, limit: 1000, now: Clock.now())
        repeat {
            let page = try await store.calls(query)
            summaries += page.calls.map(\.summary)
            query.cursor = page.next
        } while query.cursor != nil
        summaries = try await Self.withSessions(summaries, in: store)
        if all > summaries.count {
            ImportVoice.complain(
                "\(all - summaries.count) of \(all) records are of other tenants than \(tenant.rawValue); "
                    + "--tenant writes theirs")
        }
        return summaries
    }

    /// These records, each once, and those of their sessions: what was told under a session's id stands there.
    private static func withSessions(
        _ summaries: [CallSummary], in store: SQLiteCallStore
    ) async throws -> [CallSummary] {
        var found = Dictionary(summaries.map { ($0.key, $0) }) { first, _ in first }
        var sessions: Set<CallIdentity> = []
        var rest = Array(found.keys)
        while let key = rest.popLast() {
            for claim in try await store.links(of: key).claims where sessions.insert(claim.session).inserted {
                for stored in try await store.summaries(of: claim.session)
                where found.updateValue(stored.summary, forKey: stored.summary.key) == nil {
                    rest.append(stored.summary.key)
                }
            }
        }
        return Array(found.values)
    }

    // MARK: Writing

    private func write(_ summaries: [CallSummary], of store: SQLiteCallStore) async throws {
        var isFirst = true
        if format == .log { try StandardOutput.write("[") }
        let sorted = summaries.sorted(by: Self.areInOrder)
        let marked = format == .log ? Self.overlapping(sorted) : []
        for summary in sorted {
            // As they came: what opens a call by a clock that is ahead would else be told last, and open another one.
            let facts = try await store.facts(of: summary.key)
                .sorted { ($0.receivedAt, $0.key) < ($1.receivedAt, $1.key) }
            let (call, observer) = (summary.key.identity.call, summary.key.observer)
            var sessions = ExportedFact.sessions(of: try await store.links(of: summary.key), untoldBy: facts)[...]
            switch format {
            case .lines:
                let lines = facts.map { fact in
                    let session = fact.isReport ? sessions.popFirst() : nil
                    return ExportedFact.line(of: fact, call: call, observer: observer, session: session) + "\n"
                }
                try StandardOutput.write(lines.joined())
            case .log:
                let entry = ExportedFact.logEntry(
                    of: facts, call: call, observer: observer, sessions: Array(sessions),
                    isMarked: marked.contains(summary.key))
                try StandardOutput.write((isFirst ? "" : ",\n") + entry)
            }
            isFirst = false
        }
        if format == .log { try StandardOutput.write("]\n") }
    }

    /// The oldest first, as the sample logger has them; so attempts of a call are in their order, too.
    private static func areInOrder(_ left: CallSummary, _ right: CallSummary) -> Bool {
        (left.start, left.key.identity.call.rawValue, left.key.observer.rawValue)
            < (right.start, right.key.identity.call.rawValue, right.key.observer.rawValue)
    }

    /// The records at whose time there was another; they are given in order of start.
    static func overlapping(_ sorted: [CallSummary]) -> Set<CallKey> {
        var found: Set<CallKey> = []
        var latest: CallSummary?
        for summary in sorted {
            if let before = latest, summary.start <= before.lastActivity { found.formUnion([before.key, summary.key]) }
            if summary.lastActivity >= latest?.lastActivity ?? summary.lastActivity { latest = summary }
        }
        return found
    }
}

/// Why nothing was exported.
enum ExportFailure: Error, Hashable, CustomStringConvertible {
    /// The database has no such call.
    case noSuchCall(CallIdentity, database: String)

    var description: String {
        switch self {
        case .noSuchCall(let identity, let database) where identity.tenant == .default:
            "no call \(identity.call.rawValue) in \(database); statsreport list --database \(database) lists those there "
                + "are, and --tenant names another tenant than \(identity.tenant.rawValue)"
        case .noSuchCall(let identity, let database):
            "no call \(identity.call.rawValue) of \(identity.tenant.rawValue) in \(database); statsreport list "
                + "--database \(database) --tenant \(identity.tenant.rawValue) lists those there are"
        }
    }
}
