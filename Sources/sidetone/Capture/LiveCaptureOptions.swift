import ArgumentParser
import PacketCapture

/// How `sidetone capture` captures on an interface; none of it is for files.
struct LiveCaptureOptions: SettingOptions {
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

    var given: [GivenFlag] {
        [
            GivenFlag(Settings.captureBufferMib, bufferMib, name: "--buffer-mib"),
            GivenFlag(Settings.captureSnapLength, snapLength, name: "--snap-length"),
            GivenFlag(Settings.capturePromiscuous, noPromiscuous ? false : nil, name: "--no-promiscuous"),
            GivenFlag(Settings.captureImmediate, immediate ? true : nil, name: "--immediate"),
            GivenFlag(Settings.captureSummarySeconds, summarySeconds, name: "--summary-seconds"),
        ].compactMap(\.self)
    }

    /// - Throws: when one of these is given for a file.
    func checkUnused() throws {
        guard let name = given.first?.name else { return }
        throw ValidationError("\(name) is for an interface (-i), not for a file (-r)")
    }
}
