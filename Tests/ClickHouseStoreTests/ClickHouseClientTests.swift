import TestSupport
import Testing

@testable import ClickHouseStore

/// The client and a real server.
@Suite(TestClickHouse.oneServer.required) struct ClickHouseClientTests {
    private static let types = RandomRow.columns.map { "\(ClickHouseText.name($0.0)) \($0.1)" }.joined(separator: ", ")
    private static let names = RandomRow.columns.map(\.0)

    private func table(of client: ClickHouseClient, engine: String = "Memory") async throws {
        try await client.run("CREATE TABLE rows (\(Self.types)) ENGINE = \(engine)")
    }

    private func rows(of client: ClickHouseClient) async throws -> [RandomRow] {
        var reader = try await client.rows("SELECT * FROM rows")
        var rows: [RandomRow] = []
        while !reader.isAtEnd { rows.append(try RandomRow(reading: &reader)) }
        return rows
    }

    @Test func `rows of every type and of every limit come back`() async throws {
        var random = RandomSource(seed: 8)
        let written = (0..<2000).map { _ in RandomRow(using: &random) }
        try await TestClickHouse.oneServer.withClient { client in
            try await table(of: client)
            var writer = RowBinaryWriter()
            written.forEach { $0.write(to: &writer) }
            try await client.insert(writer, into: "rows", columns: Self.names)
            try await client.insert(RowBinaryWriter(), into: "no such table", columns: [])
            #expect(Set(try await rows(of: client)) == Set(written))
            #expect(try await rows(of: client).count == written.count)
        }
    }

    @Test func `columns may be named in another order, and some left out`() async throws {
        try await TestClickHouse.oneServer.withClient { client in
            try await client.run("CREATE TABLE t (`odd 'name` String, b UInt8, c Int64) ENGINE = Memory")
            var writer = RowBinaryWriter()
            writer.write(7 as Int64)
            writer.write("x")
            try await client.insert(writer, into: "t", columns: ["c", "odd 'name"])
            var reader = try await client.rows("SELECT `odd 'name`, b, c FROM t")
            #expect(try [reader.string(), "\(reader.uint8())", "\(reader.int64())"] == ["x", "0", "7"])
            #expect(reader.isAtEnd)
        }
    }

    @Test func `a statement of a megabyte is answered`() async throws {
        try await TestClickHouse.oneServer.withClient { client in
            let text = String(repeating: "é", count: 500_000)
            var reader = try await client.rows("SELECT \(ClickHouseText.literal(text))")
            #expect(try reader.string() == text)
        }
    }

    @Test func `a statement of ten thousand texts is answered`() async throws {
        try await TestClickHouse.oneServer.withClient { client in
            let texts = (0..<10_000).map { ClickHouseText.literal("call-\($0)") }.joined(separator: ", ")
            var reader = try await client.rows(
                "SELECT count() FROM numbers(20000) WHERE concat('call-', toString(number)) IN (\(texts))")
            #expect(try reader.uint64() == 10_000)
        }
    }

    @Test func `many ask at once`() async throws {
        try await TestClickHouse.oneServer.withClient { client in
            try await withThrowingTaskGroup(of: (UInt64, UInt64).self) { group in
                for number in 0..<50 as Range<UInt64> {
                    group.addTask {
                        var reader = try await client.rows("SELECT toUInt64(\(number)) FROM numbers(1000)")
                        return (number, try reader.uint64())
                    }
                }
                for try await (asked, answered) in group { #expect(asked == answered) }
            }
        }
    }

    // MARK: What goes wrong

    private func error(_ body: (ClickHouseClient) async throws -> Void) async throws -> ClickHouseError {
        try await TestClickHouse.oneServer.withClient { client in
            try await #require(throws: ClickHouseError.self) { try await body(client) }
        }
    }

    @Test func `a table that is not there is for the operator`() async throws {
        let error = try await error { try await $0.run("INSERT INTO nothing SELECT 1") }
        #expect(error.code == 60)
        #expect(error.kind == .operator)
        #expect(error.message.hasPrefix("ClickHouse at 127.0.0.1:"))
        #expect(error.message.contains("nothing"))
    }

    @Test func `a row that ends too early is put aside, and nothing of its batch is stored`() async throws {
        try await TestClickHouse.oneServer.withClient { client in
            try await client.run("CREATE TABLE t (a String, b UInt64) ENGINE = Memory")
            var writer = RowBinaryWriter()
            for number in 0..<10 as Range<UInt64> {
                writer.write("row")
                writer.write(number)
            }
            writer.write("half a row")
            let error = try await #require(throws: ClickHouseError.self) {
                try await client.insert(writer, into: "t", columns: ["a", "b"])
            }
            #expect(error.code == 33)
            #expect(error.kind == .poison)
            var reader = try await client.rows("SELECT count() FROM t")
            #expect(try reader.uint64() == 0)
        }
    }

    @Test func `an error in the middle of an answer is an error, not rows`() async throws {
        let error = try await error {
            _ = try await $0.rows("SELECT number, throwIf(number = 500000) FROM numbers(1000000)")
        }
        #expect(error.code == 395)
    }

    @Test func `an answer that is no such rows is an error`() async throws {
        let error = try await error {
            var reader = try await $0.rows("SELECT 'text' FROM numbers(3)")
            while !reader.isAtEnd { _ = try reader.uint64() }
        }
        #expect(error.kind == .operator)
    }

    @Test func `a database that is not there is for the operator, and can be made`() async throws {
        try await TestClickHouse.oneServer.withClient { client in
            try await client.run("DROP DATABASE \(ClickHouseText.name(client.location.database))", usesDatabase: false)
            let error = try await #require(throws: ClickHouseError.self) { try await client.rows("SELECT 1") }
            #expect(error.code == 81)
            #expect(error.kind == .operator)
            // A client that connects now finds the server all the same.
            try await ClickHouseClient.with(client.location) { other in
                let name = ClickHouseText.name(client.location.database)
                try await other.run("CREATE DATABASE \(name)", usesDatabase: false)
                _ = try await other.rows("SELECT 1")
            }
        }
    }
}
