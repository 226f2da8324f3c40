public import CallModel

/// The time series of a record as JSON: a row a stream and interval, both series of scores, and the scores clients were
/// told. Names as in ``JSONReport``; a stream is named once, its rows are without the name.
public struct JSONCallSeries: Sendable {
    /// The members, to be set into an answer that names the series.
    public let members: JSONObject

    /// - Parameter series: all of it.
    public init(_ series: CallSeries) {
        let byStream = Dictionary(grouping: series.intervals, by: \.stream).sorted { $0.key < $1.key }
        members = [
            "isDirty": .bool(series.isDirty),
            "damage": JSONDamage(series.damage).value,
            "streams": .array(byStream.map { Self.stream($0.key, $0.value) }),
            "scores": .array(series.scores.map { JSONScore($0).value }),
            "windows": .array(series.windows.map { JSONScore($0).value }),
            "emitted": .array(series.scores.filter(\.isEmitted).map(Self.emitted)),
        ]
    }

    /// The series for a drawing: of each stream, and of both series of scores, at most `points` rows, which tell what they
    /// cover, what is known of the figures that are drawn, and nothing else. Where rows were joined a figure is
    /// `{"min", "max"}`.
    /// - Parameters:
    ///   - series: all of it.
    ///   - points: the most rows; less than 1 counts as 1.
    public init(_ series: CallSeries, points: Int) {
        let spans = series.intervals.map { ($0.start, $0.end) } + series.windows.map { ($0.start, $0.end) }
        let start = spans.map(\.0).min() ?? Timestamp(milliseconds: 0)
        let end = max(start, spans.map(\.1).max() ?? start)
        let thinning = SeriesThinning(points: max(1, points), span: start...end)
        let byStream = Dictionary(grouping: series.intervals, by: \.stream).sorted { $0.key < $1.key }
        members = [
            "isDirty": .bool(series.isDirty),
            "damage": JSONDamage(series.damage).value,
            "streams": .array(
                byStream.map { Self.stream($0.key, rows: thinning.rows($0.value.map(\.thinned))) }),
            "scores": .array(thinning.rows(series.scores.map(\.thinned))),
            "windows": .array(thinning.rows(series.windows.map(\.thinned))),
            "emitted": .array([]),
        ]
    }

    private static func stream(_ stream: StreamKey, _ intervals: [MediaInterval]) -> JSONValue {
        let rows = intervals.map { interval -> JSONValue in
            var row = JSONInterval(interval).value.members ?? [:]
            for name in nameMembers { row[name] = nil }
            return .object(row)
        }
        return Self.stream(stream, rows: rows)
    }

    private static func stream(_ stream: StreamKey, rows: [JSONValue]) -> JSONValue {
        [
            "connection": .string(stream.connection.rawValue), "direction": .string(stream.direction.rawValue),
            "kind": .string(stream.kind.rawValue), "ssrc": .string(stream.source), "intervals": .array(rows),
        ]
    }

    private static let nameMembers = ["connection", "direction", "kind", "ssrc"]

    /// A score as clients were told it: when, and what.
    private static func emitted(_ interval: ScoreInterval) -> JSONValue {
        let score = JSONScore(interval).value.members ?? [:]
        return ["time": score["end"] ?? .null, "score": score["score"] ?? .null]
    }
}
