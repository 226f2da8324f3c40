import Logging
import ServiceLifecycle
import UnixSignals

/// A file that is read again without a new start.
struct Reloadable: Sendable {
    /// What it holds, for the log.
    let what: String
    let path: String
    /// What of it is in force.
    let state: @Sendable () -> State
    /// Reads it and puts it in force, or throws and leaves everything as it was.
    let reload: @Sendable () throws -> Void

    /// What is in force, in words.
    struct State {
        var found: String
        /// What whoever wrote the file hardly meant: with it nobody can use the server.
        var doubt: String?
    }

    /// Tells of what nobody meant.
    func warn(_ logger: Logger) {
        guard let doubt = state().doubt else { return }
        logger.warning("\(doubt)", metadata: ["path": "\(path)"])
    }
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
            logger.info("SIGHUP reads tokens and certificates again; every other setting takes a restart")
            if files.isEmpty { logger.info("SIGHUP: there is nothing to read again") }
            for file in files { reload(file) }
        }
    }

    private func reload(_ file: Reloadable) {
        do {
            try file.reload()
            logger.info(
                "read \(file.what) again", metadata: ["path": "\(file.path)", "found": "\(file.state().found)"])
            file.warn(logger)
        } catch {
            logger.error("the \(file.what) stay as they were", metadata: ["reason": "\(error)"])
        }
    }
}
