public import CallModel
import CallQuality
import ClientStats
import Deflate
public import Foundation
import Synchronization

/// One end of a recorded call: what its client posted, as the collector would have received it.
public struct RecordedCall: Hashable, Sendable {
    /// The two ends of a recording: A calls B.
    public enum End: String, Sendable, CaseIterable, CustomStringConvertible {
        case caller = "A"
        case callee = "B"

        public var description: String { self == .caller ? "caller" : "callee" }

        /// What the end calls itself in its messages.
        public var observer: ObserverID { ObserverID(rawValue: description) }
    }

    /// How often the client took a report.
    public enum Cadence: Sendable, CaseIterable {
        case oneSecond, tenSeconds
    }

    public let directory: URL
    public let end: End

    /// The call whose `A.getRTPStatistics-10s.jsonl` and companions lie in `directory`.
    public init(_ directory: URL, end: End) {
        self.directory = directory
        self.end = end
    }

    /// A call of the shared recordings, by name, such as `10-outage5s`.
    public static func shared(_ name: String, _ end: End) -> RecordedCall {
        RecordedCall(SharedData.url("calls/\(name)"), end: end)
    }

    /// Receipt of every fact: 80 ms after the time it carries, as over a short path.
    public static let deliveryMilliseconds: Int64 = 80

    /// The bytes the client posted as statistics, one body a report, oldest first.
    public func reportBodies(_ cadence: Cadence = .tenSeconds) throws -> [[UInt8]] {
        switch cadence {
        case .tenSeconds: try lines("\(end.rawValue).getRTPStatistics-10s.jsonl")
        case .oneSecond:
            Self.split(
                try Gzip.inflate(
                    bytes("\(end.rawValue).stats-1s.jsonl.gz"), maximumBytes: 256 << 20, maximumRatio: 1_000))
        }
    }

    /// The bytes the client posted as events, one body an event; empty when the file has none.
    public func eventBodies() throws -> [[UInt8]] {
        try lines("\(end.rawValue).callAdditionalInfo.jsonl")
    }

    /// Everything the client said, as facts in order of key.
    public func facts(_ cadence: Cadence = .tenSeconds) throws -> [Fact] {
        // Reports of every second are bare: they do not name their call.
        let named = context(call: nil)
        let reports = try reportBodies(cadence).map {
            try StatsBody.parse($0, in: cadence == .oneSecond ? context(call: key.identity.call) : named)
        }
        let events = try eventBodies().map { try EventsBody.parse($0, in: named) }
        let parsed = reports + events
        if let refusal = parsed.flatMap(\.refusals).first { throw RefusedRecording(message: refusal.message) }
        return parsed.flatMap(\.submissions).flatMap(\.facts).map(\.fact).map { fact in
            var fact = fact
            fact.receivedAt = fact.time.advanced(byMilliseconds: Self.deliveryMilliseconds)
            return fact
        }.sorted { $0.key < $1.key }.reduce(into: []) { facts, fact in
            // The last report is often sent twice; to the collector it is one.
            guard let last = facts.last, last.key == fact.key else { return facts.append(fact) }
            facts[facts.count - 1] = last.merged(with: fact)
        }
    }

    private func context(call: CallID?) -> ParsingContext {
        ParsingContext(
            tenant: .default, call: call, observer: end.observer, receivedAt: Timestamp(milliseconds: 0))
    }

    /// The record's key in tests: the directory's name stands for the call's id.
    public var key: CallKey {
        CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: directory.lastPathComponent)),
            observer: end.observer, attempt: 1)
    }

    private struct Source: Hashable {
        var call: RecordedCall
        var cadence: Cadence
    }

    private static let records = Mutex<[Source: CallRecord?]>([:])

    /// The whole fold, as a report shows it, made once in a test run. `nil` when the client said nothing.
    public func record(_ cadence: Cadence = .tenSeconds) throws -> CallRecord? {
        let source = Source(call: self, cadence: cadence)
        if let made = Self.records.withLock({ $0[source] }) { return made }
        let record = try fold(cadence)
        Self.records.withLock { _ = $0.updateValue(record, forKey: source) }
        return record
    }

    private func fold(_ cadence: Cadence) throws -> CallRecord? {
        let facts = try facts(cadence)
        var session = CallSession(key: key)
        let rows = session.fold(facts)
        guard let summary = session.summary() else { return nil }
        return CallRecord(
            summary: summary, isDirty: false, intervals: rows.intervals,
            scores: rows.scores.filter { $0.series == .live }, windows: rows.scores.filter { $0.series == .window },
            events: facts.compactMap { fact in
                if case .event(let event) = fact { event } else { nil }
            }, others: [])
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: name)))
    }

    private func lines(_ name: String) throws -> [[UInt8]] {
        Self.split(try bytes(name))
    }

    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}

/// A recording that does not parse: the test that reads it fails with this.
public struct RefusedRecording: Error {
    public let message: String
}
