import CallModel
import Testing

@testable import CallReport

@Suite struct SeriesThinningTests {
    private typealias Row = SeriesThinning.Row

    private static func rows(_ losses: [Double?], every milliseconds: Int64 = 10_000) -> [Row] {
        losses.enumerated().map { index, loss in
            let start = Records.at(Int64(index) * milliseconds)
            return Row(
                start: start, end: start.advanced(byMilliseconds: milliseconds), heldSeconds: 1,
                figures: ["lossPercent": loss])
        }
    }

    private static func thinned(_ rows: [Row], points: Int) throws -> [JSONValue] {
        let (first, last) = (try #require(rows.first), try #require(rows.last))
        return SeriesThinning(points: points, span: first.start...last.end).rows(rows)
    }

    @Test func `rows that fit stay as they are, with what is known only`() throws {
        #expect(
            try Self.thinned(Self.rows([1.5, nil]), points: 2) == [
                [
                    "start": .string(Records.at(0).iso8601), "end": .string(Records.at(10_000).iso8601),
                    "heldSeconds": 1,
                    "lossPercent": 1.5,
                ],
                [
                    "start": .string(Records.at(10_000).iso8601), "end": .string(Records.at(20_000).iso8601),
                    "heldSeconds": 1,
                ],
            ])
    }

    @Test func `rows may lie any time outside the span`() throws {
        let rows = [-Int64.max, -1, 0, 1, Int64.max].map {
            Row(
                start: Timestamp(milliseconds: $0), end: Timestamp(milliseconds: $0), heldSeconds: 0,
                figures: ["lossPercent": 1])
        }
        let span = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 1)
        #expect(SeriesThinning(points: 4, span: span).rows(rows).count == 2)
    }

    @Test func `joined rows say what they cover, the least and the most`() throws {
        #expect(
            try Self.thinned(Self.rows([0, 100, 0, 2, 2, nil]), points: 2) == [
                [
                    "start": .string(Records.at(0).iso8601), "end": .string(Records.at(30_000).iso8601),
                    "heldSeconds": 3,
                    "lossPercent": ["min": 0, "max": 100],
                ],
                [
                    "start": .string(Records.at(30_000).iso8601), "end": .string(Records.at(60_000).iso8601),
                    "heldSeconds": 3, "lossPercent": 2,
                ],
            ])
    }

    @Test func `a gap as long as a part stays a gap`() throws {
        var rows = Self.rows(Array(repeating: 1, count: 100))
        rows.removeSubrange(40..<60)
        let spans = try Self.thinned(rows, points: 10).map { ($0.members?["start"]?.text, $0.members?["end"]?.text) }
        #expect(spans.count == 8)
        #expect(spans[3].1 == Records.at(400_000).iso8601 && spans[4].0 == Records.at(600_000).iso8601)
    }

    /// For any series: no more rows than asked for, in order, and every extreme is still there.
    @Test(arguments: 1...60) func `nothing that was short and bad disappears`(seed: Int) throws {
        var state = UInt64(seed)
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        let losses = (0..<Int(next(900) + 1)).map { _ in next(7) == 0 ? nil : Double(next(1000)) / 10 }
        let points = Int(next(300) + 1)
        let rows = try Self.thinned(Self.rows(losses, every: Int64(next(20_000) + 1)), points: points)
        #expect(rows.count <= points || rows.count == losses.count && losses.count <= points)
        let bounds = rows.compactMap { $0.members?["lossPercent"] }.flatMap { value -> [Double] in
            guard let members = value.members else { return [value.number].compactMap(\.self) }
            return [members["min"]?.number, members["max"]?.number].compactMap(\.self)
        }
        #expect(bounds.max() == losses.compactMap(\.self).max() && bounds.min() == losses.compactMap(\.self).min())
        let starts = rows.compactMap { $0.members?["start"]?.text }
        #expect(starts == starts.sorted() && starts.count == rows.count)
    }
}
