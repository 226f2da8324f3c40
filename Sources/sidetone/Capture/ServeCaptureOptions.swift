import ArgumentParser
import PacketCapture

/// How `sidetone serve` captures beside what it does otherwise.
struct ServeCaptureOptions: ParsableArguments {
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

    func validate() throws {
        if interface == nil, let name = given.first(where: \.1)?.0 {
            throw ValidationError("\(name) needs --capture IFACE")
        }
        if let observer { try LiveOptionRules.check("--capture-observer", observer: observer) }
        try LiveOptionRules.check("--capture-buffer-mib", bufferMib, in: LiveOptionRules.bufferMebibytes)
        try LiveOptionRules.check("--capture-snap-length", snapLength, in: LiveOptionRules.snapLengths)
        try LiveOptionRules.check("--capture-snapshot-seconds", snapshotSeconds, in: LiveOptionRules.snapshotSeconds)
        try LiveOptionRules.check("--capture-summary-seconds", summarySeconds, in: LiveOptionRules.summarySeconds)
    }

    private var given: [(String, Bool)] {
        [
            ("--capture-filter", filter != nil), ("--capture-user", user != nil),
            ("--capture-observer", observer != nil), ("--capture-buffer-mib", bufferMib != nil),
            ("--capture-snap-length", snapLength != nil), ("--capture-no-promiscuous", noPromiscuous),
            ("--capture-immediate", immediate), ("--capture-snapshot-seconds", snapshotSeconds != nil),
            ("--capture-summary-seconds", summarySeconds != nil),
        ]
    }

    /// What to capture, and how; nil when nothing is to be captured.
    var settings: SensorSettings? {
        guard let interface else { return nil }
        var options = LiveOptions()
        options.filter = filter
        options.isPromiscuous = !noPromiscuous
        options.isImmediate = immediate
        if let bufferMib { options.bufferBytes = bufferMib << 20 }
        if let snapLength { options.snapLength = snapLength }
        let seconds = summarySeconds ?? 10
        return SensorSettings(
            source: .interface(interface, options),
            probe: ProbeOptions(name: observer ?? "wire", snapshotSeconds: snapshotSeconds ?? 5), user: user,
            summarySeconds: seconds > 0 ? seconds : nil)
    }
}
