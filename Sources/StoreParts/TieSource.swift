package import CallModel

/// A record as the search for ties sees it.
package struct TiedRecord: Hashable, Sendable {
    package var key: CallKey
    /// From its start to the last that was heard of it, in ms.
    package var span: ClosedRange<Int64>
    /// Whether it is listed although calls claim it as their session; see ``SessionOutcome/standsAlone``.
    package var standsAlone: Bool

    package init(key: CallKey, start: Int64, lastActivity: Int64, standsAlone: Bool) {
        self.key = key
        span = start...max(start, lastActivity)
        self.standsAlone = standsAlone
    }
}

/// What a store tells the search for ties, all of one moment.
package protocol TieSource {
    /// Records of a tenant that are called so, with the name as they have it; its source does not count. At most
    /// ``TieLimits/holders``.
    func holders(of name: CallName, in tenant: TenantID) throws -> [(record: TiedRecord, name: CallName)]
    /// The records of a call. What was only told under the id of a session is none, unless it stands alone.
    func records(of identity: CallIdentity) throws -> [TiedRecord]
    /// The records that claim a session.
    func claimants(of session: CallIdentity) throws -> [TiedRecord]
    /// What was told under the id of a session, unless part of it belongs to none of its calls.
    func names(ofSession session: CallIdentity) throws -> [CallName]
}

/// Bounds of the search for ties.
package enum TieLimits {
    /// Records that are called by one name and looked at: a name that more have tells nothing.
    package static let holders = 1000
}
