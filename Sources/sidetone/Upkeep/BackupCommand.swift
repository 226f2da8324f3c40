import ArgumentParser
import SQLiteStore

/// `sidetone backup`: copies the database, while a server may be writing to it.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database to a file, checked, while a server may be writing to it.",
        discussion: """
            The copy is of one moment and one file. It is checked before it gets its name: \
            a file that is there is a backup that can be restored. Calls in it that cannot be \
            read whole are named, and the exit status is 1: earlier backups may have them.

            Examples:
              sidetone backup /backup/calls.sqlite
              sidetone backup --replace /backup/calls.sqlite --database sidetone.sqlite
            """)

    @Argument(help: ArgumentHelp("Where the copy goes.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The file that calls are kept in.", valueName: "file"))
    var database = Database.defaultPath

    @Flag(help: "Write over the file when it is there.")
    var replace = false

    func run() throws {
        let bar = PageBar()
        let contents = try SQLiteCallStore.backUp(database, to: file, replacing: replace, progress: bar.advance)
        bar.erase()
        print("\(file): \(UpkeepWords.contents(contents)), checked")
        guard contents.damaged.isEmpty else { throw BackupFailure.damaged(contents.damaged, in: file) }
    }
}

/// Why the exit status is not 0 though there is a backup.
enum BackupFailure: Error, Hashable, CustomStringConvertible {
    /// Records cannot be read whole, neither in the database nor in the backup.
    case damaged([DamagedRecord], in: String)

    private static let mostNamed = 10

    var description: String {
        switch self {
        case .damaged(let records, let file):
            """
            \(file) is complete, but \(UpkeepWords.counted(records.count, "record")) cannot be read whole, as in the \
            database: keep earlier backups, and run "sidetone check"
            """ + records.prefix(Self.mostNamed).map { "\n  \(UpkeepWords.finding($0))" }.joined()
        }
    }
}
