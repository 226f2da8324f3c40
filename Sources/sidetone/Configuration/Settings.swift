import ArgumentParser
import CallModel
import Logging
import PacketCapture
import SQLiteStore

/// Everything that can be set for `sidetone serve`, a line each.
///
/// This table is what values are read by, what `sidetone config` shows and checks, what names of keys and variables are
/// known, and what docs/operations.md is held against. A new setting takes:
/// 1. a line here, and its name in ``all``;
/// 2. an optional flag without a default in ``ServeOptions`` or a group of its own, and its line in `given` there;
/// 3. a member of ``ServeSettings`` that reads it: `settings[Settings.keepCalls]`;
/// 4. a line in docs/operations.md, which a test asks for.
enum Settings {
    static let listen = Setting.argument(
        "listen", "Where to listen; port 0 takes any free one.",
        expected: "HOST:PORT, with an IPv6 address in brackets", default: ListenAddress(host: "127.0.0.1", port: 8080))
    static let database = Setting<String>.text(
        "database", "The file to keep calls in; it is made when it is not there.", expected: "the path of a file",
        default: Database.defaultPath)
    static let store = Setting<String?>.text(
        "store", "A ClickHouse database to ship what is stored to.",
        expected: "an address such as clickhouse://user@host:8123/database")
    static let storePassword = Setting<String?>.text(
        "clickhouse.password", "The password of the user in the address of the ClickHouse database.",
        expected: "a password", isSecret: true)
    static let storeKeepCalls = Setting<Int?>.whole(
        "clickhouse.keep-calls", "Most calls kept of each tenant in the ClickHouse database.", unit: "calls",
        in: 1...Int.max)
    static let storeKeepDays = Setting.number(
        "clickhouse.keep-days", "Also remove calls there without activity for so long.", unit: "days", upTo: 36_500)
    static let mergeSeconds = Setting<Int>.whole(
        "clickhouse.merge-seconds", "How often calls that reached several servers are put together.",
        unit: "seconds", in: 1...86_400, default: 30)
    static let shownCalls = Setting.argument(
        "clickhouse.show", "Which calls are shown: all that are there, or this server's own.",
        expected: "all or own", default: ShownCalls.all)
    static let spoolBytes = Setting<Int>.whole(
        "spool.bytes", "Most that may wait to be shipped, as sidetone_spool_bytes counts it.", unit: "bytes",
        in: 1_024...Int.max, default: 20_000_000_000)
    static let spoolWhenFull = Setting.argument(
        "spool.when-full", "Then take nothing more, or ship the rest without the oldest.",
        expected: "refuse or drop-oldest", default: OutboxSettings.Fullness.refuse)
    static let rescore = Setting.yesOrNo(
        "rescore", "Derive calls anew, in the background, that another version's rules derived.", default: true)

    static let keepCalls = Setting<Int>.whole(
        "keep.calls", "Most calls kept of each tenant; the least recently active go first.", unit: "calls",
        in: 1...Int.max,
        default: 10_000)
    static let keepDays = Setting.number(
        "keep.days", "Also remove calls without activity for so long.", unit: "days", upTo: 36_500)

    static let stopDelaySeconds = Setting<Int>.whole(
        "stop.delay-seconds", "When told to stop, go on for so long while GET /readyz says no.", unit: "seconds",
        in: 0...600, default: 0)

    static let logLevel = Setting.argument(
        "log.level", "The least severe messages to log.", expected: Logger.Level.allValueStrings.asChoice,
        default: Logger.Level.info)
    static let logFormat = Setting.argument(
        "log.format", "How to write the log; auto is text on a terminal, else JSON.",
        expected: LogFormat.allValueStrings.asChoice, default: LogFormat.auto)

    /// In the order in which they are shown.
    static let all: [any SettingRow] =
        [
            listen, database, store, storePassword, storeKeepCalls, storeKeepDays, mergeSeconds, shownCalls,
            spoolBytes, spoolWhenFull, rescore,
        ] + access + limits + [keepCalls, keepDays, stopDelaySeconds]
        + capture
        + [logLevel, logFormat]
}

extension [String] {
    /// `text or json`.
    fileprivate var asChoice: String {
        dropLast().joined(separator: ", ") + " or " + (last ?? "")
    }
}
