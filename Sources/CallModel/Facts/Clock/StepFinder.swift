/// Goes through the reports of a record in order of receipt and finds where their clock was set back.
struct StepFinder {
    /// A clock that stamped reports: the client's, from when it was set.
    private struct Clock {
        /// When the last report before those that it stamped was received.
        var receivedAfter: Timestamp
        /// The least difference of receipt and time, in ms, over reports that came in turn.
        var leastMilliseconds: Int64
        /// How far that first report is moved on, in ms, so that it comes after the one before.
        var leastOffsetMilliseconds: Int64 = 0
    }

    /// None before the first report.
    private var clocks: [Clock] = []
    private var orders: [ConnectionID: CounterOrder] = [:]
    /// When the last report was received.
    private var latestReceipt = Timestamp(milliseconds: .min)
    /// How far reports are moved on, in ms, by what was known of their clock when it was first seen.
    private var offsetMilliseconds: Int64 = 0

    /// After a step a report is made no sooner than so long after the one before it, as far as is known.
    private static let leastIntervalMilliseconds: Int64 = 500

    /// Takes in the next report.
    mutating func take(_ report: StatsReport) {
        let lag = report.receivedAt.milliseconds(since: report.time)
        defer { latestReceipt = report.receivedAt }
        guard let first = clocks.first else {
            clocks = [Clock(receivedAfter: report.receivedAt, leastMilliseconds: lag)]
            orders[report.connection, default: CounterOrder()].take(report, at: report.time)
            return
        }
        var order = orders[report.connection] ?? CounterOrder()
        if let latest = order.latest {
            switch order.verdict(on: report, at: report.time.advanced(byMilliseconds: offsetMilliseconds)) {
            case .late: break
            case .next:
                let last = clocks.count - 1
                clocks[last].leastMilliseconds = min(clocks[last].leastMilliseconds, lag)
            case .afterStep:
                let least = latest.milliseconds(since: report.time) &+ Self.leastIntervalMilliseconds
                offsetMilliseconds = max(least, lag &- first.leastMilliseconds)
                clocks.append(
                    Clock(
                        receivedAfter: latestReceipt, leastMilliseconds: lag, leastOffsetMilliseconds: least))
            }
        }
        order.take(report, at: report.time.advanced(byMilliseconds: offsetMilliseconds))
        orders[report.connection] = order
    }

    /// The least difference of receipt and time before the first step, in ms.
    var usualMilliseconds: Int64 { clocks.first?.leastMilliseconds ?? 0 }

    /// What was found, in order of receipt.
    var steps: [ClientClock.Step] {
        clocks.dropFirst().map { clock in
            ClientClock.Step(
                receivedAfter: clock.receivedAfter,
                offsetMilliseconds: max(
                    clock.leastOffsetMilliseconds, clock.leastMilliseconds &- usualMilliseconds))
        }
    }
}
