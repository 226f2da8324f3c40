import CallModel
import Foundation
import TestSupport
import Testing

/// Clients that ask and do not read, or that wait before they send: what becomes of them, and of the memory.
@Suite struct SlowReaderTests {
    /// An answer of some 40 KiB that takes no token.
    private static let question = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let lastQuestion = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    private static func count(_ part: String, in text: String?) -> Int {
        (text?.components(separatedBy: part).count ?? 1) - 1
    }

    @Test func `clients that ask for much and read nothing take little memory, and are shown out`() async throws {
        try await Sidetone.run(["--idle-seconds", "2"]) { sidetone in
            let before = try #require(sidetone.process.peakMemory)
            let questions = String(repeating: Self.question, count: 1_000)
            try await sidetone.rawClient.send(questions, times: 20) {
                try await eventually("all are shown out") {
                    try await sidetone.get("/metrics").text
                        .contains("\nsidetone_ingest_rejected_total{reason=\"answer_not_read\"} 20\n")
                }
            }
            let after = try #require(sidetone.process.peakMemory)
            #expect(after - before < 60 << 20, "peak \(before >> 20) MiB → \(after >> 20) MiB")
        }
    }

    @Test func `who reads slowly gets all of it, though that takes longer than a connection may be idle`() async throws
    {
        try await Sidetone.run(["--idle-seconds", "2"]) { sidetone in
            let start = ContinuousClock.now
            let answer = try await sidetone.rawClient.send(
                String(repeating: Self.question, count: 29) + Self.lastQuestion, reading: 65_536)
            #expect(Self.count("HTTP/1.1 200 OK\r\n", in: answer) == 30)
            #expect(start.duration(to: .now) > .seconds(4))
            let metrics = try await sidetone.get("/metrics").text
            #expect(metrics.contains("\nsidetone_ingest_rejected_total{reason=\"answer_not_read\"} 0\n"))
        }
    }

    @Test func `requests that come at once are answered one after another, and what is none at the end of them too`()
        async throws
    {
        try await Sidetone.run(["--idle-seconds", "2"]) { sidetone in
            let questions = String(repeating: "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 300)
            let answer = try await sidetone.rawClient.send(questions + "NONE\r\n\r\n")
            #expect(Self.count("HTTP/1.1 200 OK\r\n", in: answer) == 300)
            #expect(Self.count("HTTP/1.1 400 Bad Request\r\n", in: answer) == 1)
        }
    }

    // MARK: Bodies that wait

    private static func head(expecting length: Int) -> String {
        "POST /v1/calls/c/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
            + "Content-Length: \(length)\r\n\r\n"
    }

    @Test func `who waits to be asked for the body is asked`() async throws {
        try await Sidetone.run { sidetone in
            let body = Samples.report(1)
            let answer = try await sidetone.rawClient
                .send(Self.head(expecting: body.utf8.count), then: body, times: 1)
            let start = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n"
            #expect(answer?.hasPrefix(start) == true, "\(answer ?? "")")
        }
    }

    @Test func `who waits to be asked for a body that is too large is told so instead`() async throws {
        try await Sidetone.run { sidetone in
            let answer = try await sidetone.rawClient.send(Self.head(expecting: 90_000_000))
            #expect(answer?.hasPrefix("HTTP/1.1 413 ") == true, "\(answer ?? "")")
        }
    }

    @Test func `a body that does not end keeps no server that is to stop`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let client = try sidetone.rawClient
            let head = "POST /v1/calls/c/stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n["
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = await client.send(head, then: String(repeating: " ", count: 3_000), times: 300) }
                try await eventually("the body has begun") {
                    let metrics = try await sidetone.get("/metrics").text
                    return !metrics.contains("\nsidetone_ingest_bytes_in_flight 0\n")
                }
                #expect(await sidetone.process.terminate() == 0)
                #expect(sidetone.process.log.contains("stopped; everything accepted is stored"))
                try await group.waitForAll()
            }
        }
    }

    /// What was answered already is read on for those who write first and read then, but not without end.
    @Test(arguments: ["GET /healthz", "POST /nowhere"]) func `who sends without end after the answer is shown out`(
        request: String
    ) async throws {
        try await Sidetone.run { sidetone in
            let head = "\(request) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            let taken = try await sidetone.rawClient.send(head, then: chunk, atMost: 128 << 20)
            #expect((16 << 20..<128 << 20).contains(taken))
            #expect(try await sidetone.get("/healthz").status == 200)
        }
    }
}
