import ArgumentParser
import Collector
import CollectorServer
import Foundation
import Hummingbird
import Logging
import SQLiteStore
import ServiceLifecycle
import UnixSignals

/// `sidetone serve`: takes what clients post, keeps it, and answers questions about it.
struct ServeCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Collect over HTTP into a database file, and serve reports.",
        discussion: """
            Prints "sidetone is listening on http://…" when it is ready. SIGTERM or SIGINT
            stop it: it finishes the requests it has begun, writes everything out, and
            exits with status 0.

            With --capture it also listens to RTP, RTCP and SIP on an interface, as
            sidetone capture does.

            Examples:
              sidetone serve
              sidetone serve --listen 0.0.0.0:8080 --database /var/lib/sidetone.sqlite
              sidetone serve --keep-calls 100000 --keep-days 30 --log-format json
              sidetone serve --capture eth0 --capture-user sidetone
              sidetone serve --config /etc/sidetone.yaml

            What no flag sets, a variable SIDETONE_… of the environment may set, or a file
            that --config names: sidetone config --help.

            Then:
              curl --data-binary @report.json http://127.0.0.1:8080/v1/calls/a/stats
              curl http://127.0.0.1:8080/v1/calls/a/report
            """)

    @OptionGroup var options: ServeOptions

    func job() throws -> Job {
        let settings = ServeSettings(try options.resolved())
        return Job(log: settings.log, sensor: settings.capture) { sensor, logger in
            try await Self.run(settings, sensor, logger)
        }
    }

    private static func run(_ settings: ServeSettings, _ sensor: Sensor?, _ logger: Logger) async throws {
        let store = try Database.open(settings.database)
        let metrics = ServeMetrics(sensor: sensor)
        let collector = CallCollector(
            store: store, retention: settings.retention, clock: Clock.now, logger: logger, meter: metrics.collector)
        let readiness = Readiness { metrics.collector.storeTrouble }
        let application = CollectorApplication(
            collector: collector, store: store,
            operations: ServerOperations(meter: metrics.server, readiness: readiness) {
                await metrics.text(of: collector)
            }, clock: Clock.now)
        let rescoring =
            settings.rescore
            ? RescoringService(Rescoring(collector: collector, store: store), logger: logger) : nil
        let server = application.service(host: settings.listen.host, port: settings.listen.port, logger: logger) {
            port in
            readiness.begin()
            announce(settings, port: port, logger: logger)
            rescoring?.begin()
        }
        let farewell = Farewell(readiness: readiness, delay: .seconds(settings.stopDelaySeconds), logger: logger)
        let capture = sensor.map { service(settings, $0, collector, logger) }
        do {
            try await group(collector, rescoring, capture, server, farewell, logger: logger).run()
        } catch {
            try? await store.close()
            throw ServeError(listening: settings.listen, error) ?? error
        }
        try await store.close()
        logger.info("stopped; everything accepted is stored", metadata: ["database": "\(settings.database)"])
    }

    private static func service(
        _ settings: ServeSettings, _ sensor: Sensor, _ collector: CallCollector, _ logger: Logger
    ) -> CaptureService {
        CaptureService(
            sensor: sensor, delivery: CollectorDelivery(collector: collector, destination: settings.database),
            flushTime: .seconds(15), voice: CaptureVoice(format: settings.log.format, logger: logger)
        ) {
            logger.info("capturing", metadata: ["interface": "\(sensor.settings.sourceName)"])
        }
    }

    /// Services stop in reverse order: first whoever asks is told so, then no more requests come, then no more packets,
    /// then the collector writes out what it holds. When the interface is gone the program ends: only one that starts anew has the right to reopen it.
    private static func group(
        _ collector: CallCollector, _ rescoring: RescoringService?, _ capture: CaptureService?, _ server: any Service,
        _ farewell: Farewell, logger: Logger
    ) -> ServiceGroup {
        typealias Entry = ServiceGroupConfiguration.ServiceConfiguration
        let sensors = capture.map { [Entry(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)] } ?? []
        var configuration = ServiceGroupConfiguration(
            services: [Entry(service: collector)] + (rescoring.map { [Entry(service: $0)] } ?? []) + sensors
                + [Entry(service: server), Entry(service: farewell)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(30) + farewell.delay
        return ServiceGroup(configuration: configuration)
    }

    /// Tells people and scripts that the server is ready, and where.
    private static func announce(_ settings: ServeSettings, port: Int?, logger: Logger) {
        var address = settings.listen
        address.port = port ?? settings.listen.port
        FileHandle.standardOutput.write(Data("sidetone is listening on http://\(address)\n".utf8))
        logger.info("listening on http://\(address)", metadata: ["database": "\(settings.database)"])
    }
}
