import Foundation
import NIOHTTP1
import Testing

/// A token that the program made, as operators make them.
struct TestToken: Sendable {
    let token: String
    /// For the file of the server.
    let line: String

    init(tenant: String, scope: String, others: [String] = []) async throws {
        let made = try await SidetoneProcess.run(["token", "new", "--tenant", tenant, "--scope", scope] + others)
        let lines = made.output.split(separator: "\n").map(String.init)
        try #require(made.status == 0 && lines.count == 2, "\(made.errors)")
        (token, line) = (lines[0], lines[1])
    }

    var headers: [String: String] { ["Authorization": "Bearer \(token)"] }

    /// Writes the file of a server.
    static func write(_ lines: [String], to file: URL) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
}

extension Sidetone {
    /// Starts a collector that takes these tokens, and ends it after `body`.
    static func run(
        taking tokens: [TestToken], _ arguments: [String] = [], _ body: (Sidetone, _ file: URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "tokens")
            try TestToken.write(tokens.map(\.line), to: file)
            let sidetone = try await start(in: folder, ["--tokens", file.path] + arguments)
            do {
                try await body(sidetone, file)
            } catch {
                await sidetone.process.kill()
                throw error
            }
            await sidetone.process.kill()
        }
    }

    func get(_ path: String, as token: TestToken) async throws -> Reply {
        try await request(.GET, path, headers: token.headers)
    }

    func post(_ path: String, _ body: String, as token: TestToken) async throws -> Reply {
        try await post(path, body, headers: token.headers)
    }

    func delete(_ path: String, as token: TestToken) async throws -> Reply {
        try await request(.DELETE, path, headers: token.headers)
    }
}
