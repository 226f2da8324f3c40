import CallModel

/// What the retention must know of a call, with all its observers.
struct CallActivity: Hashable, Sendable {
    /// The columns that tell the call from others.
    var tenant: String
    var call: String
    var attempt: Int
    /// When any of its facts was last received, on the collector's clock.
    var lastReceivedAt: Timestamp
    /// When any fact of a record that no event has ended was last received; `nil` when all have ended.
    var lastReceivedUnended: Timestamp?

    /// Whether some observer's record is live.
    func isLive(at now: Timestamp, silenceLimitMilliseconds limit: Int64) -> Bool {
        lastReceivedUnended.map { now.milliseconds(since: $0) < limit } ?? false
    }
}

/// Which calls have to go: a decision, made of values alone.
struct RetentionPlan: Hashable, Sendable {
    /// Those beyond the number of calls to keep, least recently active first.
    var beyondCount: [CallActivity] = []
    /// Those without activity for too long, among the others, least recently active first.
    var beyondAge: [CallActivity] = []
    /// How many stay although beyond a limit, because they are live.
    var keptLive = 0

    /// Decides for all calls of a store, given in any order; of equally old ones the first goes first.
    init(calls: [CallActivity], retention: Retention, now: Timestamp) {
        let isLive = { (call: CallActivity) in
            call.isLive(at: now, silenceLimitMilliseconds: retention.silenceLimitMilliseconds)
        }
        let isAged = { (call: CallActivity) in
            retention.milliseconds.map { now.milliseconds(since: call.lastReceivedAt) >= $0 } ?? false
        }
        let idle = calls.enumerated().filter { !isLive($0.element) }
            .sorted { ($0.element.lastReceivedAt, $0.offset) < ($1.element.lastReceivedAt, $1.offset) }
            .map(\.element)
        // Each tenant has the number for itself: one with many calls takes nothing from another.
        var excess: [String: Int] = [:]
        for call in calls { excess[call.tenant, default: -max(retention.calls, 0)] += 1 }
        for call in idle {
            if excess[call.tenant, default: 0] > 0 {
                excess[call.tenant, default: 0] -= 1
                beyondCount.append(call)
            } else if isAged(call) {
                beyondAge.append(call)
            }
        }
        let liveBeyondCount = excess.values.reduce(0) { $0 + max($1, 0) }
        keptLive = max(liveBeyondCount, calls.count { isLive($0) && isAged($0) })
    }
}
