import ArgumentParser
import CallModel

/// How long calls are kept in the database.
struct RetentionOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "Keep at most so many calls of each tenant; the least recently active go first. (default: 10000)",
            valueName: "n"))
    var keepCalls: Int?

    @Option(help: ArgumentHelp("Also remove calls without activity for so many days.", valueName: "days"))
    var keepDays: Double?

    var given: [GivenFlag] {
        [GivenFlag(Settings.keepCalls, keepCalls), GivenFlag(Settings.keepDays, keepDays)].compactMap(\.self)
    }

    /// What the options say.
    var retention: Retention {
        Retention(calls: keepCalls ?? Settings.keepCalls.fallback, days: keepDays)
    }
}

extension Retention {
    /// So many calls, of no more than so many days; nil for all days, as more of them are than can be counted.
    init(calls: Int, days: Double?) {
        self.init(calls: calls, milliseconds: days.map { Int64(exactly: ($0 * 86_400_000).rounded()) ?? .max })
    }
}
