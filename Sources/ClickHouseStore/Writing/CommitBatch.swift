import CallModel

/// The rows that a commit writes.
struct CommitBatch: Sendable {
    private let node: StoreNode
    private var rows: [String: RowBinaryWriter] = [:]
    /// The record rows, one for each record, as they stand after all changes.
    private(set) var records: [CallKey: RecordRow] = [:]
    /// Records whose facts are to be counted.
    private(set) var keysWithFacts: Set<CallKey> = []

    init(_ node: StoreNode) {
        self.node = node
    }

    /// In the order in which they are written, records last: what a record's row shows is there when it is seen.
    static let tables = [
        ClickHouseTable.facts, .samples, .scores, .names, .claims, .folds,
    ]

    /// The rows of a table; nothing when there are none.
    func rows(of table: ClickHouseTable) -> RowBinaryWriter {
        rows[table.name] ?? RowBinaryWriter()
    }

    /// Takes a change in, of a record that stands as `stored` says before it.
    /// - Parameters:
    ///   - change: What is new of it.
    ///   - stored: How it stands.
    ///   - isMerge: Whether it is what several nodes took, put together: whatever a node writes at the same moment stands
    ///     above it.
    /// - Throws: ``CallStoreError`` for one that cannot be stored.
    mutating func add(_ change: RecordChange, over stored: RecordHeadRow, isMerge: Bool = false) throws {
        guard !stored.isDeleted else {
            throw CallStoreError.refused(
                "call \(change.key.identity.call.rawValue) was evicted, and cannot be written to")
        }
        var head = stored
        head.version =
            isMerge ? StoreNode.versionOfMerge(after: stored.version) : node.version(after: stored.version)
        switch change.derived {
        case .append(let intervals, let scores):
            try add(intervals, scores, of: head)
        case .replace(let intervals, let scores):
            // Who merges the same at the same moment has rows of its own.
            head.generation = node.version(after: stored.version)
            try add(intervals, scores, of: head)
        }
        let (key, version) = (change.key, head.version)
        for fact in change.facts { add(FactRow(fact, of: key, node: node.name, version: version)) }
        for name in change.names { add(NameRow(name, of: key, version: version)) }
        for claim in change.claims { add(ClaimRow(claim, version: version)) }
        if let state = change.session { add(FoldRow(state, of: key, version: version)) }
        if !change.facts.isEmpty { keysWithFacts.insert(key) }
        records[key] = try RecordRow(change, over: head)
        records[key]?.head.isMerged = isMerge
    }

    /// Notes how many facts a record has.
    mutating func set(facts: UInt64, of key: CallKey) {
        records[key]?.head.facts = facts
    }

    private mutating func add(
        _ intervals: [MediaInterval], _ scores: [ScoreInterval], of head: RecordHeadRow
    ) throws {
        for interval in intervals {
            add(SampleRow(interval, of: head.key, generation: head.generation, version: head.version))
        }
        for score in scores {
            add(try ScoreRow(score, of: head.key, generation: head.generation, version: head.version))
        }
    }

    private mutating func add<Row: StoredRow>(_ row: Row) {
        row.write(to: &rows[Row.table.name, default: RowBinaryWriter()])
    }
}
