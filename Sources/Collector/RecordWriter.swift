import CallModel
import CallQuality
import Foundation

/// One record within one transaction: what was known of it, what is new, and what follows from that.
struct RecordWriter {
    let key: CallKey
    private(set) var session: CallSession
    private(set) var isDirty: Bool
    private var known: [FactKey: Fact] = [:]
    private var changed: [FactKey: Fact] = [:]
    private var fresh: Set<FactKey> = []

    /// - Parameters:
    ///   - key: the record.
    ///   - session: the fold as it is stored; a new one for a new record.
    ///   - isDirty: whether the record waits for a new fold.
    init(key: CallKey, session: CallSession, isDirty: Bool) {
        self.key = key
        self.session = session
        self.isDirty = isDirty
    }

    /// Takes in stored facts that the next ones may repeat.
    mutating func learn(_ facts: [Fact]) {
        for fact in facts where known[fact.key] == nil { known[fact.key] = fact }
    }

    /// Takes in one fact.
    mutating func take(_ fact: Fact) -> FactOutcome {
        let factKey = fact.key
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
    mutating func change() throws -> RecordChange? {
        guard !changed.isEmpty else { return nil }
        let late = session.watermark.map { watermark in fresh.filter { $0 <= watermark } } ?? []
        if !late.isEmpty { isDirty = true }
        let next = fresh.subtracting(late).sorted().compactMap { changed[$0] }
        let rows = session.fold(next)
        guard let summary = session.summary() else { return nil }
        return RecordChange(
            key: key, facts: changed.values.sorted { $0.key < $1.key }, derived: .append(rows.intervals, rows.scores),
            session: try Self.encode(session), summary: summary, isDirty: isDirty)
    }

    /// The fold over all facts of a record, in place of what was derived before.
    static func refold(_ key: CallKey, facts: [Fact]) throws -> (change: RecordChange, session: CallSession)? {
        var session = CallSession(key: key)
        let rows = session.fold(facts.sorted { $0.key < $1.key })
        guard let summary = session.summary() else { return nil }
        let change = RecordChange(
            key: key, facts: [], derived: .replace(rows.intervals, rows.scores), session: try encode(session),
            summary: summary, isDirty: false)
        return (change, session)
    }

    static func encode(_ session: CallSession) throws -> [UInt8] {
        Array(try JSONEncoder().encode(session))
    }

    /// - Returns: `nil` when the bytes are of other rules or cannot be read: the record is then folded anew.
    static func decode(_ bytes: [UInt8]) -> CallSession? {
        guard let session = try? JSONDecoder().decode(CallSession.self, from: Data(bytes)), session.isCurrent else {
            return nil
        }
        return session
    }
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
