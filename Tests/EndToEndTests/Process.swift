import Foundation
import Glibc

/// A program that runs beside the tests; stands in for Foundation's class of this name, and has what the tests use of it.
///
/// Foundation's own reads past the end of a buffer now and then when it looks for open files to close
/// (swift-corelibs-foundation, `Process.run()` on Linux), which takes the whole test run with it. `posix_spawn` closes
/// them itself.
///
/// A class, for it owns a process. Unchecked, because what changes after ``run()`` is guarded by `condition`.
final class Process: @unchecked Sendable {
    /// How a process ended.
    enum TerminationReason { case exit, uncaughtSignal }

    var executableURL: URL?
    var arguments: [String] = []
    var currentDirectoryURL: URL?
    /// A `Pipe` or a `FileHandle`; nothing for the tests' own.
    var standardInput: Any?
    var standardOutput: Any?
    var standardError: Any?
    /// Called once, on a thread of its own.
    var terminationHandler: (@Sendable (Process) -> Void)?

    private(set) var processIdentifier: Int32 = 0
    private let condition = NSCondition()
    private var waitStatus: Int32?

    /// Starts it.
    func run() throws {
        guard let path = executableURL?.path else { throw CocoaError(.fileNoSuchFile) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let streams = [(standardInput, false), (standardOutput, true), (standardError, true)]
        for (target, stream) in streams.enumerated() {
            guard let descriptor = Self.descriptor(of: stream.0, isWritten: stream.1) else { continue }
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        try GNUExtensions.closeFrom(&actions, 3)
        if let folder = currentDirectoryURL?.path { try GNUExtensions.changeDirectory(&actions, folder) }
        try start(path, &actions)
        for (stream, isWritten) in streams {
            if let pipe = stream as? Pipe {
                try? (isWritten ? pipe.fileHandleForWriting : pipe.fileHandleForReading).close()
            }
        }
        let identifier = processIdentifier
        Thread.detachNewThread { self.wait(for: identifier) }
    }

    private func start(_ path: String, _ actions: inout posix_spawn_file_actions_t) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the tests block signals that the program must hear.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let error = posix_spawn(&processIdentifier, path, &actions, &attributes, &words, environ)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    }

    private static func descriptor(of stream: Any?, isWritten: Bool) -> Int32? {
        switch stream {
        case let pipe as Pipe: (isWritten ? pipe.fileHandleForWriting : pipe.fileHandleForReading).fileDescriptor
        case let handle as FileHandle: handle.fileDescriptor
        default: nil
        }
    }

    private func wait(for identifier: Int32) {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        condition.lock()
        waitStatus = status
        condition.broadcast()
        condition.unlock()
        terminationHandler?(self)
    }

    /// Whether it has been started and has not ended.
    var isRunning: Bool { processIdentifier != 0 && ended == nil }

    private var ended: Int32? {
        condition.lock()
        defer { condition.unlock() }
        return waitStatus
    }

    /// Exit status, or the number of the signal that ended it.
    var terminationStatus: Int32 {
        let status = ended ?? 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
    }

    /// Whether it ended by itself.
    var terminationReason: TerminationReason { (ended ?? 0) & 0x7F == 0 ? .exit : .uncaughtSignal }

    /// Asks it to end (SIGTERM).
    func terminate() { signal(SIGTERM) }

    /// Interrupts it (SIGINT).
    func interrupt() { signal(SIGINT) }

    private func signal(_ number: Int32) {
        if isRunning { kill(processIdentifier, number) }
    }

    /// Blocks until it has ended.
    func waitUntilExit() {
        condition.lock()
        while waitStatus == nil { condition.wait() }
        condition.unlock()
    }
}

/// What glibc offers to GNU programs only; its headers hide it from Swift.
private enum GNUExtensions {
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

    static func closeFrom(_ actions: Actions, _ descriptor: Int32) throws {
        typealias Function = @convention(c) (Actions, Int32) -> Int32
        _ = unsafeBitCast(try symbol("posix_spawn_file_actions_addclosefrom_np"), to: Function.self)(
            actions, descriptor)
    }

    static func changeDirectory(_ actions: Actions, _ path: String) throws {
        typealias Function = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
        _ = unsafeBitCast(try symbol("posix_spawn_file_actions_addchdir_np"), to: Function.self)(actions, path)
    }

    private static func symbol(_ name: String) throws -> UnsafeMutableRawPointer {
        guard let found = dlsym(nil, name) else { throw POSIXError(.ENOSYS) }
        return found
    }
}
