import ArgumentParser
import CollectorServer

/// The collecting program; ``Main`` runs it.
struct Sidetone: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sidetone",
        abstract: "Collects statistics and events of voice and video calls, and says how the calls went.",
        version: ProductVersion.current,
        subcommands: [
            ServeCommand.self, CaptureCommand.self, ImportCommand.self, ExportCommand.self, PruneCommand.self,
            EraseCommand.self, RescoreCommand.self, MigrateCommand.self, BackupCommand.self, RestoreCommand.self,
            CheckCommand.self,
            ConfigCommand.self, TokenCommand.self, HealthcheckCommand.self,
        ])
}
