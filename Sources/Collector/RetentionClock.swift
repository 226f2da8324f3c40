import CallModel

/// The time that the retention goes by: that of the system's clock, except that a step forward counts only once it has
/// stood for an hour.
///
/// A clock that is set wrong for a while would otherwise make every call old at once, those that are going on, too, and
/// what is evicted does not come back. Steps backward make nothing older; they count at once. Waking up after a pause
/// looks like a step forward, and costs an hour of patience.
struct RetentionClock: Hashable, Sendable {
    /// A larger advance between two looks is a step; the clock is looked at every few seconds.
    static let largestAdvanceMilliseconds: Int64 = 60_000
    /// How long a step has to stand.
    static let patienceMilliseconds: Int64 = 3_600_000

    /// A step forward that does not count yet.
    private struct Step: Hashable, Sendable {
        var milliseconds: Int64
        /// What the clock showed after it.
        var end: Timestamp
    }

    private var last: Timestamp?
    /// Whether it was never looked at.
    var isNew: Bool { last == nil }
    private var steps: [Step] = []
    /// More steps than this within an hour are taken for one.
    private static let mostSteps = 16

    /// Begins where a process before this one has stopped: a clock that is ahead when a machine starts, before it has asked
    /// the network for the time, is a step as any other. What went on within the hour it would have to stand for is none.
    /// - Parameters:
    ///   - latest: when anything was received last; since then all calls have fallen silent.
    ///   - clock: what the system's clock shows now.
    mutating func begin(after latest: Timestamp, showing clock: Timestamp) {
        guard last == nil, clock.milliseconds(since: latest) > Self.patienceMilliseconds else { return }
        last = latest.advanced(byMilliseconds: CallSummary.silenceLimitMilliseconds + 1)
    }

    /// The time to go by when the system's clock shows `clock`.
    mutating func now(_ clock: Timestamp) -> Timestamp {
        let advance = last.map { clock.milliseconds(since: $0) } ?? 0
        last = clock
        if advance > Self.largestAdvanceMilliseconds {
            note(Step(milliseconds: advance, end: clock))
        } else if advance < 0 {
            take(back: -advance)
        }
        steps.removeAll { clock.milliseconds(since: $0.end) >= Self.patienceMilliseconds }
        return steps.reduce(clock) { $0.advanced(byMilliseconds: -$1.milliseconds) }
    }

    private mutating func note(_ step: Step) {
        var step = step
        if steps.count == Self.mostSteps, let earlier = steps.popLast() { step.milliseconds += earlier.milliseconds }
        steps.append(step)
    }

    /// A step back takes steps forward with it, the latest first: the clock was set right again.
    private mutating func take(back milliseconds: Int64) {
        var left = milliseconds
        for index in steps.indices.reversed() where left > 0 {
            let undone = min(left, steps[index].milliseconds)
            steps[index].milliseconds -= undone
            left -= undone
        }
        // The clock went on while it was wrong: so much is time that passed.
        steps.removeAll { $0.milliseconds <= Self.largestAdvanceMilliseconds }
        // What stays has to stand for an hour of the clock as it goes now.
        for index in steps.indices {
            steps[index].end = steps[index].end.advanced(byMilliseconds: -milliseconds)
        }
    }
}
