import CallModel
import Foundation
import GRDB
import StoreParts
import Testing

@testable import SQLiteStore

/// What those find who ask in SQL: the views have one row an interval and one a score, with columns of the members' names.
@Suite struct DerivedViewTests {
    private func withRow(
        _ view: String, of derived: RecordChange.DerivedRows, _ body: (inout [String: DatabaseValue]) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            try await store.commit([.sample(.sample(.sample("call")), derived: derived)])
            let rows = try await store.read { db in
                try Row.fetchAll(db, sql: "SELECT * FROM \(view)").map { Dictionary($0) { _, last in last } }
            }
            try await store.close()
            #expect(rows.count == 1)
            var row = try #require(rows.first)
            try body(&row)
        }
    }

    @Test func `an interval has a column for every member`() async throws {
        let interval = MediaInterval.everyMemberSet
        try await withRow("interval", of: .append([interval], [])) { row in
            let metrics = try #require(row.removeValue(forKey: "metrics").flatMap(String.fromDatabaseValue))
            // SQLite writes numbers into JSON with 15 digits.
            let shortened = try interval.metrics.mapValues { try #require(Double(String(format: "%.15g", $0))) }
            #expect(try StoredJSON.figures(of: metrics) == shortened)
            var expected: [String: any DatabaseValueConvertible] = [
                "recordId": 1, "time": interval.end.milliseconds, "direction": "inbound", "kind": "video",
                "connection": "pc\u{FFFF}01", "source": "4294967295", "start": interval.start.milliseconds,
                "segment": 3, "heldSeconds": 23.5,
            ]
            for member in IntervalRow.wholes { expected[member.name] = interval[keyPath: member.path] }
            for member in IntervalRow.reals { expected[member.name] = interval[keyPath: member.path] }
            #expect(row == expected.mapValues(\.databaseValue))
        }
    }

    @Test func `a score has a column for every member`() async throws {
        var score = ScoreInterval(
            series: .live, start: at(0), end: at(5000), score: 61, audioScore: 60, videoScore: 70, costs: [.loss: 0.5],
            missing: ["jitter", "ünknown"], heldSeconds: 1.5, isEmitted: true)
        score.rating = TransmissionRating(
            band: .wideband, rFactor: 101.25, listeningRFactor: 110, mosLQ: 4.2, mosCQ: nil, codecRow: "ünknown",
            isEstimate: true, equipmentImpairment: 13, lossRobustness: 6, lossPercent: 0.3, burstRatio: 1,
            oneWayDelayMilliseconds: .infinity)
        try await withRow("score", of: .append([], [score])) { [score] row in
            let rating = try #require(row.removeValue(forKey: "rating").flatMap(String.fromDatabaseValue))
            #expect(try StoredJSON.rating(of: rating) == score.rating)
            let expected: [String: (any DatabaseValueConvertible)?] = [
                "recordId": 1, "series": "live", "start": score.start.milliseconds, "time": score.end.milliseconds,
                "score": 61, "audioScore": 60, "videoScore": 70, "costs": #"{"loss":0.5}"#, "absence": nil,
                "missing": #"["jitter","ünknown"]"#, "heldSeconds": 1.5, "isEmitted": 1,
            ]
            #expect(row == expected.mapValues { $0?.databaseValue ?? .null })
        }
    }

    @Test func `a score that is none has no rating`() async throws {
        let score = ScoreInterval(series: .window, start: at(0), end: at(10_000), score: nil, absence: .noMedia)
        try await withRow("score", of: .append([], [score])) { row in
            #expect(["score", "absence", "rating"].map { row[$0] } == [.null, "noMedia".databaseValue, .null])
        }
    }
}
