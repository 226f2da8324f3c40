import CallModel
import TestSupport
import Testing

@testable import ClickHouseStore

/// The client and two shards of two replicas.
@Suite(TestClickHouse.cluster.required) struct ClusterTests {
    private func table(of client: ClickHouseClient) async throws {
        let cluster = ClickHouseText.name(try #require(client.location.cluster))
        // Other nodes carry it out in a database of theirs.
        let database = ClickHouseText.name(client.location.database)
        let path = ClickHouseText.literal("/sidetone/\(client.location.database)/{shard}/t")
        try await client.run(
            """
            CREATE TABLE t_local ON CLUSTER \(cluster) (a UInt64)
            ENGINE = ReplicatedMergeTree(\(path), '{replica}') ORDER BY a
            """)
        try await client.run(
            """
            CREATE TABLE t ON CLUSTER \(cluster) (a UInt64)
            ENGINE = Distributed(\(cluster), \(database), t_local, intHash64(a))
            """)
    }

    private func count(_ table: String, of client: ClickHouseClient) async throws -> UInt64 {
        var reader = try await client.rows("SELECT count() FROM \(table)")
        return try reader.uint64()
    }

    private func rows(_ numbers: Range<UInt64>) -> RowBinaryWriter {
        var writer = RowBinaryWriter()
        numbers.forEach { writer.write($0) }
        return writer
    }

    @Test func `rows are where they belong when the insert returns`() async throws {
        try await TestClickHouse.cluster.withClient { client in
            try await table(of: client)
            try await client.insert(rows(0..<1000), into: "t", columns: ["a"])
            #expect(try await count("t", of: client) == 1000)
            #expect((400...600).contains(try await count("t_local", of: client)))
        }
    }

    @Test func `the same insert again is left out, unless it is to be stored whatever was before`() async throws {
        try await TestClickHouse.cluster.withClient { client in
            try await table(of: client)
            try await client.insert(rows(0..<1000), into: "t", columns: ["a"])
            try await client.insert(rows(0..<1000), into: "t", columns: ["a"])
            #expect(try await count("t", of: client) == 1000)
            try await client.insert(rows(0..<1000), into: "t", columns: ["a"], deduplicates: false)
            #expect(try await count("t", of: client) == 2000)
            try await client.insert(rows(1000..<2000), into: "t", columns: ["a"])
            #expect(try await count("t", of: client) == 3000)
        }
    }

    /// Asked to delete rows, servers of before 20.3 crash.
    @Test func `nothing is left of what rows held that are to go`() async throws {
        try await TestClickHouse.cluster.withClient { client in
            let schema = ClickHouseSchema(client)
            try await schema.prepare()
            for (call, text) in [("gone", "a"), ("stays", "b")] {
                let identity = CallIdentity(tenant: TenantID(rawValue: "t"), call: CallID(rawValue: call))
                let key = CallKey(identity: identity, observer: .client, attempt: 1)
                let fold = FoldRow(Array(text.utf8), of: key, version: 7)
                var rows = RowBinaryWriter()
                fold.write(to: &rows)
                try await client.insert(
                    rows, into: ClickHouseTable.folds.name, columns: ClickHouseTable.folds.columnNames)
            }
            try await schema.delete(from: .folds, where: "call_id = 'gone'")
            var left = try await client.rows("SELECT state FROM folds FINAL WHERE state != '' ORDER BY state")
            #expect(try left.string() == "b")
            #expect(left.isAtEnd)
        }
    }
}
