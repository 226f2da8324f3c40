import CallModel
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Who may do what, over HTTP.
@Suite struct AccessTests {
    private static func request(
        _ operation: (path: String, method: String), _ sidetone: Sidetone, _ headers: [String: String] = [:]
    ) async throws -> Reply {
        let path = operation.path.replacingOccurrences(of: "{callId}", with: "nobody")
        return try await sidetone.request(
            HTTPMethod(rawValue: operation.method), path, body: operation.method == "POST" ? [] : nil,
            headers: headers)
    }

    @Test func `every route wants its scope and nothing else, and says so`() async throws {
        var tokens: [String: TestToken] = [:]
        for scope in ["ingest", "read", "admin"] { tokens[scope] = try await TestToken(tenant: "a", scope: scope) }
        let stranger = try await TestToken(tenant: "a", scope: "ingest,read,admin")
        try await Sidetone.run(taking: Array(tokens.values)) { sidetone, _ in
            var open: [String] = []
            var closed = 0
            for operation in sidetone.contract.operations {
                let described = sidetone.contract.document["paths"][operation.path][operation.method.lowercased()]
                let without = try await Self.request(operation, sidetone)
                guard let needed = described["security"][0]["token"][0].text else {
                    open.append("\(operation.method) \(operation.path)")
                    #expect(without.status == 200 || without.status == 503)
                    continue
                }
                closed += 1
                #expect(without.status == 401 && without.reason == "missing_token", "\(operation)")
                #expect(without.headers["www-authenticate"] == #"Bearer realm="sidetone""#)
                let unknown = try await Self.request(operation, sidetone, stranger.headers)
                #expect(unknown.status == 401 && unknown.reason == "unknown_token", "\(operation)")
                #expect(unknown.headers["www-authenticate"]?.contains(#"error="invalid_token""#) == true)
                for (scope, token) in tokens {
                    let reply = try await Self.request(operation, sidetone, token.headers)
                    let alternatives = described["security"].elements.compactMap { $0["token"][0].text }
                    guard !alternatives.contains(scope) else {
                        #expect(![401, 403].contains(reply.status), "\(operation) with \(scope): \(reply.text)")
                        continue
                    }
                    #expect(reply.status == 403 && reply.reason == "missing_scope", "\(operation) with \(scope)")
                    #expect(reply.message.contains(needed) && reply.message.contains(scope))
                    #expect(reply.headers["www-authenticate"]?.contains("insufficient_scope") == true)
                }
            }
            #expect(Set(open).isSuperset(of: ["GET /", "GET /healthz", "GET /openapi.json"]))
            #expect(open.allSatisfy { !$0.contains("/v1/") && !$0.contains("metrics") }, "\(open)")
            #expect(closed >= 11)
            let head = try await Sidetone.send(.HEAD, sidetone.process.address + "/v1/calls")
            #expect(head.status == 401)
        }
    }

    @Test(arguments: ["Basic YTpi", "Bearer", "Bearer a b", "sdt_abc", ""])
    func `a header of another kind is named, and never repeated`(header: String) async throws {
        let token = try await TestToken(tenant: "a", scope: "read")
        try await Sidetone.run(taking: [token]) { sidetone, _ in
            let reply = try await sidetone.request(.GET, "/v1/calls", headers: ["Authorization": header])
            #expect(reply.status == 400 && reply.reason == "bad_authorization", "\(reply.text)")
            #expect(reply.message.contains("Bearer") && !reply.text.contains("YTpi") && !reply.text.contains("abc"))
            #expect(try await sidetone.get("/v1/calls", as: token).status == 200)
        }
    }

