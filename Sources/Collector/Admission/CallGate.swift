import CallModel

/// Which calls may begin with one transaction: no tenant has more of them going on than it may.
///
/// A body may have thousands of calls, and who asks waits for the writer: to judge one takes no longer for those before.
struct CallGate {
    /// Calls of one tenant that may go on at a time; 0 for any number.
    let limit: Int
    /// Calls that other transactions begin, and that were not committed when it was last looked.
    private var elsewhere: Set<CallIdentity>
    /// Calls that this transaction begins.
    private(set) var begun: Set<CallIdentity> = []
    /// How many calls of a tenant are among either.
    private var beginning: [TenantID: Int]
    /// Tenants for which there was no room any more: none is made before the transaction is over.
    private var full: Set<TenantID> = []

    init(limit: Int, elsewhere: Set<CallIdentity>) {
        self.limit = limit
        self.elsewhere = elsewhere
        beginning = elsewhere.reduce(into: [:]) { $0[$1.tenant, default: 0] += 1 }
    }

    /// Whether facts of a call are taken: of one that goes on or did lately always, of another while there is room.
    mutating func admits(_ call: CallIdentity, _ meter: CollectorMeter) -> Bool {
        guard limit > 0, !begun.contains(call), !meter.knows(call) else { return true }
        guard !full.contains(call.tenant) else { return false }
        guard hasRoom(for: call, meter) || settle(meter) && hasRoom(for: call, meter) else {
            full.insert(call.tenant)
            return false
        }
        begun.insert(call)
        beginning[call.tenant, default: 0] += 1
        return true
    }

    private func hasRoom(for call: CallIdentity, _ meter: CollectorMeter) -> Bool {
        let others = beginning[call.tenant, default: 0] - (elsewhere.contains(call) ? 1 : 0)
        return meter.admits(call, besides: others, limit: limit)
    }

    /// What was committed meanwhile is among those that the meter counts.
    /// - Returns: whether anything was.
    private mutating func settle(_ meter: CollectorMeter) -> Bool {
        let committed = elsewhere.filter { meter.knows($0) }
        elsewhere.subtract(committed)
        for call in committed { beginning[call.tenant, default: 0] -= 1 }
        return !committed.isEmpty
    }
}
