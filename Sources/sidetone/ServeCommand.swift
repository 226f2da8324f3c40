import ArgumentParser
import CallModel
import Collector
import CollectorServer
import Foundation
import Hummingbird
import Logging
import SQLiteStore
import ServiceLifecycle
import UnixSignals

/// `sidetone serve`: takes what clients post, keeps it, and answers questions about it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Collect over HTTP into a database file, and serve reports.",
        discussion: """
            Prints "sidetone is listening on http://…" when it is ready. SIGTERM or SIGINT
            stop it: it finishes the requests it has begun, writes everything out, and
            exits with status 0.

            Examples:
              sidetone serve
              sidetone serve --listen 0.0.0.0:8080 --database /var/lib/sidetone.sqlite
              sidetone serve --keep-calls 100000 --keep-days 30 --log-format json

            Then:
              curl --data-binary @report.json http://127.0.0.1:8080/v1/calls/a/stats
              curl http://127.0.0.1:8080/v1/calls/a/report
            """)

    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("The file to keep calls in; it is made when it is not there.", valueName: "file"))
    var database = "calls.sqlite"

    @Option(help: ArgumentHelp("Keep at most so many calls; the least recently active go first.", valueName: "n"))
    var keepCalls = 10_000

    @Option(help: ArgumentHelp("Also remove calls without activity for so many days.", valueName: "days"))
    var keepDays: Double?

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard keepCalls >= 1 else {
            throw ValidationError("--keep-calls is \(keepCalls); expected a whole number of at least 1")
        }
        guard keepDays.map({ $0 > 0 && $0 <= 36_500 }) ?? true else {
            throw ValidationError("--keep-days is \(keepDays ?? 0); expected a number above 0 and at most 36500")
        }
    }

    func run() async throws {
        let logger = log.makeLogger()
        let store = try openStore()
        let collector = CallCollector(store: store, retention: retention, clock: Self.now, logger: logger)
        let application = CollectorApplication(collector: collector, store: store, clock: Self.now)
        let server = application.service(host: listen.host, port: listen.port, logger: logger) { port in
            announce(port: port, logger: logger)
        }
        do {
            try await Self.group(collector, server, logger: logger).run()
        } catch {
            try? await store.close()
            throw ServeError(listening: listen, error) ?? error
        }
        try await store.close()
        logger.info("stopped; everything accepted is stored", metadata: ["database": "\(database)"])
    }

    /// Services stop in reverse order: first no more requests come, then the collector writes out what it holds.
    private static func group(_ collector: CallCollector, _ server: any Service, logger: Logger) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: [collector, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        return ServiceGroup(configuration: configuration)
    }

    private func openStore() throws -> SQLiteCallStore {
        do {
            return try SQLiteCallStore.open(path: database)
        } catch let error as CallStoreError {
            throw ServeError.database(error)
        }
    }

    private var retention: Retention {
        Retention(calls: keepCalls, milliseconds: keepDays.map { Int64(($0 * 86_400_000).rounded()) })
    }

    /// Tells people and scripts that the server is ready, and where.
    private func announce(port: Int?, logger: Logger) {
        var address = listen
        address.port = port ?? listen.port
        FileHandle.standardOutput.write(Data("sidetone is listening on http://\(address)\n".utf8))
        logger.info("listening on http://\(address)", metadata: ["database": "\(database)"])
    }

    /// The only place where the collector's clock is read.
    private static let now: @Sendable () -> Timestamp = {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
