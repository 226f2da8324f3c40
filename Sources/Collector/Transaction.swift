import CallModel
import CallQuality

/// What one commit will write, record by record.
struct Transaction {
    private let limits: CollectorLimits
    private var routers: [CallIdentity: AttemptRouter] = [:]
    private var stored: Set<CallKey> = []
    var records: [CallKey: RecordWriter] = [:]

    init(limits: CollectorLimits) {
        self.limits = limits
    }

    func knows(_ identity: CallIdentity) -> Bool {
        routers[identity] != nil
    }

    mutating func learn(_ identity: CallIdentity, heads: [RecordHead]) {
        routers[identity] = AttemptRouter(heads, silenceMilliseconds: limits.attemptSilenceMilliseconds)
        stored.formUnion(heads.filter { !$0.isEvicted }.map(\.key))
    }

    /// Whether the store has nothing of this record yet.
    func isNew(_ key: CallKey) -> Bool {
        !stored.contains(key)
    }

    /// How many records the commit will create.
    var newRecords: Int {
        records.keys.count { !stored.contains($0) }
    }

    /// The record each fact belongs to; `nil` for one that was evicted.
    mutating func route(_ submission: Submission) -> [CallKey?] {
        submission.facts.map { item in
            routers[submission.identity]?.route(item.fact).map {
                CallKey(identity: submission.identity, observer: submission.observer, attempt: $0)
            }
        }
    }

    /// Takes in the facts of a submission whose records were opened.
    mutating func take(_ submission: Submission, keys: [CallKey?]) -> [FactOutcome] {
        zip(keys, submission.facts).map { key, item in
            guard let key else { return .refused(.evicted) }
            return records[key]?.take(item.fact) ?? .refused(.evicted)
        }
    }

    /// What to commit, in order of record.
    mutating func changes() throws -> [RecordChange] {
        var changes: [RecordChange] = []
        for key in records.keys {
            if let change = try records[key]?.change() { changes.append(change) }
        }
        return changes
    }
}
