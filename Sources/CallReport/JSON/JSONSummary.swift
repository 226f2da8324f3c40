public import CallModel

/// The summary of one call record as JSON: what ``JSONReport`` has without the series. Same names, same rules.
public struct JSONSummary: Sendable {
    private let summary: CallSummary
    private let isLive: Bool
    private let isDirty: Bool
    private let ties: JSONTies?
    private let damage: JSONDamage

    /// - Parameters:
    ///   - summary: What to show.
    ///   - now: The moment that decides whether the call is live, on the collector's clock.
    ///   - isDirty: Whether facts have arrived that the figures do not take in yet.
    ///   - ties: What else the record is called, and which other calls are the same one; `nil` where that was not
    ///     looked up.
    ///   - damage: What is left out, for it cannot be understood.
    public init(
        _ summary: CallSummary, at now: Timestamp, isDirty: Bool, ties: CallTies? = nil, damage: [RecordDamage] = []
    ) {
        self.summary = summary
        self.ties = ties.map(JSONTies.init)
        self.isDirty = isDirty
        self.damage = JSONDamage(damage)
        isLive = summary.isLive(at: now)
    }

    /// The summary as a value, to be set into an answer.
    public var value: JSONValue { .object(members) }

    var members: JSONObject {
        [identity, times, quality, course].reduce(into: [:]) { all, part in
            all.merge(part) { first, _ in first }
        }
    }

    private var identity: JSONObject {
        [
            "callId": .string(summary.key.identity.call.rawValue),
            "aliases": JSONValue(summary.aliases),
            "names": ties?.names ?? .null,
            "relatedCalls": ties?.relatedCalls ?? .null,
            "observer": .string(summary.key.observer.rawValue),
            "client": JSONValue(summary.client),
            "attempt": JSONValue(summary.key.attempt),
            "rulesVersion": JSONValue(summary.rulesVersion),
            "state": .string(isLive ? "live" : "ended"),
            "isDirty": .bool(isDirty),
            "damage": damage.value,
            "outcome": .string(summary.outcome(isLive: isLive).rawValue),
            "endReason": JSONValue(summary.endReason),
            "endCause": JSONValue(summary.endCause(isLive: isLive)?.rawValue),
            "ending": JSONValue(summary.ending(isLive: isLive)),
            "verdict": .string(Verdict(summary, isLive: isLive).text),
        ]
    }

    private var times: JSONObject {
        [
            "start": JSONValue(summary.start),
            "createdAt": JSONValue(summary.createdAt),
            "firstMediaAt": JSONValue(summary.firstMediaAt),
            "lastActivity": JSONValue(summary.lastActivity),
            "lastReceivedAt": JSONValue(summary.lastReceivedAt),
            "endedAt": JSONValue(summary.endedAt),
        ]
    }

    private var quality: JSONObject {
        [
            "score": JSONValue(summary.score),
            "band": JSONValue(summary.band?.rawValue),
            "worstScore": JSONValue(summary.worstScore),
            "farEndScore": JSONValue(summary.farEndScore),
            "worstSpan": summary.worstSpan.map { JSONValue($0) } ?? .null,
            "costsPoints": JSONValue(summary.costs),
            "leadingCause": JSONValue(summary.leadingCause?.rawValue),
            "scoredSeconds": JSONValue(summary.scoredSeconds),
            "heldSeconds": JSONValue(summary.heldSeconds),
            "secondsByBand": JSONValue(summary.secondsByBand),
            "missing": JSONValue(summary.missing),
            "basis": summary.basis.map { JSONBasis($0).value } ?? .null,
            "rating": summary.rating.map { JSONRating($0).value } ?? .null,
        ]
    }

    private var course: JSONObject {
        [
            "setup": JSONSetup(summary.setup).value,
            "streams": .array(summary.streams.sorted { $0.stream < $1.stream }.map { JSONStream($0).value }),
            "secondaryStreams": .array(summary.secondaryStreams.map { JSONWireStream($0).value }),
            "sensor": JSONSensor(of: summary)?.value ?? .null,
            "path": JSONPath(summary.path).value,
            "transport": JSONTransport(summary.transport).value,
            "isOneWay": JSONValue(summary.isOneWay),
            "outages": .array(summary.outages.map(Self.outage)),
            "holds": .array(summary.holds.map(Self.hold)),
            "iceDisconnects": .array(summary.iceDisconnects.map { JSONValue($0) }),
            "ipChanges": .array(summary.ipChanges.map { JSONValue($0) }),
            "issues": .array(summary.issues.all.map { JSONIssue($0).value }),
            "issuesLeftOut": JSONValue(summary.issues.leftOut),
            "course": JSONCourse(summary.course).value,
            "dataQuality": JSONDataQuality(summary.dataQuality).value,
        ]
    }

    private static func hold(_ hold: MediaHold) -> JSONValue {
        [
            "start": JSONValue(hold.span.start), "end": JSONValue(hold.span.end), "seconds": JSONValue(hold.seconds),
            "isSenderPause": JSONValue(hold.isSenderPause),
        ]
    }

    private static func outage(_ outage: MediaOutage) -> JSONValue {
        [
            "start": JSONValue(outage.span.start), "end": JSONValue(outage.span.end),
            "seconds": JSONValue(outage.seconds), "evidence": JSONValue(outage.evidence),
        ]
    }
}
