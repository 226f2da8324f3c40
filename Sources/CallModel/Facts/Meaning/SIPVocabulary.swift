/// What a SIP message that a probe saw means to a call.
///
/// RFC 3261: the INVITE creates the call, 180 is ringing, 2xx the answer, BYE and any other final response its end.
enum SIPVocabulary {
    static let action = "sip"

    /// Whether `type` is a message that probes tell of.
    static func knows(_ type: String) -> Bool {
        // A response to anything but the first INVITE has its method before its status: "BYE 200".
        if isStatus(type) || messages.contains(type) { return true }
        guard let space = type.utf8.firstIndex(of: UInt8(ascii: " ")) else { return false }
        return messages.contains(String(type[..<space]))
    }

    /// Whether `type` is the status code of a SIP response (RFC 3261 §21).
    static func isStatus(_ type: String) -> Bool {
        type.utf8.count == 3 && Int(type).map { (100...699).contains($0) } ?? false
    }

    static func meanings(of event: CallEvent) -> [EventMeaning]? {
        guard event.action == action, knows(event.type) else { return nil }
        return [meaning(of: event)]
    }

    private static func meaning(of event: CallEvent) -> EventMeaning {
        switch event.type {
        case "INVITE": .created
        case "180": .ringing
        case "181", "182", "183", "199": .earlyMedia
        case "HOLD": .held(nil)
        // Back from fax to sound.
        case "T38": event.members["isActive"]?.truth == false ? .established : .held(nil)
        case "RESUME": .established
        // As a 408 would say it, were there anybody to send one (RFC 3261 §8.1.3.1).
        case "INVITE TIMEOUT": .ended(.unavailable)
        // Nobody is there, or may be called so: a redirection is no error by itself (RFC 3261 §21.3).
        case "INVITE REFUSED":
            .ended(event.members["statusCode"]?.wholeNumber.flatMap(CallEndCause.init(sipStatus:)) ?? .unavailable)
        // The answer had crossed a CANCEL: the caller gave up (RFC 3261 §9.1).
        case "BYE" where event.members["followsCancel"]?.truth == true: .ended(.cancelled)
        case "BYE": .ended(saysFault(event) ? .error : .hangup)
        // Any response but a challenge, also that the far end knows of no such call (RFC 3261 §15.1.1).
        case let type where type.hasPrefix("BYE ") && !["BYE 401", "BYE 407"].contains(type): .ended(.hangup)
        // The INVITE comes again: with credentials (RFC 3261 §22), to another place (§21.3), or mended (§21.4).
        case "401", "407", "420", "421", "422", "491", "494": .noted
        default: meaning(ofStatus: event)
        }
    }

    private static func saysFault(_ event: CallEvent) -> Bool {
        event.members["reason"]?.text.map { ReleaseReason.all(in: $0).contains(where: \.isFault) } ?? false
    }

    private static func meaning(ofStatus event: CallEvent) -> EventMeaning {
        guard isStatus(event.type), let status = Int64(event.type) else { return .noted }
        switch event.type.first {
        case "1", "3": return .noted
        case "2": return .answered
        default: return .ended(cause(ofRefusal: status, event))
        }
    }

    /// The cause by a final response, which its `Reason`, or that of the CANCEL before it, makes clearer.
    private static func cause(ofRefusal status: Int64, _ event: CallEvent) -> CallEndCause {
        let reasons = event.members["releaseReason"]?.text.map(ReleaseReason.all(in:)) ?? []
        // The caller took it back: nobody else ends a call so (RFC 3261 §9.1).
        if status == 487 { return reasons.contains(where: \.isAnsweredElsewhere) ? .answeredElsewhere : .cancelled }
        let cause = CallEndCause(sipStatus: status) ?? .error
        // These statuses stand for much; the others say what they mean.
        guard cause == .unavailable || cause == .error else { return cause }
        return reasons.lazy.compactMap(\.causeOfRefusal).first ?? cause
    }

    private static let messages: Set<String> = [
        "INVITE", "reINVITE", "UPDATE", "ACK", "CANCEL", "BYE", "HOLD", "RESUME", "DIRECTION", "T38", "LEG",
        "DIGIT",
    ]
}
