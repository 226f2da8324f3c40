import CallModel
import Collector
import Synchronization

/// The bytes that the bodies of all requests in work may take together, each tenant a fair share of them.
///
/// A class, because every request shares the one count.
final class BodyBudget: Sendable {
    private let share: Mutex<FairShare<TenantID>>
    private let limit: Int
    private let meter: ServerMeter
    /// Whether one tenant may have it all.
    private let isUndivided: Bool

    init(limit: Int, meter: ServerMeter, isUndivided: Bool = false) {
        self.limit = limit
        self.meter = meter
        self.isUndivided = isUndivided
        share = Mutex(FairShare(limit: limit))
    }

    /// Counts `bytes` as held.
    /// - Returns: whether they fit; when not, nothing was counted.
    func take(_ bytes: Int, of tenant: TenantID) -> Bool {
        let fits = share.withLock { share in
            let fits =
                isUndivided ? share.total + bytes <= limit : share.hasRoom(for: bytes, of: tenant)
            if fits { share.take(bytes, of: tenant) }
            return fits
        }
        if fits { meter.bodiesGrew(by: bytes) }
        return fits
    }

    /// Counts `bytes` as no longer held.
    func give(_ bytes: Int, of tenant: TenantID) {
        share.withLock { $0.give(bytes, of: tenant) }
        meter.bodiesGrew(by: -bytes)
    }
}
