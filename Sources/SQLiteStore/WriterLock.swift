import CallModel
import Foundation
import Synchronization

/// The right to write to a database: an exclusive `flock(2)` on a file beside it, and a lock on the database file itself,
/// which keeps others out though the one beside it was removed, and whatever name they have for it.
///
/// The kernel gives both back when the process ends, however it ends. A class, for the locks belong to open files and go
/// with the last reference to it. It has to outlast SQLite's connections: closing any descriptor of the database drops
/// the locks that SQLite holds on it. So the lock beside it is asked for first.
final class WriterLock: Sendable {
    private struct Held {
        var beside: CInt?
        /// `nil` while there is no file, and where the file or its file system takes no such lock.
        var within: CInt?
    }

    private let held: Mutex<Held>

    /// - Throws: ``CallStoreError/inUse(_:)`` when another process, or another store of this one, has the lock.
    init(on file: DatabaseFile) throws {
        held = Mutex(Held(beside: try Self.lockBeside(file)))
        try cover(file)
    }

    /// Locks the file itself alone, if there is one, and makes none beside it.
    /// - Throws: ``CallStoreError/inUse(_:)`` when another process has the lock.
    init(within file: DatabaseFile) throws {
        held = Mutex(Held())
        try cover(file)
    }

    /// Each other process that makes or removes the file at the same moment may cost one.
    private static let attempts = 10

    /// Makes an empty file that this account alone may read, and locks it. One that a killed process left is removed.
    /// - Throws: ``CallStoreError/inUse(_:)`` when another process, or another lock of this one, has it;
    ///   ``CallStoreError/cannotOpen(_:reason:)`` when it cannot be made.
    init(creating file: DatabaseFile) throws {
        held = Mutex(Held())
        for _ in 0..<Self.attempts {
            let new = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            let descriptor = new < 0 && errno == EEXIST ? open(file.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC) : new
            guard descriptor >= 0 else {
                if errno == ENOENT { continue }
                throw CallStoreError.cannotOpen(
                    file.name, reason: "it cannot be written: \(String(cString: strerror(errno)))")
            }
            held.withLock { $0.within = descriptor }
            if !Self.setLock(CInt(F_WRLCK), on: descriptor), errno == EAGAIN || errno == EACCES { break }
            // Who had the lock until now may have removed the file, or given it another name.
            if Self.isFile(descriptor, at: file.path) {
                guard new < 0 else { return }
                try file.remove()
            }
            release()
        }
        throw CallStoreError.inUse(file.name)
    }

    private static func isFile(_ descriptor: CInt, at path: String) -> Bool {
        var (ours, there) = (stat(), stat())
        return fstat(descriptor, &ours) == 0 && lstat(path, &there) == 0
            && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino
    }

    deinit {
        release()
    }

    private static func lockBeside(_ file: DatabaseFile) throws -> CInt {
        let descriptor = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, DatabaseFile.newMode)
        guard descriptor >= 0 else {
            throw CallStoreError.cannotOpen(
                file.name, reason: "\(file.path).lock cannot be written: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            Foundation.close(descriptor)
            if reason == EWOULDBLOCK { throw CallStoreError.inUse(file.name) }
            throw CallStoreError.cannotOpen(
                file.name, reason: "\(file.path).lock cannot be locked: \(String(cString: strerror(reason)))")
        }
        return descriptor
    }

    /// Locks the file itself, where there was none to lock before. What may not be written to is left to SQLite, which
    /// says why.
    /// - Throws: ``CallStoreError/inUse(_:)`` when another process has the lock.
    func cover(_ file: DatabaseFile) throws {
        try held.withLock { held in
            guard held.within == nil, file.exists else { return }
            let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            if Self.setLock(CInt(F_WRLCK), on: descriptor) {
                held.within = descriptor
            } else {
                let reason = errno
                Foundation.close(descriptor)
                if reason == EAGAIN || reason == EACCES { throw CallStoreError.inUse(file.name) }
            }
        }
    }

    /// Lets another process write. Does nothing the second time.
    func release() {
        held.withLock { held in
            // A child that is being started holds a copy until it runs; closing ours alone would leave it locked.
            if let within = held.within {
                _ = Self.setLock(CInt(F_UNLCK), on: within)
                Foundation.close(within)
            }
            if let beside = held.beside {
                flock(beside, LOCK_UN)
                Foundation.close(beside)
            }
            held = Held()
        }
    }

    /// `F_OFD_SETLK` of Linux: a lock that belongs to the open file, not to the process (fcntl(2)).
    private static let setLockOfOpenFile: CInt = 37
    /// Far beyond the bytes that SQLite locks, from 1 GiB on, and beyond the largest database.
    private static let lockedByte = off_t(1) << 62

    private static func setLock(_ kind: CInt, on descriptor: CInt) -> Bool {
        #if os(Linux)
            var lock = flock()
            lock.l_type = Int16(kind)
            lock.l_whence = Int16(SEEK_SET)
            lock.l_start = lockedByte
            lock.l_len = 1
            return fcntl(descriptor, setLockOfOpenFile, &lock) == 0
        #else
            errno = ENOTSUP
            return false
        #endif
    }
}
