import Logging
import SQLiteStore
import ServiceLifecycle

/// Looks after the database file though nobody sends anything: says when it is not where it was opened, and takes out of its
/// log what was erased while somebody read from it.
struct DatabaseWatch: Service {
    private static let interval = Duration.seconds(2)

    let store: SQLiteCallStore
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown { try await watch() }
    }

    private func watch() async throws {
        var told: String?
        while true {
            let fault = store.misplacement
            if let fault, told == nil {
                logger.error(
                    "nothing can be stored until the database is back in its place; or stop the server and restore a backup",
                    metadata: ["cause": "\(fault)", "database": "\(store.path)"])
            } else if fault == nil, told != nil {
                logger.notice("the database is back in its place", metadata: ["database": "\(store.path)"])
            }
            told = fault
            await store.emptyLogIfOwed()
            try await Task.sleep(for: Self.interval)
        }
    }
}
