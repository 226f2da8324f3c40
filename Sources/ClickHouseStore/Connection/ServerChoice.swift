import Synchronization

/// Which server of several is asked: the same one, until it does not answer.
///
/// A class, for all copies of a client share it.
final class ServerChoice: Sendable {
    private let servers: [ClickHouseServer]
    private let turns = Mutex(0)

    /// - Parameter servers: At least one.
    init(of servers: [ClickHouseServer]) {
        self.servers = servers
    }

    /// The one that is asked next.
    var current: ClickHouseServer { servers[turns.withLock { $0 } % servers.count] }

    /// Asks the current one; when it does not answer, whoever comes next, the same request again maybe, asks another.
    func moving<Answer>(
        _ ask: (ClickHouseServer) async throws(ClickHouseError) -> Answer
    ) async throws(ClickHouseError) -> Answer {
        let turn = turns.withLock { $0 }
        do throws(ClickHouseError) {
            return try await ask(servers[turn % servers.count])
        } catch {
            // Of many that fail at once one moves on.
            if error.isOfServer { turns.withLock { if $0 == turn { $0 += 1 } } }
            throw error
        }
    }
}
