extension Fact {
    /// What the fact says that its call is called, beside its id.
    public var names: [CallName] {
        switch self {
        case .event(let event): event.names
        case .report(let report): report.names
        case .wire(let report): report.names
        }
    }
}

extension CallEvent {
    /// The session, the SIP header fields, the User-to-User information and the SSRCs that the event tells.
    public var names: [CallName] {
        guard !members.isEmpty else { return [] }
        let told = [session, userToUser].compactMap { $0 } + headers + streams
        return told.filter { !$0.text.isEmpty && $0.text.utf8.count <= CallName.maximumBytes }
    }

    private var session: CallName? {
        guard action != "sip" else { return nil }
        return switch members["sessionId"] {
        case .string(let text): CallName(.session, text, source: "sessionId")
        case .integer(let number): CallName(.session, String(number), source: "sessionId")
        default: nil
        }
    }

    /// `userToUser` of a SIP message; `uuiData` that a client gives its gateway for the INVITE.
    private var userToUser: CallName? {
        if action == "sip" {
            return members["userToUser"]?.text.map {
                CallName(.userToUser, Self.userData(in: $0), source: "User-to-User")
            }
        }
        let data = members["uuiData"]?.text ?? members["detail"]?.members?["uuiData"]?.text
        return data.map { CallName(.userToUser, Self.userData(in: $0), source: "uuiData") }
    }

    /// The content without its parameters; hexadecimal digits may be written large or small.
    private static func userData(in value: String) -> String {
        let content = value.prefix { $0 != ";" }.filter { $0 != "\"" && !$0.isWhitespace }
        return content.allSatisfy(\.isHexDigit) ? content.lowercased() : String(content)
    }

    private var headers: [CallName] {
        guard case .array(let aliases)? = members["aliases"] else { return [] }
        return aliases.compactMap(\.text).compactMap(Self.header)
    }

    /// Applications put all sorts of things into their fields: a short value counts where the field says that it is an id.
    private static func header(_ alias: String) -> CallName? {
        guard let colon = alias.firstIndex(of: ":") else { return nil }
        let name = String(alias[..<colon])
        let value = String(alias[alias.index(after: colon)...].drop { $0 == " " })
        guard value.utf8.count >= shortestValue || name.lowercased().contains("id") else { return nil }
        return CallName(.header, value, source: name)
    }

    private static let shortestValue = 6

    /// The SSRCs of FCSDK's `didReceiveSSRCs`: text or numbers, by kind of media.
    private var streams: [CallName] {
        guard action == "ssrc", let detail = members["detail"]?.members else { return [] }
        return ["audio", "video"].flatMap { kind -> [CallName] in
            guard case .array(let values)? = detail[kind] else { return [] }
            return values.compactMap(UInt32.init(ssrc:)).map {
                CallName(.reportedSSRC, String($0), source: type)
            }
        }
    }
}

extension StatsReport {
    /// The SSRCs of the streams reported on.
    fileprivate var names: [CallName] {
        objects.compactMap { object in
            guard object.type == .inboundRTP || object.type == .outboundRTP,
                let ssrc = object.members["ssrc"].flatMap(UInt32.init(ssrc:))
            else { return nil }
            return CallName(.reportedSSRC, String(ssrc), source: object.type.rawValue)
        }
    }
}

extension WireReport {
    /// The SSRCs of the streams seen.
    fileprivate var names: [CallName] {
        streams.map { CallName(.observedSSRC, String($0.ssrc), source: "RTP") }
    }
}

extension UInt32 {
    /// Reads an SSRC: a whole number, or text of one in decimal, else in hexadecimal with or without `0x`.
    ///
    /// `nil` for 0, which stands for "none" where clients report it.
    init?(ssrc value: JSONValue) {
        let number: UInt32?
        if let text = value.text {
            let digits = text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...]
            number = UInt32(text) ?? UInt32(digits, radix: 16)
        } else {
            number = value.wholeNumber.flatMap(UInt32.init(exactly:))
        }
        guard let number, number != 0 else { return nil }
        self = number
    }
}
