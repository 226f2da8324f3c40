public import CallModel

extension ClickHouseCallStore: SharedCallStore {
    /// See ``SharedCallStore``.
    public func commit(_ merges: [CallMerge]) async throws -> Int {
        guard !merges.isEmpty else { return 0 }
        return try await write {
            let wanted = merges.reduce(into: Set<CallKey>()) {
                $0.formUnion($1.versions.keys)
                $0.formUnion($1.changes.map(\.key))
            }
            var heads = try await self.heads(wanted)
            let standing = merges.filter { merge in
                let keys = Set(merge.versions.keys).union(merge.changes.map(\.key))
                return keys.allSatisfy { heads[$0]?.version == merge.versions[$0] }
                    && merge.changes.allSatisfy { heads[$0.key]?.isDeleted != true }
            }
            guard !standing.isEmpty else { return 0 }
            try await number(standing.flatMap(\.changes).map(\.key), in: &heads)
            for merge in standing {
                try await move(merge.moves)
                try await drop(merge.dropped)
            }
            try await save(standing, over: heads)
            return standing.count
        }
    }

    /// Facts, and what was derived, are there before the rows that show them; see ``save(_:)``.
    private func save(_ merges: [CallMerge], over heads: [CallKey: RecordHeadRow]) async throws {
        var batch = CommitBatch(node)
        for merge in merges {
            for change in merge.changes {
                guard let head = heads[change.key] else { continue }
                try batch.add(change, over: head, isMerge: true)
                batch.set(facts: UInt64(merge.facts[change.key] ?? 0), of: change.key)
            }
        }
        for table in CommitBatch.tables { try await insert(batch.rows(of: table), into: table) }
        let emptied = merges.flatMap(\.emptied).compactMap { heads[$0] }
        try await insert(
            Array(batch.records.values)
                + emptied.map { RecordRow(emptied: $0, version: StoreNode.versionOfMerge(after: $0.version)) })
        for part in emptied.map(\.key).parts(of: Condition.keysInStatement) {
            try await delete(Set(try await claims(where: Condition.records(part))))
            for table in [ClickHouseTable.names, .samples, .scores, .folds] {
                try await schema.delete(from: table, where: Condition.records(part))
            }
        }
    }

    /// Writes facts under the attempt that they belong to, each as the node's that took it, and takes them out where they
    /// were. What that node writes after this moment comes to where it was, and is moved the next time.
    private func move(_ moves: [CallKey: [CallKey: [FactKey]]]) async throws {
        for (source, targets) in moves {
            for (target, keys) in targets {
                for part in keys.parts(of: Condition.keysInStatement) {
                    let place = "\(Condition.record(source)) AND \(Condition.facts(part))"
                    var rows = RowBinaryWriter()
                    for var row in try await self.rows(FactRow.self, where: place) {
                        row.record = target
                        row.write(to: &rows)
                    }
                    // The same may have been moved before, and taken out again.
                    try await client.insert(
                        rows, into: FactRow.table.name, columns: FactRow.table.columnNames, deduplicates: false)
                    try await schema.delete(from: .facts, where: place)
                }
            }
        }
    }

    private func drop(_ links: [CallKey: RecordLinks]) async throws {
        for (key, links) in links {
            if !links.names.isEmpty {
                let names = links.names.map { name in
                    let columns = [name.kind.rawValue, name.text, name.source].map(Condition.literal)
                    return "(\(columns.joined(separator: ", ")))"
                }
                try await schema.delete(
                    from: .names,
                    where: "\(Condition.record(key)) AND (kind, name, source) IN (\(names.joined(separator: ", ")))")
            }
            let sessions = Set(links.claims.map(\.session))
            guard !sessions.isEmpty else { continue }
            let rows = try await claims(where: Condition.record(key))
            try await delete(Set(rows.filter { sessions.contains($0.claim.session) }))
        }
    }

    // MARK: Old rows

    /// See ``SharedCallStore``.
    public func removeOldRows(from start: Int64, to end: Int64) async throws -> Int {
        guard schema.canDelete else { return 0 }
        return try await write {
            let written = "written_s >= \(start) AND written_s < \(end)"
            let heads = try await self.heads(where: "generation > 0 AND \(written)")
            var cleaned: Set<CallKey> = []
            for part in heads.parts(of: Condition.keysInStatement) {
                let current = Dictionary(part.map { ($0.key, $0) }) { first, _ in first }
                for table in [ClickHouseTable.samples, .scores] {
                    let old = try await rows(
                        """
                        SELECT DISTINCT tenant, call_id, attempt, observer, generation FROM \(table.name)
                        WHERE \(Condition.records(current.keys))
                        """
                    ) { (key: try $0.callKey(), generation: try $0.uint64()) }
                    .filter { row in
                        // What is being written at this moment has a later one.
                        current[row.key].map { row.generation < $0.generation || !$0.isThere } ?? false
                    }
                    for some in old.parts(of: Condition.keysInStatement) {
                        let generations = some.map { "toUInt64(\($0.generation))" }
                        let rows = zip(some, generations).map { row, generation in
                            "(\(Condition.values(of: row.key)), \(generation))"
                        }
                        try await schema.delete(
                            from: table,
                            where: """
                                (tenant, call_id, attempt, observer, generation) IN (\(rows.joined(separator: ", ")))
                                """)
                        cleaned.formUnion(some.map(\.key))
                    }
                }
            }
            return cleaned.count
        }
    }
}
