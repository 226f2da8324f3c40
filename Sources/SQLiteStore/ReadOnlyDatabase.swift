import CallModel
import GRDB
import Synchronization

/// A database that another process may begin to write, be writing, or stop writing while it is read here.
///
/// A class, for its connection is replaced when that happens: a file that stands alone is read without locks
/// (`immutable`), which is right only for as long as nobody writes. So every read is followed by a look whether
/// somebody did, and repeated under SQLite's own locking if so.
final class ReadOnlyDatabase: Sendable {
    private struct Connection: Sendable {
        var queue: DatabaseQueue
        /// The file as it was when opened without locks; `nil` under SQLite's locking.
        var unlocked: DatabaseFile.Fingerprint?
    }

    private let file: DatabaseFile
    private let connection: Mutex<Connection>
    /// Writers do not come and go this often within one read.
    private static let attempts = 10

    init(_ file: DatabaseFile) throws {
        self.file = file
        connection = Mutex(try Self.connect(file))
    }

    private static func connect(_ file: DatabaseFile) throws -> Connection {
        let before = file.fingerprint
        return Connection(
            queue: try file.openForReading(alone: before.standsAlone), unlocked: before.standsAlone ? before : nil)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        for _ in 1..<Self.attempts {
            let current = connection.withLock { $0 }
            let result: Result<Value, any Error>
            do {
                result = .success(try await current.queue.read(body))
            } catch {
                result = .failure(error)
            }
            guard let before = current.unlocked, before != file.fingerprint else { return try result.get() }
            let fresh = try Self.connect(file)
            connection.withLock { $0 = fresh }
        }
        throw CallStoreError.failed("\(file.name): the file keeps being replaced while it is read")
    }

    func close() throws {
        try connection.withLock { try $0.queue.close() }
    }
}
