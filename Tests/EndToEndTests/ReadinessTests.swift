import CallModel
import Foundation
import JSONText
import NIOHTTP1
import Testing

/// Whether the server can take work, as it says itself, and what it logs of requests.
@Suite struct ReadinessTests {
    @Test func `it is ready when it listens, and healthcheck says so by exit status 0`() async throws {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.get("/readyz").status == 200)
            let checked = try await SidetoneProcess.run(["healthcheck", "--url", sidetone.process.address])
            #expect(checked.status == 0)
            #expect(checked.output == "ready\n")
        }
    }

    @Test func `when told to stop it says so, and still takes what comes`() async throws {
        // Longer than a busy machine takes for all of this; it is ended before.
        try await Sidetone.run(["--stop-delay-seconds", "600"]) { sidetone in
            sidetone.process.sendTerminate()
            var reply = try await sidetone.get("/readyz")
            while reply.status == 200 { reply = try await sidetone.get("/readyz") }
            #expect(reply.status == 503)
            #expect(reply.reason == "stopping")
            let checked = try await SidetoneProcess.run(["healthcheck", "--url", sidetone.process.address])
            #expect(checked.status == 1)
            #expect(checked.errors.contains("/readyz: it answers 503") && checked.errors.contains("is stopping"))
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            #expect(try await sidetone.get("/healthz").status == 200)
        }
    }

    @Test func `it stops when the delay is over, with exit status 0`() async throws {
        try await Sidetone.run(["--stop-delay-seconds", "1"]) { sidetone in
            #expect(await sidetone.process.terminate() == 0)
        }
    }

    @Test func `healthcheck of a server that is not there is exit status 1 and names it`() async throws {
        let checked = try await SidetoneProcess.run(["healthcheck", "--url", "http://127.0.0.1:1"])
        #expect(checked.status == 1)
        #expect(checked.errors.contains("http://127.0.0.1:1/readyz: nothing listens there"))
    }

    @Test(arguments: [
        ("trace-1.a_B", true), ("", false), ("a b", false), ("é", false), (String(repeating: "x", count: 129), false),
    ])
    func `the request id of the client is taken if it is one, else it gets one`(given: String, isTaken: Bool)
        async throws
    {
        try await Sidetone.run(["--log-format", "json", "--log-level", "debug"]) { sidetone in
            let reply = try await sidetone.request(.GET, "/v1/calls/nobody", headers: ["X-Request-Id": given])
            let identifier = try #require(reply.headers["x-request-id"])
            #expect((identifier == given) == isTaken)
            #expect(isTaken || identifier.count == 16)
            let line = try #require(sidetone.process.log.split(separator: "\n").first { $0.contains(identifier) })
            let entry = try JSONValue(parsing: String(line))
            #expect(entry["level"] == "info")
            #expect(entry["message"] == "request")
            #expect(entry["metadata"]["requestId"] == .string(identifier))
            #expect(entry["metadata"]["route"] == "/v1/calls/{callId}")
            #expect(entry["metadata"]["status"] == "404")
            #expect(!sidetone.process.log.contains("nobody"))
        }
    }

    @Test func `what is refused before it has a route names no call in the log`() async throws {
        try await Sidetone.run(["--log-format", "json", "--log-level", "debug"]) { sidetone in
            let asked = try await sidetone.get("/v1/calls/nobody/stats")
            let posted = try await sidetone.post(
                "/v1/calls/nobody/stats", Samples.report(1), headers: ["Origin": "https://evil.example"])
            let misspelt = try await sidetone.post("/v1/calls/nobody/stat", Samples.report(1))
            #expect(asked.status == 405 && posted.status == 403 && misspelt.status == 404)
            #expect(sidetone.process.log.contains("/v1/calls/{callId}/stats"))
            #expect(sidetone.process.log.contains("\"/v1/calls/…\""))
            #expect(!sidetone.process.log.contains("nobody"))
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics[#"sidetone_ingest_rejected_total{reason="origin_not_allowed"}"#] == 1)
        }
    }
}
