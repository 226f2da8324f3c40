/// Where facts and what was derived from them are kept: the port every store implements.
///
/// One process writes, so the collector may read, compute and then ``commit(_:)``. Methods throw
/// ``CallStoreError`` when the store cannot be read or written. What is read to be shown is shown though a part of it cannot
/// be understood, and says so (``RecordDamage``); what is read to be derived from, or copied, is read whole or not at all.
public protocol CallStore: Sendable {
    /// All records of a call, whatever observer and attempt, live and evicted, in order of attempt and observer.
    func records(of identity: CallIdentity) async throws -> [RecordHead]
    /// The stored facts among `keys`, for finding repeats.
    func facts(of key: CallKey, among keys: [FactKey]) async throws -> [Fact]
    /// All facts of a record in order of ``Fact/key``.
    func facts(of key: CallKey) async throws -> [Fact]
    /// The encoded fold of a record; `nil` when there is none, or rules changed.
    func session(of key: CallKey) async throws -> [UInt8]?
    /// Records that wait for a new fold.
    func dirtyRecords(limit: Int) async throws -> [CallKey]
    /// Records that are to be derived anew, the latest first: at most `limit` of those with a number below `before`.
    func outdatedRecords(_ query: RescoreQuery, before: Int64?, limit: Int) async throws -> [OutdatedRecord]
    /// How many records ``outdatedRecords(_:before:limit:)`` finds in all.
    func countOutdated(_ query: RescoreQuery) async throws -> Int
    /// Marks all records of these calls, or of all when none is named, as waiting for a new fold.
    func markAllDirty(_ calls: Set<CallIdentity>) async throws
    /// Writes all changes or none; when it returns, they survive a power cut. In the same transaction marks records of
    /// `dirty` as waiting for a new fold; those that are not there are passed over.
    func commit(_ changes: [RecordChange], marking dirty: some Collection<CallKey> & Sendable) async throws

    /// What the writer must know of a call to take facts for it: its records, and who claims it as a session.
    func standing(of identity: CallIdentity) async throws -> CallStanding
    /// The other names of a record, and the sessions it claims.
    func links(of key: CallKey) async throws -> RecordLinks

    /// Removes calls beyond the limits, whole calls only, least recently active first, never a live one.
    /// Leaves a tombstone for each.
    func enforce(_ retention: Retention, now: Timestamp) async throws -> RetentionReport
    /// Removes every record of a call and leaves a tombstone; with it goes what was told under the id of a session that
    /// no other call claims. Calls that claimed the erased one as their session wait for a new fold.
    /// - Returns: the number of records removed; 0 when there was no such call.
    func erase(_ identity: CallIdentity, now: Timestamp) async throws -> Int

    /// One page of call records.
    func calls(_ query: CallQuery) async throws -> CallPage
    /// The records that a filter means, counted; as of one moment.
    func fleet(_ filter: CallFilter) async throws -> FleetSummary
    /// The courses of the scores of these records, by their 10 s windows, in at most so many parts each; records that are
    /// not there are left out.
    func ribbons(of keys: [CallKey], parts: Int) async throws -> [CallKey: PartlyRead<ScoreRibbon>]
    /// Summaries of all records of a call, in order of attempt and observer; empty when there is no such call.
    func summaries(of identity: CallIdentity) async throws -> [StoredSummary]
    /// What else a record is called, and which other calls are the same one; nothing when there is no such record.
    func ties(of key: CallKey) async throws -> CallTies
    /// Everything about one record as of one moment, and what the other observers of the call saw; `nil` when there
    /// is no such record.
    func record(_ key: CallKey) async throws -> CallRecord?
    /// The same of several records, those that are not there left out; what they have in common is read once.
    func records(_ keys: [CallKey]) async throws -> [CallRecord]
    /// What a record has that is drawn over time, as of one moment; `nil` when there is no such record.
    func series(of key: CallKey) async throws -> CallSeries?
    /// What was reported of a record last at a moment, or at the end when it is `nil`: of each connection, at most
    /// `limit`, the latest report that is not later, and the latest of a probe.
    func facts(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> PartlyRead<[Fact]>
    /// The time series of a record, in order of time and stream.
    func intervals(of key: CallKey) async throws -> [MediaInterval]
    /// The scores of a record, in order of time; of windows the complete ones.
    func scores(of key: CallKey, series: ScoreInterval.Series) async throws -> [ScoreInterval]
    /// The events of a record and those it has from its sessions, in order of ``Fact/key``.
    func events(of key: CallKey) async throws -> PartlyRead<[CallEvent]>
    /// How much is stored.
    func counts() async throws -> StoreCounts
    /// When the store last received anything for a record that it has, on the collector's clock; `nil` when it has none.
    func latestReceipt() async throws -> Timestamp?
    /// Writes as a commit does, and changes nothing: tells whether an outage is over.
    /// - Throws: ``CallStoreError/unavailable(_:detail:)`` while it is not.
    func probe() async throws
    /// Finishes writing and closes; no other method may be called afterwards.
    func close() async throws
}

extension CallStore {
    /// Writes all changes or none; when it returns, they survive a power cut.
    public func commit(_ changes: [RecordChange]) async throws {
        try await commit(changes, marking: [])
    }

