import ArgumentParser
import StandardStreams

/// `sidetone config`: what `sidetone serve` would go by.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or check what sidetone serve would go by.",
        discussion: """
            A flag goes before a variable of the environment, that before the file which \
            --config or SIDETONE_CONFIG names, and that before the default. A variable has \
            the name of the setting's key, whatever the flag is called: --idle-seconds sets \
            limits.idle-seconds, which is the variable SIDETONE_LIMITS_IDLE_SECONDS, and in \
            the file

              limits:
                idle-seconds: 60

            Examples:
              sidetone config show --explain > sidetone.yaml
              sidetone config check --config sidetone.yaml
              sidetone serve --config sidetone.yaml
            """,
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self])
}

/// `sidetone config show`: every setting, its value, and where it came from.
struct ConfigShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print every setting with its value and where it came from.",
        discussion: """
            What it prints is a file that --config takes. Secrets are not shown. It takes the \
            flags of sidetone serve, too.
            """)

    @Flag(help: "Say what each setting does.")
    var explain = false

    @OptionGroup var options: ServeOptions

    func run() throws {
        try StandardOutput.write(SettingsText(try options.resolved(), explains: explain).text)
    }
}

/// `sidetone config check`: whether `sidetone serve` would start with it.
struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the environment and a file, and name everything that is wrong.",
        discussion: """
            It also reads the tokens, the certificate with its key, and the key of addresses, and looks whether the \
            database can be opened for writing, whether the address is one to listen at, and whether the interface \
            and the account of a capture are there. As root it goes on as that account, as serve does, so that what \
            the account may not open is named. Nothing is changed, and a server may be running. Exit status 0 \
            when nothing is wrong, else \(ConfigurationError.exitStatus). It takes the flags of sidetone serve, too.
            """)

    @OptionGroup var options: ServeOptions

    func run() throws {
        let settings = try options.resolved()
        let wanted = ServeSettings(settings)
        let ofCapture = wanted.captureFaults
        if ofCapture.isEmpty { try wanted.takeAccount() }
        try (wanted.fileFaults + wanted.placeFaults + ofCapture).check()
        for doubt in try wanted.doubts() { Terminal.tell("\(doubt)\n") }
        let entries = Settings.all.map { settings.entry(of: $0).source }
        let set = entries.count { $0 != .fallback }
        let file = settings.file.map { "\($0): " } ?? ""
        print("\(file)nothing is wrong; \(set) of \(entries.count) settings are set, the others have their defaults")
    }
}
