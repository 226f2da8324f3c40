import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallReport

/// Two calls side by side.
@Suite struct ComparisonTests {
    private func sample(_ name: String, _ end: RecordedCall.End = .caller) throws -> CallSummary {
        let folder = SharedData.packageRoot.appending(path: "SampleData/\(name)")
        return try #require(try RecordedCall(folder, end: end).record()).summary
    }

    @Test func `a clean call beside one with an outage reads as it did`() throws {
        let (outage, clean) = (try sample("10-outage5s"), try sample("01-clean"))
        let comparison = CallComparison(
            outage, clean, at: outage.lastReceivedAt.advanced(byMilliseconds: 86_400_000))
        try Golden.expect(comparison.text(), matches: "compare.txt")
        try Golden.expect(comparison.json(), matches: "compare.json.txt")
    }

    @Test func `calls on different scales, with different streams, read as they did`() throws {
        let comparison = CallComparison(
            Records.rich.summary, Records.wire.summary, at: Records.nowLongAfter)
        try Golden.expect(comparison.text(), matches: "compare-scales.txt")
    }

    @Test func `a call that was not answered can be compared, too`() throws {
        let text = CallComparison(
            Records.notAnswered.summary, Records.rich.summary, at: Records.nowLongAfter
        ).text()
        #expect(text.contains("The scores cannot be compared: A has no score."))
        let both = CallComparison(
            Records.notAnswered.summary, Records.notAnswered.summary, at: Records.nowLongAfter
        ).text()
        #expect(both.contains("both have no score."))
    }

    @Test func `a call compared with itself is alike in everything`() throws {
        let calls = ComparedCalls(first: try sample("03-loss5"), second: try sample("03-loss5"))
        let figures = calls.quality + calls.costs + calls.setup + calls.interruptions + calls.streams.flatMap(\.figures)
        #expect(figures.count > 20)
        #expect(figures.allSatisfy { $0.better == nil && ["alike", "–"].contains($0.judgement) })
    }

    @Test func `points lost are those that the report of each call shows`() throws {
        let calls = ComparedCalls(first: try sample("10-outage5s"), second: try sample("12-burst5"))
        for (summary, side) in [(calls.first, \ComparedFigure.first), (calls.second, \.second)] {
            let report = CostShares(summary).rows.map { ($0.cause.rawValue, Double($0.tenths) / 10) }
            let shown = calls.roundedCosts.map { ($0.name, $0[keyPath: side] ?? 0) }.filter { $0.1 > 0 }
            #expect(Dictionary(uniqueKeysWithValues: shown) == Dictionary(uniqueKeysWithValues: report))
        }
        // 6.75, rounded down so that all add up to what they are in all.
        #expect(calls.roundedCosts.first { $0.name == "videoLoss" }?.first == 6.7)
    }

    @Test func `what is better in A one way round is better in B the other`() throws {
        for seed: UInt64 in 0..<60 {
            var random = RandomRecord(seed: seed)
            let (one, other) = (random.summary(), random.summary())
            let (ahead, back) = (ComparedCalls(first: one, second: other), ComparedCalls(first: other, second: one))
            func sides(_ calls: ComparedCalls) -> [String: ComparedFigure.Side?] {
                let figures = calls.quality + calls.costs + calls.setup + calls.interruptions
                return Dictionary(figures.map { ($0.name, $0.better) }) { first, _ in first }
            }
            #expect(sides(ahead) == sides(back).mapValues { $0.map { $0 == .a ? .b : .a } }, "seed \(seed)")
        }
    }

    @Test(
        arguments: [
            (1, 2, ComparedFigure.Preference.less, ComparedFigure.Side.a, "A by 1.0 ms"),
            (1, 2, .more, .b, "B by 1.0 ms"), (2, 1, .less, .b, "B by 1.0 ms"), (1, 2, .none, nil, ""),
            (1, 1, .less, nil, "alike"), (1, 1.2, .less, nil, "alike"), (1, 1, .none, nil, "alike"),
            (nil, 1, .less, nil, "–"), (nil, nil, .more, nil, "–"), (.nan, 1, .less, nil, "–"),
        ] as [(Double?, Double?, ComparedFigure.Preference, ComparedFigure.Side?, String)])
    func `a figure says which side is better, and by how much`(
        _ first: Double?, _ second: Double?, _ preference: ComparedFigure.Preference, _ better: ComparedFigure.Side?,
        _ words: String
    ) {
        let figure = ComparedFigure(
            label: "", name: "", unit: "ms", first: first, second: second, preference: preference,
            leastDifference: 0.5)
        #expect((figure.better, figure.judgement) == (better, words))
    }

    @Test func `ratings of different bands are not judged`() {
        let calls = ComparedCalls(first: Records.rich.summary, second: Records.wire.summary)
        #expect(!calls.isOnOneScale)
        #expect(calls.quality.first { $0.name == "rFactor" }?.better == nil)
        #expect(calls.quality.first { $0.name == "mosLQ" }?.better == .b)
    }
}
