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
struct LogOptions: ParsableArguments {
    @Option(help: "The least severe messages to log.")
    var logLevel = Logger.Level.info

    @Option(help: "How to write the log: text, or json with one object a line.")
    var logFormat = LogFormat.text

    /// Sets the program's logging up; to be called once.
    func makeLogger() -> Logger {
        switch logFormat {
        case .text: LoggingSystem.bootstrap(StreamLogHandler.standardError)
        case .json: LoggingSystem.bootstrap(JSONLogHandler.init(label:))
        }
        var logger = Logger(label: "sidetone")
        logger.logLevel = logLevel
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
