import ArgumentParser
import CallModel
import Foundation
import SQLiteStore

/// `sidetone restore`: puts a backup in the place of the database.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of the database that no server has open.",
        discussion: """
            The backup is checked first, and stays where it is. The database before is kept \
            beside the new one, which gets its owner and mode. What clients sent since the backup \
            is not in it; they may send it again.

            Example:
              sidetone restore /backup/calls.sqlite --database /var/lib/sidetone.sqlite
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    func run() throws {
        let stamp = Date(timeIntervalSince1970: Double(Clock.now().milliseconds) / 1000)
            .formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let bar = PageBar()
        let restored = try SQLiteCallStore.restore(
            file, to: database, keepingAsideAs: "before-\(stamp)", progress: bar.advance)
        bar.erase()
        print("\(database): \(UpkeepWords.contents(restored.contents)), restored from \(file)")
        let damaged = restored.contents.damaged
        if !damaged.isEmpty {
            let records = UpkeepWords.counted(damaged.count, "record")
            print("\(records) cannot be read whole; \"sidetone check\" tells which")
        }
        if let aside = restored.keptAside { print("the database before is \(aside)") }
        if let log = restored.keptLog { print("there was no database, but the log of one, which is \(log)") }
        if !restored.hasOwnerOfBefore {
            print("its owner is not that of the database before: give it to the account that the server runs as")
        }
        if restored.contents.isOfEarlierVersion {
            print("an older sidetone wrote it; \"sidetone serve\" brings it up to date")
        }
    }
}
