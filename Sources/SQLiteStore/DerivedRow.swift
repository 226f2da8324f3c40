import CallModel
import GRDB
import StoreParts

/// A row of `derived`: intervals and scores that one commit wrote.
struct DerivedRow: Sendable {
    private let times: ClosedRange<Int64>
    private let content: String

    /// More of either make several rows, so that a part of a long call can be read alone.
    private static let mostOfEither = 256

    /// The rows that hold these.
    /// - Throws: ``CallStoreError/refused(_:)`` for a score that is none.
    static func rows(_ intervals: [MediaInterval], _ scores: [ScoreInterval]) throws -> [DerivedRow] {
        for score in scores { try StoredScores.check([score.score, score.audioScore, score.videoScore]) }
        return stride(from: 0, to: max(intervals.count, scores.count), by: mostOfEither).map { start in
            DerivedRow(
                Array(intervals.dropFirst(start).prefix(mostOfEither)),
                Array(scores.dropFirst(start).prefix(mostOfEither)))
        }
    }

    private init(_ intervals: [MediaInterval], _ scores: [ScoreInterval]) {
        let all = intervals.map(\.end.milliseconds) + scores.map(\.start.milliseconds)
        times = (all.min() ?? 0)...(all.max() ?? 0)
        content = DerivedContent.text(intervals, scores)
    }

    func save(_ db: Database, record: Int64) throws {
        try db.run(
            "INSERT INTO derived (recordId, first, last, content) VALUES (?, ?, ?, ?)",
            [record, times.lowerBound, times.upperBound, content])
    }

    static func deleteAll(_ db: Database, record: Int64) throws {
        for table in ["derived", IntervalRow.table, ScoreRow.table] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE recordId = ?").execute(arguments: [record])
        }
    }
}

/// The intervals and scores of a record, or those of a span: from the rows that commits wrote, and from those that versions
/// before the ninth migration wrote one by one.
struct DerivedRows {
    /// In order of time and stream.
    let intervals: [MediaInterval]
    private let scores: [ScoreInterval]

    /// The intervals that end, and the scores that start, in so many ms. What cannot be understood is left out.
    init(
        _ db: Database, record: Int64, within times: ClosedRange<Int64> = .min ... .max, _ damage: inout DamageLog
    ) throws {
        let earlier = try damage.reading(.series) {
            (
                intervals: try IntervalRow.fetchAll(db, record: record, ending: times),
                scores: try ScoreRow.fetchAll(db, record: record, starting: times)
            )
        }
        var (intervals, scores) = (earlier?.intervals ?? [], earlier?.scores ?? [])
        for content in try Self.contents(db, record: record, within: times) {
            let rows = try damage.reading(.series) {
                try understanding("derived rows of a record") { try DerivedContent.rows(of: content) }
            }
            guard let rows else { continue }
            intervals += rows.intervals.filter { times.contains($0.end.milliseconds) }
            scores += rows.scores.filter { times.contains($0.start.milliseconds) }
        }
        self.intervals = Self.latest(intervals) { IntervalPlace(end: $0.end, stream: $0.stream) }
        self.scores = Self.latest(scores, by: ScorePlace.init)
    }

    /// The same, all of it.
    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    static func whole(
        _ db: Database, record: Int64, within times: ClosedRange<Int64> = .min ... .max
    ) throws -> DerivedRows {
        var damage = DamageLog()
        let rows = try DerivedRows(db, record: record, within: times, &damage)
        try damage.check()
        return rows
    }

    /// What came after the last complete window: the summary has it, for every report makes it anew.
    static func openWindow(_ db: Database, record: Int64, _ damage: inout DamageLog) throws -> [ScoreInterval] {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT json_valid(summary), iif(json_valid(summary), json_extract(summary, '$.openWindow'), NULL)
                    FROM record WHERE id = ?
                    """), arguments: [record])
        guard let row else { return [] }
        let window = try damage.reading(.summary) {
            try understanding("the summary of a call") {
                guard row[0] else { throw StoredValueError.notExpected("no JSON") }
                return try StoredJSON.openWindow(of: row[1])
            }
        }
        return window ?? []
    }

    /// The scores of a series, in order of start.
    func scores(_ series: ScoreInterval.Series) -> [ScoreInterval] {
        scores.filter { $0.series == series }
    }

    /// The 10 s windows of a record, in order of start.
    static func windows(_ db: Database, record: Int64, _ damage: inout DamageLog) throws -> [ScoreInterval] {
        let earlier = try damage.reading(.series) { try ScoreRow.fetchAll(db, record: record) } ?? []
        let scores = try contents(db, record: record).flatMap { content in
            try damage.reading(.series) {
                try understanding("derived rows of a record") { try DerivedContent.scores(of: content) }
            } ?? []
        }
        return latest((earlier + scores).filter { $0.series == .window }, by: ScorePlace.init)
    }

    /// In the order in which they were written.
    private static func contents(
        _ db: Database, record: Int64, within times: ClosedRange<Int64> = .min ... .max
    ) throws -> [String] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT content FROM derived WHERE recordId = ? AND last >= ? AND first <= ? ORDER BY id"),
            arguments: [record, times.lowerBound, times.upperBound])
        var contents: [String] = []
        while let row = try rows.next() { contents.append(row[0]) }
        return contents
    }

    /// One a place, that which was written last, in order of places.
    private static func latest<Value, Place: Hashable & Comparable>(
        _ values: [Value], by place: (Value) -> Place
    ) -> [Value] {
        Dictionary(values.map { (place($0), $0) }) { _, last in last }.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// Of what is written twice for one place, the latter counts.
private struct IntervalPlace: Hashable, Comparable {
    let end: Timestamp
    let stream: StreamKey

    static func < (left: Self, right: Self) -> Bool { (left.end, left.stream) < (right.end, right.stream) }
}

private struct ScorePlace: Hashable, Comparable {
    let start: Timestamp
    let isLive: Bool

    init(_ score: ScoreInterval) {
        start = score.start
        isLive = score.series == .live
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.start, left.isLive ? 0 : 1) < (right.start, right.isLive ? 0 : 1)
    }
}
