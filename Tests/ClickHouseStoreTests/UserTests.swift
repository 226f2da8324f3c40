import Foundation
import TestSupport
import Testing

@testable import ClickHouseStore

/// As whom the engine is asked: the users of `Scripts/clickhouse`.
@Suite(TestClickHouse.oneServer.required) struct UserTests {
    private func location(user: String, password: String?, database: String = "default") throws -> ClickHouseLocation {
        var parts = try #require(
            URLComponents(url: TestClickHouse.oneServer.location, resolvingAgainstBaseURL: false))
        parts.user = user
        parts.path = "/\(database)"
        return try ClickHouseLocation(try #require(parts.string), password: password)
    }

    @Test func `a password of any characters is understood`() async throws {
        try await ClickHouseClient.with(location(user: "sidetone", password: TestClickHouse.password)) { client in
            var reader = try await client.rows(
                "SELECT user FROM system.processes WHERE position(query, 'who asks this?') > 0")
            #expect(try reader.string() == "sidetone")
            #expect(!client.isReadOnly)
        }
    }

    @Test(
        arguments: [
            ("sidetone", "loop:back", 193), ("sidetone", nil, 194), ("nobody", "loop:back", 192),
        ] as [(String, String?, Int)])
    func `a wrong password or user is for the operator, who is told which`(
        user: String, password: String?, code: Int
    ) async throws {
        let error = try await #require(throws: ClickHouseError.self) {
            try await ClickHouseClient.with(location(user: user, password: password)) { _ in }
        }
        #expect(error.code == code)
        #expect(error.kind == .operator)
        #expect(error.message.contains(user))
        #expect(!error.message.contains("loop"))
    }

    @Test func `who may only read reads, and may not write`() async throws {
        try await TestClickHouse.oneServer.withClient { writer in
            try await writer.run("CREATE TABLE t (a UInt8) ENGINE = Memory")
            let location = try location(
                user: "reader", password: TestClickHouse.password, database: writer.location.database)
            try await ClickHouseClient.with(location) { reader in
                #expect(reader.isReadOnly)
                var answer = try await reader.rows("SELECT count() FROM t")
                #expect(try answer.uint64() == 0)
                let error = try await #require(throws: ClickHouseError.self) { try await reader.run("DROP TABLE t") }
                #expect(error.code == 164)
                #expect(error.kind == .operator)
            }
        }
    }
}
