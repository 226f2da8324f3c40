import Foundation

/// The standard error: the terminal of whoever started the program, or a log.
package enum Terminal {
    /// Whether it is a terminal; if not, nothing is drawn.
    package static let hasStandardError = isatty(STDERR_FILENO) == 1

    /// Writes to it. What it does not take, for its disk is full or its reader gone, is dropped: the work goes on.
    /// - Parameter text: what to write, with the ends of its lines.
    package static func tell(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
