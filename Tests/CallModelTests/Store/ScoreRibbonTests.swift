import CallModel
import TestSupport
import Testing

@Suite struct ScoreRibbonTests {
    private typealias Window = (start: Timestamp, end: Timestamp, score: Int?)

    /// Windows of 10 s, the last one cut short, some left out.
    private static func windows(using random: inout RandomSource) -> [Window] {
        let number = Int64(Int.random(in: 1...500, using: &random))
        let first = Int64.random(in: -1_000_000...1_000_000, using: &random)
        return (0..<number).compactMap { index -> Window? in
            guard index == 0 || Int.random(in: 0..<8, using: &random) > 0 else { return nil }
            let start = Timestamp(milliseconds: first + index * 10_000)
            let length = index == number - 1 ? Int64.random(in: 1...10_000, using: &random) : 10_000
            let score = Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: 0...100, using: &random)
            return (start, start.advanced(byMilliseconds: length), score)
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `keeps the least score, and gaps, in at most so many parts`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let windows = Self.windows(using: &random)
        let parts = Int.random(in: 1...80, using: &random)
        let scores = ScoreRibbon(windows, parts: parts).scores
        #expect(scores.count >= 1 && scores.count <= parts)
        #expect(scores.compactMap(\.self).min() == windows.compactMap(\.score).min())
        #expect(Set(scores.compactMap(\.self)).isSubset(of: windows.compactMap(\.score)))
    }

    @Test func `has a part for each window of a short call, and for those that are missing`() {
        let windows: [Window] = [(0, 10, 90), (10, 20, nil), (30, 40, 70), (40, 43, 0)].map { start, end, score in
            (Timestamp(milliseconds: start * 1000), Timestamp(milliseconds: end * 1000), score)
        }
        #expect(ScoreRibbon(windows, parts: 60).scores == [90, nil, nil, 70, 0])
        #expect(ScoreRibbon(windows, parts: 2).scores == [90, 0])
        #expect(ScoreRibbon([], parts: 60).scores == [])
    }

    @Test func `times that cannot be do not trap`() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(ScoreRibbon([(first, last, 3), (last, first, 2)], parts: 60).scores.compactMap(\.self).min() == 2)
        #expect(ScoreRibbon([(last, first, 3)], parts: 0).scores == [3])
    }
}
