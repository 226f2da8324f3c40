/// Counts records one after another, for a ``FleetSummary``.
public struct FleetTally: Hashable, Sendable {
    private var fleet = FleetSummary()
    /// Records by score, 0...100.
    private var scores = [Int](repeating: 0, count: 101)
    private var setups: [Int64] = []

    public init() {}

    /// Takes in one record; its issues are counted only when the outline has them.
    public mutating func add(_ call: CallOutline) {
        fleet.calls += 1
        fleet.outcomes[call.outcome, default: 0] += 1
        if let worst = call.worstScore, worst <= FleetSummary.badStretch { fleet.callsWithBadStretch += 1 }
        if let score = call.score, scores.indices.contains(score) {
            scores[score] += 1
        } else {
            fleet.unscored += 1
        }
        if let cause = call.leadingCause {
            fleet.causes[cause, default: 0] += 1
        } else {
            fleet.withoutCause += 1
        }
        fleet.relay[CallFilter.Relay(call.isRelayed), default: 0] += 1
        for issue in call.issues { add(1, with: issue) }
        if let length = call.setupMilliseconds { add(setup: length) }
    }

    /// Takes in that so many records more have an issue of a kind.
    public mutating func add(_ calls: Int, with issue: IssueKind) {
        fleet.issues[issue, default: 0] += calls
    }

    /// Takes in that what is counted of a record is damaged.
    public mutating func note(_ damage: RecordDamage, of key: CallKey) {
        guard fleet.damage.count < FleetSummary.mostDamaged else { return }
        fleet.damage[key] = damage
    }

    private mutating func add(setup length: Int64) {
        setups.append(length)
        let part = SetupDistribution.bounds.lastIndex { $0 <= length } ?? 0
        fleet.setup.counts[part] += 1
    }

    /// What was counted.
    public var summary: FleetSummary {
        var summary = fleet
        for (score, count) in scores.enumerated() where count > 0 {
            summary.bands[QualityBand(score: score), default: 0] += count
        }
        summary.medianScore = medianScore
        let sorted = setups.sorted()
        summary.setup.calls = sorted.count
        summary.setup.medianMilliseconds = Self.percentile(50, of: sorted)
        summary.setup.p95Milliseconds = Self.percentile(95, of: sorted)
        return summary
    }

    private var medianScore: Int? {
        let rank = Self.rank(50, of: scores.reduce(0, +))
        var below = 0
        return scores.firstIndex { count in
            below += count
            return below >= rank && count > 0
        }
    }

    private static func percentile(_ percent: Int, of sorted: [Int64]) -> Int64? {
        sorted.isEmpty ? nil : sorted[rank(percent, of: sorted.count) - 1]
    }

    /// The nearest rank, from 1.
    private static func rank(_ percent: Int, of count: Int) -> Int {
        max(1, (count * percent + 99) / 100)
    }
}

extension CallFilter.Relay {
    /// What a path is, by whether either end is a relay.
    public init(_ isRelayed: Bool?) {
        self = isRelayed.map { $0 ? .relayed : .direct } ?? .unknown
    }
}
