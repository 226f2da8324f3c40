public import ArgumentParser
public import Logging

/// How a log is written.
enum LogFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// One line a message, for people.
    case text
    /// One JSON object a line, for programs.
    case json
}

/// Where and how much the program logs. Always to standard error.
struct LogOptions: SettingOptions {
    @Option(help: "The least severe messages to log. (default: info)")
    var logLevel: Logger.Level?

    @Option(help: "How to write the log: text, or json with one object a line. (default: text)")
    var logFormat: LogFormat?

    var given: [GivenFlag] {
        [GivenFlag(Settings.logLevel, logLevel), GivenFlag(Settings.logFormat, logFormat?.rawValue)]
            .compactMap(\.self)
    }

    /// What the options say.
    var settings: LogSettings {
        LogSettings(
            level: logLevel ?? Settings.logLevel.fallback, format: logFormat ?? Settings.logFormat.fallback)
    }
}

/// How the program logs.
struct LogSettings: Hashable, Sendable {
    var level: Logger.Level
    var format: LogFormat

    /// Sets the program's logging up; to be called once.
    func makeLogger() -> Logger {
        switch format {
        case .text: LoggingSystem.bootstrap(StreamLogHandler.standardError)
        case .json: LoggingSystem.bootstrap(JSONLogHandler.init(label:))
        }
        var logger = Logger(label: "sidetone")
        logger.logLevel = level
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
