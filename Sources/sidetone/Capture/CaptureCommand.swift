import ArgumentParser
import CallModel
import Collector
import Foundation
import Logging
import PacketCapture
import SQLiteStore
import ServiceLifecycle
import UnixSignals

/// `sidetone capture`: listens to packets, and keeps or posts what they say of calls.
struct CaptureCommand: SensorCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Listen to RTP, RTCP and SIP on an interface or in a file, and keep a record of each call.",
        discussion: """
            Records go to a database file, or to another sidetone that collects for many
            sensors. A live capture prints "sidetone captures on …" when it is ready and a
            summary every few seconds. SIGTERM or SIGINT stop it: calls end where they
            stand, everything is stored or posted, and the exit status is 0; it is 1 when
            something could not be delivered in time. A file ends by itself.

            To capture takes root or CAP_NET_RAW. With --user the program gives up all
            privileges once the capture is open, before it opens anything else; the
            database must lie in a directory that this account can write to.

            Examples:
              sidetone capture -i eth0 --user sidetone --database /var/lib/calls.sqlite
              sidetone capture -i any --filter udp --post http://10.0.0.5:8080
              sidetone capture -r trunk.pcapng.gz

            Then:
              statsreport list
            """)

    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp("Capture on this interface; any stands for all.", valueName: "iface"))
    var interface: String?

    @Option(
        name: [.customShort("r"), .long],
        help: ArgumentHelp(
            "Read this capture file: pcap or pcapng, also in gzip; - is standard input.", valueName: "file"))
    var read: String?

    @Option(
        help: ArgumentHelp(
            "The file to keep calls in; made when it is not there. (default: \(Database.defaultPath))",
            valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("Post to this sidetone instead, such as http://10.0.0.5:8080.", valueName: "url"))
    var post: CollectorAddress?

    @Option(help: ArgumentHelp("Name of this sensor; records are NAME:caller and NAME:callee.", valueName: "name"))
    var observer = "wire"

    @Option(help: ArgumentHelp("Only packets that this expression lets through (man pcap-filter).", valueName: "bpf"))
    var filter: String?

    @Option(help: ArgumentHelp("Seconds between two snapshots of a call.", valueName: "n"))
    var snapshotSeconds = 5

    @Option(help: ArgumentHelp("How long to try to deliver what is left when it ends.", valueName: "n"))
    var flushSeconds = 15

    @Option(help: ArgumentHelp("Account to go on as once the capture is open.", valueName: "name"))
    var user: String?

    @OptionGroup var token: ClientTokenOptions
    @OptionGroup var live: LiveCaptureOptions
    @OptionGroup var keep: RetentionOptions
    @OptionGroup var log: LogOptions

    func validate() throws {
        switch (interface, read) {
        case (nil, nil): throw ValidationError("say what to listen to: -i IFACE, or -r FILE")
        case (_?, _?): throw ValidationError("-i and -r contradict each other; give one of them")
        case (nil, _?): try live.checkUnused()
        case (_?, nil): break
        }
        if post != nil, database != nil {
            throw ValidationError("--post and --database contradict each other; give one of them")
        }
        if post == nil, token.tokenFile != nil { throw ValidationError("--token-file goes with --post") }
        try LiveOptionRules.check("--observer", observer: observer)
        try LiveOptionRules.check("--snapshot-seconds", snapshotSeconds, in: LiveOptionRules.snapshotSeconds)
        try LiveOptionRules.check("--flush-seconds", flushSeconds, in: LiveOptionRules.flushSeconds)
    }

    func run(_ sensor: Sensor?, _ logger: Logger) async throws {
        guard let sensor else { return }
        if let post {
            try await deliver(sensor, to: post, logger)
        } else {
            try await keep(sensor, in: database ?? Database.defaultPath, logger)
        }
    }

    var sensorSettings: SensorSettings? {
        let probe = ProbeOptions(name: observer, snapshotSeconds: snapshotSeconds)
        let source: SensorSettings.Source =
            if let interface { .interface(interface, live.options(filter: filter)) } else {
                .file(read ?? CaptureFile.standardInput, filter: filter)
            }
        return SensorSettings(source: source, probe: probe, user: user, summarySeconds: live.summaryInterval)
    }

    private func deliver(_ sensor: Sensor, to address: CollectorAddress, _ logger: Logger) async throws {
        let delivery = HTTPDelivery(to: address, token: try token.token())
        do {
            try await group([], service(sensor, delivery, logger), logger).run()
        } catch {
            await delivery.close()
            throw error
        }
        await delivery.close()
    }

    private func keep(_ sensor: Sensor, in path: String, _ logger: Logger) async throws {
        let store = try Database.open(path)
        let collector = CallCollector(store: store, retention: keep.retention, clock: Clock.now, logger: logger)
        let delivery = CollectorDelivery(collector: collector, destination: path)
        do {
            try await group([collector], service(sensor, delivery, logger), logger).run()
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        guard !sensor.settings.isLive else { return }
        FileHandle.standardOutput.write(Data("statsreport list --database \(path) shows the calls\n".utf8))
    }

    private func service(_ sensor: Sensor, _ delivery: any Delivery, _ logger: Logger) -> CaptureService {
        let settings = sensor.settings
        let destination = delivery.destination
        return CaptureService(
            sensor: sensor, delivery: delivery, flushTime: .seconds(flushSeconds),
            voice: CaptureVoice(format: log.settings.format, logger: logger)
        ) {
            guard settings.isLive else { return }
            let line = "sidetone captures on \(settings.sourceName), for \(destination)\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }

    /// Services stop in reverse order: first the capture, then what takes its facts.
    private func group(_ others: [any Service], _ capture: CaptureService, _ logger: Logger) -> ServiceGroup {
        typealias Entry = ServiceGroupConfiguration.ServiceConfiguration
        let last = Entry(
            service: capture, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup)
        var configuration = ServiceGroupConfiguration(
            services: others.map { Entry(service: $0) } + [last], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(flushSeconds + 30)
        return ServiceGroup(configuration: configuration)
    }
}
