import ArgumentParser
import Foundation

/// The flags of `sidetone serve`. None has a default: what is not given may be set elsewhere.
struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Settings for what no flag and no variable sets, in YAML.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 takes any free one. (default: \(Settings.listen.fallback))",
            valueName: "host:port"))
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "The file to keep calls in; it is made when it is not there. (default: \(Database.defaultPath))",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            """
            A ClickHouse database to ship what is stored to, clickhouse://user@host:8123/name; the user's password \
            comes from SIDETONE_CLICKHOUSE_PASSWORD. See docs/scale.md.
            """, valueName: "address"))
    var store: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Derive calls anew, in the background, that another version's rules derived; see sidetone rescore.")
    var rescore: Bool?

    @Option(
        help: ArgumentHelp(
            "When told to stop, go on for so long while GET /readyz says no. (default: 0)", valueName: "n"))
    var stopDelaySeconds: Int?

    @OptionGroup var shared: SharedStoreOptions
    @OptionGroup var spool: SpoolOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var privacy: PrivacyOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var keep: RetentionOptions
    @OptionGroup var capture: ServeCaptureOptions
    @OptionGroup var log: LogOptions

    private var given: [GivenFlag] {
        [
            GivenFlag(Settings.listen, listen), GivenFlag(Settings.database, database),
            GivenFlag(Settings.store, store),
            GivenFlag(Settings.rescore, rescore, name: rescore == false ? "--no-rescore" : nil),
            GivenFlag(Settings.stopDelaySeconds, stopDelaySeconds),
        ].compactMap(\.self) + shared.given + spool.given + access.given + privacy.given + limits.given + keep.given
            + capture.given
            + log.given
    }

    func validate() throws {
        for flag in given { try flag.check() }
        // What else is wrong is told when the settings are read for use.
        try (try? read())?.contradictions.checkFlags()
        try check(capture, needs: Settings.captureInterface, "--capture IFACE")
        try check(shared, needs: Settings.store, "--store ADDRESS")
        try check(spool, needs: Settings.store, "--store ADDRESS")
    }

    /// Flags that mean nothing without another setting, wherever that stands.
    private func check(_ options: some SettingOptions, needs setting: Setting<String?>, _ flag: String) throws {
        guard let name = options.given.first?.name, let settings = try? read(), settings[setting] == nil
        else { return }
        throw ValidationError("\(name) needs \(flag)")
    }

    /// Flags, environment and file together.
    /// - Throws: ``ConfigurationError``, also for what does not go together.
    func resolved() throws -> ResolvedSettings {
        let settings = try read()
        try settings.contradictions.check()
        return settings
    }

    private func read() throws -> ResolvedSettings {
        try SettingsReader(flags: given, environment: ProcessInfo.processInfo.environment, path: config).read()
    }
}
