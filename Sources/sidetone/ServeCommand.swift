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
struct ServeCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Collect over HTTP into a database file, and serve reports.",
        discussion: """
            Prints "sidetone is listening on http://…" when it is ready. SIGTERM or SIGINT
            stop it: it finishes the requests it has begun, writes everything out, and
            exits with status 0.

            It listens on this machine alone unless --listen says otherwise. For others it
            takes --tokens, a file of those who may post and read; sidetone token new makes
            its lines. SIGHUP makes it read that file again, and certificates with their keys.

            With --capture it also listens to RTP, RTCP and SIP on an interface, as
            sidetone capture does.

            Examples:
              sidetone serve
              sidetone serve --listen 0.0.0.0:8080 --tokens /etc/sidetone/tokens
              sidetone serve --keep-calls 100000 --keep-days 30 --log-format json
              sidetone serve --capture eth0 --capture-user sidetone

            Then:
              curl --data-binary @report.json http://127.0.0.1:8080/v1/calls/a/stats
              curl http://127.0.0.1:8080/v1/calls/a/report
            """)

    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("The file to keep calls in; it is made when it is not there.", valueName: "file"))
    var database = Database.defaultPath

    @Flag(
        inversion: .prefixedNo,
        help: "Derive calls anew, in the background, that another version's rules derived; see sidetone rescore.")
    var rescore = true

    @OptionGroup var exposure: ExposureOptions
    @OptionGroup var privacy: PrivacyOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var keep: RetentionOptions
    @OptionGroup var capture: ServeCaptureOptions
    @OptionGroup var log: LogOptions

    var sensorSettings: SensorSettings? { capture.settings }

    func run(_ sensor: Sensor?, _ logger: Logger) async throws {
        let exposure = try exposure.exposure(listening: listen)
        let reloading = await Reloading(self.exposure.files(of: exposure), logger: logger)
        let addresses = try privacy.policy
        if !listen.isLoopback, exposure.identity == nil, exposure.proxies.isEmpty {
            logger.warning("calls and tokens travel unencrypted; see --tls-certificate, or --trusted-proxy")
        }
        let store = try Database.open(database)
        let collector = CallCollector(
            store: store, retention: keep.retention, limits: limits.waiting, clock: Clock.now, logger: logger)
        let application = CollectorApplication(
            collector: collector, store: store, limits: limits.limits, addresses: addresses, exposure: exposure,
            clock: Clock.now)
        let rescoring =
            rescore
            ? RescoringService(Rescoring(collector: collector, store: store), logger: logger) : nil
        let server = application.service(host: listen.host, port: listen.port, logger: logger) { port in
            announce(port: port, logger: logger)
            rescoring?.begin()
        }
        let capture = sensor.map { service($0, collector, logger) }
        do {
            try await Self.group(collector, rescoring, capture, reloading, server, logger: logger).run()
        } catch {
            try? await store.close()
            throw ServeError(listening: listen, error) ?? error
        }
        try await store.close()
        logger.info("stopped; everything accepted is stored", metadata: ["database": "\(database)"])
    }

    private func service(_ sensor: Sensor, _ collector: CallCollector, _ logger: Logger) -> CaptureService {
        CaptureService(
            sensor: sensor, delivery: CollectorDelivery(collector: collector, destination: database),
            flushTime: .seconds(15), voice: CaptureVoice(format: log.logFormat, logger: logger)
        ) {
            logger.info("capturing", metadata: ["interface": "\(sensor.settings.sourceName)"])
        }
    }

    /// Services stop in reverse order: first no more requests come, then no more packets, then the collector writes out
    /// what it holds. When the interface is gone the program ends: only one that starts anew has the right to reopen it.
    private static func group(
        _ collector: CallCollector, _ rescoring: RescoringService?, _ capture: CaptureService?,
        _ reloading: Reloading, _ server: any Service,
        logger: Logger
    ) -> ServiceGroup {
        typealias Entry = ServiceGroupConfiguration.ServiceConfiguration
        let sensors = capture.map { [Entry(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)] } ?? []
        var configuration = ServiceGroupConfiguration(
            services: [Entry(service: collector)] + (rescoring.map { [Entry(service: $0)] } ?? []) + sensors
                + [Entry(service: reloading), Entry(service: server)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        return ServiceGroup(configuration: configuration)
    }

    /// Tells people and scripts that the server is ready, and where.
    private func announce(port: Int?, logger: Logger) {
        var address = listen
        address.port = port ?? listen.port
        let url = "\(exposure.tlsCertificate == nil ? "http" : "https")://\(address)"
        FileHandle.standardOutput.write(Data("sidetone is listening on \(url)\n".utf8))
        logger.info("listening on \(url)", metadata: ["database": "\(database)"])
    }
}
