import ArgumentParser
import CallModel
import Collector
import Foundation
import Logging
import PacketCapture
import SQLiteStore
import ServiceLifecycle
import StandardStreams
import UnixSignals

/// `sidetone capture`: listens to packets, and keeps or posts what they say of calls.
struct CaptureCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Listen to RTP, RTCP and SIP on an interface or in a file, and keep a record of each call.",
        discussion: """
            Records go to a database file, or to another sidetone that collects for many \
            sensors. A live capture prints "sidetone captures on …" when it is ready and a \
            summary every few seconds. SIGTERM, SIGINT or the end of its terminal (not under \
            nohup) stop it: calls end where they stand, everything is stored or posted, and \
            the exit status is 0; it is 1 when something could not be delivered in time. A \
            file ends by itself.

            To capture takes root or CAP_NET_RAW. With --user the program gives up all \
            privileges once the capture is open, before it opens anything else; the \
            database must lie in a directory that this account can write to.

            Examples:
              sidetone capture -i eth0 --user sidetone --database /var/lib/calls.sqlite
              sidetone capture -i any --filter udp --post http://10.0.0.5:8080
              sidetone capture -i eth0 --store clickhouse://sidetone@ch1/calls
              sidetone capture -r trunk.pcapng.gz
              sidetone capture -r trunk.pcap0 -r trunk.pcap1
              sidetone capture --config /etc/sidetone/sensor.yaml

            What no flag sets, a variable SIDETONE_CAPTURE_… may set, or the section capture \
            of a file that --config names: sidetone config show --explain.

            Then:
              statsreport list
            """)

    @Option(help: ArgumentHelp("Settings for what no flag and no variable sets, in YAML.", valueName: "file"))
    var config: String?

    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp("Capture on this interface; any stands for all.", valueName: "iface"))
    var interface: String?

    @Option(
        name: [.customShort("r"), .long],
        help: ArgumentHelp(
            """
            Read this capture file: pcap or pcapng, also in gzip; - is standard input. Several, each with -r, are \
            read as one, in the order of their first packets: a capture that was rotated.
            """, valueName: "file"))
    var read: [String] = []

    @Option(
        help: ArgumentHelp(
            "The file to keep calls in; made when it is not there. (default: \(Database.defaultPath))",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            A ClickHouse database to ship what is kept to, clickhouse://user@host:8123/name; the user's password \
            comes from SIDETONE_CLICKHOUSE_PASSWORD.
            """, valueName: "address"))
    var store: String?

    @Option(help: ArgumentHelp("Post to this sidetone instead, such as http://10.0.0.5:8080.", valueName: "url"))
    var post: CollectorAddress?

    @Option(
        help: ArgumentHelp(
            "Name of this sensor; records are NAME:caller and NAME:callee. (default: wire)", valueName: "name"))
    var observer: String?

    @Option(help: ArgumentHelp("Only packets that this expression lets through (man pcap-filter).", valueName: "bpf"))
    var filter: String?

    @Option(help: ArgumentHelp("Seconds between two snapshots of a call. (default: 5)", valueName: "n"))
    var snapshotSeconds: Int?

    @Option(
        help: ArgumentHelp("Seconds to try to deliver what is left when it ends. (default: 15)", valueName: "n"))
    var flushSeconds: Int?

    @Option(help: ArgumentHelp("Account to go on as once the capture is open.", valueName: "name"))
    var user: String?

    @OptionGroup var spool: SpoolOptions
    @OptionGroup var token: ClientTokenOptions
    @OptionGroup var live: LiveCaptureOptions
    @OptionGroup var keep: RetentionOptions
    @OptionGroup var log: LogOptions

    private var given: [GivenFlag] {
        [
            GivenFlag(Settings.captureInterface, interface, name: "--interface"),
            GivenFlag(Settings.captureFilter, filter, name: "--filter"),
            GivenFlag(Settings.captureUser, user, name: "--user"),
            GivenFlag(Settings.captureObserver, observer, name: "--observer"),
            GivenFlag(Settings.captureSnapshotSeconds, snapshotSeconds, name: "--snapshot-seconds"),
            GivenFlag(Settings.capturePost, post?.base), GivenFlag(Settings.captureTokenFile, token.tokenFile),
            GivenFlag(Settings.captureCAFile, token.ca),
            GivenFlag(Settings.captureFlushSeconds, flushSeconds), GivenFlag(Settings.database, database),
            GivenFlag(Settings.store, store),
        ].compactMap(\.self) + spool.given + live.given + keep.given + log.given
    }

    func validate() throws {
        for flag in given { try flag.check() }
        if interface != nil, !read.isEmpty {
            throw ValidationError("-i and -r contradict each other; give one of them")
        }
        if read.count > 1, read.contains(CaptureFile.standardInput) {
            throw ValidationError("-r - is the standard input, and goes with no other file")
        }
        if !read.isEmpty { try live.checkUnused() }
        if post != nil, let other = database != nil ? "--database" : store != nil ? "--store" : nil {
            throw ValidationError("--post and \(other) contradict each other; give one of them")
        }
        // What else is wrong is told when the settings are read for use.
        guard let settings = try? resolved() else { return }
        if CaptureSettings(settings, reading: read).sensor == nil {
            throw ValidationError("say what to listen to: -i IFACE, or -r FILE")
        }
        try settings.storeContradictions.checkFlags()
        if settings[Settings.store] == nil, let flag = spool.given.first {
            throw ValidationError("\(flag.name) needs --store ADDRESS")
        }
        if settings[Settings.capturePost] == nil, let flag = token.given {
            throw ValidationError("\(flag) goes with --post")
        }
    }

    /// Flags, environment and file together.
    /// - Throws: ``ConfigurationError``.
    private func resolved() throws -> ResolvedSettings {
        try SettingsReader(flags: given, environment: ProcessInfo.processInfo.environment, path: config).read()
    }

    func job() throws -> Job {
        let resolved = try resolved()
        try resolved.storeContradictions.check()
        let settings = CaptureSettings(resolved, reading: read)
        return Job(log: settings.log, sensor: settings.sensor) { sensor, logger in
            guard let sensor else { return }
            try await Self.run(settings, sensor, logger)
        }
    }

    private static func run(_ settings: CaptureSettings, _ sensor: Sensor, _ logger: Logger) async throws {
        switch settings.destination {
        case .collector(let address, let tokenFile, let authorities):
            let token = try ClientToken.checked(path: tokenFile)
            let trusted = try TrustedAuthorities(path: authorities)
            try await deliver(settings, sensor, HTTPDelivery(to: address, token: token, trusting: trusted), logger)
        case .database(let path):
            try await keep(settings, sensor, in: path, logger)
        }
    }

    private static func deliver(
        _ settings: CaptureSettings, _ sensor: Sensor, _ delivery: HTTPDelivery, _ logger: Logger
    ) async throws {
        do {
            try await group(settings, [], service(settings, sensor, delivery, logger), logger).run()
        } catch {
            await delivery.close()
            throw error
        }
        await delivery.close()
    }

    private static func keep(
        _ settings: CaptureSettings, _ sensor: Sensor, in path: String, _ logger: Logger
    ) async throws {
        let address = try settings.shipping.address
        // Where nothing is shipped, what is noted for it would wait, and keep calls that have to go, for ever. A file is
        // over soon, and a server may ship what it brought.
        let keeping = address.map { _ in Shipping.keeping(settings.shipping.spool) }
        let store = try Database.open(path, outbox: keeping ?? (sensor.settings.isLive ? .off : .asBefore))
        var hurry = ShippingSettings()
        hurry.farewell = .seconds(settings.flushSeconds)
        let collector = CallCollector(store: store, retention: settings.retention, clock: Clock.now, logger: logger)
        let shipping = address.map {
            Shipping(from: store, of: collector, to: $0, as: "capture", settings: hurry, logger: logger)
        }
        let delivery = CollectorDelivery(collector: collector, destination: path)
        do {
            let services: [any Service] = (shipping.map { [$0.service] } ?? []) + [collector]
            try await group(settings, services, service(settings, sensor, delivery, logger), logger).run()
            try await checkNothingWaits(in: store, for: address)
        } catch {
            await shipping?.close()
            try? await store.close()
            throw error
        }
        await shipping?.close()
        try await store.close()
        guard !sensor.settings.isLive else { return }
        StandardOutput.tell("statsreport list --database \(path) shows the calls\n")
    }

    private static func checkNothingWaits(in store: SQLiteCallStore, for address: StoreAddress?) async throws {
        guard let address else { return }
        let changes = try await store.figures().entries
        if changes > 0 { throw CaptureFailure.unshipped(changes: changes, to: "\(address.location)") }
    }

    private static func service(
        _ settings: CaptureSettings, _ sensor: Sensor, _ delivery: any Delivery, _ logger: Logger
    ) -> CaptureService {
        let source = sensor.settings
        let destination = delivery.destination
        return CaptureService(
            sensor: sensor, delivery: delivery, flushTime: .seconds(settings.flushSeconds),
            voice: CaptureVoice(format: settings.log.format, logger: logger)
        ) {
            guard source.isLive else { return }
            StandardOutput.tell("sidetone captures on \(source.sourceName), for \(destination)\n")
        }
    }

    /// What ends a capture in order: as of `tcpdump` also SIGHUP, unless whoever started it has that ignored.
    private static var endingSignals: [UnixSignal] {
        let before = signal(SIGHUP, SIG_IGN)
        signal(SIGHUP, before)
        let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return isIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]
    }

    /// Services stop in reverse order: first the capture, then what takes its facts.
    private static func group(
        _ settings: CaptureSettings, _ others: [any Service], _ capture: CaptureService, _ logger: Logger
    ) -> ServiceGroup {
        typealias Entry = ServiceGroupConfiguration.ServiceConfiguration
        let last = Entry(
            service: capture, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup)
        var configuration = ServiceGroupConfiguration(
            services: others.map { Entry(service: $0) } + [last], gracefulShutdownSignals: endingSignals,
            logger: logger.withoutDebug)
        // The capture tries so long to hand over, and after it whoever ships.
        configuration.maximumGracefulShutdownDuration = .seconds(2 * settings.flushSeconds + 30)
        return ServiceGroup(configuration: configuration)
    }
}
