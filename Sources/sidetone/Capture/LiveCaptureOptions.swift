import ArgumentParser
import PacketCapture

/// How `sidetone capture` captures on an interface; none of it is for files.
struct LiveCaptureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What the kernel buffers until it is read, in MiB. (default: 16)", valueName: "mib"))
    var bufferMib: Int?

    @Option(
        help: ArgumentHelp("Bytes kept of each packet; SIP is needed whole. (default: 65535)", valueName: "bytes"))
    var snapLength: Int?

    @Flag(help: "Take only packets to and from this machine.")
    var noPromiscuous = false

    @Flag(help: "Take packets one by one as they come, not in blocks; costs much CPU.")
    var immediate = false

    @Option(help: ArgumentHelp("Seconds between two summaries; 0 for none. (default: 10)", valueName: "n"))
    var summarySeconds: Int?

    func validate() throws {
        try LiveOptionRules.check("--buffer-mib", bufferMib, in: LiveOptionRules.bufferMebibytes)
        try LiveOptionRules.check("--snap-length", snapLength, in: LiveOptionRules.snapLengths)
        try LiveOptionRules.check("--summary-seconds", summarySeconds, in: LiveOptionRules.summarySeconds)
    }

    /// - Throws: when one of these is given for a file.
    func checkUnused() throws {
        let given = [
            ("--buffer-mib", bufferMib != nil), ("--snap-length", snapLength != nil),
            ("--no-promiscuous", noPromiscuous), ("--immediate", immediate),
            ("--summary-seconds", summarySeconds != nil),
        ]
        guard let (name, _) = given.first(where: \.1) else { return }
        throw ValidationError("\(name) is for an interface (-i), not for a file (-r)")
    }

    func options(filter: String?) -> LiveOptions {
        var options = LiveOptions()
        options.filter = filter
        options.isPromiscuous = !noPromiscuous
        options.isImmediate = immediate
        if let bufferMib { options.bufferBytes = bufferMib << 20 }
        if let snapLength { options.snapLength = snapLength }
        return options
    }

    /// Seconds between two summaries; nil for none.
    var summaryInterval: Int? {
        let seconds = summarySeconds ?? 10
        return seconds > 0 ? seconds : nil
    }
}
