public import CallModel
import StoreParts

extension ClickHouseCallStore {
    // MARK: Records

    public func records(of identity: CallIdentity) async throws -> [RecordHead] {
        let rows = try await heads(where: "deleted != 2 AND \(Condition.call(identity))")
        let claims = try await self.claims(where: Condition.call(identity)).map(\.claim)
        return rows.map { row in
            let own = row.isDeleted ? [] : claims.filter { $0.key == row.key }
            return RecordHead(row, claim: own.min { $0.session.call.rawValue < $1.session.call.rawValue })
        }
        .sorted { ($0.key.attempt, $0.key.observer.rawValue) < ($1.key.attempt, $1.key.observer.rawValue) }
    }

    /// The record with a key, unless it is not there or went.
    func head(of key: CallKey) async throws -> RecordHeadRow? {
        try await heads(where: Condition.record(key)).first(where: \.isThere)
    }

    public func session(of key: CallKey) async throws -> [UInt8]? {
        guard try await head(of: key) != nil else { return nil }
        return try await rows(FoldRow.self, where: Condition.record(key)).first?.state
    }

    /// Records that wait for a new fold, longest first.
    public func dirtyRecords(limit: Int) async throws -> [CallKey] {
        try await rows(
            """
            SELECT tenant, call_id, attempt, observer FROM records FINAL WHERE dirty = 1 AND deleted = 0
            ORDER BY received_ms, number LIMIT \(max(limit, 0))
            """
        ) { try $0.callKey() }
    }

    // MARK: Facts

    public func facts(of key: CallKey, among keys: [FactKey]) async throws -> [Fact] {
        guard !keys.isEmpty, try await head(of: key) != nil else { return [] }
        var found: [Fact] = []
        for part in keys.parts(of: Condition.keysInStatement) {
            found += try await facts(of: key, where: Condition.facts(part))
        }
        return Fact.united(found)
    }

    public func facts(of key: CallKey) async throws -> [Fact] {
        guard try await head(of: key) != nil else { return [] }
        return try await facts(of: key, where: nil)
    }

