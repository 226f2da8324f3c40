import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// What must hold whatever happens in a call.
@Suite struct IssuePropertyTests {
    /// A call with spells of anything.
    private func randomCall(_ generator: inout RandomSource) -> ScriptedCall {
        var call = ScriptedCall(150)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let start = Int.random(in: 0..<150, using: &generator)
            let kind = LevelDetectorTests.cases.randomElement(using: &generator)
            for second in start..<min(150, start + Int.random(in: 1...60, using: &generator)) {
                kind?.change(&call.seconds[second])
            }
        }
        return call
    }

    /// More of what is bad, of one kind, in some seconds.
    private func worsened(_ call: ScriptedCall, _ generator: inout RandomSource) -> ScriptedCall {
        var call = call
        let start = Int.random(in: 0..<150, using: &generator)
        let choice = Int.random(in: 0..<6, using: &generator)
        for second in start..<min(150, start + Int.random(in: 1...50, using: &generator)) {
            switch choice {
            case 0:
                let more = min(5, call.seconds[second].packets)
                call.seconds[second].lost += more
                call.seconds[second].packets -= more
            case 1: call.seconds[second].concealedSeconds = min(0.9, call.seconds[second].concealedSeconds + 0.1)
            case 2: call.seconds[second].jitterSeconds += 0.03
            case 3: call.seconds[second].roundTripSeconds += 0.2
            case 4: call.seconds[second].frozenSeconds = min(1, call.seconds[second].frozenSeconds + 0.3)
            default: call.seconds[second].cpuLimited = 1
            }
        }
        return call
    }

    private static let worsenable: Set<IssueKind> = [
        .packetLoss, .concealment, .jitter, .delay, .freeze, .cpuLimited, .bandwidthLimited, .blackout,
    ]

    @Test(arguments: 0..<150)
    func `more impairment never takes an issue of its kind away`(seed: Int) {
        var generator = RandomSource(seed: UInt64(seed))
        let call = randomCall(&generator)
        let worse = worsened(call, &generator)
        for cadence in [1, 10] {
            let before = Set(call.issues(every: cadence).map(\.kind)).intersection(Self.worsenable)
            let after = Set(worse.issues(every: cadence).map(\.kind))
            #expect(before.isSubset(of: after), "seed \(seed) at \(cadence) s: \(before.subtracting(after))")
        }
    }

    @Test(arguments: 0..<60)
    func `what is found lies in the call, is finite and has evidence`(seed: Int) throws {
        var generator = RandomSource(seed: UInt64(seed))
        let summary = try #require(randomCall(&generator).summary(every: [1, 5, 10][seed % 3]))
        for issue in summary.issues.all {
            let end = try #require(issue.span.end)
            #expect(issue.span.start >= summary.start && end <= summary.lastActivity && issue.span.start <= end)
            #expect(issue.worst.map { $0.value.isFinite } ?? true)
            #expect(!issue.evidence.isEmpty)
        }
        #expect(summary.issues.all == summary.issues.all.sorted(by: CallIssue.areInReportOrder))
    }

    @Test func `a state that is stored and read back goes on as if it had not been`() throws {
        var generator = RandomSource(seed: 7)
        let facts = randomCall(&generator).facts(every: 1)
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "stored")), observer: .client, attempt: 1)
        var whole = CallSession(key: key)
        var stored = CallSession(key: key)
        for fact in facts {
            _ = whole.fold([fact])
            stored = try #require(CallSession(archived: stored.archived()))
            _ = stored.fold([fact])
        }
        #expect(stored.summary() == whole.summary())
    }

    @Test func `numbers that nobody counts to trap nothing`() {
        var call = ScriptedCall(60)
        for second in 10..<50 {
            call.seconds[second].jitterSeconds = 1e300
            call.seconds[second].roundTripSeconds = 1e15
            call.seconds[second].frozenSeconds = 1e14
            call.seconds[second].lost = 1e15
            call.seconds[second].concealedSeconds = -1e10
        }
        for cadence in [1, 10] {
            for issue in call.issues(every: cadence) { #expect(issue.worst?.value.isFinite != false) }
        }
    }

    @Test func `a summary of earlier rules has no issues`() throws {
        let summary = try #require(ScriptedCall(20).summary(every: 10))
        var members = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(summary)) as? [String: Any])
        members["issues"] = nil
        let old = try JSONDecoder().decode(CallSummary.self, from: JSONSerialization.data(withJSONObject: members))
        #expect(old.issues == CallIssues())
    }
}
