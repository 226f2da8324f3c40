import CallModel
import Foundation
import Synchronization

/// The right to write to a database: an exclusive `flock(2)` on a file beside it.
///
/// The kernel gives it back when the process ends, however it ends. A class, for the lock belongs to one open file and
/// goes with the last reference to it. The lock is on a file of its own because closing any descriptor of the
/// database would drop the locks SQLite holds on it.
final class WriterLock: Sendable {
    private let descriptor: Mutex<CInt?>

    /// - Throws: ``CallStoreError/inUse(_:)`` when another process, or another store of this one, has the lock.
    init(besides file: DatabaseFile) throws {
        let descriptor = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
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
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets another process write. Does nothing the second time.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                // A child that is being started holds a copy until it runs; closing ours alone would leave it locked.
                flock(open, LOCK_UN)
                Foundation.close(open)
            }
            descriptor = nil
        }
    }
}
