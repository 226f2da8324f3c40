import ArgumentParser
import Foundation

/// The standard output, where results and announcements go.
enum StandardOutput {
    /// Writes a result, until everything is out. A reader that has seen enough and went away is a success: the program ends
    /// quietly.
    /// - Throws: ``OutputFailure``.
    static func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE {
                throw ExitCode.success
            } else if errno != EINTR {
                throw OutputFailure(reason: String(cString: strerror(errno)))
            }
        }
    }

    /// Says something beside the work, which goes on where nobody can be told.
    static func tell(_ text: String) {
        try? write(text)
    }
}

/// A result cannot be written.
struct OutputFailure: Error, Hashable, CustomStringConvertible {
    let reason: String

    var description: String { "cannot write to the standard output: \(reason)" }
}
