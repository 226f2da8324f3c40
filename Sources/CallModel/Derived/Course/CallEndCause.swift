/// Why a call ended, in one vocabulary for all clients.
public enum CallEndCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// This end hung up.
    case localHangup
    /// The far end hung up.
    case remoteHangup
    /// Someone hung up; the facts do not say which end.
    case hangup
    /// The caller gave up before the answer.
    case cancelled
    /// The callee did not want the call (SIP 603; 607 of [RFC 8197](https://www.rfc-editor.org/rfc/rfc8197)).
    case declined
    /// Nobody answered in time (SIP 408, 487 as clients tell it).
    case noAnswer
    /// Another phone of the callee answered, or another of the group that rang (RFC 3326).
    case answeredElsewhere
    /// The callee was busy (SIP 486, 600).
    case busy
    /// There is no such callee (SIP 404, 410, 604).
    case notFound
    /// The callee or a server on the way cannot be reached now (SIP 480, 503).
    case unavailable
    /// A media server is full (Cisco `NO_MB_CAPACITY`).
    case capacity
    /// No microphone, no camera, or no leave to use them.
    case mediaError
    /// The callee's device lets no calls through.
    case doNotDisturb
    /// An error.
    case error
    /// Nothing ended it: reports stopped, and no more was heard of it.
    case lost
    /// It ended, and what was said of why means nothing.
    case unknown

    /// Whether the cause itself says that the call was never answered.
    public var meansUnanswered: Bool {
        switch self {
        case .declined, .noAnswer, .answeredElsewhere, .busy, .notFound, .unavailable, .capacity, .doNotDisturb: true
        case .localHangup, .remoteHangup, .hangup, .cancelled, .mediaError, .error, .lost, .unknown: false
        }
    }
}
