import ArgumentParser
import PacketCapture

/// How `sidetone serve` captures beside what it does otherwise.
struct ServeCaptureOptions: SettingOptions {
    @Option(
        name: .customLong("capture"),
        help: ArgumentHelp("Also capture on this interface; any stands for all.", valueName: "iface"))
    var interface: String?

    @Option(
        name: .customLong("capture-filter"),
        help: ArgumentHelp("Only packets that this expression lets through (man pcap-filter).", valueName: "bpf"))
    var filter: String?

    @Option(
        name: .customLong("capture-user"),
        help: ArgumentHelp("Account to go on as once the capture is open, before listening.", valueName: "name"))
    var user: String?

    @Option(
        name: .customLong("capture-observer"),
        help: ArgumentHelp(
            "Name of this sensor; records are NAME:caller and NAME:callee. (default: wire)", valueName: "name"))
    var observer: String?

    @Option(
        name: .customLong("capture-buffer-mib"),
        help: ArgumentHelp("What the kernel buffers until it is read, in MiB. (default: 16)", valueName: "mib"))
    var bufferMib: Int?

    @Option(
        name: .customLong("capture-snap-length"),
        help: ArgumentHelp("Bytes kept of each packet; SIP is needed whole. (default: 65535)", valueName: "bytes"))
    var snapLength: Int?

    @Flag(name: .customLong("capture-no-promiscuous"), help: "Take only packets to and from this machine.")
    var noPromiscuous = false

    @Flag(name: .customLong("capture-immediate"), help: "Take packets one by one as they come; costs much CPU.")
    var immediate = false

    @Option(
        name: .customLong("capture-snapshot-seconds"),
        help: ArgumentHelp("Seconds between two snapshots of a call. (default: 5)", valueName: "n"))
    var snapshotSeconds: Int?

    @Option(
        name: .customLong("capture-summary-seconds"),
        help: ArgumentHelp("Seconds between two summaries; 0 for none. (default: 10)", valueName: "n"))
    var summarySeconds: Int?

    var given: [GivenFlag] {
        [
            GivenFlag(Settings.captureInterface, interface), GivenFlag(Settings.captureFilter, filter),
            GivenFlag(Settings.captureUser, user), GivenFlag(Settings.captureObserver, observer),
            GivenFlag(Settings.captureBufferMib, bufferMib), GivenFlag(Settings.captureSnapLength, snapLength),
            GivenFlag(Settings.capturePromiscuous, noPromiscuous ? false : nil),
            GivenFlag(Settings.captureImmediate, immediate ? true : nil),
            GivenFlag(Settings.captureSnapshotSeconds, snapshotSeconds),
            GivenFlag(Settings.captureSummarySeconds, summarySeconds),
        ].compactMap(\.self)
    }
}

extension SensorSettings {
    /// What to capture on an interface, and how; nil when none is named.
    init?(_ settings: ResolvedSettings) {
        guard let interface = settings[Settings.captureInterface] else { return nil }
        var options = LiveOptions()
        options.filter = settings[Settings.captureFilter]
        options.isPromiscuous = settings[Settings.capturePromiscuous]
        options.isImmediate = settings[Settings.captureImmediate]
        options.bufferBytes = settings[Settings.captureBufferMib] << 20
        options.snapLength = settings[Settings.captureSnapLength]
        self.init(
            source: .interface(interface, options), probe: ProbeOptions(settings),
            user: settings[Settings.captureUser], summarySeconds: settings.summaryInterval)
    }
}
