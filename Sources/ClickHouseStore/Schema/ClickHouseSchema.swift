import CallModel

/// Makes the tables, and sees that they are those that this version knows.
struct ClickHouseSchema: Sendable {
    /// The version of the tables that this program writes.
    static let version: Int64 = 2
    /// The columns that a version added to tables that were there before.
    private static let added: [(version: Int64, table: ClickHouseTable, column: String)] = [(2, .records, "client")]

    private let client: ClickHouseClient
    private let database: String
    private let cluster: String?

    init(_ client: ClickHouseClient) {
        self.client = client
        database = client.location.database
        cluster = client.location.cluster
    }

    /// Which version made the tables; one row.
    static let versions = ClickHouseTable(
        "schema_version", key: ["name"], ["name": "String", "number": "Int64", "ver": "UInt64"])

    /// Makes what is not there, and brings tables of an earlier version up to this one. Where the tables are those of this
    /// version, nothing is asked of the nodes of a cluster that may be away.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)`` when the tables are of a later version; ``ClickHouseError``.
    func prepare() async throws {
        if let found = try await found() { return try await upgrade(from: found) }
        try await client.run(
            "CREATE DATABASE IF NOT EXISTS \(ClickHouseText.name(database))\(onCluster)", usesDatabase: false)
        for table in [Self.versions] + ClickHouseTable.all {
            for statement in creation(of: table) { try await client.run(statement) }
        }
        if try await check() == nil { try await writeVersion() }
    }

    /// The version of the tables. Where nothing can be asked, nothing is there, or it is found to be away when it is made.
    private func found() async throws -> Int64? {
        do {
            return try await check()
        } catch is ClickHouseError {
            return nil
        }
    }

    /// Nodes of the version before go on to write: what they leave out of a row is empty.
    private func upgrade(from found: Int64) async throws {
        guard found < Self.version else { return }
        for step in Self.added where step.version > found {
            guard let column = step.table.columns.first(where: { $0.name == step.column }) else { continue }
            let name = name(holding: step.table)
            if try await !has(column, in: name) {
                try await client.run(
                    "ALTER TABLE \(held(step.table))\(onCluster) ADD COLUMN \(column.name) \(column.type)")
            }
            // The table over all shards holds no rows, and old servers do not change one on a cluster.
            guard cluster != nil, try await !has(column, in: step.table.name) else { continue }
            try await client.run(
                "DROP TABLE IF EXISTS \(ClickHouseText.name(database)).\(step.table.name)\(onCluster)")
            for statement in creation(of: step.table) { try await client.run(statement) }
        }
        try await writeVersion()
    }

    /// `IF NOT EXISTS` of columns is younger than the servers that this program knows.
    private func has(_ column: ClickHouseTable.Column, in table: String) async throws -> Bool {
        let wanted = [database, table, column.name].map(ClickHouseText.literal)
        var answer = try await client.rows(
            "SELECT count() FROM system.columns WHERE database = \(wanted[0]) AND table = \(wanted[1]) AND name = \(wanted[2])"
        )
        return try answer.uint64() > 0
    }

    /// Notes which version the tables are of; once more where it is noted.
    func writeVersion() async throws {
        var row = RowBinaryWriter()
        row.write("schema")
        row.write(Self.version)
        row.write(UInt64(Self.version))
        try await client.insert(
            row, into: Self.versions.name, columns: Self.versions.columnNames, deduplicates: false)
    }

    /// The version of the tables that are there; `nil` while they are being made.
    @discardableResult
    func check() async throws -> Int64? {
        var answer = try await client.rows(
            "SELECT number FROM \(Self.versions.name) FINAL WHERE name = 'schema'")
        guard !answer.isAtEnd else { return nil }
        let found = try answer.int64()
        guard found <= Self.version else {
            throw CallStoreError.cannotOpen(
                "\(client.location)",
                reason: "its tables are of version \(found), and this program knows those up to \(Self.version)")
        }
        return found
    }

    /// Whether rows can be taken out of tables. Replicated ones of servers before 20.3 cannot: some crash of it, some no
    /// longer do what a cluster is asked, `docs/decisions/0011-a-record-is-seen-by-its-row.md`.
    var canDelete: Bool { cluster == nil || client.version >= ClickHouseVersion(major: 20, minor: 3) }

    /// Takes rows out for good, some time later. Where that cannot be done their contents go when the engine merges: rows of
    /// the same keys that hold nothing stand in their place.
    func delete(from table: ClickHouseTable, where condition: String) async throws {
        guard !canDelete else {
            try await client.run("ALTER TABLE \(held(table))\(onCluster) DELETE WHERE \(condition)")
            return
        }
        // A tombstone is in their place already.
        guard !table.columnNames.contains("deleted") else { return }
        let key = table.key.joined(separator: ", ")
        let (mark, value) = table.marksGone ? (", gone", ", 1") : ("", "")
        try await client.run(
            """
            INSERT INTO \(table.name) (\(key), ver\(mark))
            SELECT \(key), ver + 1\(value) FROM \(table.name) FINAL WHERE \(condition)
            """)
    }

    // MARK: Statements

    private var onCluster: String { cluster.map { " ON CLUSTER \(ClickHouseText.name($0))" } ?? "" }

    /// The table that holds rows itself. With its database: what runs on all nodes of a cluster knows no other.
    private func held(_ table: ClickHouseTable) -> String {
        "\(ClickHouseText.name(database)).\(name(holding: table))"
    }

    private func name(holding table: ClickHouseTable) -> String {
        cluster == nil ? table.name : table.name + "_local"
    }

    /// On a cluster each table is one of its own on every node, replicated within a shard, and one of the same name over
    /// all shards. All rows of a call are on one shard.
    private func creation(of table: ClickHouseTable) -> [String] {
        let columns = (table.columns + table.filledIn).map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        let order =
            "ORDER BY (\(table.key.joined(separator: ", "))) SETTINGS index_granularity = \(table.granularity)"
        guard let cluster else {
            return [
                """
                CREATE TABLE IF NOT EXISTS \(held(table)) (\(columns))
                ENGINE = ReplacingMergeTree(ver) \(order)
                """
            ]
        }
        let place = ClickHouseText.literal("/clickhouse/tables/{shard}/\(database)/\(table.name)")
        let shard = table.columnNames.contains("call_id") ? "cityHash64(call_id)" : "0"
        let parts = [cluster, database, name(holding: table)].map(ClickHouseText.literal).joined(separator: ", ")
        return [
            """
            CREATE TABLE IF NOT EXISTS \(held(table))\(onCluster) (\(columns))
            ENGINE = ReplicatedReplacingMergeTree(\(place), '{replica}', ver) \(order)
            """,
            """
            CREATE TABLE IF NOT EXISTS \(ClickHouseText.name(database)).\(table.name)\(onCluster) AS \(held(table))
            ENGINE = Distributed(\(parts), \(shard))
            """,
        ]
    }
}
