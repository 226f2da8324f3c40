import CallModel
import Foundation

extension DatabaseFile {
    /// Files that SQLite keeps beside a database while it is open, and after a crash.
    static let companions = ["-wal", "-shm", "-journal"]

    /// Those of them that are there.
    var companions: [DatabaseFile] {
        Self.companions.map { DatabaseFile(beside: self, $0) }.filter(\.exists)
    }

    /// Waits until the file is on the disk.
    func synchronise() throws {
        try Self.synchronise(path, name: name)
    }

    /// Waits until the names in the file's folder are on the disk.
    func synchroniseFolder() throws {
        try Self.synchronise(URL(filePath: path).deletingLastPathComponent().path, name: name)
    }

    private static func synchronise(_ path: String, name: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CallStoreError.failed("\(name): \(lastError)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CallStoreError.failed("\(name): \(lastError)") }
    }

    /// Gives the file the owner, group and mode of another. Where the system does not let it, the owner stays; see
    /// ``takeMode(of:)``.
    /// - Returns: whether the system let it; the owner is changed by root alone.
    func takeOwner(of other: DatabaseFile) -> Bool {
        var status = stat()
        guard stat(other.path, &status) == 0 else { return false }
        guard chown(path, status.st_uid, status.st_gid) == 0 else {
            takeMode(of: other)
            return false
        }
        // A change of owner may take rights away from the mode.
        return chmod(path, status.st_mode & 0o7777) == 0
    }

    /// Gives the file the group and mode of another. What that lets its group do, no other group may: where the system does
    /// not let the group be changed, none may.
    func takeMode(of other: DatabaseFile) {
        var status = stat()
        guard stat(other.path, &status) == 0 else { return }
        let hasGroup = chown(path, uid_t.max, status.st_gid) == 0
        _ = chmod(path, status.st_mode & (hasGroup ? 0o777 : 0o707))
    }

    /// Gives the file another name in the same file system, in place of what has it.
    func rename(to newPath: String) throws {
        guard Foundation.rename(path, newPath) == 0 else {
            throw CallStoreError.failed("\(path) cannot be renamed to \(newPath): \(Self.lastError)")
        }
    }

    /// Gives the file a second name.
    func link(to newPath: String) throws {
        guard Foundation.link(path, newPath) == 0 else {
            throw CallStoreError.failed("\(path) cannot be kept as \(newPath): \(Self.lastError)")
        }
    }

    /// Takes the name away from the file.
    func remove() throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw CallStoreError.failed("\(path) cannot be removed: \(Self.lastError)")
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}
