import Foundation

/// A file that a test writes, gone when the test is done.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID().uuidString)").path

    init(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A text with the path of this file replaced by the word FILE.
    func anonymous(_ text: String) -> String { text.replacing(path, with: "FILE") }
}

/// A named pipe into which a test writes, gone when the test is done.
final class TemporaryPipe {
    let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path

    /// Waits, on a thread of its own, for somebody who reads, and writes the pieces one after the other.
    init(_ pieces: [[UInt8]]) throws {
        guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread { [path] in
            // A process that another test starts meanwhile must not hold the pipe open.
            let end = FileHandle(fileDescriptor: open(path, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
            for piece in pieces { try? end.write(contentsOf: Data(piece)) }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A text with the path of this pipe replaced by the word PIPE.
    func anonymous(_ text: String) -> String { text.replacing(path, with: "PIPE") }
}
