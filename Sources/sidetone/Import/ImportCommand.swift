import ArgumentParser
import CallModel
import CallReport
import ClientStats
import Collector
import CollectorServer
import Deflate
import Foundation
import Logging
import StandardStreams

/// `sidetone import`: keeps, or posts, what files of statistics hold.
struct ImportCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read files of statistics: reports, events, CallStatistics.log, dumps of browsers.",
        discussion: """
            What a file is, its content tells, not its name: getStats reports and events, one \
            a line or in an array; CallStatistics.log; dumps of chrome://webrtc-internals and \
            of rtcstats; any of them in gzip. A file read again changes nothing. Parts that \
            cannot be read are counted and named, and cost no other; the exit status is 1 when \
            nothing of a file was taken. No call is removed unless --keep-calls or --keep-days \
            is given; a server that opens the database goes by its own.

            Examples:
              sidetone import CallStatistics.log
              sidetone import dump.gz --call my-call --observer caller
              sidetone import *.jsonl --post http://10.0.0.5:8080

            Then:
              statsreport list
            """)

    @Argument(help: ArgumentHelp("The files; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "The file to keep calls in; made when it is not there. (default: \(Database.defaultPath))",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            A ClickHouse database instead, clickhouse://user@host:8123/name; the user's password comes from \
            SIDETONE_CLICKHOUSE_PASSWORD.
            """, valueName: "address"))
    var store: String?

    @Option(help: ArgumentHelp("Post to this sidetone instead, such as http://10.0.0.5:8080.", valueName: "url"))
    var post: CollectorAddress?

    @Option(help: ArgumentHelp("The call of a file that names none.", valueName: "id"))
    var call: String?

    @Option(help: ArgumentHelp("Who watched, where a file does not say it.", valueName: "name"))
    var observer: String?

    @Option(help: ArgumentHelp("Whose calls they become, without --post. (default: default)", valueName: "name"))
    var tenant: String?

    @OptionGroup var token: ClientTokenOptions
    @OptionGroup var privacy: PrivacyOptions

    @Option(
        help: ArgumentHelp(
            "Then keep at most so many calls of each tenant; the least recently active go first.", valueName: "n"))
    var keepCalls: Int?

    @Option(help: ArgumentHelp("Then remove calls without activity for so many days.", valueName: "days"))
    var keepDays: Double?

    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { nil }

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("say which files to import") }
        let places = [("--post", post != nil), ("--database", database != nil), ("--store", store != nil)]
        let given = places.filter(\.1).map(\.0)
        guard given.count < 2 else {
            throw ValidationError("\(given[0]) and \(given[1]) contradict each other; give one of them")
        }
        if let store { _ = try StoreAddress(store) }
        if let contradiction = privacy.settings.contradiction { throw ValidationError(contradiction) }
        try GivenFlag(Settings.keepCalls, keepCalls)?.check()
        try GivenFlag(Settings.keepDays, keepDays)?.check()
        if post != nil, tenant != nil {
            throw ValidationError("--post and --tenant contradict each other; the token names the tenant")
        }
        if let tenant, !TokenEntry.isName(tenant) {
            throw ValidationError("--tenant is \"\(tenant)\"; expected \(TokenEntry.nameRule)")
        }
        if post == nil, let flag = token.given { throw ValidationError("\(flag) goes with --post") }
        for (name, value) in [("--call", call), ("--observer", observer)] {
            guard let value, !(1...256).contains(value.utf8.count) else { continue }
            throw ValidationError("\(name) is \(value.utf8.count) bytes long; expected 1 to 256 bytes")
        }
    }

    func run(_: Sensor?, _ logger: Logger) async throws {
        if let post {
            let delivery = ImportPost(
                to: post, token: try token.token(), trusting: try TrustedAuthorities(path: token.ca), call: call,
                observer: observer)
            do {
                try await importAll { try await delivery.post($0) }
            } catch {
                await delivery.close()
                throw error
            }
            await delivery.close()
        } else {
            try await keep(logger)
        }
    }

    private func keep(_ logger: Logger) async throws {
        let context = try context
        // Where there is nothing to read no database is made.
        guard files.contains(where: InputFile.isReadable) else {
            return try await importAll { _ in ImportTally() }
        }
        let path = database ?? Database.defaultPath
        let address = try store.map { try StoreAddress($0) }
        let store: any CallStore =
            if let address { try await Database.open(address, as: "import") } else { try Database.open(path) }
        let collector = CallCollector(store: store, retention: retention, clock: Clock.now, logger: logger)
        let delivery = ImportStorage(collector: collector, context: context)
        do {
            try await importAll { try await delivery.store($0) }
        } catch {
            await collector.finish()
            try? await store.close()
            throw error
        }
        await collector.finish()
        try await store.close()
        let place = address.map { "--store \($0.location)" } ?? "--database \(path)"
        ImportVoice.say("statsreport list \(place) shows the calls")
    }

    /// Who imports into the database of a server loses none of its calls, unless that is asked for.
    var retention: Retention { Retention(calls: keepCalls ?? .max, days: keepDays) }

    private var context: ParsingContext {
        get throws {
            ParsingContext(
                tenant: tenant.map(TenantID.init) ?? .default, call: call.map(CallID.init),
                observer: observer.map(ObserverID.init), receivedAt: Clock.now(),
                addresses: try privacy.settings.policy)
        }
    }

    /// Imports one file after the other; one that cannot be read costs no other.
    private func importAll(_ take: (ImportedBytes) async throws -> ImportTally) async throws {
        var failed = 0
        for file in files {
            do {
                let bytes = try ImportedBytes(path: file)
                var tally = try await take(bytes)
                if !bytes.isWhole { tally.notes.insert("\(DeflateError.truncated); what comes before counts", at: 0) }
                ImportVoice.tell(tally, of: file)
                if tally.isFruitless { failed += 1 }
            } catch let error as ImportFailure where error.isOfFile {
                failed += 1
                ImportVoice.complain("\(error)")
            }
        }
        if failed > 0 { throw ImportFailure.unread(files: failed, of: files.count) }
    }
}

/// A file to be imported.
struct ImportedBytes {
    let path: String
    /// Inflated.
    let bytes: [UInt8]
    /// Whether they are all that was compressed.
    let isWhole: Bool
    /// So long a file may be, inflated; the limit of `POST /v1/import`.
    private static let mostBytes = 256 << 20

    init(path: String) throws {
        self.path = path
        do {
            let data = try InputFile.bytes(of: path)
            let content = try Gzip.contentToCut(of: Array(data), maximumBytes: Self.mostBytes)
            bytes = content.bytes
            isWhole = content.isWhole
        } catch DeflateError.tooLarge {
            throw ImportFailure.unreadable(
                path: path,
                reason:
                    "longer than \(Self.mostBytes >> 20) MiB; import it in parts, JSON Lines cut between lines (split -C 200m)"
            )
        } catch let error as DeflateError {
            throw ImportFailure.unreadable(path: path, reason: "\(error)")
        } catch {
            throw ImportFailure.unreadable(path: path, reason: FileWords.reason(for: error, reading: path))
        }
    }
}
