import CallModel

/// The names that clients give to one and the same thing, and the members of an event that mean something.
enum EventNames {
    /// The one name of a call state: `CALLSTATES_IN_CALL`, `.inCall` and `in_call` are all `IN_CALL`.
    ///
    /// Names that are no call state of the SDK stay as sent; their meaning is found all the same.
    static func canonicalType(action: String, type: String) -> String {
        guard action == "callState", !states.contains(type) else { return type }
        var name = type.drop { $0 == "." }
        if name.uppercased().hasPrefix("CALLSTATES_") { name = name.dropFirst("CALLSTATES_".count) }
        let hasLowercase = name.contains(where: \.isLowercase)
        let words = hasLowercase ? name.map { $0.isUppercase ? "_\($0)" : "\($0)" }.joined() : String(name)
        let canonical = words.uppercased()
        return states.contains(canonical) ? canonical : type
    }

    private static let states: Set<String> = [
        "INITIAL", "DIALING", "SESSION_PROGRESS", "RINGING", "IN_CALL", "ON_HOLD", "ON_DOUBLE_HOLD", "REMOTELY_HELD",
        "ENDED",
    ]

    /// The members by the names that are known, however a client writes their letters (`sessionid`, `CallID`).
    static func known(_ members: JSONObject) -> JSONObject {
        var known = members
        for name in members.keys where !Self.members.contains(name) {
            guard let spelling = spellings[name.lowercased()], known[spelling] == nil,
                let value = known.removeValue(forKey: name)
            else { continue }
            known[spelling] = value
        }
        return known
    }

    /// The action of what may be an event, however its name is written; `nil` where there is none.
    static func action(of members: JSONObject) -> JSONValue? {
        members["action"] ?? members.first { isAction($0.key.utf8) }?.value
    }

    /// Whether a name is that of the action of an event, in letters of any case.
    static func isAction(_ name: some Collection<UInt8>) -> Bool {
        name.count == 6 && String(decoding: name, as: UTF8.self).lowercased() == "action"
    }

    private static let spellings = Dictionary(members.map { ($0.lowercased(), $0) }) { first, _ in first }

    /// Members of an event that have a meaning of their own.
    static let members: Set<String> = [
        "action", "type", "callId", "time", "timeUnit", "source", "sessionId", "side", "role", "observer", "seq",
        "value", "code", "statusCode", "reason", "detail", "channelUrl", "statistics", "stats", "peerConnectionId",
        "connectionId", "pc", "userAgent", "uuiData",
    ]
}
