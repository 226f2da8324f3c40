import CallModel
import CallQuality

/// What one commit will write, record by record.
struct Transaction {
    private let limits: CollectorLimits
    private var routers: [CallIdentity: AttemptRouter] = [:]
    private(set) var standings: [CallIdentity: CallStanding] = [:]
    private var stored: Set<CallKey> = []
    var records: [CallKey: RecordWriter] = [:]
    var gate: CallGate

    /// - Parameters:
    ///   - limits: those of the collector.
    ///   - beginning: calls that begin with other transactions, which are not committed yet.
    init(limits: CollectorLimits, beginning: Set<CallIdentity>) {
        self.limits = limits
        gate = CallGate(limit: limits.liveCalls, elsewhere: beginning)
    }

    func knows(_ identity: CallIdentity) -> Bool {
        routers[identity] != nil
    }

    mutating func learn(_ identity: CallIdentity, standing: CallStanding) {
        routers[identity] = AttemptRouter(standing.heads, silenceMilliseconds: limits.attemptSilenceMilliseconds)
        standings[identity] = standing
        stored.formUnion(standing.heads.filter { !$0.isEvicted }.map(\.key))
    }

    /// The records of a call that are in the store.
    func storedHeads(of identity: CallIdentity) -> [RecordHead] {
        standings[identity]?.heads.filter { !$0.isEvicted } ?? []
    }

    /// The claims on a session, with those that this transaction makes or changes.
    func claims(on session: CallIdentity) -> [SessionClaim] {
        let changed = records.values.flatMap(\.changedClaims).map(\.after).filter { $0.session == session }
        let keys = Set(changed.map(\.key))
        return changed + (standings[session]?.claims.filter { !keys.contains($0.key) } ?? [])
    }

    /// The sessions that this transaction tells something of, or on which it makes or changes claims.
    var touchedSessions: Set<CallIdentity> {
        let changed = Set(records.values.flatMap(\.changedClaims).map(\.after.session))
        let told = Set(records.keys.map(\.identity)).filter { standings[$0]?.claims.isEmpty == false }
        return changed.union(told)
    }

    /// Whether the store has nothing of this record yet.
    func isNew(_ key: CallKey) -> Bool {
        !stored.contains(key)
    }

    /// The records that the commit will create.
    var newKeys: Set<CallKey> {
        Set(records.keys.filter { !stored.contains($0) })
    }

    /// How many records the commit will create.
    var newRecords: Int {
        records.keys.count { !stored.contains($0) }
    }

    /// The record each fact belongs to; `nil` for one that was evicted.
    mutating func route(_ submission: Submission) -> [CallKey?] {
        let (identity, observer) = (submission.identity, submission.observer)
        let claims = routers[identity]?.hasEvicted == true ? claims(on: identity) : []
        return submission.facts.map { item in
            routers[identity]?.route(item.fact, of: observer, claims: claims).map {
                CallKey(identity: identity, observer: observer, attempt: $0)
            }
        }
    }

    /// Takes in the facts of a submission whose records were opened.
    mutating func take(_ submission: Submission, keys: [CallKey?]) -> [FactOutcome] {
        zip(keys, submission.facts).map { key, item in
            guard let key else { return .refused(.evicted) }
            return records[key]?.take(item.fact, names: item.names) ?? .refused(.evicted)
        }
    }

    /// Folds what is new, and says what to commit. Records do not depend on each other, so all processors fold.
    mutating func changes() async -> [RecordChange] {
        let writers = Array(records.values)
        let folded = await withTaskGroup(of: [(RecordWriter, RecordChange?)].self) { tasks in
            for start in stride(from: 0, to: writers.count, by: Self.recordsPerTask) {
                tasks.addTask {
                    writers[start..<min(writers.count, start + Self.recordsPerTask)].map { writer in
                        var writer = writer
                        let change = writer.change()
                        return (writer, change)
                    }
                }
            }
            return await tasks.reduce(into: []) { $0 += $1 }
        }
        for (writer, _) in folded { records[writer.key] = writer }
        return folded.compactMap(\.1)
    }

    private static let recordsPerTask = 8
}
