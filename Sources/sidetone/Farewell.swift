import CollectorServer
import Logging
import ServiceLifecycle

/// What comes first when the server is to stop: it says that it is not ready, and goes on for a while, so that whoever
/// sends it work can notice and send it elsewhere.
struct Farewell: Service {
    let readiness: Readiness
    /// How long it goes on; 0 where nobody looks.
    let delay: Duration
    let logger: Logger

    func run() async throws {
        // Cancelled when the server could not start: there is nobody to tell.
        do { try await gracefulShutdown() } catch { return }
        readiness.stop()
        guard delay > .zero else { return }
        logger.info("stopping", metadata: ["delaySeconds": "\(delay.components.seconds)"])
        try? await Task.sleep(for: delay)
    }
}
