import CallModel
import StoreParts

/// A row of `scores`.
struct ScoreRow: StoredRow {
    static let table = ClickHouseTable.scores

    var key: CallKey
    var generation: UInt64
    var version: UInt64
    var score: ScoreInterval
    private var rating: String

    /// - Throws: ``CallStoreError/refused(_:)`` for a score that is none.
    init(_ score: ScoreInterval, of key: CallKey, generation: UInt64, version: UInt64) throws {
        try StoredScores.check([score.score, score.audioScore, score.videoScore])
        self.key = key
        self.generation = generation
        self.version = version
        self.score = score
        rating = score.rating.map { StoredJSON.text(of: $0) } ?? ""
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(key)
        rows.write(generation)
        rows.write(score.series.rawValue)
        rows.write(score.start.milliseconds)
        rows.write(version)
        rows.write(score.end.milliseconds)
        rows.write(nullable: score.score.map(UInt8.init(clamping:)))
        rows.write(nullable: score.audioScore.map(UInt8.init(clamping:)))
        rows.write(nullable: score.videoScore.map(UInt8.init(clamping:)))
        rows.write(StoredJSON.text(of: score.costs))
        rows.write(score.absence?.rawValue ?? "")
        rows.write(array: score.missing)
        rows.write(score.heldSeconds)
        rows.write(score.isEmitted)
        rows.write(rating)
    }

    init(_ row: inout RowBinaryReader) throws {
        key = try row.callKey()
        generation = try row.uint64()
        let name = try row.string()
        guard let series = ScoreInterval.Series(rawValue: name) else {
            throw CallStoreError.damaged("a score", reason: "no series is called \(name)")
        }
        let start = Timestamp(milliseconds: try row.int64())
        version = try row.uint64()
        score = ScoreInterval(
            series: series, start: start, end: Timestamp(milliseconds: try row.int64()),
            score: try row.score(), audioScore: try row.score(), videoScore: try row.score())
        let costs = try row.string()
        score.costs = try understanding("the costs of a score") { try StoredJSON.figures(of: costs) }
        score.absence = ScoreInterval.Absence(rawValue: try row.string())
        score.missing = try row.strings()
        score.heldSeconds = try row.double()
        score.isEmitted = try row.bool()
        let rating = try row.string()
        self.rating = rating
        if !rating.isEmpty {
            score.rating = try understanding("the rating of a score") { try StoredJSON.rating(of: rating) }
        }
    }
}

extension RowBinaryReader {
    /// A score, 0...100; `nil` where there is none.
    mutating func score() throws -> Int? {
        try nullable { Int(try $0.uint8()) }
    }
}
