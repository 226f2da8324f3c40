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

    /// SendBird's channel is one: two users, one call at a time; the caller's first event knows nothing else.
    private var session: CallName? {
        guard action != "sip" else { return nil }
        for member in ["sessionId", "channelUrl"] {
            switch members[member] {
            case .string(let text): return CallName(.session, text, source: "sessionId")
            case .integer(let number): return CallName(.session, String(number), source: "sessionId")
            default: continue
            }
        }
        return nil
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

    /// The SSRCs that a client names as its call's (FCSDK).
    private var streams: [CallName] {
        meanings.flatMap { meaning -> [CallName] in
            guard case .streams(let sources) = meaning else { return [] }
            return sources.compactMap { CallName(.reportedSSRC, ssrc: $0, source: type) }
        }
    }
}

extension StatsReport {
    /// The SSRCs of the streams reported on.
    fileprivate var names: [CallName] {
        objects.compactMap { object in
            guard object.type == .inboundRTP || object.type == .outboundRTP,
                let ssrc = object.members["ssrc"]?.wholeNumber.flatMap(UInt32.init(exactly:))
            else { return nil }
            return CallName(.reportedSSRC, ssrc: ssrc, source: object.type.rawValue)
        }
    }
}

extension WireReport {
    /// The SSRCs of the streams seen.
    fileprivate var names: [CallName] {
        streams.compactMap { CallName(.observedSSRC, ssrc: $0.ssrc, source: "RTP") }
    }
}

extension CallName {
    /// `nil` for 0, which stands for "none" where clients report it.
    fileprivate init?(_ kind: Kind, ssrc: UInt32, source: String) {
        guard ssrc != 0 else { return nil }
        self.init(kind, String(ssrc), source: source)
    }
}
