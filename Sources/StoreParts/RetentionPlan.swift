package import CallModel

/// What the retention must know of a call, with all its observers.
package struct CallActivity: Hashable, Sendable {
    /// The columns that tell the call from others.
    package var tenant: String
    package var call: String
    package var attempt: Int
    /// When any of its facts was last received, on the collector's clock.
    package var lastReceivedAt: Timestamp
    /// When any fact of a record that no event has ended was last received; `nil` when all have ended.
    package var lastReceivedUnended: Timestamp?

    package init(
        tenant: String, call: String, attempt: Int, lastReceivedAt: Timestamp, lastReceivedUnended: Timestamp?
    ) {
        self.tenant = tenant
        self.call = call
        self.attempt = attempt
        self.lastReceivedAt = lastReceivedAt
        self.lastReceivedUnended = lastReceivedUnended
    }

    /// Whether some observer's record is live.
    package func isLive(at now: Timestamp, silenceLimitMilliseconds limit: Int64) -> Bool {
        lastReceivedUnended.map { now.milliseconds(since: $0) < limit } ?? false
    }
}

/// Which calls have to go: a decision, made of values alone.
package struct RetentionPlan: Hashable, Sendable {
    /// Those beyond the number of calls to keep, least recently active first.
    package var beyondCount: [CallActivity] = []
    /// Those without activity for too long, among the others, least recently active first.
    package var beyondAge: [CallActivity] = []
    /// How many stay although beyond a limit, because they are live.
    package var keptLive = 0

    /// Decides for all calls of a store, given in any order; of equally old ones the first goes first.
    package init(calls: [CallActivity], retention: Retention, now: Timestamp) {
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

extension RetentionPlan {
    /// Whether nothing has to go.
    package var isEmpty: Bool { beyondCount.isEmpty && beyondAge.isEmpty }

    /// The first `number` calls to go, of those that may. No more are asked after than that takes.
    package func first(
        _ number: Int, where mayGo: (CallActivity) throws -> Bool = { _ in true }
    ) rethrows -> RetentionPlan {
        var part = self
        part.beyondCount = try beyondCount.first(number, where: mayGo)
        part.beyondAge = try beyondAge.first(number - part.beyondCount.count, where: mayGo)
        return part
    }
}

extension RetentionPlan {
    /// Without so many of its calls, in the order in which ``first(_:where:)`` asks after them.
    package func dropFirst(_ number: Int) -> RetentionPlan {
        var rest = self
        rest.beyondCount = Array(beyondCount.dropFirst(number))
        rest.beyondAge = Array(beyondAge.dropFirst(number - (beyondCount.count - rest.beyondCount.count)))
        return rest
    }
}

extension [CallActivity] {
    fileprivate func first(_ number: Int, where mayGo: (Element) throws -> Bool) rethrows -> [Element] {
        var found: [Element] = []
        for call in self {
            guard found.count < number else { break }
            if try mayGo(call) { found.append(call) }
        }
        return found
    }
}
