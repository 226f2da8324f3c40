import CallModel
import Collector

/// Whose events a watcher is told.
struct LiveAudience: Sendable {
    let tenant: TenantID
    /// `nil` for all calls of the tenant.
    var calls: Set<CallIdentity>?
    /// Which of their records; `nil` for all.
    var selection: CallSelection?

    func includes(_ key: CallKey) -> Bool {
        guard key.identity.tenant == tenant else { return false }
        guard let calls else { return true }
        return calls.contains(key.identity) && selection?.includes(key) != false
    }
}
