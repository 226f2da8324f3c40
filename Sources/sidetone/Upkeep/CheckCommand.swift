import ArgumentParser
import CallModel
import CallReport
import Collector
import Logging
import SQLiteStore
import StandardStreams

/// `sidetone check`: looks whether a database, or a backup, is sound.
struct CheckCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look whether a database or a backup is sound. Changes nothing.",
        usage: "sidetone check [<options>] [<file>]",
        discussion: """
            Looks at every page, index, reference and value, and derives calls anew from \
            what clients and probes said: what comes out must be what is stored. A server \
            may be writing meanwhile; on a large file its log grows until this is done.

            The exit status is 0 when all is sound, and 1 when anything is not.

            Examples:
              sidetone check
              sidetone check --all-calls /backup/calls.sqlite
            """)

    @Argument(help: ArgumentHelp("The database.", valueName: "file"))
    var file = Database.defaultPath

    @Option(help: ArgumentHelp("Derive so many records anew, the latest ones.", valueName: "n"))
    var calls = 200

    @Flag(help: "Derive all of them anew.")
    var allCalls = false

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    func validate() throws {
        guard calls >= 0 else { throw ValidationError("--calls is \(calls); expected a whole number of at least 0") }
    }

    func run(_: Sensor?, _: Logger) async throws {
        let look = try DatabaseCheck(file) { step, bytes in
            if Terminal.hasStandardError {
                Terminal.tell(ProgressBar.erasure + "looking at \(step), \(UpkeepWords.size(bytes)) …")
            }
        }
        if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        var words = CheckWords(file: file, look: look)
        if look.isConsistent, let contents = look.contents, !contents.isOfEarlierVersion {
            words.tally = try await derive(besides: contents.damaged)
        }
        try StandardOutput.write(words.text + "\n")
        guard words.isSound else { throw words.isMendable ? CheckFailure.outdated(file) : .unsound(file) }
    }

    /// Derives records anew and holds them against what is stored.
    private func derive(besides damaged: [DamagedRecord]) async throws -> AuditTally {
        let store = try SQLiteCallStore.openReadOnly(path: file)
        var tally = AuditTally(besides: damaged)
        do {
            let audit = RecordAudit(store: store, unlikeSummary: store.columnsUnlikeSummary)
            let keys = try await audit.records(most: allCalls ? .max : calls)
            var bar = ProgressBar(total: Terminal.hasStandardError ? keys.count : nil)
            for key in keys {
                tally.count(key, await audit.check(key))
                if let drawn = bar.advance(to: tally.done) { Terminal.tell(drawn) }
            }
            if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return tally
    }
}

/// Why the exit status is not 0.
enum CheckFailure: Error, Hashable, CustomStringConvertible {
    /// Something is wrong with the file; what, was printed.
    case unsound(String)
    /// The same, but all that clients and probes said is sound, and the rest follows from it.
    case outdated(String)

    var description: String {
        switch self {
        case .outdated(let file):
            "\(file) is not sound, but what clients and probes said is: stop the server, and derive the calls anew "
                + "with \"sidetone rescore --all\", or single ones with --call"
        case .unsound(let file):
            "\(file) is not sound; stop the server, and put a backup in its place with \"sidetone restore\""
        }
    }
}
