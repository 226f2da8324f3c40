import NIOCore

/// What was answered, and how long it took. Used on one event loop only.
final class LatencyRecord: @unchecked Sendable {
    private let start: NIODeadline
    private let end: NIODeadline
    private let limit: Int
    private var milliseconds: [Double] = []
    private var statuses: [Int: Int] = [:]
    private var total = 0
    private var brokenOff = 0

    /// Counts answers from `start` to `end`, and is over then, or after `limit` answers if that is not 0.
    init(start: NIODeadline, end: NIODeadline, limit: Int) {
        self.start = start
        self.end = end
        self.limit = limit
    }

    var isOver: Bool { .now() >= end || (limit > 0 && total >= limit) }

    func note(status: Int, due: NIODeadline, answered: NIODeadline) {
        total += 1
        statuses[status, default: 0] += 1
        guard answered >= start, answered < end else { return }
        milliseconds.append(Double((answered - due).nanoseconds) / 1e6)
    }

    /// A connection was closed before an answer came.
    func noteBrokenOff() { brokenOff += 1 }

    /// One line of JSON.
    var summary: String {
        let sorted = milliseconds.sorted()
        func quantile(_ share: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }
        let seconds = Double((end - start).nanoseconds) / 1e9
        let others = total - statuses[202, default: 0]
        return """
            {"total": \(total), "counted": \(sorted.count), "perSecond": \(Double(sorted.count) / seconds), \
            "notAccepted": \(others), "brokenOff": \(brokenOff), "p50": \(quantile(0.5)), "p95": \(quantile(0.95)), "p99": \(quantile(0.99)), \
            "most": \(sorted.last ?? 0)}
            """
    }
}
