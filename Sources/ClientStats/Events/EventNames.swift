import CallModel

/// The names that clients give to one and the same thing, and the members of an event that mean something.
enum EventNames {
    /// The one name of a call state: `CALLSTATES_IN_CALL`, `.inCall` and `in_call` are all `IN_CALL`.
    ///
    /// Names that are no call state of the SDK stay as sent.
    static func canonicalType(action: String, type: String) -> String {
        guard action == "callState", !EventVocabulary.knows(action: action, type: type) else { return type }
        var name = type.drop { $0 == "." }
        if name.uppercased().hasPrefix("CALLSTATES_") { name = name.dropFirst("CALLSTATES_".count) }
        let hasLowercase = name.contains(where: \.isLowercase)
        let words = hasLowercase ? name.map { $0.isUppercase ? "_\($0)" : "\($0)" }.joined() : String(name)
        let canonical = words.uppercased()
        return EventVocabulary.knows(action: action, type: canonical) ? canonical : type
    }

    /// Members of an event that have a meaning of their own.
    static let members: Set<String> = [
        "action", "type", "callId", "time", "timeUnit", "source", "sessionId", "side", "role", "observer", "seq",
        "value", "code", "statusCode", "reason", "detail", "statistics", "stats", "peerConnectionId", "connectionId",
        "pc",
    ]
}
