import CallModel
import CallReport

/// A fleet's figures as JSON. Lists are in a fixed order, but for causes and issues: most calls first.
struct JSONFleet: Sendable {
    private let fleet: FleetSummary

    init(_ fleet: FleetSummary) {
        self.fleet = fleet
    }

    var members: JSONObject {
        [
            "calls": Self.count(fleet.calls), "medianScore": fleet.medianScore.map(Self.count) ?? .null,
            "callsWithBadStretch": Self.count(fleet.callsWithBadStretch),
            "failedOrUnanswered": Self.count(fleet.failedOrUnanswered), "unscored": Self.count(fleet.unscored),
            "outcomes": .object(
                JSONObject(
                    uniqueKeysWithValues: CallOutcome.allCases.map { outcome in
                        (outcome.rawValue, Self.count(fleet.outcomes[outcome, default: 0]))
                    })),
            "bands": .array(QualityBand.allCases.map(band)),
            "causes": Self.list(fleet.causes, of: "cause"), "withoutCause": Self.count(fleet.withoutCause),
            "issues": Self.list(fleet.issues, of: "issue"),
            "relay": .object(
                JSONObject(
                    uniqueKeysWithValues: CallFilter.Relay.allCases.map { way in
                        (way.rawValue, Self.count(fleet.relay[way, default: 0]))
                    })),
            "setup": setup, "damaged": damaged,
        ]
    }

    /// In order of the calls' ids.
    private var damaged: JSONValue {
        let sorted = fleet.damage.sorted {
            ($0.key.identity.call.rawValue, $0.key.observer.rawValue, $0.key.attempt)
                < ($1.key.identity.call.rawValue, $1.key.observer.rawValue, $1.key.attempt)
        }
        return .array(sorted.map { $0.key.record(with: ["damage": JSONDamage([$0.value]).value]) })
    }

    private func band(_ band: QualityBand) -> JSONValue {
        [
            "band": .string(band.rawValue), "from": Self.count(band.scores.lowerBound),
            "to": Self.count(band.scores.upperBound), "calls": Self.count(fleet.bands[band, default: 0]),
        ]
    }

    private var setup: JSONValue {
        let bounds = SetupDistribution.bounds
        let buckets = bounds.indices.map { index -> JSONValue in
            [
                "fromMilliseconds": .integer(bounds[index]),
                "toMilliseconds": bounds.indices.contains(index + 1) ? .integer(bounds[index + 1]) : .null,
                "calls": Self.count(fleet.setup.counts[index]),
            ]
        }
        return [
            "calls": Self.count(fleet.setup.calls),
            "medianMilliseconds": fleet.setup.medianMilliseconds.map { .integer($0) } ?? .null,
            "p95Milliseconds": fleet.setup.p95Milliseconds.map { .integer($0) } ?? .null,
            "buckets": .array(buckets),
        ]
    }

    /// Those that occur; of equally many by name.
    private static func list<Kind: RawRepresentable<String>>(_ counts: [Kind: Int], of name: String) -> JSONValue {
        let sorted = counts.filter { $0.value > 0 }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return .array(sorted.map { [name: .string($0.key.rawValue), "calls": count($0.value)] })
    }

    private static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
}
