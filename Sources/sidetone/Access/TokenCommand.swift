import ArgumentParser
import CallModel
import CollectorServer
import Foundation
import StandardStreams

/// `sidetone token`: what clients, readers and administrators show to be let in.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make tokens for those who may use a server.",
        subcommands: [New.self])

    /// `sidetone token new`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a token: one line to hand out, one line for the server's file.",
            usage: "sidetone token new [<options>] --scope <scopes>",
            discussion: """
                Prints the token, which is kept nowhere, and then the line for the file that \
                serve --tokens names; the line has only a hash of it. With --file the line is \
                added there instead. A server that runs reads the file again on SIGHUP.

                A token opens the data of one tenant. Of the scopes none includes another: \
                ingest posts, read reads, admin erases calls and reads /metrics. To replace \
                a token, add a new one, hand it out, and take the old line away.

                Examples:
                  sidetone token new --tenant acme --scope ingest --name phones
                  sidetone token new --scope read,admin --expires 2027-01-31 --file tokens
                """)

        @Option(help: ArgumentHelp("Whose data it opens.", valueName: "name"))
        var tenant = TenantID.default.rawValue

        @Option(help: ArgumentHelp("What it allows: ingest, read, admin, separated by commas.", valueName: "scopes"))
        var scope: String

        @Option(help: ArgumentHelp("What to call it in the log.", valueName: "name"))
        var name: String?

        @Option(help: ArgumentHelp("It is good until this moment, such as 2027-01-31.", valueName: "time"))
        var expires: String?

        @Option(help: ArgumentHelp("Add the line to this file instead of printing it.", valueName: "file"))
        var file: String?

        func validate() throws {
            for (option, value) in [("--tenant", tenant), ("--name", name ?? "a")] where !TokenEntry.isName(value) {
                throw ValidationError("\(option) is \"\(value)\"; expected \(TokenEntry.nameRule)")
            }
            _ = try scopes
            _ = try moment
        }

        func run() throws {
            let made = TokenEntry.make(
                tenant: TenantID(rawValue: tenant), scopes: try scopes, name: name, expires: try moment)
            guard let file else { return try StandardOutput.write("\(made.token)\n\(made.entry.line)\n") }
            try TokenFile.append(made.entry, to: file) { try StandardOutput.write("\(made.token)\n") }
        }

        private var scopes: Set<AccessScope> {
            get throws {
                let words = scope.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                let scopes = words.map(AccessScope.init(rawValue:))
                guard let wrong = scopes.firstIndex(of: nil) else { return Set(scopes.compactMap { $0 }) }
                throw ValidationError(
                    "--scope has \"\(words[wrong])\"; expected ingest, read or admin, separated by commas")
            }
        }

        private var moment: Timestamp? {
            get throws {
                guard let expires else { return nil }
                guard let moment = Timestamp(parsing: expires), moment > Clock.now() else {
                    throw ValidationError(
                        "--expires is \"\(expires)\"; expected a moment to come, such as 2027-01-31")
                }
                return moment
            }
        }
    }
}
