/// How much the collector holds in memory before it asks clients to wait.
public struct CollectorLimits: Hashable, Sendable {
    /// Submissions that may wait for the writer.
    public var waitingSubmissions: Int
    /// Facts that may wait for the writer.
    public var waitingFacts: Int
    /// Facts that one transaction takes at most; a report of hundreds of objects counts as many. Whoever sends meanwhile, also
    /// of another tenant, waits for up to two of these: at 1,000 reports a second half a second. Fewer cost more.
    public var factsPerCommit: Int
    /// Folds kept in memory, at about 3 kB for a call of four streams; others are read back from the store when their
    /// call goes on.
    public var openSessions: Int
    /// A `callCreate` this long after the last activity of its id opens the next attempt, even if nothing ended it.
    public var attemptSilenceMilliseconds: Int64
    /// Calls of one tenant that may go on at a time; what comes for a further one is refused. 0 for any number.
    public var liveCalls: Int

    public init(
        waitingSubmissions: Int = 4_096, waitingFacts: Int = 50_000, factsPerCommit: Int = 256,
        openSessions: Int = 65_536, attemptSilenceMilliseconds: Int64 = 300_000, liveCalls: Int = 0
    ) {
        self.waitingSubmissions = waitingSubmissions
        self.waitingFacts = waitingFacts
        self.factsPerCommit = factsPerCommit
        self.openSessions = openSessions
        self.attemptSilenceMilliseconds = attemptSilenceMilliseconds
        self.liveCalls = liveCalls
    }
}

/// Why the collector did not take a submission.
public enum CollectorError: Error, Hashable, Sendable {
    /// Too much waits for the disk. Nothing of the submission was stored; send it again later.
    case overloaded(retryAfterSeconds: Int)
    /// The collector is shutting down. Nothing of the submission was stored.
    case closing
}

extension CollectorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .overloaded(let seconds): "more arrives than can be stored; try again in \(seconds) s"
        case .closing: "the collector is shutting down; try again in a moment"
        }
    }
}

/// What the collector has done since it started.
public struct CollectorCounters: Hashable, Sendable {
    /// Facts stored.
    public var accepted = 0
    /// Facts known already.
    public var repeated = 0
    /// Facts stored beside different contents.
    public var contradicted = 0
    /// Facts refused because their call was evicted or erased.
    public var refusedAsEvicted = 0
    /// Facts refused because their tenant had as many calls going on as it may.
    public var refusedAsTooMany = 0
    /// Transactions.
    public var commits = 0
    /// Folds over all facts of a record, because a fact came late.
    public var refolds = 0
    /// Calls removed by the retention.
    public var evictedCalls = 0

    public init() {}
}

/// What waits for the collector's writer at a moment.
public struct CollectorQueue: Hashable, Sendable {
    /// Submissions; each has a client that waits for its answer.
    public var submissions: Int
    /// Facts of those submissions.
    public var facts: Int
}
