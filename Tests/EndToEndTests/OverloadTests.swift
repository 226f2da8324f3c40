import CallModel
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// More than can be stored, and clients that do not keep to the rules: what is said, and what becomes of the others.
@Suite struct OverloadTests {
    /// A client as the documentation asks for: what was not taken it sends again, after what `Retry-After` says.
    fileprivate struct Client {
        let sidetone: Sidetone
        let token: TestToken?
        let refusals: RefusalCount

        func post(_ path: String, _ body: String) async throws -> JSONValue {
            while true {
                let reply = try await sidetone.post(path, body, headers: token?.headers ?? [:])
                guard [429, 503].contains(reply.status) else {
                    #expect(reply.status == 202, "\(reply.text)")
                    return reply.json
                }
                refusals.note(reply.status)
                let seconds = try #require(reply.headers["retry-after"].flatMap(Int.init))
                #expect((1...10).contains(seconds) && reply.message.contains("retry in \(seconds) s"))
                // Not so long as the server says, to bring it to its limit once more; but not at once.
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...50)))
            }
        }
    }

    /// How often clients were asked to wait. A class, for they share it.
    fileprivate final class RefusalCount: Sendable {
        private let counts = Mutex<[Int: Int]>([:])

        func note(_ status: Int) {
            counts.withLock { $0[status, default: 0] += 1 }
        }

        /// Whether those who flood may stop.
        var isOver: Bool { counts.withLock { $0[0] != nil } }

        func finish() {
            note(0)
        }

        subscript(status: Int) -> Int { counts.withLock { $0[status, default: 0] } }
    }

    @Test(arguments: [(["--max-waiting", "2"], 503, 24, 8), (["--max-requests", "1"], 429, 5, 1)])
    func `a client that tries again loses nothing and doubles nothing`(
        arguments: [String], status: Int, calls: Int, reports: Int
    ) async throws {
        try await Sidetone.run(arguments) { sidetone in
            let refusals = RefusalCount()
            let client = Client(sidetone: sidetone, token: nil, refusals: refusals)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for call in 0..<calls {
                    group.addTask {
                        for index in 1...reports {
                            let receipt = try await client.post("/v1/calls/c\(call)/stats", Samples.report(index))
                            #expect(receipt["accepted"] == 1 && receipt["repeated"] == 0, "\(receipt)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(refusals[status] > 0 && refusals[429 + 503 - status] == 0)
            for call in 0..<calls {
                let record = try await client.read("/v1/calls/c\(call)")["records"][0]
                #expect(record["dataQuality"]["reports"] == .integer(Int64(reports)))
            }
        }
    }

    @Test func `one tenant's flood does not make another wait or fail`() async throws {
        let flood = try await TestToken(tenant: "flood", scope: "ingest")
        let calm = try await TestToken(tenant: "calm", scope: "ingest,read")
        try await Sidetone.run(taking: [flood, calm], ["--max-waiting", "4"]) { sidetone, _ in
            let refusals = RefusalCount()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<24 {
                    group.addTask {
                        var index = 0
                        while !refusals.isOver {
                            index += 1
                            let body = Samples.report(index)
                            let reply = try await sidetone.post("/v1/calls/f\(client)/stats", body, as: flood)
                            if reply.status == 503 { refusals.note(503) }
                        }
                    }
                }
                group.addTask {
                    defer { refusals.finish() }
                    try await eventually("the flood is at the limit") { refusals[503] > 20 }
                    for index in 1...30 {
                        let reply = try await sidetone.post("/v1/calls/calm/stats", Samples.report(index), as: calm)
                        #expect(reply.status == 202, "\(reply.text)")
                    }
                }
                try await group.waitForAll()
            }
            let record = try await sidetone.get("/v1/calls/calm", as: calm).json["records"][0]
            #expect(record["dataQuality"]["reports"] == 30)
        }
    }

    @Test func `each token has a limit of requests to itself, also where two have one name`() async throws {
        let name = ["--name", "phones"]
        let greedy = try await TestToken(tenant: "a", scope: "read", others: name)
        let calm = try await TestToken(tenant: "a", scope: "read", others: name)
        try await Sidetone.run(taking: [greedy, calm], ["--max-requests", "1"]) { sidetone, _ in
            try await eventually("the greedy one is at its limit") {
                try await sidetone.get("/v1/calls", as: greedy).status == 429
            }
            #expect(try await sidetone.get("/v1/calls", as: calm).status == 200)
        }
    }

    // MARK: Proxies

    /// The statuses of eight requests at once that say whom they were passed on for.
    private static func statuses(
        _ sidetone: Sidetone, path: String = "/v1/calls", for senders: (Int) -> String
    ) async throws -> Set<Int> {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 1...8 {
                let headers = ["X-Forwarded-For": senders(index)]
                group.addTask { try await sidetone.request(.GET, path, headers: headers).status }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }

    @Test func `whom a trusted proxy speaks for is told apart, and what others claim counts for nothing`() async throws
    {
        let limit = ["--max-requests", "1"]
        try await Sidetone.run(limit + ["--trusted-proxy", "127.0.0.0/8", "--no-authentication"]) { sidetone in
            let apart = try await Self.statuses(sidetone) { "198.51.100.\($0)" }
            let one = try await Self.statuses(sidetone) { _ in "203.0.113.1" }
            // What stands before the last hop anybody may have written.
            let claimed = try await Self.statuses(sidetone) { "198.51.100.\($0), 203.0.113.2" }
            // So many addresses of IPv6 one sender has to itself.
            let network = try await Self.statuses(sidetone) { "2001:db8:1:2::\($0)" }
            #expect(apart == [200] && one.contains(429) && claimed.contains(429) && network.contains(429))
            #expect(try await Self.statuses(sidetone, path: "/readyz") { _ in "203.0.113.1" } == [200])
        }
        try await Sidetone.run(limit) { sidetone in
            let claimed = try await Self.statuses(sidetone) { "198.51.100.\($0)" }
            #expect(claimed.contains(429))
        }
    }

    // MARK: Connections

    @Test(arguments: [
        ("", ""), ("POST /v1/calls/c/stats HTTP/1.1\r\nHost: localhost\r\n", "X-A: b\r\n"),
        ("POST /v1/calls/c/stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n[", " "),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", ""),
    ])
    func `who brings no request, or half of one, is shown out`(text: String, drip: String) async throws {
        try await Sidetone.run(["--idle-seconds", "2"]) { sidetone in
            let answer = try await sidetone.rawClient.send(text, then: drip, times: 300)
            #expect(answer != nil, "the connection is still open")
            #expect(answer?.isEmpty == true || answer?.hasPrefix("HTTP/1.1 200 OK") == true)
            #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
        }
    }

    @Test func `a body that comes steadily is taken, however long that takes`() async throws {
        try await Sidetone.run(["--idle-seconds", "9"]) { sidetone in
            let body = Samples.report(1)
            let head = "POST /v1/calls/c/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            let padding = String(repeating: " ", count: 4_000)
            let length = body.utf8.count + 20 * 4_000
            let start = ContinuousClock.now
            let answer = try await sidetone.rawClient
                .send(head + "\(length)\r\n\r\n" + body, then: padding, times: 20)
            #expect(answer?.hasPrefix("HTTP/1.1 202") == true, "\(answer ?? "")")
            #expect(start.duration(to: .now) > .seconds(3))
        }
    }

    @Test func `connections beyond the limit wait for their turn`() async throws {
        try await Sidetone.run(["--max-connections", "4", "--idle-seconds", "2"]) { sidetone in
            let client = try sidetone.rawClient
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<12 { group.addTask { await client.send(request) } }
                for await answer in group { #expect(answer?.hasPrefix("HTTP/1.1 200") == true, "\(answer ?? "")") }
            }
        }
    }
}

extension OverloadTests.Client {
    /// Reads, when it is let.
    fileprivate func read(_ path: String) async throws -> JSONValue {
        while true {
            let reply = try await sidetone.get(path)
            guard reply.status == 429 else { return reply.json }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
