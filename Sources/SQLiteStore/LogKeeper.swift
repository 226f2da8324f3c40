import GRDB
import GRDBSQLite
import Synchronization

/// Brings what the write-ahead log holds back into the file, beside those who write.
///
/// Left to itself, SQLite does that within the commit that makes the log too long, and all others wait for it. Here a
/// connection of its own does most of it (`wal_checkpoint(PASSIVE)` holds up nobody). Only when all is back does the log
/// begin anew; so what was written meanwhile, which is little, is brought back in turn with commits.
final class LogKeeper: Sendable {
    private struct State {
        /// Pages that had been written when the log was brought back last.
        var pagesBefore = 0
        var task: Task<Void, Never>?
        /// How many want the log left alone.
        var pauses = 0
        /// Erasures of which the log may hold what they removed, so far.
        var erasures = 0
        /// Those of them after which the log was emptied.
        var wipedErasures = 0
    }

    private let connection: DatabaseQueue
    private let pagesInLog: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - connection: to the database, and used for nothing else.
    ///   - pagesInLog: how many pages the log takes in before they are brought back.
    init(_ connection: DatabaseQueue, pagesInLog: Int) {
        self.connection = connection
        self.pagesInLog = pagesInLog
    }

    /// Begins to bring the log back when enough was written since the last time.
    /// - Parameters:
    ///   - pages: how many pages were written so far; see ``GRDB/Database/pagesWritten``.
    ///   - pool: who writes.
    func note(written pages: Int, by pool: DatabasePool) {
        state.withLock { state in
            guard state.task == nil, state.pauses == 0, pages - state.pagesBefore >= pagesInLog else { return }
            state.pagesBefore = pages
            state.task = Task {
                await bringBack(pool)
                self.state.withLock { $0.task = nil }
            }
        }
    }

    /// The log stays as it is where that fails: the next time it is tried again, and what ails the file is told by commits.
    private func bringBack(_ pool: DatabasePool) async {
        // The first time takes long; what is written in that time is brought back by the second.
        for _ in 0..<2 { _ = try? await connection.writeWithoutTransaction { try $0.checkpoint() } }
        _ = try? await pool.writeWithoutTransaction { try $0.checkpoint() }
    }

    /// Runs `body` while the log is left alone: a checkpoint that waits for readers is refused beside another one.
    func pausing<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
        let task = state.withLock { state in
            state.pauses += 1
            return state.task
        }
        defer { state.withLock { $0.pauses -= 1 } }
        await task?.value
        return try await body()
    }

    /// Takes in that something was erased: what the log holds of it is to go, too.
    func noteErasure() {
        state.withLock { $0.erasures += 1 }
    }

    /// Empties the log where it may hold what was erased. As long as a reader holds that up it is owed, and to be tried again:
    /// a log that is only brought back keeps its bytes until others are written over them.
    /// - Parameter pool: who writes. It waits for readers no longer than a moment.
    func emptyIfOwed(_ pool: DatabasePool) async {
        let erasures = state.withLock { $0.wipedErasures < $0.erasures ? $0.erasures : nil }
        guard let erasures else { return }
        let isEmpty = await pausing {
            // Most of it is done beside those who write.
            _ = try? await connection.writeWithoutTransaction { try $0.checkpoint() }
            return (try? await pool.writeWithoutTransaction { try $0.emptyLog() }) != nil
        }
        guard isEmpty else { return }
        state.withLock { $0.wipedErasures = max($0.wipedErasures, erasures) }
    }

    /// Lets go of the file.
    func close() throws {
        try connection.close()
    }
}

extension Database {
    /// How long the log's readers are waited for while nobody can write, in ms: most have read by then.
    private static let patienceMilliseconds = 100

    /// Brings all of the log back into the file and cuts it to nothing.
    /// - Throws: when somebody reads from it for longer than a moment.
    fileprivate func emptyLog() throws {
        let patience = try Int.fetchOne(self, sql: "PRAGMA busy_timeout") ?? 0
        try execute(sql: "PRAGMA busy_timeout = \(Self.patienceMilliseconds)")
        defer { try? execute(sql: "PRAGMA busy_timeout = \(patience)") }
        try checkpoint(.truncate)
    }

    /// How many pages this connection has written since it was opened; with a write-ahead log, into that.
    var pagesWritten: Int {
        var (current, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }
}
