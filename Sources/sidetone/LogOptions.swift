public import ArgumentParser
public import Logging
import StandardStreams

/// How a log is written.
enum LogFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// One line a message, for people.
    case text
    /// One JSON object a line, for programs.
    case json
    /// Text on a terminal, else JSON.
    case auto
}

/// Where and how much the program logs. Always to standard error.
struct LogOptions: SettingOptions {
    @Option(help: "The least severe messages to log. (default: info)")
    var logLevel: Logger.Level?

    @Option(
        help: """
            How to write the log: text, json with one object a line, or auto: text on a terminal, else json. \
            (default: auto for serve, else text)
            """)
    var logFormat: LogFormat?

    var given: [GivenFlag] {
        [GivenFlag(Settings.logLevel, logLevel), GivenFlag(Settings.logFormat, logFormat?.rawValue)]
            .compactMap(\.self)
    }

    /// What the options say.
    var settings: LogSettings {
        LogSettings(level: logLevel ?? Settings.logLevel.fallback, format: logFormat ?? .text)
    }
}

/// How the program logs.
struct LogSettings: Hashable, Sendable {
    let level: Logger.Level
    /// Text or JSON.
    let format: LogFormat

    init(level: Logger.Level, format: LogFormat) {
        self.level = level
        self.format = format == .auto ? (Terminal.hasStandardError ? .text : .json) : format
    }

    /// Sets the program's logging up; to be called once.
    func makeLogger() -> Logger {
        switch format {
        case .text: LoggingSystem.bootstrap(StreamLogHandler.standardError)
        case .json, .auto: LoggingSystem.bootstrap(JSONLogHandler.init(label:))
        }
        var logger = Logger(label: "sidetone")
        logger.logLevel = level
        return logger
    }
}

extension Logger {
    /// The same for what tells at `debug` what only its authors can read.
    var withoutDebug: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .info)
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
