import ArgumentParser
import Dispatch
import Foundation
import Logging

/// Where the program begins: what needs privileges is done here, before anything else runs.
///
/// The main thread goes to sleep for good once the first task runs, and on Linux a sleeping main thread is left out when
/// the process becomes another user: one thread would stay root. So the capture is opened, and privileges are given up,
/// while the main thread is awake.
@main
enum Main {
    static func main() {
        do {
            var command = try Sidetone.parseAsRoot()
            guard let command = command as? any SensorCommand else { return try command.run() }
            let logger = command.log.makeLogger()
            let sensor = try command.sensorSettings.map { try Sensor.start($0, logger: logger) }
            Task { await run(command, sensor, logger) }
        } catch {
            Sidetone.exit(withError: error)
        }
        dispatchMain()
    }

    private static func run(_ command: any SensorCommand, _ sensor: Sensor?, _ logger: Logger) async {
        do {
            try await command.run(sensor, logger)
            Foundation.exit(EXIT_SUCCESS)
        } catch {
            Sidetone.exit(withError: error)
        }
    }
}

/// A command that may listen to packets, which takes privileges that all else it does goes without.
protocol SensorCommand: ParsableCommand, Sendable {
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
