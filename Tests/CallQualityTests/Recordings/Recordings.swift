import CallModel
import CallQuality
import ClientStats
import Foundation
import TestSupport
import Testing

/// The recorded calls, each read and folded once in a test run.
actor Recordings {
    static let shared = Recordings()

    private struct Source: Hashable {
        var name: String
        var end: RecordedCall.End
        var cadence: RecordedCall.Cadence
    }

    private var records: [Source: Task<CallRecord?, any Error>] = [:]
    private var wires: [String: Task<WireLog, any Error>] = [:]

    /// What the product says of one end of a recording.
    func record(
        _ name: String, _ end: RecordedCall.End, _ cadence: RecordedCall.Cadence = .tenSeconds
    ) async throws -> CallRecord {
        let source = Source(name: name, end: end, cadence: cadence)
        let task = records[source] ?? Task { try Self.fold(name, end, cadence) }
        records[source] = task
        return try #require(try await task.value, "\(name) \(end): the client said nothing")
    }

    /// Everything one end of a recording said, in order of key.
    ///
    /// The reports taken every second name no call: they are the call of the other files.
    static func facts(
        _ name: String, _ end: RecordedCall.End, _ cadence: RecordedCall.Cadence = .tenSeconds
    ) throws -> [Fact] {
        let recording = RecordedCall.shared(name, end)
        let truth = try JSONDecoder().decode(Truth.self, from: Data(SharedData.bytes("calls/\(name)/truth.json")))
        let context = ParsingContext(
            tenant: .default, call: CallID(rawValue: truth.callId), observer: end.observer,
            receivedAt: Timestamp(milliseconds: 0))
        let reports = try recording.reportBodies(cadence).map { try StatsBody.parse($0, in: context) }
        let events = try recording.eventBodies().map { try EventsBody.parse($0, in: context) }
        let refusals = (reports + events).flatMap(\.refusals).map(\.message)
        try #require(refusals == [], "\(name) \(end)")
        return (reports + events).flatMap(\.submissions).flatMap(\.facts).map(\.fact).map { fact in
            var fact = fact
            fact.receivedAt = fact.time.advanced(byMilliseconds: RecordedCall.deliveryMilliseconds)
            return fact
        }.sorted { $0.key < $1.key }
    }

    private static func fold(
        _ name: String, _ end: RecordedCall.End, _ cadence: RecordedCall.Cadence
    ) throws -> CallRecord? {
        var session = CallSession(key: RecordedCall.shared(name, end).key)
        let rows = session.fold(try facts(name, end, cadence))
        return session.summary().map { summary in
            CallRecord(
                summary: summary, isDirty: false, intervals: rows.intervals,
                scores: rows.scores.filter { $0.series == .live },
                windows: rows.scores.filter { $0.series == .window }, events: [], others: [])
        }
    }

    /// What the router did in a recording.
    func wire(_ name: String) async throws -> WireLog {
        let task = wires[name] ?? Task { try WireLog(recording: name) }
        wires[name] = task
        return try await task.value
    }

    /// What was done to the recorded call.
    nonisolated func truth(_ name: String) throws -> Truth {
        try JSONDecoder().decode(Truth.self, from: Data(SharedData.bytes("calls/\(name)/truth.json")))
    }
}

/// `truth.json` of a recording: the script of the call.
struct Truth: Decodable {
    var callId: String
    /// Start of media in seconds since 1970; `nil` when the call was not answered.
    var t0: Double?
    /// The commands the router got.
    var net: [String]

    /// The moment `seconds` after the start of media.
    func moment(_ seconds: Double) throws -> Timestamp {
        Timestamp(milliseconds: Int64((1000 * (try #require(t0) + seconds)).rounded()))
    }

    /// The span between two moments after the start of media.
    func span(_ from: Double, _ to: Double) throws -> ClosedRange<Timestamp> {
        try moment(from)...moment(to)
    }

    /// The delay the router was set to from A to B, in ms; 0 when none was set.
    var oneWayMilliseconds: Double {
        let words = net.first?.split(separator: " ") ?? []
        return words.first { $0.hasPrefix("delay=") }.flatMap { Double($0.dropFirst(6)) } ?? 0
    }
}

/// One end of a recording, as an argument of a test: a failure names it.
struct RecordedEnd: CustomTestStringConvertible {
    var name: String
    var end: RecordedCall.End

    var testDescription: String { "\(name) \(end)" }

    /// Both ends of each.
    static func both(_ names: [String]) -> [RecordedEnd] {
        names.flatMap { name in RecordedCall.End.allCases.map { RecordedEnd(name: name, end: $0) } }
    }

    func record(_ cadence: RecordedCall.Cadence = .tenSeconds) async throws -> CallRecord {
        try await Recordings.shared.record(name, end, cadence)
    }
}

extension CallRecord {
    /// The stream of this direction and kind that carried the most packets.
    func stream(_ direction: MediaDirection, _ kind: MediaKind) -> StreamSummary? {
        summary.streams.filter { $0.stream.direction == direction && $0.stream.kind == kind }
            .max { ($0.packets ?? 0) < ($1.packets ?? 0) }
    }
}

extension TimeSpan {
    /// Whether any of it lies in `span`; an open one reaches to the end of time.
    func overlaps(_ span: ClosedRange<Timestamp>) -> Bool {
        start <= span.upperBound && (end.map { $0 >= span.lowerBound } ?? true)
    }
}

extension ScoreInterval {
    var span: TimeSpan { TimeSpan(start: start, end: end) }
}
