import ArgumentParser

/// Reads what sidetone collected and prints it.
@main
struct StatsReportTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statsreport",
        abstract: "Show how calls went.",
        discussion: """
            Reads a capture file, a file of statistics, or the database that `sidetone serve` writes, also while it is \
            writing, and never changes it.

            EXAMPLES
              statsreport trunk.pcap                the calls of a capture
              statsreport webrtc_internals_dump.gz  the call of a dump
              statsreport list                      the 50 worst calls
              statsreport list --newest --since 2h  what started in the last two hours
              statsreport call A551CA43-94A6        how one call went, from all ends
              statsreport compare A551CA43 B7720F31 two calls side by side
              statsreport call A551CA43-94A6 --format json | jq '.calls[0].score'

            EXIT STATUS
              0  done
              1  could not: the message names the file or the call
              64 misuse: the arguments make no sense
            """,
        version: "0.1.0",
        subcommands: [ListCommand.self, CallCommand.self, CompareCommand.self, FileCommand.self],
        defaultSubcommand: FileCommand.self)
}
