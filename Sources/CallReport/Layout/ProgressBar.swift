/// How far the reading of a file is: what to write to a terminal as it goes on.
public struct ProgressBar: Hashable, Sendable {
    /// Takes the bar away, so that what follows stands alone.
    public static let erasure = "\r\u{1B}[K"

    private static let width = 40
    private let total: Int
    private var percentShown = -1

    /// - Parameter total: The length of the file in bytes; nil or 0 when it is not known, and nothing is shown.
    public init(total: Int?) {
        self.total = total ?? 0
    }

    /// The bar when so many bytes were read.
    ///
    /// - Returns: nil when it looks as it did.
    public mutating func advance(to bytes: Int) -> String? {
        guard total > 0 else { return nil }
        let percent = min(100, 100 * bytes / total)
        guard percent != percentShown else { return nil }
        percentShown = percent
        let done = Self.width * percent / 100
        return "\r" + String(repeating: "█", count: done) + String(repeating: "░", count: Self.width - done)
            + " \(percent) %"
    }
}
