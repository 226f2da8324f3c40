import ArgumentParser
import Foundation

/// The standard output, written to until everything is out.
enum StandardOutput {
    /// Writes `text`. A reader that has seen enough and went away is a success: the program ends quietly.
    static func write(_ text: String) throws {
        signal(SIGPIPE, SIG_IGN)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE {
                throw ExitCode.success
            } else if errno != EINTR {
                throw ReportError.cannotWrite(reason: String(cString: strerror(errno)))
            }
        }
    }
}
