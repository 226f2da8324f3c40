import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct TimeSpansTests {
    @Test func `moments near each other are one span, and far ones are not`() {
        #expect(TimeSpans([5000, 0, 60_000, 120_001]).spans == [0...60_000, 120_001...120_001])
        #expect(TimeSpans([Int64]()).spans.isEmpty)
        #expect(TimeSpans([Int64.max, .min]).spans == [Int64.min...Int64.min, Int64.max...Int64.max])
    }

    @Test func `of more than eight the nearest are united`() {
        let moments = (0..<10).map { Int64($0) * 1_000_000 } + [4_100_000, 9_070_000]
        let million: Int64 = 1_000_000
        #expect(
            TimeSpans(moments).spans == [
                0...million, 2 * million...2 * million, 3 * million...3 * million, 4 * million...5 * million,
                6 * million...6 * million, 7 * million...7 * million, 8 * million...8 * million,
                9 * million...9_070_000,
            ])
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `every moment is covered, spans stay few, and the text says them`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        func moments() -> [Int64] {
            let reach = [Int64(1000), 100_000, 10_000_000, .max].randomElement(using: &random) ?? 1000
            return (0..<Int.random(in: 0...30, using: &random)).map { _ in
                Int64.random(in: -reach...reach, using: &random)
            }
        }
        let (some, more) = (moments(), moments())
        var spans = TimeSpans(some)
        spans.formUnion(TimeSpans(more))
        #expect(spans.spans.count <= 8)
        #expect((some + more).allSatisfy { moment in spans.spans.contains { $0.contains(moment) } })
        #expect(zip(spans.spans, spans.spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        let ends = Set(some + more)
        #expect(spans.spans.allSatisfy { ends.contains($0.lowerBound) && ends.contains($0.upperBound) })
        #expect(TimeSpans(spans.description) == spans)
    }

    @Test(arguments: ["1", "1:2,", "2:1", "a:b", "1:2:3"]) func `what is no list of spans is none`(text: String) {
        #expect(TimeSpans(text) == nil)
    }
}
