import CallModel
import Foundation
import TestSupport
import Testing

/// What cannot be read as a request: the connection itself answers it.
@Suite struct MalformedRequestTests {
    private static let limits =
        "beyond the limits, 32 KiB, 16 KiB of them in a field, and 100 fields: too many header bytes seen"

    /// What is sent, and what the answer has to name.
    private static let cases = [
        ("GET /" + String(repeating: "a", count: 40_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", limits),
        ("GET / HTTP/1.1\r\n" + (0..<200).map { "X-\($0): y\r\n" }.joined() + "\r\n", limits),
        ("NONE / HTTP/1.1\r\nHost: x\r\n\r\n", "invalid HTTP method"),
        (
            "POST /v1/calls/c/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n[]",
            "unexpected content-length"
        ),
    ]

    @Test func `what is no request gets an error of the form of all others, and is counted`() async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            for (text, words) in Self.cases {
                let answer = try #require(await client.send(text))
                #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
                #expect(answer.contains(#""reason":"bad_request""#) && answer.contains(words), "\(answer)")
                #expect(answer.contains("\r\nX-Request-Id: ") && answer.contains("\r\nContent-Security-Policy: "))
            }
            let metrics = try await sidetone.get("/metrics").text
            #expect(metrics.contains("\nsidetone_ingest_rejected_total{reason=\"bad_request\"} 4\n"))
        }
    }

    /// A proxy before the server may have sent a request with two by the first of them, and this server read the second.
    @Test(arguments: [
        ("GET /v1/calls HTTP/1.1\r\n\r\n", "there are 0 headers Host; expected one"),
        (
            "GET /v1/calls HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
            "there are 2 headers Host; expected one"
        ),
        (
            "GET /v1/calls HTTP/1.0\r\nHost: localhost\r\nHost: other\r\n\r\n",
            "there are 2 headers Host; expected one"
        ),
        (
            "GET /v1/calls HTTP/1.1\r\nHost: a b/c\r\n\r\n",
            "the header Host cannot be read; expected a host, and a port if any"
        ),
    ])
    func `a request that does not say once whom it is for is refused, and is the last of its connection`(
        question: String, message: String
    ) async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            let next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let answer = try #require(await client.send(question + next))
            #expect(answer.dropFirst("HTTP/1.x".count).hasPrefix(" 400 Bad Request\r\n"), "\(answer)")
            let body = #"{"error":{"message":"\#(message)","reason":"bad_request"}}"#
            #expect(answer.hasSuffix("\r\n\r\n" + body), "\(answer)")
        }
    }

    @Test(arguments: [
        "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\n", "GET /healthz HTTP/1.1\r\nhost:\tLOCALHOST:8080 \r\n",
        "GET /healthz HTTP/1.1\r\nHost:\r\n", "GET /healthz HTTP/1.1\r\nHost: my_host\r\n", "GET /healthz HTTP/1.0\r\n",
    ])
    func `a request that says whom it is for is answered, and so is one of HTTP 1.0 that does not`(
        head: String
    ) async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            let answer = try #require(await client.send(head + "Connection: close\r\n\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n" + #"{"status":"ok"}"#), "\(answer)")
        }
    }

    /// Where its body ends nothing else says (RFC 1945 §8.3).
    @Test(arguments: ["", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
    func `a POST of HTTP/1.0 that has no length is refused, and counted, and one that has it is taken`(
        before: String
    ) async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            let event = Samples.event(1, call: "c")
            let text = try #require(await client.send(before + "POST /v1/events HTTP/1.0\r\n\r\n" + event))
            let answer = text[(try #require(text.range(of: "HTTP/1.0 400 "))).lowerBound...]
            #expect(answer.hasPrefix("HTTP/1.0 400 Bad Request\r\n"), "\(text)")
            #expect(text.hasPrefix(before.isEmpty ? "HTTP/1.0 400 " : "HTTP/1.1 200 "), "\(text)")
            let words = #"{"error":{"message":"a POST of HTTP/1.0 needs Content-Length; nothing of it was stored","#
            #expect(answer.hasSuffix("\r\n\r\n" + words + #""reason":"bad_request"}}"#), "\(text)")
            let metrics = try await sidetone.get("/metrics").text
            #expect(metrics.contains("\nsidetone_ingest_rejected_total{reason=\"bad_request\"} 1\n"))

            let head = "POST /v1/events HTTP/1.0\r\nContent-Length: \(event.utf8.count)\r\n\r\n"
            let taken = try #require(await client.send(head + event))
            #expect(taken.hasPrefix("HTTP/1.0 202 "), "\(taken)")
        }
    }

    /// What stands behind the head would be taken for the answer to the next request.
    @Test(arguments: ["/nowhere", "/v1/events", "/v1/calls/nobody", "/healthz"])
    func `the answer to HEAD is a head, whatever is asked for`(path: String) async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            let question = "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let text = try #require(await client.send(question))
            #expect(text.hasPrefix("HTTP/1.1 ") && text.contains("\r\nContent-Length: "), "\(text)")
            #expect(text.firstRange(of: "\r\n\r\n")?.upperBound == text.endIndex, "\(text)")
        }
    }

    /// What a client of HTTP/1.0 waits for, as HAProxy's health checks do; `Connection` is a list without case.
    @Test(arguments: [
        "GET /healthz HTTP/1.0\r\n\r\n", "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: TE, Close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n",
        "GET /healthz HTTP/1.0\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n",
    ])
    func `the connection ends behind the answer to the last request, which says so`(question: String) async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            let text = try #require(await client.send(question))
            let last = try #require(text.range(of: "HTTP/1.", options: .backwards)).lowerBound
            #expect(text[last...].contains("\r\nConnection: close\r\n"), "\(text)")
            #expect(text.hasSuffix("\r\n\r\n{\"status\":\"ok\"}"), "\(text)")
            let answers = text.components(separatedBy: "{\"status\":\"ok\"}").count - 1
            #expect(answers == (question.contains("localhost\r\n\r\nGET") ? 2 : 1), "\(text)")
        }
    }

    @Test func `an answer without a length has no chunks in HTTP/1.0`() async throws {
        try await Sidetone.run { sidetone in
            let client = try sidetone.rawClient
            async let answer = client.send("GET /v1/live HTTP/1.0\r\n\r\n")
            try await eventually("one watches") {
                try await sidetone.get("/metrics").text.contains("\nsidetone_live_subscribers 1\n")
            }
            sidetone.process.sendTerminate()
            let text = try #require(await answer)
            #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n") && text.contains("\r\n\r\nretry: 2000\n\nid: "), "\(text)")
            #expect(!text.lowercased().contains("transfer-encoding"), "\(text)")
        }
    }
}
