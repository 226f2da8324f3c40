import Foundation

/// The terminal of whoever started the program.
enum Terminal {
    /// Whether the standard error is one; if not, nothing is drawn.
    static let hasStandardError = isatty(STDERR_FILENO) == 1

    /// Writes to it.
    static func tell(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
