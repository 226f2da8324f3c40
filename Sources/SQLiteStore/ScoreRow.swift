import CallModel
import GRDB
import StoreParts

/// A row of `score`.
enum ScoreRow {
    private static let columns = """
        series, start, time, score, audioScore, videoScore, costs, absence, missing, heldSeconds, isEmitted, rating
        """
    private static let insert = """
        INSERT OR REPLACE INTO score (recordId, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Writes a row, in place of the one of the series with the same start.
    static func save(_ score: ScoreInterval, _ db: Database, record: Int64) throws {
        try db.run(
            insert,
            [
                record, score.series.rawValue, score.start.milliseconds, score.end.milliseconds, score.score,
                score.audioScore, score.videoScore, StoredJSON.text(of: score.costs), score.absence?.rawValue,
                StoredJSON.text(of: score.missing), score.heldSeconds, score.isEmitted,
                try score.rating.map(StoredJSON.text(of:)),
            ])
    }

    /// The rows of a series that start in so many ms.
    static func fetchAll(
        _ db: Database, record: Int64, series: ScoreInterval.Series, starting times: ClosedRange<Int64> = .min ... .max
    ) throws -> [ScoreInterval] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM score WHERE recordId = ? AND series = ? AND start BETWEEN ? AND ?
                    ORDER BY start
                    """),
            arguments: [record, series.rawValue, times.lowerBound, times.upperBound])
        var scores: [ScoreInterval] = []
        while let row = try rows.next() { scores.append(try score(row, series: series)) }
        return scores
    }

    /// Start, end and score of the 10 s windows, in order of start.
    static func fetchWindows(_ db: Database, record: Int64) throws -> [(start: Timestamp, end: Timestamp, score: Int?)]
    {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT start, time, score FROM score WHERE recordId = ? AND series = 'window' ORDER BY start"),
            arguments: [record])
        var windows: [(start: Timestamp, end: Timestamp, score: Int?)] = []
        while let row = try rows.next() {
            windows.append((Timestamp(milliseconds: row[0]), Timestamp(milliseconds: row[1]), row[2]))
        }
        return windows
    }

    private static func score(_ row: Row, series: ScoreInterval.Series) throws -> ScoreInterval {
        let start: Int64 = row[1]
        return try understanding("the score of \(start) ms") {
            var score = ScoreInterval(
                series: series, start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: row[2]),
                score: row[3], audioScore: row[4], videoScore: row[5], costs: try StoredJSON.figures(of: row[6]),
                absence: (row[7] as String?).flatMap(ScoreInterval.Absence.init(rawValue:)),
                missing: try StoredJSON.texts(of: row[8]), heldSeconds: row[9], isEmitted: row[10])
            score.rating = try (row[11] as String?).map(StoredJSON.rating(of:))
            return score
        }
    }
}