    /// The records that an id stands for, in order of a report: of a session those of the calls that claim it, in the
    /// order in which they began, and its own where part of it belongs to none of them.
    public func summaries(named identity: CallIdentity) async throws -> [StoredSummary] {
        let claims = try await standing(of: identity).claims
        let keys = Set(claims.map(\.key))
        var calls: [CallIdentity] = []
        for claim in claims where !calls.contains(claim.key.identity) { calls.append(claim.key.identity) }
        var found: [StoredSummary] = []
        for call in calls {
            found += try await summaries(of: call).filter { keys.contains($0.summary.key) }.inReportOrder
        }
        return try await found + summaries(of: identity).filter { found.isEmpty || $0.standsAlone }.inReportOrder
    }

    /// The calls that an id stands for: those of a session, and in the end that of the id itself, be it there or not.
    public func calls(named identity: CallIdentity) async throws -> [CallIdentity] {
        var calls: [CallIdentity] = []
        for call in try await summaries(named: identity).map(\.summary.key.identity)
        where call != identity && !calls.contains(call) {
            calls.append(call)
        }
        return calls + [identity]
    }
}

extension [StoredSummary] {
    fileprivate var inReportOrder: Self { sorted { CallSummary.areInReportOrder($0.summary, $1.summary) } }
}

/// A summary, and whether facts have arrived that it does not take in yet.
public struct StoredSummary: Hashable, Sendable {
    /// The summary as last derived.
    public var summary: CallSummary
    /// Whether facts wait to be folded in.
    public var isDirty: Bool
    /// Whether it is shown although calls claim it as their session; see ``SessionOutcome/standsAlone``.
    public var standsAlone: Bool
    /// Why ``summary`` has not all that was derived; empty when it has.
    public var damage: [RecordDamage]

    public init(summary: CallSummary, isDirty: Bool, standsAlone: Bool = false, damage: [RecordDamage] = []) {
        self.summary = summary
        self.isDirty = isDirty
        self.standsAlone = standsAlone
        self.damage = damage
    }

    /// For those who need all that was derived.
    /// - Throws: ``CallStoreError/damaged(_:reason:)`` when it is not there.
    public func whole() throws -> StoredSummary {
        if let first = damage.first { throw first.error }
        return self
    }
}

/// What the writer must know of a record to route a fact to it.
public struct RecordHead: Hashable, Sendable {
    /// Which record.
    public var key: CallKey
    /// The time of the `callCreate` that opened this attempt, or of its first fact.
    public var start: Timestamp
    /// The last moment any of its facts carries.
    public var lastActivity: Timestamp
    /// Whether an event ended the call.
    public var hasEnded: Bool
    /// Whether it was evicted or erased: a tombstone.
    public var isEvicted: Bool
    /// Whether facts arrived that its derived rows do not take in yet.
    public var isDirty: Bool

    public init(
        key: CallKey, start: Timestamp, lastActivity: Timestamp, hasEnded: Bool, isEvicted: Bool, isDirty: Bool
    ) {
        self.key = key
        self.start = start
        self.lastActivity = lastActivity
        self.hasEnded = hasEnded
        self.isEvicted = isEvicted
        self.isDirty = isDirty
    }
}

/// What the writer must know of a call to take facts for it.
public struct CallStanding: Hashable, Sendable {
    /// All its records, as ``CallStore/records(of:)`` gives them.
    public var heads: [RecordHead]
    /// The claims on it, when it is the id of a session, in order of start; those of evicted calls, too, while the
    /// session is there.
    public var claims: [SessionClaim]

    public init(heads: [RecordHead], claims: [SessionClaim]) {
        self.heads = heads
        self.claims = claims
    }
}

/// The other names of one record.
public struct RecordLinks: Hashable, Sendable {
    /// Names that its facts tell, sessions left out.
    public var names: Set<CallName>
    /// The sessions that it claims.
    public var claims: [SessionClaim]

    public init(names: Set<CallName> = [], claims: [SessionClaim] = []) {
        self.names = names
        self.claims = claims
    }
}

/// What one commit changes in one record.
public struct RecordChange: Hashable, Sendable {
    /// How derived rows reach the store.
    public enum DerivedRows: Hashable, Sendable {
        /// Rows that follow those already there.
        case append([MediaInterval], [ScoreInterval])
        /// All rows of the record, in place of those there.
        case replace([MediaInterval], [ScoreInterval])
    }

