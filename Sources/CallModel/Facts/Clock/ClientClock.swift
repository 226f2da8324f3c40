/// The clock of the client that tells of a call, where it was set back while the call went on.
///
/// A report that comes later, is stamped earlier and has higher counters was made later (``CounterOrder``). By how much
/// the clock was set is told by the collector's: facts take the same time to it before and after, at the least.
public struct ClientClock: Hashable, Sendable, Codable {
    /// Where the clock was set back, and by how much in all.
    public struct Step: Hashable, Sendable, Codable {
        /// When the last report was received that was stamped before the clock was set, by the collector's clock.
        public var receivedAfter: Timestamp
        /// How far what it stamped is moved on, in ms, above 0.
        public var offsetMilliseconds: Int64

        public init(receivedAfter: Timestamp, offsetMilliseconds: Int64) {
            self.receivedAfter = receivedAfter
            self.offsetMilliseconds = offsetMilliseconds
        }
    }

    /// In order of receipt.
    package var steps: [Step] = []
    /// The least difference of receipt and client time before the first step, in ms.
    package var usualMilliseconds: Int64 = 0

    /// Of a clock that sets itself more often, what follows is taken as it is.
    private static let mostSteps = 64

    /// A clock that was never set back.
    public init() {}

    /// Finds the steps.
    /// - Parameter facts: all facts of a record, in order of ``Fact/key``.
    package init(of facts: [Fact]) {
        let reports = facts.compactMap { fact in if case .report(let report) = fact { report } else { nil } }
        // Of nearly all calls what was made later came later.
        guard zip(reports, reports.dropFirst()).contains(where: { $0.receivedAt > $1.receivedAt }) else { return }
        var finder = StepFinder()
        for index in reports.indices.sorted(by: { (reports[$0].receivedAt, $0) < (reports[$1].receivedAt, $1) }) {
            finder.take(reports[index])
        }
        steps = Array(finder.steps.prefix(Self.mostSteps))
        usualMilliseconds = finder.usualMilliseconds
    }

    /// How far a fact is moved on, in ms: by the clock under which it took a time to the collector that is nearest to the
    /// least. What was received before a step was not stamped after it.
    private func offsetMilliseconds(ofTime time: Timestamp, receivedAt: Timestamp) -> Int64 {
        let late = receivedAt.milliseconds(since: time.advanced(byMilliseconds: usualMilliseconds))
        let offsets = [0] + steps.filter { $0.receivedAfter < receivedAt }.map(\.offsetMilliseconds)
        return offsets.min { (late &- $0).magnitude < (late &- $1).magnitude } ?? 0
    }

    /// The facts as they would have been told had the clock not been set, in order of ``Fact/key``.
    package func putRight(_ facts: [Fact]) -> [Fact] {
        guard !steps.isEmpty else { return facts }
        return Fact.united(
            facts.map { $0.moved(byMilliseconds: offsetMilliseconds(ofTime: $0.time, receivedAt: $0.receivedAt)) })
    }

    /// The same of events.
    package func putRight(_ events: [CallEvent]) -> [CallEvent] {
        putRight(events.map(Fact.event)).compactMap { fact in if case .event(let event) = fact { event } else { nil } }
    }

    /// What is to be said of it; `nil` where it was not set.
    package var note: String? {
        guard let last = steps.last else { return nil }
        let seconds = (last.offsetMilliseconds + 500) / 1000
        return "the client's clock was set back by \(seconds) s; what it stamped afterwards was moved on"
    }
}
