import ArgumentParser
import CallModel
import CallReport
import Collector
import PacketCapture

/// `statsreport FILE…`: the calls of a capture, from its packets alone, or of a file of statistics.
struct FileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Show how the calls of a capture or of a dump of statistics went.",
        usage: "statsreport file [<options>] <file> ...",
        discussion: """
            Reads pcap and pcapng, and what clients write: getStats reports and events, one a \
            line or in an array, CallStatistics.log, dumps of webrtc-internals and rtcstats. \
            What it is, the content tells; gzip may be around it. Needs no server and no \
            database. The word `file` can be left out. Calls of a capture are found by their \
            SIP; media without signalling are found by themselves. A file of up to \
            \(FileCommand.mostCallsInFull) calls is shown in full, of a larger one the worst \
            calls are listed.

            EXAMPLES
              statsreport call.pcap                         what is in it
              statsreport webrtc_internals_dump.gz          how the call of the dump went
              statsreport trunk.pcapng.gz --call 3c26@pbx   one call in full
              statsreport trunk_*.pcap                      a capture that was rotated
              statsreport trunk.pcap --filter 'host 192.0.2.7' --all | less
              statsreport trunk.pcap --format json | jq '.calls[] | select(.score < 60)'
            """)

    /// Files with so many calls are shown in full.
    static let mostCallsInFull = 3

    @Argument(
        help: ArgumentHelp(
            """
            A capture, the files that it was rotated into, or a file of statistics; - for a capture from standard input.
            """, valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("Only this call, in full: its Call-ID or another name of it.", valueName: "id"))
    var call: String?

    @Flag(help: "Every call in full, as it ends.")
    var all = false

    @Option(help: ArgumentHelp("Only packets that this expression lets through (man pcap-filter).", valueName: "bpf"))
    var filter: String?

    @Option(
        help: ArgumentHelp("What is shown of IP addresses: cut to /24 and /48, or full.", valueName: "how"))
    var addresses = AddressChoice.cut

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if files.count > 1, files.contains(CaptureFile.standardInput) {
            throw ValidationError("- is the standard input, and goes with no other file.")
        }
        if all, call != nil { throw ValidationError("--all and --call contradict each other; give one of them.") }
    }

    func run() throws {
        do {
            var reading = try CaptureReading(paths: files, selection: selection, addresses: addresses, output: output)
            try reading.run(filter: filter)
        } catch let error as CaptureError where mayBeStatistics(error) {
            if let limit { throw ReportError.notACapture("\(error)", limit) }
            var reading = StatisticsReading(
                path: files[0], selection: selection, addresses: addresses, output: output)
            try reading.run()
        }
    }

    /// Whether the file, which is no capture, may be one of statistics.
    private func mayBeStatistics(_ error: CaptureError) -> Bool {
        switch error {
        case .notACapture: true
        case .damagedHeader(let path, _): path == CaptureFile.standardInput || StatisticsReading.isGzip(path)
        default: false
        }
    }

    /// Why only captures can be read; `nil` where a file of statistics can be, too.
    private var limit: CaptureLimit? {
        if files.count > 1 { return .severalFiles }
        if files[0] == CaptureFile.standardInput { return .standardInput }
        return filter == nil ? nil : .filter
    }

    private var selection: FileSelection {
        if let call { return .call(call) }
        return all ? .all : .worst
    }
}
