public import CallModel
import CallQuality

/// The fold over facts that no store keeps: what a report of a capture file is made of.
///
/// The same fold as the collector's, run over all facts of a call when nothing more comes of it. Only the facts of calls
/// that still go on are held, 8 MiB of them in memory and the rest in a temporary file without a name, so that the
/// length of a capture costs no memory.
public struct CaptureFold: ~Copyable {
    private let hasClients: Bool
    private var spool: FactSpool
    private var calls: [CallID: OpenCall] = [:]
    private var attempts = RecentAttempts()

    /// A call that was not let go of.
    private struct OpenCall {
        var chain = FactSpool.Chain()
        /// Whether its beginning is among its facts.
        var isOpened = false
    }

    /// - Parameters:
    ///   - hasClients: whether clients may have told of the calls, and not probes alone.
    ///   - folder: where a temporary file may be made; `nil` for the folder that the system has for such (`TMPDIR`).
    ///   - bufferBytes: how much is kept in memory before that file is used.
    public init(hasClients: Bool, folder: String? = nil, bufferBytes: Int = 8 << 20) {
        self.hasClients = hasClients
        spool = FactSpool(folder: folder, bufferBytes: bufferBytes)
    }

    /// Takes in a fact of one end's record of a call.
    /// - Throws: when the temporary file cannot be made or written.
    public mutating func take(_ fact: Fact, call: CallID, observer: ObserverID) throws(FactSpoolError) {
        try spool.append(fact, observer: observer, to: &calls[call, default: OpenCall()].chain)
        if calls[call]?.isOpened == false, fact.opensCall { calls[call]?.isOpened = true }
    }

    /// Folds a call of which nothing more comes, without its time series.
    /// - Returns: its records, in the order in which they are shown; empty when nothing is known of it.
    /// - Throws: when the temporary file cannot be read.
    public func summaries(of call: CallID) throws(FactSpoolError) -> [CallSummary] {
        var summaries: [CallSummary] = []
        for (key, entries) in try entries(of: call) {
            // Only what a client says of the quality is held against the live series.
            var session = CallSession(key: key, hasLiveScores: hasClients)
            var rows = CallSession.Rows()
            try forEachFact(entries) { fact in
                session.fold(fact, into: &rows)
                rows = CallSession.Rows()
            }
            if let summary = session.summary() { summaries.append(summary) }
        }
        return summaries.sorted(by: CallSummary.areInReportOrder)
    }

    /// Folds a call of which nothing more comes, with all that a report in full shows.
    /// - Returns: its records, in the order in which they are shown; empty when nothing is known of it.
    /// - Throws: when the temporary file cannot be read.
    public func records(of call: CallID) throws(FactSpoolError) -> [CallRecord] {
        var records: [CallRecord] = []
        for (key, entries) in try entries(of: call) {
            if let record = try record(key, entries) { records.append(record) }
        }
        records.sort { CallSummary.areInReportOrder($0.summary, $1.summary) }
        let summaries = records.map(\.summary)
        for index in records.indices {
            records[index].others = summaries.filter { $0.key != records[index].summary.key }
        }
        return records
    }

    /// Lets go of a call.
    public mutating func forget(_ call: CallID) {
        guard let known = calls.removeValue(forKey: call) else { return }
        spool.forget(known.chain)
        if known.isOpened { attempts.add(call) }
    }

    /// The calls that were not let go of.
    public var open: [CallID] { calls.keys.sorted { $0.rawValue < $1.rawValue } }

    // MARK: Folding

    /// The facts of each end's record, in the order in which they are folded.
    private func entries(of call: CallID) throws(FactSpoolError) -> [(CallKey, [FactSpool.Entry])] {
        guard let known = calls[call] else { return [] }
        let before = attempts.count(of: call)
        let attempt = known.isOpened ? before + 1 : max(1, before)
        let identity = CallIdentity(tenant: .default, call: call)
        return Dictionary(grouping: try spool.entries(of: known.chain), by: \.observer).map { observer, entries in
            (CallKey(identity: identity, observer: observer, attempt: attempt), entries.sorted { $0.key < $1.key })
        }
    }

    /// The facts of a record, one for each key: what was told twice is one fact, as a store has it.
    private func forEachFact(
        _ entries: [FactSpool.Entry], _ body: (Fact) -> Void
    ) throws(FactSpoolError) {
        var next = 0
        while next < entries.count {
            let key = entries[next].key
            var fact = try spool.fact(entries[next])
            next += 1
            while next < entries.count, entries[next].key == key {
                fact = fact.merged(with: try spool.fact(entries[next]))
                next += 1
            }
            body(fact)
        }
    }

    private func record(_ key: CallKey, _ entries: [FactSpool.Entry]) throws(FactSpoolError) -> CallRecord? {
        var session = CallSession(key: key)
        var rows = CallSession.Rows()
        var events: [CallEvent] = []
        try forEachFact(entries) { fact in
            session.fold(fact, into: &rows)
            if case .event(let event) = fact { events.append(event) }
        }
        guard let summary = session.summary() else { return nil }
        return CallRecord(
            summary: summary, isDirty: false, intervals: rows.intervals,
            scores: rows.scores.filter { $0.series == .live }, windows: rows.scores.filter { $0.series == .window },
            events: events, others: [])
    }
}

/// How often each of the latest calls was opened and let go of. An identifier that is used again is used again soon, so
/// that not all of a long capture are kept.
private struct RecentAttempts {
    private var recent: [CallID: Int] = [:]
    private var older: [CallID: Int] = [:]

    private static let maximumCalls = 10_000

    func count(of call: CallID) -> Int { recent[call] ?? older[call] ?? 0 }

    mutating func add(_ call: CallID) {
        let number = count(of: call) + 1
        if recent.count >= Self.maximumCalls { (older, recent) = (recent, [:]) }
        recent[call] = number
    }
}
