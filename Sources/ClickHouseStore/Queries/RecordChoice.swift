import CallModel

/// The records that a filter means, as a condition on `records`.
struct RecordChoice: Sendable {
    private(set) var conditions: [String]

    init(_ filter: CallFilter) {
        conditions = [Condition.tenant(filter.tenant), "deleted = 0", Condition.isCall(of: filter.tenant)]
        requireTimes(filter)
        requireQuality(filter)
        requireSetup(filter)
        requireNames(filter)
    }

    /// What follows `WHERE`.
    var text: String { conditions.joined(separator: " AND ") }

    /// Adds a condition that must hold, too.
    mutating func require(_ condition: String) {
        conditions.append(condition)
    }

    private mutating func require(_ column: String, _ operation: String, _ value: (some BinaryInteger)?) {
        if let value { require("\(column) \(operation) \(value)") }
    }

    /// What was not heard of since is over: the rule of ``CallSummary/isLive(at:silenceLimitMilliseconds:)``, with
    /// ``CallSummary/closedAt`` in the column `end_ms`.
    private static func silence(_ filter: CallFilter) -> Int64 {
        filter.now.advanced(byMilliseconds: -CallSummary.silenceLimitMilliseconds).milliseconds
    }

    /// ``CallSummary/outcome(isLive:)``.
    static func outcome(_ filter: CallFilter) -> String {
        "if(outcome = 'notAnswered' AND end_ms IS NULL AND received_ms > \(silence(filter)), 'unknown', outcome)"
    }

    private mutating func requireTimes(_ filter: CallFilter) {
        require("start_ms", ">=", filter.startedFrom?.milliseconds)
        require("start_ms", "<", filter.startedBefore?.milliseconds)
        let silence = Self.silence(filter)
        switch filter.state {
        case .live: require("end_ms IS NULL AND received_ms > \(silence)")
        case .ended: require("(end_ms IS NOT NULL OR received_ms <= \(silence))")
        case nil: break
        }
    }

    private mutating func requireQuality(_ filter: CallFilter) {
        require("score", ">=", filter.minimumScore)
        require("score", "<=", filter.maximumScore)
        if let isScored = filter.isScored { require("score IS \(isScored ? "NOT " : "")NULL") }
        require("worst_score", "<=", filter.maximumWorstScore)
        switch filter.leading {
        case .cause(let cause): require("leading_cause = \(Condition.literal(cause.rawValue))")
        case .nothing: require("leading_cause = ''")
        case nil: break
        }
        if let issue = filter.issue { require("has(issues, \(Condition.literal(issue.rawValue)))") }
    }

    private mutating func requireSetup(_ filter: CallFilter) {
        if !filter.outcomes.isEmpty {
            let outcomes = filter.outcomes.map { Condition.literal($0.rawValue) }.sorted()
            require("\(Self.outcome(filter)) IN (\(outcomes.joined(separator: ", ")))")
        }
        require("setup_ms", ">=", filter.setupFromMilliseconds)
        require("setup_ms", "<", filter.setupBeforeMilliseconds)
        switch filter.relay {
        case .relayed: require("relayed = 1")
        case .direct: require("relayed = 0")
        case .unknown: require("relayed IS NULL")
        case nil: break
        }
        if let codec = filter.codec {
            let wanted = "lower(\(Condition.literal(codec)))"
            require(
                """
                arrayExists(c -> lower(c) = \(wanted) OR (position(c, '/') > 0
                AND lower(substring(c, position(c, '/') + 1)) = \(wanted)), codecs)
                """)
        }
    }

    private mutating func requireNames(_ filter: CallFilter) {
        if let client = filter.client {
            let wanted = "lower(\(Condition.literal(client)))"
            require("(lower(client) = \(wanted) OR startsWith(lower(client), concat(\(wanted), ' ')))")
        }
        if let observer = filter.observer { require("observer = \(Condition.literal(observer.rawValue))") }
        guard let text = filter.text, !text.isEmpty else { return }
        let wanted = Condition.literal(text)
        let tenant = Condition.tenant(filter.tenant)
        require(
            """
            (positionCaseInsensitive(call_id, \(wanted)) > 0
            OR (call_id, attempt, observer) GLOBAL IN (SELECT call_id, attempt, observer FROM names FINAL
            WHERE \(tenant) AND gone = 0 AND kind IN ('header', 'userToUser') AND positionCaseInsensitive(name, \(wanted)) > 0)
            OR (call_id, attempt, observer) GLOBAL IN (SELECT call_id, attempt, observer FROM claims FINAL
            WHERE \(tenant) AND deleted = 0 AND positionCaseInsensitive(session, \(wanted)) > 0))
            """)
    }
}
