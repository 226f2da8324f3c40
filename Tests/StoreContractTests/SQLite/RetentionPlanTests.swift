import CallModel
import StoreParts
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct RetentionPlanTests {
    private func call(_ name: String, last: Int64, unended: Int64? = nil) -> CallActivity {
        CallActivity(
            tenant: "t", call: name, attempt: 1, lastReceivedAt: at(last), lastReceivedUnended: unended.map(at))
    }

    @Test func `nothing goes while nothing is over a limit`() {
        let calls = [call("a", last: 1), call("b", last: 2)]
        let plan = RetentionPlan(calls: calls, retention: Retention(calls: 2), now: at(.max / 2))
        #expect(plan.isEmpty && plan.keptLive == 0)
    }

    @Test func `of equally old calls the first goes first`() {
        let calls = ["x", "a", "m"].map { call($0, last: 5) }
        let plan = RetentionPlan(calls: calls, retention: Retention(calls: 1), now: at(10))
        #expect(plan.beyondCount.map(\.call) == ["x", "a"])
    }

    @Test func `one tenant's calls cost another none`() {
        var calls = (0..<5).map { call("a\($0)", last: Int64($0) + 100) }
        calls += ["b1", "b2"].map { name in
            var other = call(name, last: 1)
            other.tenant = "u"
            return other
        }
        calls.append(call("live", last: 200, unended: 200))
        let plan = RetentionPlan(calls: calls, retention: Retention(calls: 2), now: at(300))
        #expect(plan.beyondCount.map(\.call) == ["a0", "a1", "a2", "a3"])
        #expect(plan.beyondAge.isEmpty && plan.keptLive == 0)
    }

    @Test func `age counts from the moment it is reached`() {
        let calls = [call("a", last: 0), call("b", last: 1)]
        let retention = Retention(calls: 10, milliseconds: 1000)
        #expect(RetentionPlan(calls: calls, retention: retention, now: at(999)).beyondAge.isEmpty)
        #expect(RetentionPlan(calls: calls, retention: retention, now: at(1000)).beyondAge.map(\.call) == ["a"])
    }

    @Test func `for any calls, live ones stay, the rest go by age of activity, and no more than needed`() {
        for seed in 0..<300 as Range<UInt64> {
            var source = RandomSource(seed: seed)
            let calls = (0..<Int.random(in: 0...20, using: &source)).map { index in
                let last = Int64.random(in: 0...300_000, using: &source)
                return call("\(index)", last: last, unended: Bool.random(using: &source) ? last : nil)
            }
            let keep = Int.random(in: 0...20, using: &source)
            let retention = Retention(calls: keep, milliseconds: Bool.random(using: &source) ? 200_000 : nil)
            let plan = RetentionPlan(calls: calls, retention: retention, now: at(300_000))
            let live = Set(calls.filter { $0.isLive(at: at(300_000), silenceLimitMilliseconds: 90_000) })
            let gone = plan.beyondCount + plan.beyondAge
            let kept = Set(calls).subtracting(gone)
            #expect(Set(gone).count == gone.count && live.isDisjoint(with: gone), "seed \(seed)")
            #expect(plan.beyondCount.count == min(max(calls.count - keep, 0), calls.count - live.count), "seed \(seed)")
            let newestGone = plan.beyondCount.map(\.lastReceivedAt).max() ?? at(.min / 2)
            #expect(kept.subtracting(live).allSatisfy { $0.lastReceivedAt >= newestGone }, "seed \(seed)")
            if retention.milliseconds != nil {
                #expect(kept.subtracting(live).allSatisfy { $0.lastReceivedAt > at(100_000) }, "seed \(seed)")
            }
        }
    }
}
