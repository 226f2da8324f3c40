public import CallModel

/// One call record as JSON for programs.
///
/// Members keep their names and meaning. Units stand in the names (`…Milliseconds`, `…Percent`,
/// `…KilobitsPerSecond`); moments are ISO 8601 in UTC with milliseconds; what is not known is `null`, never 0 and never
/// left out; only `metrics` and `wire.figures` hold just what is known. What a probe measured (`streams[].wire`,
/// `secondaryStreams`) is named as in ``CallModel/WireStream`` and ``CallModel/WireFigure``, in their units.
/// On top of ``JSONSummary``: `events`, `scores` (the live series), `windows` (the 10 s windows), `intervals` (a row a
/// stream and report interval), `otherObservers`, `vantagePoints`, `isDirty`.
public struct JSONReport: Sendable {
    private let record: CallRecord
    private let now: Timestamp

    /// - Parameters:
    ///   - record: All that is shown.
    ///   - now: The moment that decides whether the call is live, on the collector's clock.
    public init(_ record: CallRecord, at now: Timestamp) {
        self.record = record
        self.now = now
    }

    /// The report as a value, to be set into another answer.
    public var value: JSONValue {
        var members = JSONSummary(
            record.summary, at: now, isDirty: record.isDirty, ties: record.ties, damage: record.damage
        ).members
        members["events"] = .array(
            record.events.map { JSONEvent($0, createdAt: record.summary.createdAt).value })
        members["scores"] = .array(record.scores.map { JSONScore($0).value })
        members["windows"] = .array(record.windows.map { JSONScore($0).value })
        members["intervals"] = .array(record.intervals.map { JSONInterval($0).value })
        members["otherObservers"] = .array(record.others.map(outline))
        members["vantagePoints"] = JSONVantage(record).value
        return .object(members)
    }

    private func outline(of other: CallSummary) -> JSONValue {
        let related = record.related(other.key)
        return [
            "callId": .string(other.key.identity.call.rawValue), "knownBy": JSONTies.names(related?.links ?? []),
            "isGuess": .bool(related?.isGuess ?? false),
            "observer": .string(other.key.observer.rawValue), "attempt": JSONValue(other.key.attempt),
            "outcome": .string(other.outcome(isLive: other.isLive(at: now)).rawValue), "score": JSONValue(other.score),
            "worstScore": JSONValue(other.worstScore), "band": JSONValue(other.band?.rawValue),
            "leadingCause": JSONValue(other.leadingCause?.rawValue),
        ]
    }
}

extension CallSummary {
    /// The band of the score; `nil` without one.
    var band: QualityBand? {
        score.map { QualityBand(score: $0) }
    }
}
