/// Which call records are meant: of a list, or of what is counted over many.
///
/// Conditions that are `nil` leave nothing out; those given must all hold.
public struct CallFilter: Hashable, Sendable {
    /// Whether a call is going on.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case live, ended
    }

    /// Which way media went, as ``PathSummary/isRelayed`` has it.
    public enum Relay: String, Hashable, Sendable, CaseIterable {
        /// At least one end was a relay.
        case relayed
        /// Neither end was one.
        case direct
        /// The path is not known.
        case unknown
    }

    /// What took the most points, as ``CallOutline/leadingCause`` has it.
    public enum Leading: Hashable, Sendable {
        case cause(QualityCause)
        /// No cause took more than half a point, or there is no score.
        case nothing
    }

    /// Whose calls.
    public var tenant: TenantID
    /// Only calls that started at or after this moment.
    public var startedFrom: Timestamp?
    /// Only calls that started before this moment.
    public var startedBefore: Timestamp?
    /// Only calls with at least this score; leaves out calls without one.
    public var minimumScore: Int?
    /// Only calls with at most this score; leaves out calls without one.
    public var maximumScore: Int?
    /// Only calls that have a score, or only those that have none.
    public var isScored: Bool?
    /// Only calls whose ``CallSummary/worstScore`` is at most this; leaves out calls without one.
    public var maximumWorstScore: Int?
    /// Only calls that go on, or only those that do not.
    public var state: State?
    /// Only calls with one of these outcomes; empty for all.
    public var outcomes: Set<CallOutcome> = []
    /// Only calls with an issue of this kind.
    public var issue: IssueKind?
    /// Only calls whose ``CallOutline/setupMilliseconds`` is at least this; leaves out calls without one.
    public var setupFromMilliseconds: Int64?
    /// Only calls whose ``CallOutline/setupMilliseconds`` is less than this; leaves out calls without one.
    public var setupBeforeMilliseconds: Int64?
    /// Only calls that lost the most points to this.
    public var leading: Leading?
    /// Only calls whose media went this way.
    public var relay: Relay?
    /// Only calls with a stream of this codec: a MIME type, `audio/opus`, or the name in it, `opus`, which is all behind the
    /// first slash. Case of ASCII letters does not count.
    public var codec: String?
    /// Only calls of this program: all of ``CallSummary/client``, or words that it begins with, `Chrome` of `Chrome 148`.
    /// Case of ASCII letters does not count.
    public var client: String?
    /// Only what this observer saw.
    public var observer: ObserverID?
    /// Only calls whose id has this in it, or another name of the call, SSRCs left out. Case of ASCII letters does not
    /// count.
    public var text: String?
    /// The moment `state` refers to.
    public var now: Timestamp

    /// All calls of a tenant.
    public init(tenant: TenantID = .default, now: Timestamp) {
        self.tenant = tenant
        self.now = now
    }
}

extension CallFilter {
    /// Leaves only calls of a band, among those that are meant already.
    public mutating func narrow(to band: QualityBand) {
        minimumScore = max(minimumScore ?? 0, band.scores.lowerBound)
        maximumScore = min(maximumScore ?? 100, band.scores.upperBound)
    }
}
