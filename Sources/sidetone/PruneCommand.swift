import ArgumentParser
import CallModel
import Foundation
import Logging
import SQLiteStore

/// `sidetone prune`: removes calls from a database that no other program writes to.
struct PruneCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove calls beyond the limits, least recently active first.",
        usage: "sidetone prune <options>",
        discussion: """
            What serve does by itself, by hand, while no sidetone has the database open. \
            Whole calls go; what comes late for them does not bring them back. A call that \
            is going on stays.

            Example:
              sidetone prune --keep-calls 1000 --keep-days 30
            """)

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    @OptionGroup var retention: RetentionOptions

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    func run(_: Sensor?, _ logger: Logger) async throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw ServeError.database(.cannotOpen(database, reason: "there is no such file"))
        }
        let store = try Database.open(database)
        do {
            let report = try await store.enforce(retention.retention, now: Clock.now())
            let left = try await store.counts()
            try await store.close()
            let removed = report.evictedByCount + report.evictedByAge
            let live =
                report.keptLive > 0 ? ", \(report.keptLive) kept though over the limit, for they are going on" : ""
            print("\(database): removed \(removed) of \(removed + left.calls) calls\(live)")
        } catch let error as CallStoreError {
            throw ServeError.database(error)
        }
    }
}