    @Test func `a token that has expired is refused, and so is none of its words in the log`() async throws {
        let token = try await TestToken(tenant: "a", scope: "read", others: ["--name", "dashboard"])
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "tokens")
            try TestToken.write([token.line + " expires=2026-01-31"], to: file)
            let sidetone = try await Sidetone.start(in: folder, ["--tokens", file.path, "--log-level", "debug"])
            let reply = try await sidetone.get("/v1/calls", as: token)
            #expect(reply.status == 401 && reply.reason == "expired_token")
            #expect(reply.message.contains("2026-01-31T00:00:00Z"))
            #expect(!sidetone.process.log.contains(token.token))
            await sidetone.process.kill()
        }
    }

    // MARK: Rotation

    @Test func `tokens are read again on SIGHUP, and a broken file changes nothing`() async throws {
        let old = try await TestToken(tenant: "a", scope: "ingest,read")
        let new = try await TestToken(tenant: "a", scope: "read")
        try await Sidetone.run(taking: [old]) { sidetone, file in
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(1), as: old).status == 202)
            #expect(try await sidetone.get("/v1/calls", as: new).status == 401)

            try TestToken.write([old.line, new.line], to: file)
            kill(sidetone.process.id, SIGHUP)
            try await eventually("the new token is taken") {
                try await sidetone.get("/v1/calls", as: new).status == 200
            }
            #expect(try await sidetone.get("/v1/calls", as: old).status == 200)

            try TestToken.write([new.line, "sha256:00 tenant=a scope=read"], to: file)
            kill(sidetone.process.id, SIGHUP)
            try await eventually("the broken file is named") {
                sidetone.process.log.contains("line 2 does not begin with `sha256:`")
            }
            #expect(sidetone.process.log.contains("the tokens stay as they were"))
            #expect(try await sidetone.get("/v1/calls", as: old).status == 200)

            try TestToken.write([new.line], to: file)
            kill(sidetone.process.id, SIGHUP)
            try await eventually("the old token is refused") {
                try await sidetone.get("/v1/calls", as: old).status == 401
            }
            #expect(try await sidetone.get("/v1/calls", as: new).json["calls"].elements.count == 1)
            #expect(!sidetone.process.log.contains("no token is good"))
        }
    }

    /// All may be taken away; mostly it is a copy that broke off.
    @Test func `a file without a token that is good is taken with a warning`() async throws {
        let token = try await TestToken(tenant: "a", scope: "read")
        try await Sidetone.run(taking: [token]) { sidetone, file in
            for (lines, count) in [([], 1), ([token.line + " expires=2020-01-01"], 2)] {
                try TestToken.write(lines, to: file)
                kill(sidetone.process.id, SIGHUP)
                try await eventually("it is told") {
                    let log = sidetone.process.log
                    return log.components(separatedBy: #""level":"warning","message":"no token is good"#).count > count
                }
                #expect(try await sidetone.get("/v1/calls", as: token).status == 401)
            }
        }
    }

    @Test func `without files SIGHUP changes nothing`() async throws {
        try await Sidetone.run { sidetone in
            kill(sidetone.process.id, SIGHUP)
            try await eventually("it is told") { sidetone.process.log.contains("nothing to read again") }
            #expect(sidetone.process.log.contains("every other setting takes a restart"))
            #expect(try await sidetone.get("/healthz").status == 200)
        }
    }

    // MARK: Starting

    @Test(arguments: ["0.0.0.0:0", "[::]:0", "example.invalid:0"])
    func `nobody opens a server to all by accident`(address: String) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let ended = try await SidetoneProcess.run(["serve", "--listen", address, "--database", database])
            #expect(ended.status == 78)
            for word in [address, "--tokens", "--no-authentication", "127.0.0.1"] {
                #expect(ended.errors.contains(word), "\(ended.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: database))
        }
    }

    @Test func `with a flag it is open`() async throws {
        try await Sidetone.run(["--listen", "0.0.0.0:0", "--no-authentication"]) { sidetone in
            let reply = try await sidetone.post("/v1/calls/c/stats", Samples.report(1))
            #expect(reply.status == 202)
            let operation = sidetone.contract.document["paths"]["/v1/calls"]["get"]
            #expect(operation["operationId"] == "listCalls" && operation["security"] == .null)
        }
    }

    @Test(arguments: [
        (nil, "there is no such file"), ("sdt_secret tenant=a scope=read", "line 1 begins with a token"),
    ])
    func `a file of tokens that cannot be read ends the start`(text: String?, reason: String) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "tokens")
            if let text { try Data(text.utf8).write(to: file) }
            let ended = try await SidetoneProcess.run([
                "serve", "--listen", "127.0.0.1:0", "--tokens", file.path, "--database",
                folder.appending(path: "calls.sqlite").path,
            ])
            #expect(ended.status == 78)
            #expect(ended.errors.contains("cannot use the tokens in \(file.path): \(reason)"), "\(ended.errors)")
            #expect(!ended.errors.contains("sdt_secret"))
        }
    }

    @Test func `a file of tokens that is no text is named as such`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "tokens")
            try Data([0xFF, 0xFE, 0x00, 0xC3]).write(to: file)
            let ended = try await SidetoneProcess.run([
                "serve", "--listen", "127.0.0.1:0", "--tokens", file.path, "--database",
                folder.appending(path: "calls.sqlite").path,
            ])
            #expect(ended.status == 78)
            let words = "cannot use the tokens in \(file.path): it is not UTF-8 text"
            #expect(ended.errors.contains(words), "\(ended.errors)")
        }
    }

    @Test func `a directory in place of a file of tokens is named as one`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let ended = try await SidetoneProcess.run([
                "serve", "--listen", "127.0.0.1:0", "--tokens", folder.path, "--database",
                folder.appending(path: "calls.sqlite").path,
            ])
            #expect(ended.status == 78)
            let words = "cannot use the tokens in \(folder.path): it is a directory; the name of a file is expected"
            #expect(ended.errors.contains(words), "\(ended.errors)")
        }
    }

    // MARK: Making tokens

    @Test func `a token is added to a file that only its owner can read`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "tokens")
            for name in ["one", "two"] {
                let made = try await SidetoneProcess.run(
                    ["token", "new", "--scope", "read", "--name", name, "--file", file.path])
                #expect(made.status == 0 && made.output.hasPrefix("sdt_"))
                #expect(made.output.split(separator: "\n").count == 1)
                let kept = try String(contentsOf: file, encoding: .utf8)
                #expect(!kept.contains(made.output.dropFirst(4).dropLast()))
            }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 2)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `a token that would be one too many for a server is not made`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "tokens")
            let digests = (1...1_000).map { "sha256:" + String(repeating: "0", count: 60) + String($0 + 1_000) }
            try TestToken.write(digests.map { "\($0) tenant=a scope=read" }, to: file)
            let before = try Data(contentsOf: file)
            let ended = try await SidetoneProcess.run(["token", "new", "--scope", "read", "--file", file.path])
            #expect(ended.status != 0 && ended.output.isEmpty)
            let words = "cannot use the tokens in \(file.path): with one more it has more than 1000 tokens"
            #expect(ended.errors.contains(words), "\(ended.errors)")
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test(arguments: [
        ["--scope", "wirte"], ["--scope", ""], ["--scope", "read", "--tenant", "a b"],
        ["--scope", "read", "--expires", "2020-01-01"], ["--scope", "read", "--name", ""],
        ["--scope", "read", "--expires", "2127-02-30"], ["--scope", "read", "--expires", "2127-02-30T12:00:00Z"],
    ])
    func `a token that makes no sense is not made`(arguments: [String]) async throws {
        let ended = try await SidetoneProcess.run(["token", "new"] + arguments)
        #expect(ended.status == 64 && ended.errors.contains("expected") && ended.output.isEmpty, "\(ended.errors)")
    }
}
