public import ArgumentParser
public import SQLiteStore

/// The flags of what may wait to be shipped.
struct SpoolOptions: SettingOptions {
    @Option(
        help: ArgumentHelp("Most bytes that may wait to be shipped to --store. (default: 20000000000)", valueName: "n"))
    var spoolBytes: Int?

    @Option(
        help: ArgumentHelp(
            "What then: refuse takes nothing more, drop-oldest does not ship the oldest. (default: refuse)",
            valueName: "how"))
    var spoolWhenFull: OutboxSettings.Fullness?

    var given: [GivenFlag] {
        [
            GivenFlag(Settings.spoolBytes, spoolBytes),
            GivenFlag(Settings.spoolWhenFull, spoolWhenFull?.defaultValueDescription),
        ].compactMap(\.self)
    }
}

extension OutboxSettings.Fullness: ExpressibleByArgument {}

/// What may wait to be shipped.
struct SpoolSettings: Hashable, Sendable {
    /// Most bytes, as `sidetone_spool_bytes` counts them.
    var maximumBytes: Int64
    /// What happens then.
    var whenFull: OutboxSettings.Fullness
}

extension SpoolSettings {
    init(_ settings: ResolvedSettings) {
        self.init(
            maximumBytes: Int64(settings[Settings.spoolBytes]), whenFull: settings[Settings.spoolWhenFull])
    }
}
