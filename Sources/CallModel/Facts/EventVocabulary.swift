/// The event types whose meaning the product knows; all others are kept and named back to the sender.
public enum EventVocabulary {
    /// Whether `action`/`type` is known (`callAdditionalInfo` of the Kandy SDK and its call states).
    public static func knows(action: String, type: String) -> Bool {
        guard action == "sip" else { return types[action]?.contains(type) ?? false }
        // A response to anything but the first INVITE has its method before its status: "BYE 200".
        guard !isSIPStatus(type), let known = types["sip"] else { return true }
        return known.contains(type) || known.contains(String(type.prefix { $0 != " " }))
    }

    /// Whether `type` is the status code of a SIP response (RFC 3261 §21).
    public static func isSIPStatus(_ type: String) -> Bool {
        type.utf8.count == 3 && Int(type).map { (100...699).contains($0) } ?? false
    }

    /// What a SIP message that a probe saw means in the words of clients; `nil` where it means nothing to them.
    ///
    /// RFC 3261: the INVITE creates the call, 180 is ringing, 2xx the answer, BYE and any other final response its end.
    static func clientType(ofSIP type: String) -> String? {
        switch type {
        case "INVITE": "callCreate"
        case "180": "callRinging"
        case "181", "182", "183", "199": "SESSION_PROGRESS"
        case "HOLD", "T38": "ON_HOLD"
        case "RESUME": "IN_CALL"
        case "BYE": "ENDED"
        // The INVITE comes again: with credentials (RFC 3261 §22), to another place (§21.3), or mended (§21.4).
        case "401", "407", "420", "421", "422", "491", "494": nil
        default:
            clientType(ofFinalStatus: type)
        }
    }

    private static func clientType(ofFinalStatus type: String) -> String? {
        guard isSIPStatus(type) else { return nil }
        switch type.first {
        case "1", "3": return nil
        case "2": return "callAnswerReceived"
        default: return "ENDED"
        }
    }

    private static let types: [String: Set<String>] = [
        "callMetric": [
            "callCreate", "callRestSent", "callRinging", "callAnswerReceived", "incomingCall", "ringingFeedBackSent",
        ],
        "iceTimeout": ["iceNormal", "iceOneRelay", "iceNoRelay"],
        "iceState": ["iceConnected", "iceDisconnected"],
        "ipChange": ["ipChangeStarted", "ipChangeEnded"],
        "callState": [
            "INITIAL", "DIALING", "SESSION_PROGRESS", "RINGING", "IN_CALL", "ON_HOLD", "ON_DOUBLE_HOLD",
            "REMOTELY_HELD", "ENDED",
        ],
        "rtpStatistics": ["getRTPStatistics"],
        "sip": ["INVITE", "reINVITE", "UPDATE", "ACK", "CANCEL", "BYE", "HOLD", "RESUME", "T38", "LEG"],
    ]
}
