import Foundation
public import Testing

/// ClickHouse servers that a test has to itself, to kill them as it likes. `Scripts/clickhouse` starts and stops them.
public struct ClickHouseServers: Sendable {
    /// By the names of the servers: `clickhouse://127.0.0.1:40123`, with `?cluster=sidetone` where it is one.
    public let addresses: [String: String]
    private let folder: URL

    /// Whether they can be started. In CI they must be: their absence fails, it does not skip.
    public static var isAvailable: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true"
            || ["/usr/sbin", "/usr/bin", "/usr/local/bin"].contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/clickhouse-server")
            }
    }

    /// Runs a test only where they can be started, and says so when it does not.
    public static var required: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(if: isAvailable, "needs the package clickhouse-server")
    }

    /// Starts servers, and stops them afterwards, whatever happens.
    /// - Parameters:
    ///   - isCluster: For two shards of two replicas, `s1r1` … `s2r2`, and `zookeeper`; else one server, `node`.
    ///   - body: What to do with them.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``ScriptFailure``.
    public static func with<Result>(
        cluster isCluster: Bool = false, _ body: (ClickHouseServers) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clickhouse-\(UUID().uuidString)")
        // Should these tests crash, nothing stays behind.
        let owner = ["--owner", "\(ProcessInfo.processInfo.processIdentifier)"]
        let output = try await script(["start"] + owner + (isCluster ? ["--cluster"] : []) + [folder.path])
        let pairs = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let addresses = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        let servers = ClickHouseServers(addresses: addresses, folder: folder)
        do {
            let result = try await body(servers)
            try await servers.end()
            return result
        } catch {
            try? await servers.end()
            throw error
        }
    }

    /// The address of one of them, with a database.
    public func address(_ name: String = "node", database: String = "default") throws -> String {
        var parts = try #require(addresses[name].flatMap(URLComponents.init(string:)), "there is no server \(name)")
        parts.path = "/\(database)"
        return try #require(parts.string)
    }

    /// Ends servers at once, as a power cut would.
    public func kill(_ names: String...) async throws {
        try await Self.script(["kill", folder.path] + names)
    }

    /// Starts servers again, on the same ports, with what they stored.
    public func restart(_ names: String...) async throws {
        try await Self.script(["restart", folder.path] + names)
    }

    private func end() async throws {
        // Nobody wants what they store; there is nothing to wait for.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { FileManager.default.fileExists(atPath: folder.appending(path: "\($0)/port").path) }
        try await Self.script(["kill", folder.path] + names)
        try FileManager.default.removeItem(at: folder)
    }

    @discardableResult private static func script(_ arguments: [String]) async throws -> String {
        let words = [SharedData.packageRoot.appending(path: "Scripts/clickhouse").path] + arguments
        // Waiting for a process blocks a thread, which must be none of those that other tests run on.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.output(of: words) }) }
        }
    }

    private static func output(of words: [String]) throws -> String {
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        guard let pipe = popen(command, "r") else { throw ScriptFailure(command: command, status: -1) }
        let output = FileHandle(fileDescriptor: fileno(pipe), closeOnDealloc: false).readDataToEndOfFile()
        let status = pclose(pipe)
        guard status == 0 else { throw ScriptFailure(command: command, status: status) }
        return String(decoding: output, as: UTF8.self)
    }

    /// The script could not do it; it says why on the standard error stream of the tests.
    public struct ScriptFailure: Error {
        var command: String
        var status: Int32
    }
}
