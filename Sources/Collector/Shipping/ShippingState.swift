public import CallModel
import Synchronization

/// Whether what is stored here reaches the other store.
public struct ShippingState: Hashable, Sendable {
    /// How it goes. The raw value is what `GET /readyz` says.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// It is given on as it comes.
        case shipping
        /// It waits, and is tried again by itself.
        case retrying
        /// It waits until somebody sets something right there; it is tried again, too.
        case blocked
    }

    /// How it goes.
    public var phase: Phase
    /// Since when, on the collector's clock.
    public var since: Timestamp
    /// What the other store said last; `nil` while shipping.
    public var reason: String?

    public init(_ phase: Phase, since: Timestamp, reason: String? = nil) {
        self.phase = phase
        self.since = since
        self.reason = reason
    }
}

extension ShippingState {
    /// Takes in what came of a batch.
    /// - Returns: whether it is worth a line in the log.
    mutating func note(_ step: Shipper.Step, at now: Timestamp) -> Bool {
        let next: (phase: Phase, reason: String?) =
            switch step {
            case .idle, .shipped: (.shipping, nil)
            case .failed(.mend, let reason): (.blocked, reason)
            case .failed(.retry, let reason), .failed(.setAside, let reason): (.retrying, reason)
            }
        defer { reason = next.reason }
        guard next.phase != phase else { return false }
        (phase, since) = (next.phase, now)
        return true
    }
}

/// The state of shipping, for the one who ships and those who ask. A class, for they share it.
public final class ShippingMonitor: Sendable {
    private let current: Mutex<ShippingState>

    /// - Parameter now: the collector's clock.
    public init(now: Timestamp) {
        current = Mutex(ShippingState(.shipping, since: now))
    }

    /// As of now.
    public var state: ShippingState { current.withLock { $0 } }

    func note(_ step: Shipper.Step, at now: Timestamp) -> Bool {
        current.withLock { $0.note(step, at: now) }
    }
}
