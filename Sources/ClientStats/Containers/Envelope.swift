import CallModel

/// What may stand around a report: whose it is and when it was taken.
struct Envelope {
    var call: String?
    /// The session of the call, if it can be an identifier.
    var session: String?
    var observer: ObserverID?
    var connection: ConnectionID = .only
    /// The time the message carries, if it can be read as one.
    var time: Timestamp?
    var statistics: JSONValue
    var unknownProperties: [String]

    static let statisticsNames = ["statistics", "stats"]
    static let timeNames = [
        "time", "t", "timestamp", "timestamp_us", "timestampUs", "timestamp_ms", "timestampMs", "ts",
    ]
    static let observerNames = ["observer", "side", "role"]
    private static let known = Set(
        statisticsNames + timeNames + observerNames + ConnectionID.memberNames
            + ["callId", "sessionId", "took", "source", "action", "type", "seq", "timeUnit"])

    /// Whether an object is an envelope rather than a report keyed by id.
    static func isEnvelope(_ members: JSONObject) -> Bool {
        statisticsNames.contains { name in
            switch members[name] {
            case .array, .string: true
            // An object with a type of its own is a statistics object whose id happens to be `stats`.
            case .object(let inner): inner["type"]?.text == nil || inner["id"] == nil
            default: false
            }
        }
    }

    init(_ members: JSONObject, limits: BodyLimits) throws(Problem) {
        call = try identifier("callId", in: members, limits: limits)
        session = try? identifier("sessionId", in: members, limits: limits)
        observer = try Self.observer(in: members, limits: limits)
        connection = try Self.connection(in: members, limits: limits)
        time = members.firstMember(of: Self.timeNames).flatMap { EpochTime($0.value)?.timestamp }
        statistics = Self.statistics(in: members)
        unknownProperties = members.keys.filter { !Self.known.contains($0) }.sorted()
    }

    /// A report that stands alone.
    init(around statistics: JSONValue) {
        self.statistics = statistics
        unknownProperties = []
    }

    /// What it holds.
    static func statistics(in members: JSONObject) -> JSONValue {
        members.firstMember(of: statisticsNames)?.value ?? .null
    }

    static func observer(in members: JSONObject, limits: BodyLimits) throws(Problem) -> ObserverID? {
        for name in observerNames {
            if let text = try identifier(name, in: members, limits: limits) { return ObserverID(rawValue: text) }
        }
        return nil
    }

    static func connection(in members: JSONObject, limits: BodyLimits) throws(Problem) -> ConnectionID {
        for name in ConnectionID.memberNames {
            if let text = try identifier(name, in: members, limits: limits) { return ConnectionID(rawValue: text) }
        }
        return .only
    }
}
