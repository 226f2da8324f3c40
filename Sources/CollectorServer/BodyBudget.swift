import Synchronization

/// The bytes that all bodies being received may take together.
///
/// A class, because every request shares the one count.
final class BodyBudget: Sendable {
    private let limit: Int
    private let meter: ServerMeter
    private let used = Mutex(0)

    init(limit: Int, meter: ServerMeter) {
        self.limit = limit
        self.meter = meter
    }

    /// Counts `bytes` as held.
    /// - Returns: whether they fit; when not, nothing was counted.
    func take(_ bytes: Int) -> Bool {
        let fits = used.withLock { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
        if fits { meter.bodiesGrew(by: bytes) }
        return fits
    }

    /// Counts `bytes` as no longer held.
    func give(_ bytes: Int) {
        used.withLock { $0 -= bytes }
        meter.bodiesGrew(by: -bytes)
    }
}
