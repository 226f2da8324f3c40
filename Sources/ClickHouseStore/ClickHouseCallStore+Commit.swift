public import CallModel

extension ClickHouseCallStore {
    /// - Throws: ``CallStoreError``. Facts for an evicted record are an error here: who commits has asked
    ///   ``records(of:)`` before.
    public func commit(
        _ changes: [RecordChange], marking dirty: some Collection<CallKey> & Sendable
    ) async throws {
        guard !changes.isEmpty || !dirty.isEmpty else { return }
        try await write {
            try await save(changes)
            try await mark(Set(dirty))
        }
    }

    private func save(_ changes: [RecordChange]) async throws {
        guard !changes.isEmpty else { return }
        var heads = try await self.heads(Set(changes.map(\.key)))
        try await number(changes.map(\.key), in: &heads)
        try await passGenerations(of: changes, in: &heads)
        var batch = CommitBatch(node)
        for change in changes {
            guard let head = batch.records[change.key]?.head ?? heads[change.key] else { continue }
            try batch.add(change, over: head)
        }
        for table in CommitBatch.tables { try await insert(batch.rows(of: table), into: table) }
        for (key, facts) in try await countFacts(of: batch.keysWithFacts) { batch.set(facts: facts, of: key) }
        try await insert(Array(batch.records.values))
    }

    /// Writes rows of `records`, in order of their numbers.
    func insert(_ records: [RecordRow]) async throws {
        var rows = RowBinaryWriter()
        for record in records.sorted(by: { $0.head.number < $1.head.number }) { record.write(to: &rows) }
        try await insert(rows, into: RecordRow.table)
    }

    /// How records stand, and tombstones.
    func heads(_ keys: Set<CallKey>) async throws -> [CallKey: RecordHeadRow] {
        var heads: [CallKey: RecordHeadRow] = [:]
        for part in Array(keys).parts(of: Condition.keysInStatement) {
            for head in try await self.heads(where: Condition.records(part)) { heads[head.key] = head }
        }
        return heads
    }

    func heads(where condition: String) async throws -> [RecordHeadRow] {
        try await rows(
            "SELECT \(RecordHeadRow.selection) FROM records FINAL WHERE \(condition)", RecordHeadRow.init)
    }

    /// Gives new records their numbers, in the order in which they come.
    func number(_ keys: [CallKey], in heads: inout [CallKey: RecordHeadRow]) async throws {
        guard keys.contains(where: { heads[$0] == nil }) else { return }
        if !numbers.isCounting {
            numbers.count(from: try await rows("SELECT max(number) FROM records") { try $0.int64() }.first ?? 0)
        }
        for key in keys where heads[key] == nil { heads[key] = RecordHeadRow(new: key, number: numbers.next()) }
    }

    /// Makes what replaces derived rows later than all that were ever written of the record. A commit that failed leaves
    /// rows that no record shows: they must not be taken for some of the commit that comes in its place.
    private func passGenerations(of changes: [RecordChange], in heads: inout [CallKey: RecordHeadRow]) async throws {
        let replaced = Set(changes.filter(\.derived.replaces).map(\.key))
        for part in Array(replaced).parts(of: Condition.keysInStatement) {
            for table in [ClickHouseTable.samples, .scores] {
                let found = try await rows(
                    """
                    SELECT tenant, call_id, attempt, observer, max(generation) FROM \(table.name)
                    WHERE \(Condition.records(part)) GROUP BY tenant, call_id, attempt, observer
                    """
                ) { (key: try $0.callKey(), generation: try $0.uint64()) }
                for (key, generation) in found {
                    guard let version = heads[key]?.version else { continue }
                    heads[key]?.version = max(version, generation)
                }
            }
        }
    }

    private func countFacts(of keys: Set<CallKey>) async throws -> [CallKey: UInt64] {
        var counts: [CallKey: UInt64] = [:]
        for part in Array(keys).parts(of: Condition.keysInStatement) {
            let found = try await rows(
                """
                SELECT tenant, call_id, attempt, observer, uniqExact(time_ms, rank, name) FROM facts
                WHERE \(Condition.records(part)) GROUP BY tenant, call_id, attempt, observer
                """
            ) { (try $0.callKey(), try $0.uint64()) }
            for (key, count) in found { counts[key] = count }
        }
        return counts
    }

    // MARK: Marks

    private func mark(_ keys: Set<CallKey>) async throws {
        for part in Array(keys).parts(of: Condition.keysInStatement) {
            try await mark(where: Condition.records(part))
        }
    }

    /// Notes that records wait for a new fold: those that do not yet, and are there.
    func mark(where condition: String? = nil) async throws {
        let wanted = (["deleted = 0", "dirty = 0"] + [condition].compactMap(\.self)).joined(separator: " AND ")
        let columns = RecordRow.table.columnNames.map { name in
            switch name {
            case "dirty": "toUInt8(1)"
            case "merged": "toUInt8(0)"
            case "ver": node.version(afterColumn: "ver")
            default: name
            }
        }
        try await client.run(
            """
            INSERT INTO records (\(RecordRow.table.selection))
            SELECT \(columns.joined(separator: ", ")) FROM records FINAL WHERE \(wanted)
            """)
    }

    public func markAllDirty(_ calls: Set<CallIdentity>) async throws {
        try await write {
            guard !calls.isEmpty else { return try await mark() }
            for part in Array(calls).parts(of: Condition.keysInStatement) {
                try await mark(where: Condition.calls(part))
            }
        }
    }
}

extension RecordChange.DerivedRows {
    fileprivate var replaces: Bool {
        if case .replace = self { true } else { false }
    }
}

extension Array {
    /// In pieces of at most so many.
    func parts(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
