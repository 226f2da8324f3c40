import CallModel
import Foundation
import Testing

/// What cannot be read as a request: the connection itself answers it.
@Suite struct MalformedRequestTests {
    /// What is sent, and what the answer has to name.
    private static let cases = [
        ("GET /" + String(repeating: "a", count: 40_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", "too many header bytes"),
        (
            "GET / HTTP/1.1\r\n" + (0..<200).map { "X-\($0): y\r\n" }.joined() + "\r\n", "too many header bytes"
        ),
        ("NONE / HTTP/1.1\r\nHost: x\r\n\r\n", "invalid HTTP method"),
        (
            "POST /v1/calls/c/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n[]",
            "unexpected content-length"
        ),
    ]

    @Test func `what is no request gets an error of the form of all others, and is counted`() async throws {
        try await Sidetone.run { sidetone in
            let port = try #require(URL(string: sidetone.process.address)?.port.flatMap(UInt16.init(exactly:)))
            for (text, words) in Self.cases {
                let answer = try #require(await RawClient(port: port).send(text))
                #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
                #expect(answer.contains(#""reason":"bad_request""#) && answer.contains(words), "\(answer)")
                #expect(answer.contains("\r\nX-Request-Id: ") && answer.contains("\r\nContent-Security-Policy: "))
            }
            let metrics = try await sidetone.get("/metrics").text
            #expect(metrics.contains("\nsidetone_ingest_rejected_total{reason=\"bad_request\"} 4\n"))
        }
    }

    /// What stands behind the head would be taken for the answer to the next request.
    @Test(arguments: ["/nowhere", "/v1/events", "/v1/calls/nobody", "/healthz"])
    func `the answer to HEAD is a head, whatever is asked for`(path: String) async throws {
        try await Sidetone.run { sidetone in
            let port = try #require(URL(string: sidetone.process.address)?.port.flatMap(UInt16.init(exactly:)))
            let question = "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let text = try #require(await RawClient(port: port).send(question))
            #expect(text.hasPrefix("HTTP/1.1 ") && text.contains("\r\nContent-Length: "), "\(text)")
            #expect(text.firstRange(of: "\r\n\r\n")?.upperBound == text.endIndex, "\(text)")
        }
    }
}
