import CallModel

/// Call records made by hand; every figure is chosen so that it can be found again in the report.
enum Records {
    /// 2026-01-02T12:34:06Z.
    static let start = Timestamp(milliseconds: 1_767_357_246_000)

    static func at(_ milliseconds: Int64) -> Timestamp {
        start.advanced(byMilliseconds: milliseconds)
    }

    static func key(
        _ call: String = "A551CA43-94A6-4B2C-9E0B-7D3F2C1B0A99", observer: String = "caller", attempt: Int = 1
    ) -> CallKey {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: call))
        return CallKey(identity: identity, observer: ObserverID(rawValue: observer), attempt: attempt)
    }

    /// A summary that ended after `milliseconds`.
    static func summary(_ key: CallKey = key(), lasting milliseconds: Int64, isEnded: Bool = true) -> CallSummary {
        var summary = CallSummary(
            key: key, rulesVersion: 1, start: start, lastActivity: at(milliseconds),
            lastReceivedAt: at(milliseconds + 40))
        summary.endedAt = isEnded ? at(milliseconds) : nil
        return summary
    }

    static func record(_ summary: CallSummary, events: [CallEvent] = []) -> CallRecord {
        CallRecord(
            summary: summary, isDirty: false, intervals: [], scores: [], windows: [], events: events, others: [])
    }

    static func event(
        _ milliseconds: Int64, _ action: String, _ type: String, _ members: JSONObject = [:]
    ) -> CallEvent {
        CallEvent(
            time: at(milliseconds), receivedAt: at(milliseconds + 40), action: action, type: type, members: members)
    }

    static let setupEvents = [
        event(0, "callMetric", "callCreate"), event(2004, "iceTimeout", "iceOneRelay"),
        event(2019, "callMetric", "callRestSent"), event(3140, "callMetric", "callRinging"),
        event(9430, "callMetric", "callAnswerReceived"), event(9395, "iceState", "iceConnected"),
    ].sorted { $0.time < $1.time }

    static func score(
        _ index: Int64, _ score: Int?, costs: [QualityCause: Double] = [:], absence: ScoreInterval.Absence? = nil,
        series: ScoreInterval.Series = .live
    ) -> ScoreInterval {
        ScoreInterval(
            series: series, start: at(10_000 * index), end: at(10_000 * (index + 1)), score: score, audioScore: score,
            costs: costs, absence: absence, isEmitted: score != nil)
    }

    static func stream(_ direction: MediaDirection, _ kind: MediaKind, _ source: String) -> StreamSummary {
        let key = StreamKey(connection: .only, direction: direction, kind: kind, source: source)
        return StreamSummary(stream: key, firstSeen: at(10_000), lastSeen: at(70_000))
    }
}
