import CallModel
import Deflate
import Testing

/// What clients are answered.
@Suite struct IngestTests {
    @Test func `a refused part is named by its place and does not cost the rest`() async throws {
        try await Sidetone.run { sidetone in
            let body = "[\(Samples.event(1, call: "c")),{\"callId\":\"c\"},\(Samples.event(2, call: "c"))]"
            let reply = try await sidetone.post("/v1/events", body)
            #expect(reply.status == 202)
            #expect(reply.json["accepted"] == 2)
            #expect(reply.json["refused"].elements.map { $0["index"] } == [1])
            #expect(reply.json["refused"][0]["reason"] == "missing_member")
        }
    }

    @Test func `a body is decompressed though no header says that it is gzip`() async throws {
        try await Sidetone.run { sidetone in
            let events = try await sidetone.post("/v1/events", Gzip.deflate(Array(Samples.event(1, call: "c").utf8)))
            #expect(events.status == 202 && events.json["accepted"] == 1, "\(events.text)")
            let report = try await sidetone.post("/v1/calls/c/stats", Gzip.deflate(Array(Samples.report(1).utf8)))
            #expect(report.status == 202 && report.json["accepted"] == 1, "\(report.text)")
        }
    }

    @Test func `unknown event types are stored and named back`() async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.post(
                "/v1/events", Samples.event(1, call: "c", type: "teapot", action: "kitchen"))
            #expect(reply.json["accepted"] == 1)
            #expect(reply.json["unknownTypes"] == ["kitchen/teapot"])
            let events = try await sidetone.get("/v1/calls/c/events").json["records"][0]["events"]
            #expect(events.elements.map { $0["type"] } == ["teapot"])
        }
    }

    @Test(arguments: [
        ("?observer=probe", [:], "probe"), ("", ["Sidetone-Observer": "desk"], "desk"), ("", [:], "client"),
    ])
    func `the observer comes from the query, else the header, when the body names none`(
        query: String, headers: [String: String], expected: String
    ) async throws {
        try await Sidetone.run { sidetone in
            let event = #"{"action":"iceState","type":"iceConnected","time":1778000000000}"#
            let reply = try await sidetone.post("/v1/calls/c/events\(query)", event, headers: headers)
            #expect(reply.status == 202, "\(reply.text)")
            #expect(try await sidetone.get("/v1/calls/c").json["records"][0]["observer"] == .string(expected))
        }
    }

    @Test(arguments: ["a/b c", "ünï&?#%", "..", "'; DROP TABLE call; --", String(repeating: "x", count: 256)])
    func `any identifier of up to 256 bytes names a call`(call: String) async throws {
        try await Sidetone.run { sidetone in
            let path = "/v1/calls/" + Self.percentEncoded(call)
            let posted = try await sidetone.post("\(path)/stats", Samples.report(1))
            #expect(posted.status == 202)
            #expect(try await sidetone.get(path).json["callId"] == .string(call))
            #expect(try await sidetone.get("\(path)/report").status == 200)
            #expect(try await sidetone.delete(path).status == 204)
        }
    }

    @Test(arguments: ["application/gzip", "application/x-gzip"])
    func `a body may be told as gzip by its content type alone, wherever it is posted`(type: String) async throws {
        try await Sidetone.run { sidetone in
            for (path, body) in [
                ("/v1/calls/c/stats", Samples.report(1)), ("/v1/events", Samples.event(2, call: "c")),
                ("/v1/wire", Samples.wire(0, call: "c")),
            ] {
                let reply = try await sidetone.post(
                    path, Gzip.deflate(Array(body.utf8)), headers: ["Content-Type": type])
                #expect(reply.status == 202, "\(path): \(reply.text)")
            }
        }
    }

    @Test func `the list pages through everything once, in every order`() async throws {
        try await Sidetone.run { sidetone in
            let calls = (0..<7).map { "call-\($0)" }
            for (index, call) in calls.enumerated() {
                _ = try await sidetone.post("/v1/events", Samples.event(index, call: call))
            }
            for sort in ["newest", "oldest", "worst", "best"] {
                var seen: [String] = []
                var next: String? = ""
                while let cursor = next {
                    let query = "?sort=\(sort)&limit=3" + (cursor.isEmpty ? "" : "&cursor=\(cursor)")
                    let page = try await sidetone.get("/v1/calls\(query)").json
                    seen += page["calls"].elements.compactMap { $0["callId"].text }
                    next = page["next"].text
                }
                #expect(seen.sorted() == calls)
            }
            let later = try await sidetone.get("/v1/calls?from=\(Samples.start + 5000)&sort=oldest").json["calls"]
            #expect(later.elements.map { $0["callId"] } == ["call-5", "call-6"])
        }
    }

    @Test func `beyond the calls to keep the oldest goes, and its late report is refused`() async throws {
        try await Sidetone.run(["--keep-calls", "1"]) { sidetone in
            _ = try await sidetone.post(
                "/v1/events", "[\(Samples.event(1, call: "old")),\(Samples.end(2, call: "old"))]")
            _ = try await sidetone.post("/v1/events", Samples.event(3, call: "new"))
            // Takes its turn after the retention.
            #expect(try await sidetone.delete("/v1/calls/nobody").status == 404)
            let late = try await sidetone.post("/v1/calls/old/stats", Samples.report(1))
            #expect(late.status == 410)
            #expect(late.reason == "evicted")
            #expect(late.json["refused"].elements.map { $0["reason"] } == ["evicted"])
            #expect(try await sidetone.get("/v1/calls/old").status == 410)
            #expect(try await sidetone.get("/v1/calls").json["calls"].elements.map { $0["callId"] } == ["new"])

            let mixed = try await sidetone.post(
                "/v1/events", "[\(Samples.event(4, call: "old")),\(Samples.event(4, call: "new"))]")
            #expect(mixed.status == 202)
            #expect(mixed.json["accepted"] == 1)
            #expect(mixed.json["refused"].elements.map { $0["index"] } == [0])
        }
    }

    /// Every byte escaped.
    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 { encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16) }
        return encoded
    }
}
