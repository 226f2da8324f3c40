/// Tells of the reports of one connection, in the order in which they came, which are late and which are stamped by a clock
/// that was set back.
///
/// A report that comes later and is stamped earlier either was delivered late, or its clock stepped back. The counters
/// tell: those of a late report fit between its neighbours in time. After a step they are higher than what came before.
package struct CounterOrder: Sendable {
    /// What the counters say of a report.
    package enum Verdict: Sendable {
        /// It was made after the one that came before.
        case next
        /// It was made before one that came before; or its counters began anew.
        case late
        /// It was made after the one that came before, and is stamped earlier.
        case afterStep
    }

    /// The reports so far, those with the latest times, in order of time.
    private var history: [Entry] = []
    /// The one with the latest time.
    private var last: Entry?

    private typealias Counters = [StatsObject.Key: [Double?]]

    private struct Entry {
        var time: Timestamp
        var counters: Counters
    }

    /// Later than this no report is delivered.
    private static let longestHistory = 64

    /// Counters that only grow.
    private static let growing = ["bytesReceived", "bytesSent", "packetsReceived", "packetsSent"]

    package init() {}

    /// The latest time so far.
    package var latest: Timestamp? { last?.time }

    /// Judges the next report, which was made at `time` if no step comes before it that is not known.
    package func verdict(on report: StatsReport, at time: Timestamp) -> Verdict {
        guard let last else { return .next }
        let counters = Self.counters(of: report)
        let changes = Self.changes(from: last.counters, to: counters)
        let hasFallen = changes.contains { $0 < 0 }
        guard time < last.time else { return hasFallen ? .late : .next }
        return !hasFallen && changes.contains { $0 > 0 } && isMisplaced(counters, at: time) ? .afterStep : .late
    }

    /// Whether counters, put among their neighbours in time, make any fall that did not.
    private func isMisplaced(_ counters: Counters, at time: Timestamp) -> Bool {
        let next = history.firstIndex { $0.time > time } ?? history.endIndex
        let before = next > 0 ? history[next - 1].counters : [:]
        let after = next < history.endIndex ? history[next].counters : [:]
        let falls = Self.falls(from: before, to: counters) + Self.falls(from: counters, to: after)
        return falls > Self.falls(from: before, to: after)
    }

    /// Takes in a report that was made at `time`, by all that is known.
    package mutating func take(_ report: StatsReport, at time: Timestamp) {
        let entry = Entry(time: time, counters: Self.counters(of: report))
        let place = history.firstIndex { $0.time > time } ?? history.endIndex
        history.insert(entry, at: place)
        if history.count > Self.longestHistory { history.removeFirst() }
        if last.map({ time >= $0.time }) ?? true { last = entry }
    }

    private static func counters(of report: StatsReport) -> Counters {
        let counted = report.objects.filter { $0.type.isLocalRTP || $0.type == .transport }
        return Dictionary(counted.map { object in (object.key, growing.map { object.members[$0]?.number }) }) { $1 }
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
