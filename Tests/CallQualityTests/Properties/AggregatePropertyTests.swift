import CallModel
import TestSupport
import Testing

@testable import CallQuality

@Suite struct AggregatePropertyTests {
    private func window(_ index: Int, _ score: Int?) -> ScoreInterval {
        let start = Timestamp(milliseconds: Int64(index) * 10_000)
        return ScoreInterval(
            series: .window, start: start, end: start.advanced(byMilliseconds: 10_000), score: score,
            costs: score.map { [.loss: Double(100 - $0)] } ?? [:])
    }

    /// Two windows from that one on.
    private func stretch(_ index: Int, _ score: Int) -> CallAggregate.Stretch {
        let start = Timestamp(milliseconds: Int64(index) * 10_000)
        return CallAggregate.Stretch(
            score: score, span: TimeSpan(start: start, end: start.advanced(byMilliseconds: 20_000)))
    }

    /// Of windows with these scores, a stretch being the mean of two; of a single window, that one.
    private func aggregate(_ scores: [Int?]) -> CallAggregate {
        var aggregate = CallAggregate()
        for (index, score) in scores.enumerated() {
            let this = window(index, score)
            aggregate.add(this, exactScore: Double(score ?? 0))
            if scores.count == 1, let only = CallAggregate.Stretch(this) { aggregate.add(only, endingWith: this) }
            guard let score, index > 0, let before = scores[index - 1] else { continue }
            aggregate.add(stretch(index - 1, (before + score) / 2), endingWith: this)
        }
        return aggregate
    }

    @Test func `a call lies between its windows, and its worst stretch below it`() throws {
        var random = RandomSource(seed: 7)
        for round in 0..<500 {
            let scores = (0..<Int.random(in: 1...80, using: &random)).map { _ in Int.random(in: 0...100, using: &random)
            }
            let aggregate = aggregate(scores)
            let score = try #require(aggregate.score)
            let worst = try #require(aggregate.worstScore)
            let least = try #require(scores.min())
            #expect(score >= least && score <= scores.max() ?? 0, "round \(round): \(scores)")
            #expect(worst >= least && worst <= score, "round \(round): \(scores)")
            let stretches = zip(scores, scores.dropFirst()).map { ($0 + $1) / 2 }
            #expect(aggregate.worst?.score == stretches.min() ?? least)
            let seconds = Double(10 * scores.count)
            #expect(aggregate.scoredSeconds == seconds)
            #expect(abs(aggregate.secondsByBand.values.reduce(0, +) - seconds) < 1e-6)
            let mean = Double(scores.reduce(0, +)) / Double(scores.count)
            #expect(Double(score) <= mean + 0.5, "a bad stretch weighs more than in a mean")
            let squares = scores.reduce(0) { $0 + Double((100 - $1) * (100 - $1)) }
            let lost = (squares / Double(scores.count)).squareRoot()
            #expect(abs(aggregate.costs.values.reduce(0, +) - lost) < 1e-6)
        }
    }

    @Test func `a window that is worse never raises the call`() throws {
        var random = RandomSource(seed: 8)
        for round in 0..<300 {
            var scores = (0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: 0...100, using: &random)
            }
            let before = aggregate(scores)
            let index = Int.random(in: scores.indices, using: &random)
            scores[index] = Int.random(in: 0...scores[index], using: &random)
            let after = aggregate(scores)
            #expect(try #require(after.score) <= #require(before.score), "round \(round)")
            #expect(try #require(after.worstScore) <= #require(before.worstScore), "round \(round)")
        }
    }

    @Test func `one window at 20 in a minute of 100s gives 67`() {
        #expect(aggregate([100, 100, 20, 100, 100, 100]).score == 67)
        #expect(aggregate([100, 100, 20, 100, 100, 100]).worstScore == 60)
    }

    @Test func `windows without a score do not count`() {
        #expect(aggregate([80, nil, nil]).score == 80)
        #expect(aggregate([80, nil, nil]).scoredSeconds == 10)
        #expect(aggregate([nil]).score == nil)
        #expect(aggregate([nil]).worstScore == nil)
        #expect(aggregate([]).costs == [:])
    }

    @Test func `the worst stretch of a long call is the mean of its worst twentieth`() {
        // 59 stretches, of which 2.95 count: 15, 25 and most of one of 62.
        #expect(aggregate(Array(repeating: 95, count: 57) + [30, 20, 10]).worstScore == 34)
    }

    @Test func `the worst stretch is never above the call`() {
        // Ten seconds without a sound, then ten without fault: the share of silence counts by its square root.
        var aggregate = CallAggregate()
        aggregate.add(window(0, 0), exactScore: 0)
        aggregate.add(window(1, 100), exactScore: 100)
        aggregate.add(stretch(0, 71), endingWith: window(1, 100))
        #expect(aggregate.score == 29)
        #expect(aggregate.worstScore == 29)
    }
}