    public func facts(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> PartlyRead<[Fact]> {
        guard try await head(of: key) != nil else { return PartlyRead([]) }
        let until = "\(Condition.record(key)) AND time_ms <= \(moment?.milliseconds ?? .max)"
        let reports = try await rows(
            """
            SELECT max(time_ms) AS latest, name FROM facts WHERE \(until) AND rank = \(FactKey.reportRank)
            GROUP BY name ORDER BY latest DESC, name LIMIT \(max(0, limit))
            """
        ) { row in
            let time = Timestamp(milliseconds: try row.int64())
            return FactKey(time: time, rank: FactKey.reportRank, name: try row.string())
        }
        let wire = try await rows(
            """
            SELECT time_ms FROM facts WHERE \(until) AND rank = \(FactKey.wireRank)
            ORDER BY time_ms DESC LIMIT 1
            """
        ) { FactKey(time: Timestamp(milliseconds: try $0.int64()), rank: FactKey.wireRank, name: "") }
        let keys = reports + wire
        return PartlyRead(keys.isEmpty ? [] : try await facts(of: key, where: Condition.facts(keys)))
    }

    /// What several nodes took of one fact is one.
    private func facts(of key: CallKey, where condition: String?) async throws -> [Fact] {
        let wanted = [Condition.record(key), condition].compactMap(\.self).joined(separator: " AND ")
        return Fact.united(try await rows(FactRow.self, where: wanted).map(\.fact))
    }

    /// The record's own events and those of its sessions; one that was told under both ids is shown once.
    public func events(of key: CallKey) async throws -> PartlyRead<[CallEvent]> {
        guard let head = try await head(of: key) else { return PartlyRead([]) }
        return PartlyRead(try await events(of: head))
    }

    func events(of head: RecordHeadRow) async throws -> [CallEvent] {
        let events = "rank NOT IN (\(FactKey.reportRank), \(FactKey.wireRank))"
        var found = try await facts(of: head.key, where: events)
        let joined = try JoinedEvents(head.joined, in: head.key.identity.tenant).events
        for (source, keys) in joined { found += try await facts(of: source, among: keys) }
        return Fact.events(among: found)
    }

    // MARK: Derived rows

    public func intervals(of key: CallKey) async throws -> [MediaInterval] {
        guard let head = try await head(of: key) else { return [] }
        return try await intervals(of: head)
    }

    func intervals(of head: RecordHeadRow) async throws -> [MediaInterval] {
        try await rows(SampleRow.self, where: Self.derived(of: head)).map(\.interval)
            .sorted { ($0.end, $0.stream) < ($1.end, $1.stream) }
    }

    public func scores(of key: CallKey, series: ScoreInterval.Series) async throws -> [ScoreInterval] {
        guard let head = try await head(of: key) else { return [] }
        return try await scores(of: head).filter { $0.series == series }
    }

    /// Of both series, in order of start.
    func scores(of head: RecordHeadRow) async throws -> [ScoreInterval] {
        try await rows(ScoreRow.self, where: Self.derived(of: head)).map(\.score).sorted { $0.start < $1.start }
    }

    private static func derived(of head: RecordHeadRow) -> String {
        "\(Condition.record(head.key)) AND generation = \(head.generation)"
    }

    public func series(of key: CallKey) async throws -> CallSeries? {
        guard let head = try await head(of: key) else { return nil }
        let scores = try await self.scores(of: head)
        return CallSeries(
            intervals: try await intervals(of: head), scores: scores.filter { $0.series == .live },
            windows: scores.filter { $0.series == .window }
                + (try await openWindows(where: Condition.record(key)))[key, default: []],
            isDirty: head.isDirty)
    }

    /// What came after the last complete window of calls: the summary has it, for every report makes it anew.
    func openWindows(where condition: String) async throws -> [CallKey: [ScoreInterval]] {
        let rows = try await rows(
            """
            SELECT tenant, call_id, attempt, observer, visitParamExtractRaw(summary, 'openWindow') FROM records FINAL
            WHERE deleted = 0 AND \(condition)
            """
        ) { row in
            let (key, text) = (try row.callKey(), try row.string())
            return (key, try understanding("the last window of a call") { try StoredJSON.openWindow(of: text) })
        }
        return Dictionary(rows) { first, _ in first }
    }

    // MARK: Whole records

    public func summaries(of identity: CallIdentity) async throws -> [StoredSummary] {
        try await summaries(where: Condition.call(identity))
            .sorted { left, right in
                let (left, right) = (left.summary.key, right.summary.key)
                return (left.attempt, left.observer.rawValue) < (right.attempt, right.observer.rawValue)
            }
    }

    func summaries(where condition: String) async throws -> [StoredSummary] {
        try await rows(
            "SELECT summary, dirty, stands_alone FROM records FINAL WHERE deleted = 0 AND \(condition)"
        ) { row in
            let text = try row.string()
            let summary = try understanding("the summary of a call") { try StoredJSON.summary(of: text) }
            return StoredSummary(summary: summary, isDirty: try row.bool(), standsAlone: try row.bool())
        }
    }

    public func record(_ key: CallKey) async throws -> CallRecord? {
        try await records([key]).first
    }

    public func records(_ keys: [CallKey]) async throws -> [CallRecord] {
        var known = KnownRecords()
        var records: [CallRecord] = []
        for key in keys {
            if let record = try await record(key, &known) { records.append(record) }
        }
        return records
    }

    private func record(_ key: CallKey, _ known: inout KnownRecords) async throws -> CallRecord? {
        guard let head = try await head(of: key) else { return nil }
        let ties = try await self.ties(of: head)
        let identities = Set([key.identity] + ties.related.map(\.identity))
        for call in identities where known.summaries[call] == nil {
            known.learn(try await summaries(of: call), of: call)
        }
        let scores = try await self.scores(of: head)
        var found = CallRecord(
            key, of: known.summaries(of: identities),
            intervals: try await intervals(of: head), scores: scores.filter { $0.series == .live },
            windows: scores.filter { $0.series == .window }, events: try await events(of: head), ties: ties)
        for other in found?.others.prefix(CallRecord.mostJoined).map(\.key) ?? [] {
            if known.intervals[other] == nil { known.intervals[other] = try await intervals(of: other) }
            found?.otherIntervals[other] = known.intervals[other]
        }
        return found
    }

    public func latestReceipt() async throws -> Timestamp? {
        let latest = try await rows("SELECT max(received_ms), count() FROM records FINAL WHERE deleted = 0") { row in
            (milliseconds: try row.int64(), count: try row.count())
        }
        return latest.first.flatMap { $0.count > 0 ? Timestamp(milliseconds: $0.milliseconds) : nil }
    }

    public func counts() async throws -> StoreCounts {
        let counts = try await rows(
            """
            SELECT uniqExactIf((tenant, call_id, attempt), deleted = 0 AND \(Condition.isCall())),
            countIf(deleted = 0), sum(facts), countIf(\(RecordHeadRow.isTombstone)) FROM records FINAL
            """
        ) { row in
            StoreCounts(
                calls: try row.count(), records: try row.count(), facts: try row.count(),
                tombstones: try row.count())
        }
        return counts.first ?? StoreCounts(calls: 0, records: 0, facts: 0, tombstones: 0)
    }
}