    /// Which record.
    public var key: CallKey
    /// Facts to insert, or to put in place of the one with the same key.
    public var facts: [Fact]
    /// Rows that were derived.
    public var derived: DerivedRows
    /// The archived fold after these facts, or after later ones. `nil` leaves the one that is stored, which then lacks
    /// the facts after its watermark; a new record needs one.
    public var session: [UInt8]?
    /// The summary after these facts.
    public var summary: CallSummary
    /// Whether the record waits for a new fold, because a fact came that lies before what was folded.
    public var isDirty: Bool
    /// Names to note that were not known of it, sessions left out.
    public var names: [CallName] = []
    /// Claims on sessions to note, in place of earlier ones of the same record on the same session.
    public var claims: [SessionClaim] = []
    /// What a new fold found out about sessions; `nil` leaves it as it is.
    public var share: SessionOutcome?

    public init(
        key: CallKey, facts: [Fact], derived: DerivedRows, session: [UInt8]?, summary: CallSummary, isDirty: Bool
    ) {
        self.key = key
        self.facts = facts
        self.derived = derived
        self.session = session
        self.summary = summary
        self.isDirty = isDirty
    }
}

/// What a fold over all facts of a record says about sessions.
public struct SessionOutcome: Hashable, Sendable {
    /// Events of sessions that the record takes part in, by the record they are stored in.
    public var events: [CallKey: [FactKey]]
    /// Whether the record, though claimed as a session, is to be listed: part of it belongs to no call for certain.
    public var standsAlone: Bool

    public init(events: [CallKey: [FactKey]] = [:], standsAlone: Bool = false) {
        self.events = events
        self.standsAlone = standsAlone
    }
}

/// How long calls are kept. A call is all its records: the ends of one call go together.
public struct Retention: Hashable, Sendable {
    /// At most this many calls of each tenant.
    public var calls: Int
    /// Calls without activity for this long go; `nil` keeps them.
    public var milliseconds: Int64?
    /// A call heard of within this long, and not ended, is live and stays.
    public var silenceLimitMilliseconds: Int64

    public init(
        calls: Int, milliseconds: Int64? = nil, silenceLimitMilliseconds: Int64 = CallSummary.silenceLimitMilliseconds
    ) {
        self.calls = calls
        self.milliseconds = milliseconds
        self.silenceLimitMilliseconds = silenceLimitMilliseconds
    }
}

/// What an enforcement of the retention did.
public struct RetentionReport: Hashable, Sendable {
    /// Calls removed because there were too many.
    public var evictedByCount: Int
    /// Calls removed because of their age.
    public var evictedByAge: Int
    /// Calls that stay although over the limit, because they are live.
    public var keptLive: Int

    public init(evictedByCount: Int, evictedByAge: Int, keptLive: Int) {
        self.evictedByCount = evictedByCount
        self.evictedByAge = evictedByAge
        self.keptLive = keptLive
    }
}

/// How much a store holds.
public struct StoreCounts: Hashable, Sendable {
    /// Calls, all observers of one counted once.
    public var calls: Int
    /// Records: observers' views of calls.
    public var records: Int
    /// Reports and events.
    public var facts: Int
    /// Records evicted or erased that are remembered.
    public var tombstones: Int

    public init(calls: Int, records: Int, facts: Int, tombstones: Int) {
        self.calls = calls
        self.records = records
        self.facts = facts
        self.tombstones = tombstones
    }
}

/// Why a store could not do what was asked.
public enum CallStoreError: Error, Hashable, Sendable {
    /// The place cannot be opened: what, and why.
    case cannotOpen(String, reason: String)
    /// Another process writes there.
    case inUse(String)
    /// The place takes nothing now, whatever it is; the same may succeed later. Nothing was stored.
    case unavailable(StoreOutage, detail: String)
    /// Reading or writing failed.
    case failed(String)
    /// What is stored cannot be understood: where, and why.
    case damaged(String, reason: String)
    /// What was given cannot be stored here, now or later: why. The same without it can.
    case refused(String)
    /// Nothing can be stored here until somebody sets right what is said.
    case misconfigured(String)
}

extension CallStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotOpen(let what, let reason): "cannot open \(what): \(reason)"
        case .inUse(let what): "\(what) is in use by another sidetone; one process writes to a database"
        case .unavailable(let outage, let detail): "\(outage.words): \(detail)"
        case .failed(let reason): "the store failed: \(reason)"
        case .damaged(let place, let reason): "\(place) is damaged: \(reason)"
        case .refused(let reason): "the store cannot hold it: \(reason)"
        case .misconfigured(let reason): reason
        }
    }
}
