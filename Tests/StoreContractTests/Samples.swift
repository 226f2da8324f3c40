import CallModel

/// A moment so many milliseconds after an arbitrary one.
func at(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_790_000_000_000 + milliseconds)
}

extension CallIdentity {
    static func sample(_ call: String, tenant: TenantID = .default) -> CallIdentity {
        CallIdentity(tenant: tenant, call: CallID(rawValue: call))
    }
}

extension CallKey {
    static func sample(
        _ call: String, observer: String = "client", attempt: Int = 1, tenant: TenantID = .default
    ) -> CallKey {
        CallKey(
            identity: .sample(call, tenant: tenant), observer: ObserverID(rawValue: observer), attempt: attempt)
    }
}

extension CallSummary {
    /// A call of a minute that was last heard of as it ended.
    static func sample(_ key: CallKey, start: Timestamp = at(0), endedAt: Timestamp? = nil) -> CallSummary {
        let last = start.advanced(byMilliseconds: 60_000)
        var summary = CallSummary(
            key: key, rulesVersion: 1, start: start, lastActivity: last, lastReceivedAt: last)
        summary.endedAt = endedAt
        return summary
    }
}

extension RecordChange {
    static func sample(
        _ summary: CallSummary, facts: [Fact] = [], derived: DerivedRows = .append([], []), isDirty: Bool = false
    ) -> RecordChange {
        RecordChange(
            key: summary.key, facts: facts, derived: derived, session: [1, 2, 3], summary: summary, isDirty: isDirty)
    }

    static func sample(_ key: CallKey, facts: [Fact] = []) -> RecordChange {
        sample(.sample(key), facts: facts)
    }

    /// A change with a row of every kind.
    static func full(_ key: CallKey) -> RecordChange {
        let stream = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "1")
        let interval = MediaInterval(stream: stream, start: at(0), end: at(10_000), segment: 0)
        let score = ScoreInterval(series: .window, start: at(0), end: at(10_000), score: 90)
        let event = Fact.event(.sample(1000, "iceConnected"))
        var change = sample(
            .sample(key),
            facts: [
                .report(.sample(1000)), event, .wire(WireReport(time: at(1000), receivedAt: at(1040), streams: [])),
            ],
            derived: .append([interval], [score]))
        change.names = [CallName(.header, "3c26@pbx", source: "X-Call-ID")]
        change.claims = [
            SessionClaim(
                session: .sample("session", tenant: key.identity.tenant), key: key, start: at(1000),
                lastActivity: at(1000))
        ]
        change.share = SessionOutcome(events: [key: [event.key]])
        return change
    }
}

extension StatsReport {
    /// A report with one object that carries `packets`.
    static func sample(_ time: Int64, packets: Int64 = 7, connection: ConnectionID = .only) -> StatsReport {
        StatsReport(
            connection: connection, time: at(time), receivedAt: at(time + 40),
            objects: [
                StatsObject(
                    id: "IT01A", type: .inboundRTP, timestamp: at(time), members: ["packetsReceived": .integer(packets)]
                )
            ])
    }

    /// All that JSON and Unicode can do, and a contradiction.
    static let intricate: StatsReport = {
        let members: JSONObject = [
            "nested": ["list": [1, -2, 3.25, [["a": .null]], []], "empty": [:]],
            "text": "héllo \u{1F600} \"quoted\" back\\slash\nline\u{0}nul\u{7f} e\u{301}",
            "ключ": true, "": "empty name", "null": .null,
            "smallest": .integer(.min), "largest": .integer(.max),
            "tiny": .double(.leastNonzeroMagnitude), "huge": .double(-.greatestFiniteMagnitude), "tenth": 0.1,
            "negative": -127.5,
        ]
        var report = StatsReport(
            connection: ConnectionID(rawValue: "pc'1"), time: at(-5), receivedAt: at(12),
            objects: [
                StatsObject(id: "a", type: .inboundRTP, timestamp: at(-6), members: members),
                StatsObject(id: "b", type: StatsType(rawValue: "x-own"), timestamp: nil, members: [:]),
            ], notes: ["b was doubted", "a was changed: \u{2713}"])
        let other = StatsObject(id: "a", type: .inboundRTP, timestamp: at(-6), members: ["nested": 1])
        report.merge(
            StatsReport(connection: report.connection, time: report.time, receivedAt: at(9), objects: [other]))
        return report
    }()
}

extension CallEvent {
    static func sample(
        _ time: Int64, _ type: String, action: String = "callMetric", sequence: Int64? = nil,
        members: JSONObject = [:]
    ) -> CallEvent {
        CallEvent(
            time: at(time), receivedAt: at(time + 25), action: action, type: type, sequence: sequence,
            members: members)
    }
}
