#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that this process has to itself.
///
/// A class, for it owns the lock.
final class SpoolFolder: Sendable {
    let path: String
    private let lock: Int32

    /// Makes the folder if need be, and takes it.
    /// - Throws: ``FileError``; with `EWOULDBLOCK` where another process has it.
    init(_ path: String) throws(FileError) {
        self.path = path
        try Self.ask("mkdir", path) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let file = path + "/lock"
        lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw FileError("open", file) }
        // What throws from here on leaves the file to `deinit`, which runs once all is set.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw FileError("lock", file) }
    }

    deinit {
        // A child that is being started has a copy of the descriptor for a moment, and would keep the lock.
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// What lies in it, in no order.
    /// - Throws: ``FileError``.
    func names() throws(FileError) -> [String] {
        try Self.ask("list", path) { try FileManager.default.contentsOfDirectory(atPath: path) }
    }

    func path(of name: String) -> String {
        path + "/" + name
    }

    /// Foundation's errors, as those of the system.
    private static func ask<Answer>(
        _ operation: String, _ path: String, _ body: () throws -> Answer
    ) throws(FileError) -> Answer {
        do {
            return try body()
        } catch {
            throw FileError(operation, path, code: errno == 0 ? ENOTDIR : errno)
        }
    }
}
