import CallModel

/// Finds where the clock of a client was set back in the middle of a call, and goes on as if it had not been.
///
/// A report that comes later in a file and is stamped earlier either was delivered late, or its clock stepped back. The
/// counters tell: those of a late report fit between its neighbours in time. After a step they are higher than what
/// came before, and all reports are moved on by as much, an interval after the last.
struct ClockSteps {
    /// The reports so far, those with the latest times, in order of time.
    private var history: [Entry] = []
    private var last: Entry?
    private var interval: Int64 = 1000
    private var offset: Int64 = 0

    private typealias Counters = [StatsObject.Key: [Double?]]

    private struct Entry {
        var time: Timestamp
        var counters: Counters
    }

    /// Later than this no report is delivered.
    private static let longestHistory = 64

    /// Counters that only grow.
    private static let growing = ["bytesReceived", "bytesSent", "packetsReceived", "packetsSent"]

    /// Moves a report that was stamped by a clock set back.
    /// - Returns: what to say of it, when it is the first after a step.
    mutating func correct(_ report: inout StatsReport) -> String? {
        var entry = Entry(
            time: report.time.advanced(byMilliseconds: offset), counters: Self.counters(of: report))
        var words: String?
        if let last, entry.time < last.time, isAfterStep(entry, last) {
            let step = last.time.milliseconds(since: entry.time)
            // However often a hostile clock steps, it does not trap.
            offset &+= step &+ interval
            entry.time = report.time.advanced(byMilliseconds: offset)
            words = "the client's clock was set back by at least \(step) ms; later reports were moved on"
        }
        remember(entry)
        report = report.moved(byMilliseconds: offset)
        if let words { report = report.noting(words) }
        return words
    }

    /// Whether a report is later than the last one, although it is stamped earlier.
    private func isAfterStep(_ entry: Entry, _ last: Entry) -> Bool {
        guard Self.haveGrown(from: last.counters, to: entry.counters) else { return false }
        // Put among its neighbours in time it must not make the counters fall where they did not.
        let next = history.firstIndex { $0.time > entry.time } ?? history.endIndex
        let before = next > 0 ? history[next - 1].counters : [:]
        let after = next < history.endIndex ? history[next].counters : [:]
        let falls = Self.falls(from: before, to: entry.counters) + Self.falls(from: entry.counters, to: after)
        return falls > Self.falls(from: before, to: after)
    }

    private mutating func remember(_ entry: Entry) {
        let place = history.firstIndex { $0.time > entry.time } ?? history.endIndex
        history.insert(entry, at: place)
        if history.count > Self.longestHistory { history.removeFirst() }
        guard let before = last, entry.time < before.time else {
            if let before = last, entry.time > before.time { interval = entry.time.milliseconds(since: before.time) }
            last = entry
            return
        }
    }

    private static func counters(of report: StatsReport) -> Counters {
        let counted = report.objects.filter { $0.type.isLocalRTP || $0.type == .transport }
        return Dictionary(counted.map { object in (object.key, growing.map { object.members[$0]?.number }) }) { $1 }
    }

    /// Whether something grew and nothing fell.
    private static func haveGrown(from old: Counters, to new: Counters) -> Bool {
        let changes = changes(from: old, to: new)
        return changes.contains { $0 > 0 } && !changes.contains { $0 < 0 }
    }

    /// 1 when something fell, else 0.
    private static func falls(from old: Counters, to new: Counters) -> Int {
        changes(from: old, to: new).contains { $0 < 0 } ? 1 : 0
    }

    private static func changes(from old: Counters, to new: Counters) -> [Double] {
        new.flatMap { key, counts in
            zip(counts, old[key] ?? []).compactMap { now, before in
                guard let now, let before else { return nil }
                return now - before
            }
        }
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
