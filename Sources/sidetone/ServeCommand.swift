import ArgumentParser
import CallModel
import Collector
import CollectorServer
import Foundation
import Hummingbird
import Logging
import SQLiteStore
import ServiceLifecycle
import StandardStreams
import UnixSignals

/// `sidetone serve`: takes what clients post, keeps it, and answers questions about it.
struct ServeCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Collect over HTTP into a database file, and serve reports.",
        discussion: """
            Prints "sidetone is listening on http://…" when it is ready. SIGTERM or SIGINT \
            stop it: it finishes the requests it has begun, writes everything out, and \
            exits with status 0.

            It listens on this machine alone unless --listen says otherwise. For others it \
            takes --tokens, a file of those who may post and read; sidetone token new makes \
            its lines. SIGHUP makes it read that file again, and certificates with their keys.

            With --capture it also listens to RTP, RTCP and SIP on an interface, as \
            sidetone capture does.

            Examples:
              sidetone serve
              sidetone serve --listen 0.0.0.0:8080 --tokens /etc/sidetone/tokens
              sidetone serve --keep-calls 100000 --keep-days 30 --log-format json
              sidetone serve --capture eth0 --capture-user sidetone
              sidetone serve --config /etc/sidetone.yaml

            What no flag sets, a variable SIDETONE_… of the environment may set, or a file \
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
        try settings.checkFiles()
        let exposure = try settings.exposure.exposure(listening: settings.listen)
        let files = settings.exposure.files(of: exposure)
        for file in files { file.warn(logger) }
        let reloading = await Reloading(files, logger: logger)
        let addresses = try settings.privacy.policy
        if !settings.listen.isLoopback, exposure.identity == nil, exposure.proxies.isEmpty {
            logger.warning("calls and tokens travel unencrypted; see --tls-certificate, or --trusted-proxy")
        }
        let address = try settings.shipping.address
        let store = try Database.open(
            settings.database, outbox: Shipping.keeping(address.map { _ in settings.shipping.spool }))
        let metrics = ServeMetrics(
            database: settings.database, sensor: sensor, watching: settings.limits.live)
        let collector = CallCollector(
            store: store, retention: settings.retention, limits: settings.limits.waiting, clock: Clock.now,
            logger: logger, meter: metrics.collector, live: metrics.live)
        let shipping = address.map {
            Shipping(from: store, of: collector, to: $0, as: "serve", meter: metrics.shipping, logger: logger)
        }
        await shipping?.service.begin()
        let merging = shipping?.merging(settings.merging, meter: metrics.merging, logger: logger)
        let readiness = Readiness(
            storeTrouble: {
                if let fault = store.misplacement { return fault }
                return await collector.storeHealth.trouble
            }, damage: { await collector.damageInWords }, shipping: { shipping?.word })
        let stores = shipping?.stores(own: store, showing: settings.shownCalls) ?? ShownStores(own: store)
        let application = CollectorApplication(
            collector: collector, stores: stores, limits: limits(settings, logger), addresses: addresses,
            exposure: exposure,
            operations: ServerOperations(meter: metrics.server, readiness: readiness) {
                await metrics.text(of: collector, outbox: shipping == nil ? nil : store)
            }, live: metrics.live, clock: Clock.now)
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
        let broadcaster = LiveBroadcaster(hub: metrics.live, clock: Clock.now)
        let services = group(
            collector, shipping?.service, merging, rescoring, capture, reloading,
            [DatabaseWatch(store: store, logger: logger), server, broadcaster], farewell, logger: logger)
        try await run(services, settings, collector, store, shipping, logger)
    }

    /// Runs the services until they are told to stop, or one of them fails, and closes the database.
    private static func run(
        _ services: ServiceGroup, _ settings: ServeSettings, _ collector: CallCollector, _ store: SQLiteCallStore,
        _ shipping: Shipping?, _ logger: Logger
    ) async throws {
        do {
            try await services.run()
        } catch {
            await shipping?.close()
            try? await store.close()
            throw ServeError(listening: settings.listen, error) ?? error
        }
        await shipping?.close()
        try await store.close()
        if await collector.storeHealth.damage == nil {
            logger.info("stopped; everything accepted is stored", metadata: ["database": "\(settings.database)"])
        } else {
            logger.error("stopped; the database is damaged", metadata: ["database": "\(settings.database)"])
        }
    }

    /// What one request may bring, and as many connections as can be.
    private static func limits(_ settings: ServeSettings, _ logger: Logger) -> IngestLimits {
        var limits = settings.limits.limits
        let files = OpenFiles.raiseLimit()
        limits.connections = OpenFiles.connections(wanted: limits.connections, limit: files)
        if let files, limits.connections < settings.limits.limits.connections {
            logger.warning(
                "fewer connections at a time than limits.connections says: this process may have too few files open",
                metadata: ["connections": "\(limits.connections)", "openFiles": "\(files)"])
        }
        return limits
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

    /// Services stop in reverse order: first whoever asks is told so, then who watches, then no more requests come, then no
    /// more packets, then the collector writes out what it holds, then that is shipped, and put together with what others
    /// shipped. When the interface is gone the program ends: only one that starts anew has the right to reopen it.
    private static func group(
        _ collector: CallCollector, _ shipping: ShippingService?, _ merging: MergingService?,
        _ rescoring: RescoringService?, _ capture: CaptureService?,
        _ reloading: Reloading, _ servers: [any Service], _ farewell: Farewell, logger: Logger
    ) -> ServiceGroup {
        typealias Entry = ServiceGroupConfiguration.ServiceConfiguration
        let sensors = capture.map { [Entry(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)] } ?? []
        var configuration = ServiceGroupConfiguration(
            services: (merging.map { [Entry(service: $0)] } ?? []) + (shipping.map { [Entry(service: $0)] } ?? [])
                + [Entry(service: collector)] + (rescoring.map { [Entry(service: $0)] } ?? []) + sensors
                + ([reloading] + servers + [farewell]).map { Entry(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger.withoutDebug)
        configuration.maximumGracefulShutdownDuration = .seconds(30) + farewell.delay
        return ServiceGroup(configuration: configuration)
    }

    /// Tells people and scripts that the server is ready, and where.
    private static func announce(_ settings: ServeSettings, port: Int?, logger: Logger) {
        var address = settings.listen
        address.port = port ?? settings.listen.port
        let url = "\(settings.exposure.tlsCertificate == nil ? "http" : "https")://\(address)"
        StandardOutput.tell("sidetone is listening on \(url)\n")
        logger.info("listening on \(url)", metadata: ["database": "\(settings.database)"])
    }
}
