import CallModel
import CallQuality
import ClientStats
import Deflate
import TestSupport

/// A file read to its end: every fact it holds, as a store would keep them.
struct ImportedFile {
    var format: ImportFormat
    var facts: [CallKey: [Fact]] = [:]
    var refusals: [Refusal] = []
    var notes: [String]
    var unknownTypes: [String] = []
    /// Facts as they stood in the file, copies included.
    var count = 0

    init(_ bytes: [UInt8], call: String? = nil, observer: String? = nil) throws {
        let isGzip = Gzip.isLikely(bytes)
        let content = isGzip ? try Gzip.inflate(bytes, maximumBytes: 256 << 20, maximumRatio: 2000) : bytes
        let context = ParsingContext(
            call: call.map(CallID.init), observer: observer.map(ObserverID.init), receivedAt: received)
        var reader = try ImportReader(content, in: context)
        format = reader.format
        var byKey: [CallKey: [FactKey: Fact]] = [:]
        while let part = reader.next() {
            refusals += part.refusals
            unknownTypes += part.unknownTypes
            for submission in part.submissions {
                let key = CallKey(identity: submission.identity, observer: submission.observer, attempt: 1)
                for fact in submission.facts.map(\.fact) {
                    count += 1
                    let known = byKey[key]?[fact.key]
                    byKey[key, default: [:]][fact.key] = known?.merged(with: fact) ?? fact
                }
            }
        }
        facts = byKey.mapValues { $0.values.sorted { $0.key < $1.key } }
        notes = reader.notes
    }

    init(_ text: String, call: String? = nil, observer: String? = nil) throws {
        try self.init(Array(text.utf8), call: call, observer: observer)
    }

    static func shared(_ path: String) throws -> ImportedFile {
        try ImportedFile(SharedData.bytes(path))
    }

    /// All reports, each moment of a connection once.
    var reports: [StatsReport] {
        facts.sorted { $0.key.identity.call.rawValue < $1.key.identity.call.rawValue }.flatMap(\.value).compactMap {
            if case .report(let report) = $0 { report } else { nil }
        }
    }

    /// All events.
    var events: [CallEvent] {
        facts.values.joined().compactMap { if case .event(let event) = $0 { event } else { nil } }
            .sorted { $0.time < $1.time }
    }

    /// The names of its calls, sorted.
    var calls: [String] {
        Set(facts.keys.map(\.identity.call.rawValue)).sorted()
    }

    /// What the fold makes of each record.
    func summaries() -> [CallKey: CallSummary] {
        var summaries: [CallKey: CallSummary] = [:]
        for (key, facts) in facts {
            var session = CallSession(key: key)
            _ = session.fold(facts)
            summaries[key] = session.summary()
        }
        return summaries
    }

    /// The score windows of the one record of a file that has one.
    func windows() -> [ScoreInterval] {
        guard let (key, facts) = facts.first else { return [] }
        var session = CallSession(key: key)
        return session.fold(facts).scores.filter { $0.series == .window }
    }

    /// The one record of a file that has one.
    func summary() throws -> CallSummary? {
        summaries().first?.value
    }
}
