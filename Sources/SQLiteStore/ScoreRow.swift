import CallModel
import GRDB
import StoreParts

/// A row of `earlierScore`, as versions before the ninth migration wrote it.
enum ScoreRow {
    static let table = "earlierScore"

    private static let columns = """
        series, start, time, score, audioScore, videoScore, costs, absence, missing, heldSeconds, isEmitted, rating
        """

    /// The rows of both series that start in so many ms.
    static func fetchAll(
        _ db: Database, record: Int64, starting times: ClosedRange<Int64> = .min ... .max
    ) throws -> [ScoreInterval] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT \(columns) FROM \(table) WHERE recordId = ? AND start BETWEEN ? AND ?"),
            arguments: [record, times.lowerBound, times.upperBound])
        var scores: [ScoreInterval] = []
        while let row = try rows.next() { scores.append(try score(row)) }
        return scores
    }

    private static func score(_ row: Row) throws -> ScoreInterval {
        guard let series = ScoreInterval.Series(rawValue: row[0]) else {
            throw CallStoreError.damaged("a score", reason: "no series is \(row[0] as String)")
        }
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
