import CallModel
import Foundation
import NIOCore
import NIOPosix
import Synchronization
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

    @Test(arguments: [(["--max-waiting", "2"], 503, 24), (["--max-requests", "10"], 429, 6)])
    func `a client that tries again loses nothing and doubles nothing`(
        arguments: [String], status: Int, calls: Int
    ) async throws {
        try await Sidetone.run(arguments) { sidetone in
            let refusals = RefusalCount()
            let client = Client(sidetone: sidetone, token: nil, refusals: refusals)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for call in 0..<calls {
                    group.addTask {
                        for index in 1...8 {
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
                #expect(record["dataQuality"]["reports"] == 8)
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

    // MARK: Connections

    /// Opens a connection, sends `text`, then `drip` every 200 ms, and waits until the other side closes.
    /// - Returns: how long that took, and what came back.
    private static func drip(
        _ text: String, then drip: String, to sidetone: Sidetone
    ) async throws -> (seconds: Double, answer: String) {
        let port = try #require(URL(string: sidetone.process.address)?.port)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let start = ContinuousClock.now
        let answer = try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            return try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    for _ in 0..<100 where !drip.isEmpty {
                        try await Task.sleep(for: .milliseconds(200))
                        do { try await outbound.write(ByteBuffer(string: drip)) } catch { break }
                    }
                    return nil
                }
                group.addTask {
                    var answer = ""
                    do {
                        for try await part in inbound { answer += String(buffer: part) }
                    } catch is IOError {}
                    return answer
                }
                var answer = ""
                while let next = try await group.next() {
                    guard let next else { continue }
                    answer = next
                    group.cancelAll()
                    break
                }
                return answer
            }
        }
        return (start.duration(to: .now) / .seconds(1), answer)
    }

    @Test(arguments: [
        ("nothing", "", ""), ("half a head", "POST /v1/calls/c/stats HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n"),
        ("a slow body", "POST /v1/calls/c/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n[", " "),
        ("no request after one", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", ""),
    ])
    func `who brings no request is shown out`(name: String, text: String, drip: String) async throws {
        try await Sidetone.run(["--idle-seconds", "2"]) { sidetone in
            let (seconds, answer) = try await Self.drip(text, then: drip, to: sidetone)
            #expect(seconds < 8, "\(name): \(seconds) s")
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 200 OK"))
            #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
        }
    }

    @Test func `a body that comes steadily is taken, however long that takes`() async throws {
        try await Sidetone.run(["--idle-seconds", "2"]) { sidetone in
            let body = Samples.report(1)
            let head = "POST /v1/calls/c/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
            let padding = String(repeating: " ", count: 2_000)
            let length = body.utf8.count + 15 * 2_000
            let (seconds, answer) = try await Self.drip(head + "\(length)\r\n\r\n" + body, then: padding, to: sidetone)
            #expect(answer.hasPrefix("HTTP/1.1 202"), "\(answer)")
            #expect(seconds > 2)
        }
    }

    @Test func `connections beyond the limit wait for their turn`() async throws {
        try await Sidetone.run(["--max-connections", "4", "--idle-seconds", "2"]) { sidetone in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                        let (_, answer) = try await Self.drip(request, then: "", to: sidetone)
                        #expect(answer.hasPrefix("HTTP/1.1 200"))
                    }
                }
                try await group.waitForAll()
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
