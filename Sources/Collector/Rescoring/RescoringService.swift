public import Logging
public import ServiceLifecycle

/// Derives outdated records anew in the background of a server, once it is ready.
public struct RescoringService: Service {
    private let rescoring: Rescoring
    private let logger: Logger
    private let signal: AsyncStream<Void>
    private let signaller: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - rescoring: what to do.
    ///   - logger: is told how much there is to do, and what came of it.
    public init(_ rescoring: Rescoring, logger: Logger) {
        self.rescoring = rescoring
        self.logger = logger
        (signal, signaller) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that the server is ready.
    public func begin() {
        signaller.yield()
    }

    /// Waits for ``begin()``, goes through what is left, and then does nothing until the program shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in self.signal {
                await self.work()
                return
            }
        }
        try await gracefulShutdown()
    }

    private func work() async {
        do {
            let left = try await rescoring.left()
            guard left > 0 else { return }
            logger.info("deriving records anew that earlier rules derived", metadata: ["records": "\(left)"])
            let tally = try await rescoring.run()
            let figures: Logger.Metadata = [
                "records": "\(tally.records)", "scoresChanged": "\(tally.changes)", "failed": "\(tally.failed)",
                "left": "\(left - tally.done)",
            ]
            logger.info("records were derived anew", metadata: figures)
            for (reason, failure) in tally.failures {
                logger.error(
                    "records were not derived anew and stay as they were",
                    metadata: ["records": "\(failure.count)", "reason": "\(reason)"])
            }
        } catch {
            logger.error("records were not derived anew", metadata: ["error": "\(error)"])
        }
    }
}
