import CallModel
import CallQuality

/// One record within one transaction: what was known of it, what is new, and what follows from that.
struct RecordWriter {
    let key: CallKey
    private(set) var session: CallSession
    private(set) var isDirty: Bool
    private var known: [FactKey: Fact] = [:]
    private var changed: [FactKey: Fact] = [:]
    private var fresh: Set<FactKey> = []
    private var links: LinkWriter

    /// - Parameters:
    ///   - key: the record.
    ///   - session: the fold as it is stored; a new one for a new record.
    ///   - isDirty: whether the record waits for a new fold.
    ///   - links: the names and sessions that are known of it.
    init(key: CallKey, session: CallSession, isDirty: Bool, links: RecordLinks = RecordLinks()) {
        self.key = key
        self.session = session
        self.isDirty = isDirty
        self.links = LinkWriter(key: key, known: links)
    }

    /// Takes in stored facts that the next ones may repeat.
    mutating func learn(_ facts: [Fact]) {
        for fact in facts where known[fact.key] == nil { known[fact.key] = fact }
    }

    /// Takes in one fact, and the names that the message gives the call beside it.
    mutating func take(_ fact: Fact, names: [CallName] = []) -> FactOutcome {
        let factKey = fact.key
        links.take(fact, names: names)
        guard let standing = known[factKey] else {
            known[factKey] = fact
            changed[factKey] = fact
            fresh.insert(factKey)
            return .accepted
        }
        let merged = standing.merged(with: fact)
        guard merged != standing else { return .repeated }
        known[factKey] = merged
        changed[factKey] = merged
        // What was folded already said something else.
        if !fresh.contains(factKey) { isDirty = true }
        if merged.contradictions > standing.contradictions { return .contradicted }
        var sameReceipt = merged
        sameReceipt.receivedAt = standing.receivedAt
        return sameReceipt == standing ? .repeated : .accepted
    }

    /// Folds what is new and says what to store; `nil` when nothing changed.
    mutating func change() -> RecordChange? {
        guard !changed.isEmpty || links.hasNews else { return nil }
        let late = session.watermark.map { watermark in fresh.filter { $0 <= watermark } } ?? []
        if !late.isEmpty { isDirty = true }
        let next = fresh.subtracting(late).sorted().compactMap { changed[$0] }
        let rows = session.fold(next)
        guard let summary = session.summary() else { return nil }
        var change = RecordChange(
            key: key, facts: changed.values.sorted { $0.key < $1.key }, derived: .append(rows.intervals, rows.scores),
            session: session.archived(), summary: summary, isDirty: isDirty)
        (change.names, change.claims) = (links.newNames.sorted(), links.changedClaims.map(\.after))
        return change
    }

    /// The fold over all facts of a record, and those it has of its sessions, in place of what was derived before.
    static func refold(
        _ key: CallKey, facts: [Fact], part: SessionPart
    ) throws -> (change: RecordChange, session: CallSession)? {
        guard !facts.isEmpty else { return nil }
        var session = CallSession(key: key)
        for doubt in part.doubts { session.note(doubt) }
        let rows = session.fold(part.facts.isEmpty ? facts : Fact.united(facts + part.facts))
        guard let summary = session.summary() else { return nil }
        var change = RecordChange(
            key: key, facts: [], derived: .replace(rows.intervals, rows.scores), session: session.archived(),
            summary: summary, isDirty: false)
        change.share = part.outcome
        return (change, session)
    }
}

// MARK: - Sessions

extension RecordWriter {
    /// The record's names and sessions after this transaction.
    var currentLinks: RecordLinks { links.current }

    /// Claims that this transaction makes or changes.
    var changedClaims: [LinkWriter.ClaimChange] { links.changedClaims }

    /// Whether the times of a new claim are known only from this transaction.
    var hasNewClaim: Bool { links.changedClaims.contains { $0.before == nil } }

    /// When what changed in this transaction happened; `nil` when nothing did.
    var changedTimes: ClosedRange<Timestamp>? {
        guard let first = changed.keys.map(\.time).min(), let last = changed.keys.map(\.time).max() else { return nil }
        return first...last
    }

    /// Takes in facts that were stored before, for the times of claims.
    mutating func learnTimes(from facts: [Fact]) {
        for fact in facts { links.extend(by: fact) }
    }

    mutating func markDirty() { isDirty = true }
}

extension Fact {
    /// How many contradictions the fact carries.
    fileprivate var contradictions: Int {
        switch self {
        case .report(let report): report.conflicts.count
        case .event(let event): event.isContradicted ? 1 : 0
        case .wire(let report): report.isContradicted ? 1 : 0
        }
    }
}
