/// A store that several nodes write to, each what it received itself: what has to be done there for all of them.
///
/// A call whose reports reached two nodes is stored as each of them derived its part, until somebody puts the parts
/// together. Moments are seconds of the database's own clock, for those of the nodes differ.
public protocol SharedCallStore: CallStore {
    /// The database's clock.
    func seconds() async throws -> Int64
    /// What was noted last; `nil` when nothing was.
    func note(_ name: SharedStoreNote) async throws -> Int64?
    /// Notes a moment for whoever comes next. One that is not later than the last changes nothing.
    func keep(_ name: SharedStoreNote, _ seconds: Int64) async throws

    /// Calls of which a node wrote something since a moment that was not put together since: at most `limit`, those that
    /// were written to longest ago first. Continues after the page that ended with `last`.
    func writtenCalls(since seconds: Int64, after last: WrittenCall?, limit: Int) async throws -> [WrittenCall]
    /// Those of these calls that are stored in parts, each with all calls that have to be derived with it: those whose
    /// session it is, and the sessions that it claims. Records written before `settled` that still wait for a new fold get
    /// one, too: nobody else will give it to them.
    func groupsInParts(among calls: Set<CallIdentity>, settled: Int64) async throws -> [CallGroup]
    /// All that is stored of groups, in their order.
    func parts(of groups: [CallGroup]) async throws -> [CallParts]
    /// Stores what was derived of calls as a whole. One that somebody wrote to since its parts were read stays as it is,
    /// and so does one to which somebody writes at this moment: it comes again.
    /// - Returns: how many were stored.
    func commit(_ merges: [CallMerge]) async throws -> Int

    /// Calls that were erased since a moment: at most `limit`, those that were erased longest ago first. Continues after the
    /// page that ended with `last`.
    func erasedCalls(since seconds: Int64, after last: ErasedCall?, limit: Int) async throws -> [ErasedCall]

    /// Takes out derived rows that none shows any more, of records written between these moments.
    /// - Returns: of how many records.
    func removeOldRows(from start: Int64, to end: Int64) async throws -> Int
}

/// A moment that is noted in a shared store. The raw value is what it is called there.
public enum SharedStoreNote: String, Hashable, Sendable, CaseIterable {
    /// When somebody last began to put calls together.
    case mergingBegan = "merging_began"
    /// Up to when all that was written was looked at.
    case mergedUpTo = "merged_up_to"
    /// When the limits of number and age were last seen to.
    case retained = "retained"
    /// Up to when rows that none shows were taken out.
    case cleanedUpTo = "cleaned_up_to"
}

/// A call that a node wrote to.
public struct WrittenCall: Hashable, Sendable {
    /// Which call.
    public var identity: CallIdentity
    /// When, in s of the database's clock.
    public var seconds: Int64

    public init(identity: CallIdentity, seconds: Int64) {
        self.identity = identity
        self.seconds = seconds
    }
}

/// A call that was erased.
public struct ErasedCall: Hashable, Sendable {
    /// Which call.
    public var identity: CallIdentity
    /// The last moment that anything of it carried. What begins later under its id is another call.
    public var lastActivity: Timestamp
    /// When it was erased, in s of the database's clock.
    public var seconds: Int64

    public init(identity: CallIdentity, lastActivity: Timestamp, seconds: Int64) {
        self.identity = identity
        self.lastActivity = lastActivity
        self.seconds = seconds
    }
}

/// Calls that have to be derived together.
public struct CallGroup: Hashable, Sendable {
    /// A call, the sessions that it claims, and who else claims them.
    public var identities: Set<CallIdentity>
    /// How many rows of reports and events there are of them.
    public var facts: Int

    public init(identities: Set<CallIdentity>, facts: Int) {
        self.identities = identities
        self.facts = facts
    }
}

/// What a shared store has of calls that have to be derived together.
public struct CallParts: Hashable, Sendable {
    /// A record as it is stored.
    public struct Record: Hashable, Sendable {
        /// Which one.
        public var key: CallKey
        /// The row that stood when it was read; `nil` where there are facts and no row.
        public var version: UInt64?
        /// Whether it was evicted or erased.
        public var head: RecordHead?
        /// What all nodes noted of it.
        public var links: RecordLinks
        /// What all nodes took of it, in order of ``Fact/key``.
        public var facts: [Fact]

        public init(
            key: CallKey, version: UInt64? = nil, head: RecordHead? = nil, links: RecordLinks = RecordLinks(),
            facts: [Fact] = []
        ) {
            self.key = key
            self.version = version
            self.head = head
            self.links = links
            self.facts = facts
        }
    }

    /// All records of the calls, those evicted and erased, too.
    public var records: [Record]
    /// Claims on the calls, as sessions, by what is not there any more.
    public var earlierClaims: [SessionClaim]

    public init(records: [Record], earlierClaims: [SessionClaim] = []) {
        self.records = records
        self.earlierClaims = earlierClaims
    }
}

/// What calls are when all that several nodes took of them is put together.
public struct CallMerge: Hashable, Sendable {
    /// Every record, with all its rows; without its facts, which are stored.
    public var changes: [RecordChange] = []
    /// How many facts each of them has.
    public var facts: [CallKey: Int] = [:]
    /// Facts that belong to another attempt than the one that the node which took them numbered so: from where, to where.
    public var moves: [CallKey: [CallKey: [FactKey]]] = [:]
    /// Names and claims that are stored of a record and are another's.
    public var dropped: [CallKey: RecordLinks] = [:]
    /// Records of which nothing is left.
    public var emptied: [CallKey] = []
    /// What was read, and must still stand.
    public var versions: [CallKey: UInt64] = [:]

    public init() {}
}
