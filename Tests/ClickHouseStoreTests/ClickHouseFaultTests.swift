import Foundation
import TestSupport
import Testing

@testable import ClickHouseStore

/// No server, a server that dies, and what is no server.
@Suite struct ClickHouseFaultTests {
    private func failure(port: Int, host: String = "127.0.0.1") async throws -> ClickHouseError {
        try await #require(throws: ClickHouseError.self) {
            try await ClickHouseClient.connect(ClickHouseLocation("clickhouse://\(host):\(port)", password: nil))
        }
    }

    private func failure(answer: String) async throws -> (ClickHouseError, port: Int) {
        try await FakeServer.with(answer: answer) { (try await failure(port: $0.port), $0.port) }
    }

    @Test func `where nothing listens, or nobody lives, it is worth trying again`() async throws {
        // A port that no other test can have got meanwhile.
        let port = 1
        #expect(
            try await failure(port: port)
                == ClickHouseError(kind: .retry, message: "ClickHouse at 127.0.0.1:\(port): nothing listens there"))
        let nobody = try await failure(port: port, host: "nobody.invalid")
        #expect(
            nobody
                == ClickHouseError(kind: .retry, message: "ClickHouse at nobody.invalid:\(port): there is no such host")
        )
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\u{7}18.16.1",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n\u{7}18.16.1\r\n",
    ]) func `a connection that ends before the answer does is worth another try`(answer: String) async throws {
        let (error, port) = try await failure(answer: answer)
        #expect(
            error == ClickHouseError(kind: .retry, message: "ClickHouse at 127.0.0.1:\(port): it closed the connection")
        )
    }

    @Test(arguments: [
        (
            "HTTP/1.1 503 Later\r\nContent-Length: 4\r\n\r\nbusy", ClickHouseError.Kind.retry,
            "answers 503, not as ClickHouse does: busy"
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n", .operator,
            "answers 302, not as ClickHouse does"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n<html></html>\r\n", .operator,
            "ClickHouse's answer is not what was asked for: 60 bytes that are not there, at byte 1 of 15"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\u{1}x\0", .operator, "says that its version is \"x\""
        ),
        (
            "HTTP/1.1 200 OK\r\nX-ClickHouse-Exception-Code: 159\r\nContent-Length: 41\r\n\r\n"
                + "\u{7}18.16.1Code: 159. DB::Exception: Timeout", .retry, "refuses: Timeout"
        ),
    ]) func `what is no ClickHouse, or one in trouble, is told apart`(
        answer: String, kind: ClickHouseError.Kind, words: String
    ) async throws {
        let (error, _) = try await failure(answer: answer)
        #expect(error.kind == kind)
        #expect(error.message.hasSuffix(words), "\(error.message)")
    }

    @Test func `an answer that is longer than wanted is not kept`() async throws {
        let answer = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1 << 17)
        let (error, port) = try await failure(answer: answer)
        #expect(error.message == "ClickHouse at 127.0.0.1:\(port): the answer is longer than 65536 bytes")
    }

    @Test func `a server that never answers is given up`() async throws {
        try await FakeServer.with(answer: nil) { server in
            let location = try ClickHouseLocation("clickhouse://127.0.0.1:\(server.port)", password: nil)
            let transport = try ClickHouseTransport(to: location)
            await #expect(
                throws: ClickHouseError(
                    kind: .retry, message: "ClickHouse at 127.0.0.1:\(server.port): it takes too long to answer")
            ) {
                try await transport.send(
                    ClickHouseRequest(timeoutSeconds: 1), to: location.servers[0], mostBytes: 100)
            }
            await transport.close()
        }
    }

    @Test(ClickHouseServers.required) func `a server that is killed in the middle of a request, and comes back`()
        async throws
    {
        try await ClickHouseServers.with { servers in
            let location = try ClickHouseLocation(servers.address(), password: nil)
            try await ClickHouseClient.with(location) { client in
                try await client.run("CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a")
                var writer = RowBinaryWriter()
                for number in 0..<1000 as Range<UInt64> { writer.write(number) }
                try await client.insert(writer, into: "t", columns: ["a"])

                let slow = Task { try await client.rows("SELECT count() FROM numbers(1000000000000)") }
                try await Self.untilItRuns("numbers(1000000000000)", asked: client)
                try await servers.kill("node")
                let place = location.servers[0]
                await #expect(
                    throws: ClickHouseError(kind: .retry, message: "ClickHouse at \(place): it closed the connection")
                ) { try await slow.value }
                // Whoever is first may still be given the other connection, which has just been closed.
                await #expect(throws: ClickHouseError.self) { try await client.run("SELECT 1") }
                await #expect(
                    throws: ClickHouseError(kind: .retry, message: "ClickHouse at \(place): nothing listens there")
                ) { try await client.insert(writer, into: "t", columns: ["a"]) }

                try await servers.restart("node")
                var reader = try await client.rows("SELECT count() FROM t")
                #expect(try reader.uint64() == 1000)
            }
        }
    }

    @Test(ClickHouseServers.required) func `another server is asked when one does not answer`() async throws {
        try await ClickHouseServers.with { servers in
            let server = try ClickHouseLocation(servers.address(), password: nil).servers[0]
            // Nothing listens on port 1.
            let location = try ClickHouseLocation(
                "clickhouse://127.0.0.1:1,\(server)/default?cluster=west", password: nil)
            try await ClickHouseClient.with(location) { client in
                var reader = try await client.rows("SELECT 1")
                #expect(try reader.uint8() == 1)
                // It stays with the one that answered, whatever that says.
                for _ in 1...2 {
                    await #expect(throws: ClickHouseError.self) { try await client.rows("SELECT nothing") }
                    _ = try await client.rows("SELECT 1")
                }

                try await servers.kill("node")
                var places: [String] = []
                for _ in 1...3 {
                    do throws(ClickHouseError) {
                        _ = try await client.rows("SELECT 1")
                    } catch {
                        places.append(error.message)
                    }
                }
                #expect(
                    places
                        == [server.description, "127.0.0.1:1", server.description].map {
                            "ClickHouse at \($0): nothing listens there"
                        })
                try await servers.restart("node")
                await #expect(throws: ClickHouseError.self) { try await client.rows("SELECT 1") }
                _ = try await client.rows("SELECT 1")
            }
        }
    }

    /// Waits until the server works on a statement.
    private static func untilItRuns(_ words: String, asked client: ClickHouseClient) async throws {
        let question = """
            SELECT count() FROM system.processes
            WHERE position(query, \(ClickHouseText.literal(words))) > 0 AND query NOT LIKE '%system.processes%'
            """
        for _ in 0..<1000 {
            var reader = try await client.rows(question)
            if try reader.uint64() > 0 { return }
        }
        Issue.record("no statement with \(words) ran")
    }
}
