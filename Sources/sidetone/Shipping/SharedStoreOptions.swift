import ArgumentParser
import CallModel
import Collector

/// What is done in the database that calls are shipped to.
struct SharedStoreOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "Keep at most so many calls of each tenant in the ClickHouse database. (default: all)", valueName: "n"))
    var clickhouseKeepCalls: Int?

    @Option(help: ArgumentHelp("Also remove calls there without activity for so many days.", valueName: "days"))
    var clickhouseKeepDays: Double?

    @Option(
        help: ArgumentHelp(
            "How often calls whose reports reached several servers are put together there. (default: 30)",
            valueName: "n"))
    var clickhouseMergeSeconds: Int?

    @Option(
        help: ArgumentHelp(
            "Show all calls that are there on the page and in the API, or only this server's own. (default: all)",
            valueName: "which"))
    var clickhouseShow: ShownCalls?

    var given: [GivenFlag] {
        [
            GivenFlag(Settings.storeKeepCalls, clickhouseKeepCalls),
            GivenFlag(Settings.storeKeepDays, clickhouseKeepDays),
            GivenFlag(Settings.mergeSeconds, clickhouseMergeSeconds),
            GivenFlag(Settings.shownCalls, clickhouseShow?.defaultValueDescription),
        ].compactMap(\.self)
    }
}

/// Which calls a server shows that ships what it takes.
enum ShownCalls: String, CaseIterable, ExpressibleByArgument {
    /// What all servers took, as far as it was shipped.
    case all
    /// What it took itself.
    case own
}

extension MergingSettings {
    /// As it is set.
    init(_ settings: ResolvedSettings) {
        self.init()
        interval = .seconds(settings[Settings.mergeSeconds])
        let (calls, days) = (settings[Settings.storeKeepCalls], settings[Settings.storeKeepDays])
        if calls != nil || days != nil { retention = Retention(calls: calls ?? .max, days: days) }
    }
}
