import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOHTTP1
public import Testing

/// A ClickHouse that runs beside the tests, and that they share: `Scripts/test` starts both kinds.
public enum TestClickHouse: String, CaseIterable, Sendable {
    case oneServer = "TEST_CLICKHOUSE_URL"
    /// Two shards of two replicas.
    case cluster = "TEST_CLICKHOUSE_CLUSTER_URL"

    /// What the users `sidetone` and `reader` of the servers that `Scripts/clickhouse` starts have as their password.
    public static let password = "loop:back wörd"

    private var address: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// Whether it runs. In CI it must: its absence fails, it does not skip.
    public var isAvailable: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true" || address != nil
    }

    /// Runs a test only beside it, and says so when it does not.
    public var required: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(
            if: isAvailable,
            "needs \(rawValue), an address that \"Scripts/clickhouse start\(self == .cluster ? " --cluster" : "") FOLDER\" prints"
        )
    }

    /// Where it is, without a database.
    public var location: URL {
        get throws {
            try #require(address.flatMap(URL.init(string:)), "\(rawValue) holds no address")
        }
    }

    /// Gives an empty database of its own, and removes it afterwards.
    /// - Parameter body: What to do with it; gets its address, `clickhouse://127.0.0.1:8123/name`.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StatementFailure``.
    public func withDatabase<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        var parts = try #require(URLComponents(url: location, resolvingAgainstBaseURL: false))
        let name = "test_" + String(UInt64.random(in: .min ... .max), radix: 16)
        let cluster = parts.queryItems?.first { $0.name == "cluster" }?.value
        let everywhere = cluster.map { " ON CLUSTER \($0)" } ?? ""
        try await run("CREATE DATABASE \(name)\(everywhere)")
        parts.path = "/\(name)"
        do {
            let result = try await body(try #require(parts.string))
            try await run("DROP DATABASE \(name)\(everywhere)")
            return result
        } catch {
            // The test's own error says more than one of tidying up.
            _ = try? await run("DROP DATABASE \(name)\(everywhere)")
            throw error
        }
    }

    /// Carries out a statement apart from the code under test.
    /// - Returns: The answer, tab-separated.
    @discardableResult public func run(_ sql: String) async throws -> String {
        let location = try location
        var request = HTTPClientRequest(
            url: "http://\(location.host() ?? ""):\(location.port ?? 8123)/?wait_end_of_query=1")
        request.method = .POST
        // Servers end a connection that was idle for some seconds; a statement must not meet that end.
        request.headers.add(name: "Connection", value: "close")
        request.body = .bytes(ByteBuffer(string: sql))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let answer = String(buffer: try await response.body.collect(upTo: 1 << 24))
        guard response.status == .ok else { throw StatementFailure(sql: sql, answer: answer) }
        return answer
    }

    /// What a test wanted of the engine itself, and what it said.
    public struct StatementFailure: Error {
        var sql: String
        var answer: String
    }
}

extension TestClickHouse: CustomTestStringConvertible {
    public var testDescription: String { self == .cluster ? "cluster" : "one server" }
}
