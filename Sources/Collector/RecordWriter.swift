import CallModel
import CallQuality

/// One record within one transaction: what was known of it, what is new, and what follows from that.
struct RecordWriter: Sendable {
    let key: CallKey
    private(set) var isDirty: Bool
    /// The fold before this transaction; `nil` of a new record.
    private let foldBefore: KeptFold?
    /// The fold as it is after ``change()``; `nil` while nothing was folded.
    private(set) var foldAfter: KeptFold?
    private var known: [FactKey: Fact] = [:]
    private var changed: [FactKey: Fact] = [:]
    private var fresh: Set<FactKey> = []
    private var links: LinkWriter
    private(set) var commitsSinceStored: Int
    /// Whether the call is over, after ``change()``: hardly anything comes for it any more.
    private(set) var isOver = false

    /// A fold is stored with every so many commits. Whoever takes one up from the store folds the facts since anew, and
    /// these are no more than that.
    private static let commitsBetweenStored = 8

    /// - Parameters:
    ///   - key: the record.
    ///   - fold: the fold as it is stored; `nil` for a new record.
    ///   - isDirty: whether the record waits for a new fold.
    ///   - links: the names and sessions that are known of it.
    ///   - commitsSinceStored: how often the record was committed since the store has its fold; `nil` for a new one.
    init(
        key: CallKey, fold: KeptFold?, isDirty: Bool, links: RecordLinks = RecordLinks(), commitsSinceStored: Int?
    ) {
        self.key = key
        self.isDirty = isDirty
        foldBefore = fold
        self.links = LinkWriter(key: key, known: links)
        self.commitsSinceStored = commitsSinceStored ?? Self.commitsBetweenStored
    }

    /// Takes in stored facts that the next ones may repeat.
    mutating func learn(_ facts: [Fact]) {
        for fact in facts where known[fact.key] == nil { known[fact.key] = fact }
    }

    /// Whether the store may have facts with these keys: it has none after the last that was folded, unless the fold of
    /// a record that waits for a new one lacks some.
    func mayKnow(_ keys: some Sequence<FactKey>) -> Bool {
        guard !isDirty, let watermark = foldBefore?.watermark else { return true }
        return keys.contains { $0 <= watermark }
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
        let late = foldBefore?.watermark.map { watermark in fresh.filter { $0 <= watermark } } ?? []
        if !late.isEmpty { isDirty = true }
        var session = takenUp()
        let next = fresh.subtracting(late).sorted().compactMap { changed[$0] }
        let isReceivedInOrder = Self.areReceivedInOrder(next, after: session.lastReceivedAt)
        let rows = session.fold(Fact.withoutRepeats(next))
        guard let summary = session.summary() else { return nil }
        // The clock may have been set back: the fold over all facts finds out.
        if !isReceivedInOrder, summary.dataQuality.counterResets > 0 { isDirty = true }
        let fold = KeptFold(session)
        foldAfter = fold
        isOver = summary.closedAt != nil
        let isStored = commitsSinceStored + 1 >= Self.commitsBetweenStored || isOver
        commitsSinceStored = isStored ? 0 : commitsSinceStored + 1
        var change = RecordChange(
            key: key, facts: changed.values.sorted { $0.key < $1.key }, derived: .append(rows.intervals, rows.scores),
            session: isStored ? fold.archive : nil, summary: summary, isDirty: isDirty)
        (change.names, change.claims) = (links.newNames.sorted(), links.changedClaims.map(\.after))
        return change
    }

    /// Whether reports follow one another in the order in which they were received.
    private static func areReceivedInOrder(_ facts: [Fact], after last: Timestamp?) -> Bool {
        var latest = last
        return facts.allSatisfy { fact in
            defer { latest = max(latest ?? fact.receivedAt, fact.receivedAt) }
            return !fact.isReport || latest.map { fact.receivedAt >= $0 } ?? true
        }
    }

    /// The fold to go on from. It is taken up where it is folded: whatever holds another copy of it while it changes has
    /// all of it copied.
    private mutating func takenUp() -> CallSession {
        guard let foldBefore else { return CallSession(key: key) }
        if let session = foldBefore.session { return session }
        isDirty = true
        return CallSession(key: key)
    }

    /// The fold over all facts of a record, and those it has of its sessions, in place of what was derived before.
    static func refold(
        _ key: CallKey, facts: [Fact], part: SessionPart
    ) -> RecordChange? {
        guard !facts.isEmpty else { return nil }
        var session = CallSession(key: key)
        for doubt in part.doubts { session.note(doubt) }
        let clock = ClientClock(of: facts)
        session.take(clock)
        let all = part.facts.isEmpty ? facts : Fact.united(facts + part.facts)
        let rows = session.fold(Fact.withoutRepeats(clock.putRight(all)))
        guard let summary = session.summary() else { return nil }
        var change = RecordChange(
            key: key, facts: [], derived: .replace(rows.intervals, rows.scores), session: session.archived(),
            summary: summary, isDirty: false)
        change.share = part.outcome
        return change
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
