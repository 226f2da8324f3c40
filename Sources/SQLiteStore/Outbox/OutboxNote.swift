import CallModel
import GRDB

/// What changed in one record, by reference.
struct OutboxNote: Hashable, Sendable {
    /// What else than facts and single rows.
    struct Parts: OptionSet, Hashable, Sendable {
        let rawValue: Int

        static let fold = Parts(rawValue: 1)
        /// All derived rows were replaced.
        static let derived = Parts(rawValue: 2)
        /// Names and claims.
        static let names = Parts(rawValue: 4)
        static let share = Parts(rawValue: 8)
        static let all: Parts = [.fold, .derived, .names, .share]
    }

    /// When the facts were that were written.
    var facts = TimeSpans([])
    /// When the intervals ended that were appended.
    var intervals = TimeSpans([])
    /// When the scores began that were appended.
    var scores = TimeSpans([])
    var parts: Parts = []
    /// Facts and derived rows, and one for the record.
    var rows = 1
    /// What they take, about.
    var bytes: Int64 = 0

    /// A record of which the summary, or whether it waits for a new fold, is all that changed.
    init() {}

    init(_ change: RecordChange) {
        facts = TimeSpans(change.facts.map(\.time.milliseconds))
        let (newIntervals, newScores): ([MediaInterval], [ScoreInterval])
        switch change.derived {
        case .append(let appended, let scores):
            (newIntervals, newScores) = (appended, scores)
            intervals = TimeSpans(appended.map(\.end.milliseconds))
            self.scores = TimeSpans(scores.map(\.start.milliseconds))
        case .replace(let all, let scores):
            (newIntervals, newScores) = (all, scores)
            parts.insert(.derived)
        }
        if change.session != nil { parts.insert(.fold) }
        if !change.names.isEmpty || !change.claims.isEmpty { parts.insert(.names) }
        if change.share != nil { parts.insert(.share) }
        rows += change.facts.count + newIntervals.count + newScores.count
        bytes =
            Int64(newIntervals.count) * Self.bytesOfInterval + Int64(newScores.count) * Self.bytesOfScore
            + Int64(change.names.count + change.claims.count) * Self.bytesOfName + Int64(change.session?.count ?? 0)
    }

    /// What a row takes, about, keys and index included: an estimate, for the limit of the spool is one, too.
    static let bytesOfInterval: Int64 = 250
    static let bytesOfScore: Int64 = 150
    static let bytesOfName: Int64 = 100
    static let bytesOfEvent: Int64 = 150

    mutating func merge(_ other: OutboxNote) {
        facts.formUnion(other.facts)
        intervals.formUnion(other.intervals)
        scores.formUnion(other.scores)
        parts.formUnion(other.parts)
        rows += other.rows
        bytes += other.bytes
    }
}

// MARK: - Rows

extension OutboxNote {
    static let columns = "facts, intervals, scores, parts, rowCount, byteCount"

    /// From ``columns`` on.
    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    init(_ row: Row) throws {
        let texts: [String] = [row[0], row[1], row[2]]
        let spans = texts.compactMap(TimeSpans.init)
        guard spans.count == texts.count else {
            throw CallStoreError.damaged("an entry of the outbox", reason: "no spans of time are \(texts)")
        }
        (facts, intervals, scores) = (spans[0], spans[1], spans[2])
        parts = Parts(rawValue: row[3])
        rows = row[4]
        bytes = row[5]
    }

    func save(_ db: Database, record: Int64, at moment: Timestamp) throws {
        try db.cachedStatement(
            sql: "INSERT INTO outbox (recordId, notedAt, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            record, moment.milliseconds, facts.description, intervals.description, scores.description, parts.rawValue,
            rows, bytes,
        ])
    }
}
