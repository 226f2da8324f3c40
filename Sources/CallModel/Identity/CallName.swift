/// What a call is called beside its `callId`, because somebody said so.
public struct CallName: Hashable, Sendable, Codable {
    /// What sort of name it is. Names are compared with those of their own sort.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A session of the client (`sessionId`): one call or several, one after another or at once.
        case session
        /// The value of a SIP header field that names a call: `Call-ID` of another leg, `Session-ID`, `X-…`.
        case header
        /// User-to-User information ([RFC 7433](https://www.rfc-editor.org/rfc/rfc7433)), which a gateway copies from
        /// the session's `uuiData` into its INVITE.
        case userToUser
        /// An SSRC in decimal, as a client reports it.
        case reportedSSRC
        /// An SSRC in decimal, as a probe saw it.
        case observedSSRC
    }

    /// What sort of name it is.
    public var kind: Kind
    /// The name itself.
    public var text: String
    /// The member or header field that says it: `sessionId`, `X-Call-ID`, `uuiData`, …
    public var source: String

    public init(_ kind: Kind, _ text: String, source: String) {
        self.kind = kind
        self.text = text
        self.source = source
    }

    /// Longer ones name nothing: the limit of an identifier, in bytes.
    public static let maximumBytes = 256
}

extension CallName {
    /// Whether it says which call is meant. An SSRC is a random number: two calls may have drawn the same one, so a match
    /// is a guess.
    public var isCertain: Bool {
        switch kind {
        case .session, .header, .userToUser: true
        case .reportedSSRC, .observedSSRC: false
        }
    }

    /// The sort of name that one of this sort is held against.
    public var counterpart: Kind {
        switch kind {
        case .reportedSSRC: .observedSSRC
        case .observedSSRC: .reportedSSRC
        case .session, .header, .userToUser: kind
        }
    }
}

extension CallName: Comparable {
    /// By kind, then by text, then by source: the order of a report.
    public static func < (left: Self, right: Self) -> Bool {
        (left.rank, left.text, left.source) < (right.rank, right.text, right.source)
    }

    private var rank: Int { Kind.allCases.firstIndex(of: kind) ?? 0 }
}
