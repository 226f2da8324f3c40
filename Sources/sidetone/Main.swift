import ArgumentParser
import Dispatch
import Foundation
import Logging
import StandardStreams

/// Where the program begins: what needs privileges is done here, before anything else runs.
///
/// The main thread goes to sleep for good once the first task runs, and on Linux a sleeping main thread is left out when
/// the process becomes another user: one thread would stay root. So the capture is opened, and privileges are given up,
/// while the main thread is awake.
@main
enum Main {
    static func main() {
        // Who reads the log or a result may go away: that is what the next write tells.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try Sidetone.parseAsRoot()
            guard let command = command as? any JobCommand else { return try command.run() }
            let job = try command.job()
            let logger = job.log.makeLogger()
            let sensor = try job.sensor.map { try Sensor.start($0, logger: logger) }
            Task { await run(job, sensor, logger) }
        } catch {
            end(with: error)
        }
        dispatchMain()
    }

    private static func end(with error: any Error) -> Never {
        guard let error = error as? ConfigurationError else { Sidetone.exit(withError: error) }
        Terminal.tell("\(error)\n")
        Foundation.exit(ConfigurationError.exitStatus)
    }

    private static func run(_ job: Job, _ sensor: Sensor?, _ logger: Logger) async {
        do {
            try await job.run(sensor, logger)
            Foundation.exit(EXIT_SUCCESS)
        } catch {
            end(with: error)
        }
    }
}

/// What a command is to do, once all that it has to know is known.
struct Job: Sendable {
    /// How to log.
    var log: LogSettings
    /// What to listen to; nil for nothing.
    var sensor: SensorSettings?
    /// Does the work.
    /// - Throws: What ends the program, and says why: ``ConfigurationError`` with its own status, all else with 1.
    var run: @Sendable (Sensor?, Logger) async throws -> Void
}

/// A command that logs, and works asynchronously.
protocol JobCommand: ParsableCommand, Sendable {
    /// What to do by the flags, and by whatever else the command goes by. Called on the main thread, before all else.
    /// - Throws: ``ConfigurationError``.
    func job() throws -> Job
}

/// A command that goes by its flags alone. It may listen to packets, which takes privileges that all else it does goes
/// without.
protocol SensorCommand: JobCommand {
    /// How to log.
    var log: LogOptions { get }
    /// What to listen to; nil for nothing.
    var sensorSettings: SensorSettings? { get }
    /// Does the work.
    /// - Parameters:
    ///   - sensor: Listens already; nil when there are no settings for one.
    ///   - logger: For everything worth a line.
    /// - Throws: What ends the program with status 1, and says why.
    func run(_ sensor: Sensor?, _ logger: Logger) async throws
}

extension SensorCommand {
    func job() -> Job {
        Job(log: log.settings, sensor: sensorSettings, run: run)
    }
}
