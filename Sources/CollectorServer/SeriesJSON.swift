import CallModel
import CallReport

extension CallRecord {
    /// The time series of a record: a row a stream and interval, both series of scores, and the scores clients were told.
    var seriesJSON: JSONValue {
        let byStream = Dictionary(grouping: intervals, by: \.stream).sorted { $0.key < $1.key }
        return summary.key.record(with: [
            "isDirty": .bool(isDirty),
            "streams": .array(byStream.map { Self.stream($0.key, $0.value) }),
            "scores": .array(scores.map { JSONScore($0).value }),
            "windows": .array(windows.map { JSONScore($0).value }),
            "emitted": .array(scores.filter(\.isEmitted).map(Self.emitted)),
        ])
    }

    /// A stream's name once, and its rows without it.
    private static func stream(_ stream: StreamKey, _ intervals: [MediaInterval]) -> JSONValue {
        let rows = intervals.map { interval -> JSONValue in
            var row = JSONInterval(interval).value.members ?? [:]
            for name in nameMembers { row[name] = nil }
            return .object(row)
        }
        return [
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
