public import CallModel

/// What a probe has to tell, as it is sent: the other side of ``WireBody``.
public enum WireLine {
    /// One line of the body of `POST /v1/wire`, to be ended by a newline.
    /// - Parameters:
    ///   - fact: A wire report or a SIP event.
    ///   - call: The call it is about.
    ///   - observer: The end it is about, such as `wire:caller`.
    /// - Returns: `nil` for a client's report, which no probe makes.
    public static func text(of fact: Fact, call: CallID, observer: ObserverID) -> String? {
        guard var members = members(of: fact) else { return nil }
        members["callId"] = .string(call.rawValue)
        members["observer"] = .string(observer.rawValue)
        members["time"] = .integer(fact.time.milliseconds)
        return JSONValue.object(members).canonicalText
    }

    private static func members(of fact: Fact) -> JSONObject? {
        switch fact {
        case .wire(let report):
            return report.members
        case .event(let event):
            var members = event.members
            members["action"] = .string(event.action)
            members["type"] = .string(event.type)
            members["seq"] = event.sequence.map { .integer($0) }
            return members
        case .report:
            return nil
        }
    }
}
