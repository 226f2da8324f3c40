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
    private var sessions = FoldedSessions()
    /// Sessions of which calls have all.
    private var absorbed: Set<CallID> = []

    /// A call that was not let go of.
    private struct OpenCall {
        /// Tells its attempts apart, as a collector does that gets the facts in the same order.
        var router = AttemptRouter([], silenceMilliseconds: CollectorLimits().attemptSilenceMilliseconds)
        /// The facts of each attempt.
        var chains: [FactSpool.Chain] = []
        /// Whether the beginning of the first is among them.
        var isOpened = false

        /// - Returns: the number of the attempt that it is of, among those that were not let go of.
        mutating func take(
            _ fact: Fact, observer: ObserverID, into spool: inout FactSpool
        ) throws(FactSpoolError) -> Int {
            // None is evicted, so there is an attempt for each.
            let number = router.route(fact, of: observer) ?? 1
            if number > chains.count { chains.append(FactSpool.Chain()) }
            try spool.append(fact, observer: observer, to: &chains[number - 1])
            if number == 1, !isOpened, fact.opensCall { isOpened = true }
            return number
        }

        /// The number of its first attempt, where so many were let go of.
        func firstAttempt(after count: Int) -> Int {
            isOpened ? count + 1 : max(1, count)
        }
    }

    /// - Parameters:
    ///   - hasClients: whether clients may have told of the calls, and not probes alone.
    ///   - folder: where a temporary file may be made; `nil` for the folder that the system has for such (`TMPDIR`).
    ///   - bufferBytes: how much is kept in memory before that file is used.
    public init(hasClients: Bool, folder: String? = nil, bufferBytes: Int = 8 << 20) {
        self.hasClients = hasClients
        spool = FactSpool(folder: folder, bufferBytes: bufferBytes)
    }

    /// Takes in a fact of one end's record of a call, and the names that its message gives the call beside it.
    /// - Throws: when the temporary file cannot be made or written.
    public mutating func take(
        _ fact: Fact, call: CallID, observer: ObserverID, names: [CallName] = []
    ) throws(FactSpoolError) {
        let attempt = try calls[call, default: OpenCall()].take(fact, observer: observer, into: &spool)
        guard hasClients else { return }
        sessions.take(fact, names: names, of: Self.key(call, observer, attempt: attempt))
    }

    /// Gives calls what was told under the ids of their sessions, when all was taken in. A session of which nothing is left
    /// then is no call of its own.
    /// - Throws: when the temporary file cannot be read.
    public mutating func joinSessions() throws(FactSpoolError) {
        for (session, claims) in sessions.claims.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let records = try recordsAlone(of: session)
            var told: [(SessionShare.Item, FactSpool.Entry)] = []
            for record in records {
                for entry in record.entries {
                    told.append((SessionShare.Item(holder: record.place, fact: try spool.fact(entry)), entry))
                }
            }
            guard !told.isEmpty else { continue }
            sessions.divide(session, claims: claims, told: told)
            if records.allSatisfy({ sessions.isAbsorbed($0.place) }) { absorbed.insert(session) }
        }
    }

    /// The calls that claim a session.
    public func claimants(of session: CallID) -> Set<CallID> {
        Set((sessions.claims[session] ?? []).map(\.key.identity.call))
    }

    /// Folds a call of which nothing more comes, without its time series.
    /// - Returns: its records, in the order in which they are shown; empty when nothing is known of it.
    /// - Throws: when the temporary file cannot be read.
    public func summaries(of call: CallID) throws(FactSpoolError) -> [CallSummary] {
        var summaries: [CallSummary] = []
        for record in try toldRecords(of: call) {
            // Only what a client says of the quality is held against the live series.
            var session = CallSession(key: record.key, hasLiveScores: hasClients)
            for doubt in record.doubts { session.note(doubt) }
            var rows = CallSession.Rows()
            try forEachFact(record.entries) { fact in
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
        for told in try toldRecords(of: call) {
            if let record = try record(told) { records.append(record) }
        }
        records.sort { CallSummary.areInReportOrder($0.summary, $1.summary) }
        let summaries = records.map(\.summary)
        for index in records.indices {
            let own = records[index].summary.key
            records[index].others = summaries.filter { $0.key != own && $0.key.attempt == own.attempt }
        }
        return records
    }

    /// Lets go of a call.
    public mutating func forget(_ call: CallID) {
        guard let known = calls.removeValue(forKey: call) else { return }
        sessions.forget(call)
        for chain in known.chains { spool.forget(chain) }
        guard known.isOpened || known.chains.count > 1 else { return }
        attempts.set(call, to: known.firstAttempt(after: attempts.count(of: call)) + known.chains.count - 1)
    }

    /// The calls that were not let go of.
    public var open: [CallID] {
        calls.keys.filter { !absorbed.contains($0) }.sorted { $0.rawValue < $1.rawValue }
    }

    /// How many attempts they have in all.
    public var openAttempts: Int {
        calls.reduce(0) { absorbed.contains($1.key) ? $0 : $0 + $1.value.chains.count }
    }

    // MARK: Folding

    /// What was told of one end's record.
    private struct ToldRecord {
        var key: CallKey
        /// The key while no call had been let go of: sessions go by it.
        var place: CallKey
        /// In the order in which they are folded.
        var entries: [FactSpool.Entry]
        var doubts: [String] = []
    }

    private static func key(_ call: CallID, _ observer: ObserverID, attempt: Int) -> CallKey {
        CallKey(identity: CallIdentity(tenant: .default, call: call), observer: observer, attempt: attempt)
    }

    /// The facts of each end's record, under the call's own id alone.
    private func recordsAlone(of call: CallID) throws(FactSpoolError) -> [ToldRecord] {
        guard let known = calls[call] else { return [] }
        let first = known.firstAttempt(after: attempts.count(of: call))
        var records: [ToldRecord] = []
        for (index, chain) in known.chains.enumerated() {
            for (observer, entries) in Dictionary(grouping: try spool.entries(of: chain), by: \.observer) {
                records.append(
                    ToldRecord(
                        key: Self.key(call, observer, attempt: first + index),
                        place: Self.key(call, observer, attempt: index + 1),
                        entries: entries.sorted { $0.key < $1.key }))
            }
        }
        return records
    }

    /// The facts of each end's record, and what it has of its sessions.
    private func toldRecords(of call: CallID) throws(FactSpoolError) -> [ToldRecord] {
        var records = try recordsAlone(of: call).filter { !sessions.isAbsorbed($0.place) }
        for index in records.indices {
            let part = sessions.part(of: records[index].place)
            records[index].doubts = part.doubts
            if part.entries.isEmpty { continue }
            records[index].entries = (records[index].entries + part.entries).sorted { $0.key < $1.key }
        }
        return records
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

    private func record(_ told: ToldRecord) throws(FactSpoolError) -> CallRecord? {
        var session = CallSession(key: told.key)
        for doubt in told.doubts { session.note(doubt) }
        var rows = CallSession.Rows()
        var events: [CallEvent] = []
        try forEachFact(told.entries) { fact in
            session.fold(fact, into: &rows)
            if case .event(let event) = fact { events.append(event) }
        }
        guard let summary = session.summary() else { return nil }
        var record = CallRecord(
            summary: summary, isDirty: false, intervals: rows.intervals,
            scores: rows.scores.filter { $0.series == .live }, windows: rows.scores.filter { $0.series == .window },
            events: events, others: [])
        record.ties.names = sessions.names(of: told.place)
        return record
    }
}

/// How often each of the latest calls was opened and let go of. An identifier that is used again is used again soon, so
/// that not all of a long capture are kept.
private struct RecentAttempts {
    private var recent: [CallID: Int] = [:]
    private var older: [CallID: Int] = [:]

    private static let maximumCalls = 10_000

    func count(of call: CallID) -> Int { recent[call] ?? older[call] ?? 0 }

    mutating func set(_ call: CallID, to number: Int) {
        if recent.count >= Self.maximumCalls { (older, recent) = (recent, [:]) }
        recent[call] = number
    }
}
