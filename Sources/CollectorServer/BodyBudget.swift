import Synchronization

/// The bytes that all bodies being received may take together.
///
/// A class, because every request shares the one count.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts `bytes` as held.
    /// - Returns: whether they fit; when not, nothing was counted.
    func take(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
    }

    /// Counts `bytes` as no longer held.
    func give(_ bytes: Int) {
        used.withLock { $0 -= bytes }
    }
}
