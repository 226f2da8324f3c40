import Foundation

/// Which files a store has open, as the system numbers them.
///
/// A file that is removed, moved away or replaced while it is open can be written to as before, and nobody will ever read
/// it. SQLite does not look ([How To Corrupt §2.4](https://www.sqlite.org/howtocorrupt.html)).
struct PlacedFiles: Sendable {
    private struct Identity: Hashable, Sendable {
        var device: UInt64
        var number: UInt64

        /// Of what is at a path; `nil` where nothing is, or cannot be reached.
        init?(at path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private let file: DatabaseFile
    private let database: Identity?
    private let log: Identity?
    private let index: Identity?

    /// - Parameter file: a database that is open.
    init(of file: DatabaseFile) {
        self.file = file
        database = Identity(at: file.path)
        log = Identity(at: file.path + "-wal")
        index = Identity(at: file.path + "-shm")
    }

    /// What the first of them that is not where it was opened is, and what became of it; `nil` while all are. Three looks
    /// at the system's tables, some microseconds.
    var fault: String? {
        let names = [("", database, "the database file"), ("-wal", log, "its log"), ("-shm", index, "its index")]
        for (suffix, identity, name) in names {
            guard let identity, identity != Identity(at: file.path + suffix) else { continue }
            return "\(name) was removed, moved or replaced while it was open"
        }
        return nil
    }

    /// What is where the database was opened.
    enum Place: Hashable, Sendable {
        /// The file that is open.
        case unchanged
        /// Nothing, or nothing that can be reached. The log that is left there tells the next start that a database was.
        case gone
        /// Another file.
        case another
    }

    var place: Place {
        switch Identity(at: file.path) {
        case nil: .gone
        case database: .unchanged
        default: .another
        }
    }

    /// Removes the log, which lies beside another database now: SQLite would take it for that one's.
    func removeLog() {
        for (suffix, identity) in [("-wal", log), ("-shm", index)] where identity == Identity(at: file.path + suffix) {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }
}
