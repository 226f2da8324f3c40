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

    private func summary(_ source: RecordedEnd, _ facts: [Fact]) -> CallSummary? {
        var session = CallSession(key: RecordedCall.shared(source.name, source.end).key)
        _ = session.fold(facts)
        return session.summary()
    }

    @Test(arguments: recorded)
    func `nine reports in ten left out change the score by 3 at most, the worst stretch by 5`(
        _ source: RecordedEnd
    ) throws {
        let facts = try Recordings.facts(source.name, source.end, .oneSecond)
        var reports = -1
        let thinned = facts.filter { fact in
            guard case .report = fact else { return true }
            reports += 1
            return reports.isMultiple(of: 10)
        }
        let fine = summary(source, facts)
        let coarse = summary(source, thinned)
        #expect((fine?.score == nil) == (coarse?.score == nil))
        guard let score = fine?.score, let other = coarse?.score, let worst = fine?.worstScore,
            let otherWorst = coarse?.worstScore
        else { return }
        #expect(abs(score - other) <= 3, "\(score) and \(other)")
        #expect(abs(worst - otherWorst) <= 5, "\(worst) and \(otherWorst)")
    }
}
