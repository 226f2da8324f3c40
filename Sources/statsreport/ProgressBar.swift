import Foundation

/// How far the reading of a file is, on a terminal only.
struct ProgressBar {
    private let total: Int?
    private let isShown: Bool
    private var percentShown = -1
    private static let width = 40

    /// - Parameter total: the length of the file in bytes; `nil` when it is not known.
    init(total: Int?) {
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && (total ?? 0) > 0
    }

    /// Shows that so many bytes were read.
    mutating func show(_ bytes: Int) {
        guard isShown, let total else { return }
        let percent = min(100, 100 * bytes / total)
        guard percent != percentShown else { return }
        percentShown = percent
        let done = Self.width * percent / 100
        let bar = String(repeating: "█", count: done) + String(repeating: "░", count: Self.width - done)
        FileHandle.standardError.write(Data("\r\(bar) \(percent) %".utf8))
    }

    /// Takes the bar away, so that the report stands alone.
    func clear() {
        guard isShown, percentShown >= 0 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
