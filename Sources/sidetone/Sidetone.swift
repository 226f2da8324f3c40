import ArgumentParser
import CollectorServer

/// The collecting program.
@main
struct Sidetone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sidetone",
        abstract: "Collects statistics and events of voice and video calls, and says how the calls went.",
        version: ProductVersion.current,
        subcommands: [ServeCommand.self])
}
