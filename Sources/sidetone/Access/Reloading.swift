import Logging
import ServiceLifecycle
import UnixSignals

/// A file that is read again without a new start.
struct Reloadable: Sendable {
    /// What it holds, for the log.
    let what: String
    let path: String
    /// Reads it and puts it in force, or throws and leaves everything as it was.
    /// - Returns: what is in force now, in words.
    let reload: @Sendable () throws -> String
}

/// Reads files again when SIGHUP comes, as administrators expect of a server.
struct Reloading: Service {
    private let files: [Reloadable]
    private let hangups: UnixSignalsSequence
    private let logger: Logger

    /// From now on SIGHUP does not end the program.
    init(_ files: [Reloadable], logger: Logger) async {
        self.files = files
        self.logger = logger
        hangups = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async throws {
        for await _ in hangups.cancelOnGracefulShutdown() {
            if files.isEmpty { logger.info("SIGHUP: there is nothing to read again") }
            for file in files { reload(file) }
        }
    }

    private func reload(_ file: Reloadable) {
        do {
            let result = try file.reload()
            logger.info("read \(file.what) again", metadata: ["path": "\(file.path)", "found": "\(result)"])
        } catch {
            logger.error("the \(file.what) stay as they were", metadata: ["reason": "\(error)"])
        }
    }
}
