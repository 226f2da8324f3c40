import ArgumentParser
import CallModel
import CallReport
import Collector
import Foundation
import Logging
import SQLiteStore
import StandardStreams

/// `sidetone migrate`: gives all calls of a database to another store.
struct MigrateCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Give all calls of a database to ClickHouse, and see that they are the same there.",
        usage: "sidetone migrate [<options>] --to <address>",
        discussion: """
            Facts go with the times at which they were received, so that nothing follows \
            from them there that does not follow here. Stopped at any moment, it goes on \
            where it was when it is run again. In the end every record is read back from \
            there and held against what is here; one that is not the same, as where another \
            database was given it before, is given once more as a whole. Calls here stay as \
            they are.

            A server that is started with --store on the database goes on from there, and \
            one that is started so without this gives all calls by itself.

            Example:
              sidetone migrate --to clickhouse://sidetone@ch1:8123/calls
            """)

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var from = Database.defaultPath

    @Option(
        help: ArgumentHelp(
            """
            The ClickHouse database, clickhouse://user@host:8123/name; the user's password comes from \
            SIDETONE_CLICKHOUSE_PASSWORD.
            """, valueName: "address"))
    var to: String

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    private var address: StoreAddress {
        get throws { try StoreAddress(to, as: "--to") }
    }

    func validate() throws {
        _ = try address
    }

    func run(_: Sensor?, _: Logger) async throws {
        guard FileManager.default.fileExists(atPath: from) else {
            throw ServeError.database(.cannotOpen(from, reason: "there is no such file"))
        }
        let address = try address
        let source = try Database.open(from, outbox: .on(OutboxSettings(clock: Clock.now)))
        do {
            let target = try await Database.open(address, as: "migrate")
            do {
                try await give(source, to: target)
            } catch {
                try? await target.close()
                throw error
            }
            try await target.close()
        } catch {
            try? await source.close()
            throw error
        }
        try await source.close()
    }

    private func give(_ source: SQLiteCallStore, to target: any CallStore) async throws {
        try await ship(from: source, to: target)
        let tally = try await compare(RecordAudit(store: source).records(most: .max), of: source, with: target)
        if !tally.different.isEmpty {
            // They were taken out there, or another database was given them.
            try await source.noteAgain(tally.different.keys)
            try await ship(from: source, to: target)
            let left = try await compare(tally.different.keys, of: source, with: target).different
            guard left.isEmpty else { throw MigrationFailure.different(left, of: tally.records) }
        }
        print(
            "\(tally.records) records with \(tally.facts) reports and events and \(tally.rows) rows of their series "
                + "are the same in \(to)")
    }

    /// So many attempts, these seconds apart: somebody waits for it.
    private static let attempts = 6
    private static let secondsBetweenAttempts = 5

    private func ship(from source: SQLiteCallStore, to target: any CallStore) async throws {
        let entries = try await source.figures().entries
        var bar = ProgressBar(total: Terminal.hasStandardError ? entries : nil)
        defer { if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) } }
        var shipper = Shipper(
            outbox: source, target: { target }, limit: OutboxLimit(rows: 20_000, bytes: 64 << 20), isWatched: true)
        _ = try await shipper.recall()
        var failures = 0
        while true {
            switch await shipper.step() {
            case .idle:
                guard let first = try await source.recordsSetAside(limit: 1).first else { return }
                throw MigrationFailure.refused(first, of: try await source.figures().recordsSetAside)
            case .shipped:
                failures = 0
                let left = try await source.figures().entries
                if let drawn = bar.advance(to: max(0, entries - left)) { Terminal.tell(drawn) }
            case .failed(.retry, _) where failures + 1 < Self.attempts:
                failures += 1
                try await Task.sleep(for: .seconds(Self.secondsBetweenAttempts))
            case .failed(_, let reason):
                throw MigrationFailure.stopped(reason)
            }
        }
    }

    private func compare(
        _ keys: some Collection<CallKey>, of source: SQLiteCallStore, with target: any CallStore
    ) async throws -> StoreComparison.Tally {
        let comparison = StoreComparison(of: source, with: target)
        var tally = StoreComparison.Tally()
        var bar = ProgressBar(total: Terminal.hasStandardError ? keys.count : nil)
        defer { if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) } }
        for key in keys {
            try await comparison.compare(key, into: &tally)
            if let drawn = bar.advance(to: tally.records) { Terminal.tell(drawn) }
        }
        return tally
    }
}

/// Why calls are not all where they were to go.
enum MigrationFailure: Error, Hashable, CustomStringConvertible {
    /// It was given up; run again, it goes on.
    case stopped(String)
    /// The other store does not take this record, nor others; so many in all.
    case refused(RecordSetAside, of: Int)
    /// These records are not the same there, and what of them; of so many.
    case different([CallKey: [String]], of: Int)

    var description: String {
        switch self {
        case .stopped(let reason):
            "\(reason); what was given is there, and \"sidetone migrate\" goes on where this ended"
        case .refused(let first, let count):
            "\(count) records were not taken, the others were; the first: \(Self.name(first.key)): \(first.reason)"
        case .different(let records, let total):
            "\(records.count) of \(total) records are not the same there; the first: \(Self.first(records))"
        }
    }

    private static func first(_ records: [CallKey: [String]]) -> String {
        let named = records.map { (name($0), $1) }
        return named.min { $0.0 < $1.0 }.map { "\($0): \($1.joined(separator: ", "))" } ?? ""
    }

    private static func name(_ key: CallKey) -> String { "\(key.identity.call.rawValue) (\(key.observer.rawValue))" }
}
