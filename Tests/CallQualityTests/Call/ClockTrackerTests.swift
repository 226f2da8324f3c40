import CallModel
import Testing

@testable import CallQuality

@Suite struct ClockTrackerTests {
    /// Facts every ten seconds by a clock that is `step` ms further on from the middle of the call.
    private func step(_ step: Int64, facts: Int64 = 30, delays: [Int64] = [80, 900, 150], isLate: Bool = false)
        -> Int64?
    {
        var clock = ClockTracker()
        var taken: [(time: Timestamp, receivedAt: Timestamp)] = []
        for index in 0..<facts {
            let real = index * 10_000
            let received = isLate ? 10_000_000 : real + delays[Int(index) % delays.count]
            let told = real + (2 * index >= facts ? step : 0)
            taken.append((Timestamp(milliseconds: told), Timestamp(milliseconds: received)))
        }
        for fact in taken.sorted(by: { $0.time < $1.time }) { clock.take(time: fact.time, receivedAt: fact.receivedAt) }
        return clock.stepMilliseconds
    }

    @Test func `a clock that is set during the call is found out`() {
        #expect(step(60_000) == 60_000)
        #expect(step(3_600_000, facts: 400) == 3_600_000)
        #expect(step(-60_000) == -60_000)
    }

    @Test func `a clock that is set by more than the call is long is found out, too`() {
        #expect(step(3_600_000, facts: 4) == 3_600_000)
        #expect(step(-3_600_000, facts: 4) == -3_600_000)
    }

    @Test(arguments: [2, 3, 4, 10] as [Int64]) func `a call that was told all at once has no step`(_ facts: Int64) {
        var clock = ClockTracker()
        for index in 0..<facts {
            let time = Timestamp(milliseconds: index * 10_000)
            clock.take(time: time, receivedAt: Timestamp(milliseconds: facts * 10_000 + index))
        }
        #expect(clock.stepMilliseconds == nil)
    }

    /// The network of the client was away for so many of 30 facts, and then it told all of them at once.
    @Test(arguments: [5, 10, 14, 16, 18, 22, 28] as [Int64]) func `facts that were kept back are no step`(_ kept: Int64)
    {
        var clock = ClockTracker()
        for index in 0..<Int64(30) {
            let time = Timestamp(milliseconds: index * 10_000)
            clock.take(time: time, receivedAt: Timestamp(milliseconds: max(index, kept) * 10_000))
        }
        #expect(clock.stepMilliseconds == nil)
    }

    /// The collector was away, or the client had no network, while the last so many of 30 facts were made.
    @Test(arguments: [1, 2, 5, 10, 16, 25] as [Int64], [2_500, 15_000, 600_000] as [Int64])
    func `facts that were kept back to the end are no step`(kept: Int64, delay: Int64) {
        var clock = ClockTracker()
        for index in 0..<Int64(30) {
            let time = Timestamp(milliseconds: index * 10_000)
            let isKept = index >= 30 - kept
            clock.take(time: time, receivedAt: isKept ? Timestamp(milliseconds: 290_000 + delay) : time)
        }
        #expect(clock.stepMilliseconds == nil)
    }

    @Test func `slow deliveries and small steps are none`() {
        #expect(step(0) == nil)
        #expect(step(0, delays: [80, 30_000, 9_000]) == nil)
        #expect(step(1_500) == nil)
    }

    @Test func `facts that come long after they were made tell nothing of the clock`() {
        #expect(step(60_000, isLate: true) == nil)
        #expect(step(0, isLate: true) == nil)
    }

    @Test func `one fact tells nothing`() {
        #expect(step(0, facts: 1) == nil)
    }
}
