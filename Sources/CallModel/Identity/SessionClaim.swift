/// That a session is a call's: a message named both.
///
/// It carries what the facts under the call's own id say of when the call was, so that facts under the session's id can
/// be given to the call they are about.
public struct SessionClaim: Hashable, Sendable, Codable {
    /// The session, as the call that its id would be.
    public var session: CallIdentity
    /// The record whose observer named both.
    public var key: CallKey
    /// The first moment that a fact under the call's own id carries.
    public var start: Timestamp
    /// The last moment that a fact under the call's own id carries.
    public var lastActivity: Timestamp
    /// Whether one of them began the call.
    public var isBegun: Bool
    /// When one of them ended the call, the last one that did; `nil` when none has.
    public var endedAt: Timestamp?

    public init(
        session: CallIdentity, key: CallKey, start: Timestamp, lastActivity: Timestamp, isBegun: Bool = false,
        endedAt: Timestamp? = nil
    ) {
        self.session = session
        self.key = key
        self.start = start
        self.lastActivity = lastActivity
        self.isBegun = isBegun
        self.endedAt = endedAt
    }
}
