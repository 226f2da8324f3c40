import Foundation

/// The terminal of whoever started the program.
enum Terminal {
    /// Whether the standard error is one; if not, nothing is drawn.
    static let hasStandardError = isatty(STDERR_FILENO) == 1

    /// Writes to it. What it does not take, for its disk is full or its reader gone, is dropped: the work goes on.
    static func tell(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
