import CallModel

/// Finds where the clock of a client was set back in the middle of a file, and goes on as if it had not been: all reports
/// from there on are moved on by as much, an interval after the last.
struct ClockSteps {
    private var order = CounterOrder()
    private var interval: Int64 = 1000
    private var offset: Int64 = 0

    /// Moves a report that was stamped by a clock set back.
    /// - Returns: what to say of it, when it is the first after a step.
    mutating func correct(_ report: inout StatsReport) -> String? {
        let told = report.time
        var time = told.advanced(byMilliseconds: offset)
        var words: String?
        if let last = order.latest {
            if time < last, order.verdict(on: report, at: time) == .afterStep {
                let step = last.milliseconds(since: time)
                // However often a hostile clock steps, it does not trap.
                offset &+= step &+ interval
                time = told.advanced(byMilliseconds: offset)
                words = "the client's clock was set back by at least \(step) ms; later reports were moved on"
            }
            if time > last { interval = time.milliseconds(since: last) }
        }
        order.take(report, at: time)
        report = report.moved(byMilliseconds: offset)
        if let words { report = report.noting(words) }
        return words
    }
}

/// By how much the reports of one end are moved on since its clock was set back, and so its events.
struct ClockStep {
    /// When the last report says that it was made.
    var told: Timestamp
    /// How far it was moved, in ms; 0 while the clock has not been set back.
    var offset: Int64

    /// When an event that stands after that report happened. One that is nearer to where the report was moved to is of another
    /// clock, such as a server's.
    func moment(of time: Timestamp) -> Timestamp {
        let moved = told.advanced(byMilliseconds: offset)
        let isOfClock = abs(time.milliseconds(since: told)) < abs(time.milliseconds(since: moved))
        return isOfClock ? time.advanced(byMilliseconds: offset) : time
    }
}
