import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// A call reported every second, and the same with nine reports in ten left out.
@Suite(SharedData.required) struct CadenceTests {
    private static let recorded = RecordedEnd.both((try? SharedData.callNames()) ?? []).filter {
        FileManager.default.fileExists(
            atPath: SharedData.url("calls/\($0.name)/\($0.end.rawValue).stats-1s.jsonl.gz").path)
    }

    @Test(arguments: recorded)
    func `nine reports in ten left out change the score by 3 at most, the worst stretch by 5`(
        _ source: RecordedEnd
    ) async throws {
        let (fine, coarse) = try await ThinnedCalls.shared.scores(of: source)
        #expect((fine.score == nil) == (coarse[0].score == nil))
        guard let score = fine.score, let other = coarse[0].score, let worst = fine.worst,
            let otherWorst = coarse[0].worst
        else { return }
        #expect(abs(score - other) <= 3, "\(score) and \(other)")
        #expect(abs(worst - otherWorst) <= 5, "\(worst) and \(otherWorst)")
    }

    @Test(arguments: RecordedEnd.both(["03-loss5", "19-pcma-loss5", "21-opus-loss15"]), [1, 10, 20])
    func `what the far end had lost when its first report came is in a span, and in its score`(
        _ source: RecordedEnd, cadence: Int
    ) throws {
        let facts = try Recordings.facts(source.name, source.end, .oneSecond)
        let fine = try #require(summary(source, facts)?.farEndScore)
        var session = CallSession(key: RecordedCall.shared(source.name, source.end).key)
        let rows = session.fold(thinned(facts, keeping: 0, of: cadence))
        let coarse = try #require(session.summary())
        let sound = try #require(
            coarse.streams.first { $0.stream.direction == .outbound && $0.stream.kind == .audio })
        let spans = rows.intervals.filter { $0.stream == sound.stream }.compactMap(\.packetsLost)
        #expect(spans.reduce(0, +) == sound.packetsLost)
        let score = try #require(coarse.farEndScore)
        #expect(abs(score - fine) <= 4, "\(fine) and \(score)")
    }

    /// The caller changes its network and sends nothing meanwhile; RTCP of what was lost before comes in that time.
    @Test(arguments: [1, 2, 5]) func `what RTCP tells while nothing is sent counts for what was sent before`(
        cadence: Int
    ) throws {
        let source = RecordedEnd(name: "30-ip-change", end: .caller)
        let facts = try Recordings.facts(source.name, source.end, .oneSecond)
        let coarse = try #require(summary(source, thinned(facts, keeping: 0))?.farEndScore)
        let fine = try #require(summary(source, thinned(facts, keeping: 0, of: cadence))?.farEndScore)
        #expect(coarse < 80)
        #expect(abs(fine - coarse) <= 4, "\(fine) and \(coarse)")
    }

    /// Kept from another moment on, reports cut the call elsewhere, and what came after the last one is not seen.
    @Test func `whichever report in ten is kept, most calls keep their score and their worst stretch`() async throws {
        var scores: [Int] = []
        var worsts: [Int] = []
        for source in Self.recorded {
            let (fine, all) = try await ThinnedCalls.shared.scores(of: source)
            guard let score = fine.score, let worst = fine.worst else { continue }
            for coarse in all {
                scores.append(abs(try #require(coarse.score) - score))
                worsts.append(abs(try #require(coarse.worst) - worst))
            }
        }
        print(
            "CADENCE \(scores.count) thinned calls:",
            "score within 3 in \(scores.count { $0 <= 3 }), within 5 in \(scores.count { $0 <= 5 });",
            "worst stretch within 5 in \(worsts.count { $0 <= 5 }), within 8 in \(worsts.count { $0 <= 8 })")
        #expect(Double(scores.count { $0 <= 3 }) >= 0.93 * Double(scores.count))
        #expect(Double(worsts.count { $0 <= 5 }) >= 0.93 * Double(worsts.count))
    }
}

/// The recorded calls with nine reports in ten left out, each read and folded once in a test run.
private actor ThinnedCalls {
    static let shared = ThinnedCalls()

    struct Scores {
        var score: Int?
        var worst: Int?

        init(_ summary: CallSummary?) { (score, worst) = (summary?.score, summary?.worstScore) }
    }

    typealias Outcome = (fine: Scores, coarse: [Scores])
    private var calls: [String: Task<Outcome, any Error>] = [:]

    /// Of the whole call, and with each of ten reports kept alone.
    func scores(of source: RecordedEnd) async throws -> Outcome {
        let task =
            calls[source.testDescription]
            ?? Task.detached {
                let facts = try Recordings.facts(source.name, source.end, .oneSecond)
                let coarse = (0..<10).map { Scores(summary(source, thinned(facts, keeping: $0))) }
                return (Scores(summary(source, facts)), coarse)
            }
        calls[source.testDescription] = task
        return try await task.value
    }
}

private func summary(_ source: RecordedEnd, _ facts: [Fact]) -> CallSummary? {
    var session = CallSession(key: RecordedCall.shared(source.name, source.end).key)
    _ = session.fold(facts)
    return session.summary()
}

/// Of each ten reports, or so many, the one with this number.
private func thinned(_ facts: [Fact], keeping kept: Int, of count: Int = 10) -> [Fact] {
    var reports = -1
    return facts.filter { fact in
        guard case .report = fact else { return true }
        reports += 1
        return reports % count == kept
    }
}
