import ArgumentParser
import CallModel
import CallReport
import Collector
import Foundation
import Logging
import SQLiteStore
import StandardStreams

/// `sidetone rescore`: derives stored calls anew by the rules of this version.
struct RescoreCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescore",
        abstract: "Derive scores and all other figures of stored calls anew, by the rules of this version.",
        usage: "sidetone rescore <options>",
        discussion: """
            What clients and probes said is kept; everything else follows from it. Records \
            that another version's rules derived are derived anew, the latest first, each \
            in one transaction. Stopped at any moment, it goes on where it was when it is \
            run again.

            sidetone serve does this by itself while it serves. Of a database that one has \
            open, this only says how far it is.

            Examples:
              sidetone rescore
              sidetone rescore --all --database /var/lib/sidetone.sqlite
              sidetone rescore --call A551CA43-94A6 --all
            """)

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    @Option(help: ArgumentHelp("Only this call, from all ends; may be repeated.", valueName: "id"))
    var call: [String] = []

    @Option(help: ArgumentHelp("Whose calls those of --call are.", valueName: "name"))
    var tenant = TenantID.default.rawValue

    @Flag(help: "Also records that the rules of this version derived.")
    var all = false

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    private var calls: Set<CallIdentity> {
        Set(call.map { CallIdentity(tenant: TenantID(rawValue: tenant), call: CallID(rawValue: $0)) })
    }

    func run(_: Sensor?, _ logger: Logger) async throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw ServeError.database(.cannotOpen(database, reason: "there is no such file"))
        }
        do {
            try await rescore(try SQLiteCallStore.open(path: database), logger)
        } catch CallStoreError.inUse where !all {
            try await tellProgress()
        } catch let error as CallStoreError {
            throw ServeError.database(error)
        }
    }

    private func rescore(_ store: SQLiteCallStore, _ logger: Logger) async throws {
        let tally: RescoreTally
        do {
            for identity in calls where try await store.records(of: identity).isEmpty {
                throw ExportFailure.noSuchCall(identity, database: database)
            }
            // The mark outlasts this run: whoever goes on with it needs no --all.
            if all { try await store.markAllDirty(calls) }
            let collector = CallCollector(
                store: store, retention: Retention(calls: .max), clock: Clock.now, logger: logger)
            tally = try await run(Rescoring(collector: collector, store: store, calls: calls))
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        print(RescoreWords(database: database, tally: tally).text)
        guard tally.failed == 0 else { throw RescoreFailure.incomplete(failed: tally.failed, of: tally.done) }
    }

    private func run(_ rescoring: Rescoring) async throws -> RescoreTally {
        var bar = ProgressBar(total: Terminal.hasStandardError ? try await rescoring.left() : nil)
        defer { if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) } }
        return try await rescoring.run { tally in
            if let drawn = bar.advance(to: tally.done) { Terminal.tell(drawn) }
        }
    }

    /// Says how far the one is that has the database open.
    private func tellProgress() async throws {
        let store = try SQLiteCallStore.openReadOnly(path: database)
        let left = try await store.countOutdated(Rescoring.query(calls: calls))
        let records = try await store.counts().records
        try await store.close()
        print(RescoreWords.progress(database: database, left: left, of: records))
    }
}

/// Why not all was derived anew.
enum RescoreFailure: Error, Hashable, CustomStringConvertible {
    /// So many records could not be.
    case incomplete(failed: Int, of: Int)

    var description: String {
        switch self {
        case .incomplete(let failed, let total): "\(failed) of \(total) records stay as they were"
        }
    }
}
