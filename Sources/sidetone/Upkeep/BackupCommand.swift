import ArgumentParser
import SQLiteStore

/// `sidetone backup`: copies the database, while a server may be writing to it.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database to a file, checked, while a server may be writing to it.",
        discussion: """
            The copy is of one moment and one file. It is checked before it gets its name: \
            a file that is there is a backup that can be restored.

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
    }
}
