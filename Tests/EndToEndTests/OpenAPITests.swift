import CallModel
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// The OpenAPI document against the server it describes. That answers are as it says is checked with every request of
/// every test; see ``Sidetone/request(_:_:body:headers:)``.
@Suite struct OpenAPITests {
    @Test func `everything that is described is there, and everything that is there is described`() async throws {
        try await Sidetone.run { sidetone in
            let operations = sidetone.contract.operations
            for operation in operations {
                var path = operation.path.replacingOccurrences(of: "{callId}", with: "nobody")
                // An answer that would go on is refused for what is asked of it.
                if path.hasSuffix("/live") { path += "?forever=1" }
                let reply = try await sidetone.request(
                    HTTPMethod(rawValue: operation.method), path, body: operation.method == "POST" ? [] : nil)
                #expect(reply.reason != "unknown_path" && reply.status != 405, "\(operation)")
            }
            let page = try await sidetone.get("/").text
            let listed = page.split(separator: "\n").dropFirst().map {
                $0.split(separator: " ").prefix(2).joined(separator: " ")
            }
            let described = operations.map { "\($0.method) \($0.path)" }.filter { $0 != "GET /" }
            #expect(listed.sorted() == described.sorted())
        }
    }

    @Test func `every reference leads somewhere and every operation has a name of its own`() async throws {
        try await Sidetone.run { sidetone in
            let document = sidetone.contract.document
            let checker = SchemaChecker(document: document)
            #expect(document["openapi"] == "3.1.0")
            for reference in Self.references(in: document) {
                #expect(checker.resolve(["$ref": .string(reference)]) != .null, "\(reference)")
            }
            let names = sidetone.contract.operations.map {
                document["paths"][$0.path][$0.method.lowercased()]["operationId"]
            }
            #expect(Set(names).count == names.count && !names.contains(.null))
        }
    }

    @Test func `every reason of an error stands in docs-ingest-api, and no other does`() async throws {
        let page = SharedData.packageRoot.appending(path: "docs/ingest-api.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "\n### Reasons\n")).upperBound
        let rows = text[start...].split(separator: "\n").drop { !$0.hasPrefix("| `error.reason` |") }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        let documented = rows.flatMap { row -> [String] in
            row.split(separator: "|").first?.matches(of: #/`([a-z_]+)`/#).map { String($0.output.1) } ?? []
        }
        try await Sidetone.run { sidetone in
            let fault = sidetone.contract.document["components"]["schemas"]["Fault"]
            let reasons = fault["properties"]["reason"]["enum"].elements.compactMap { $0.text }
            #expect(documented.sorted() == reasons.sorted())
        }
    }

    @Test func `the examples are what they are examples of`() async throws {
        try await Sidetone.run { sidetone in
            let document = sidetone.contract.document
            let checker = SchemaChecker(document: document)
            let examples = Self.examples(in: document)
            #expect(examples.count >= 5)
            for (example, schema) in examples {
                #expect(checker.faults(in: example, schema) == [])
            }
            let stats = document["paths"]["/v1/calls/{callId}/stats"]["post"]["requestBody"]["content"][
                "application/json"]
            let reply = try await sidetone.post("/v1/calls/example/stats", stats["example"].canonicalText)
            #expect(reply.status == 202 && reply.json["accepted"] == 1, "\(reply.text)")
            let events = document["paths"]["/v1/events"]["post"]["requestBody"]["content"]["application/json"]
            let second = try await sidetone.post("/v1/events", events["example"].canonicalText)
            #expect(second.status == 202 && second.json["unknownTypes"] == [], "\(second.text)")
            let wire = document["paths"]["/v1/wire"]["post"]["requestBody"]["content"]["application/json"]
            let third = try await sidetone.post("/v1/wire", wire["example"].canonicalText)
            #expect(third.status == 202 && third.json["accepted"] == 1, "\(third.text)")
            #expect(third.json["unknownProperties"] == [], "\(third.text)")
        }
    }

    @Test(arguments: [
        ("/v1/calls?limit=0", "limit"), ("/v1/calls?limit=many", "limit"), ("/v1/calls?sort=random", "sort"),
        ("/v1/calls?from=yesterday", "from"), ("/v1/calls?minScore=101", "minScore"), ("/v1/calls?state=gone", "state"),
        ("/v1/calls?outcome=", "outcome"), ("/v1/calls?cursor=x", "cursor"),
        ("/v1/calls?sort=best&cursor=worst.1.1", "cursor"),
        ("/v1/calls?limit=1&limit=2", "limit"), ("/v1/calls?colour=red", "colour"),
        ("/v1/calls/c?attempt=0", "attempt"),
        ("/v1/calls/c/report?format=pdf", "format"),
    ])
    func `a parameter that cannot be read is named`(path: String, name: String) async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.get(path)
            #expect(reply.status == 400)
            #expect(reply.reason == "bad_parameter")
            #expect(
                reply.message.contains(name) && reply.message.contains("expected")
                    || reply.message.contains("known are"))
        }
    }

    /// A year, seconds since 1970, and a time without a zone.
    @Test(arguments: ["2026", "1795232220", "2026-11-21T03:37"])
    func `what may be no moment is refused with what was expected`(text: String) async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.get("/v1/calls?from=\(text)")
            #expect(reply.status == 400)
            #expect(
                reply.message == "from is \"\(text)\"; expected ISO 8601 with a zone such as 2026-11-21T03:37:00Z, "
                    + "a date such as 2026-11-21, or milliseconds since 1970 such as 1795232220000")
        }
    }

    /// As a client sends it whose id is empty.
    @Test func `an empty part of a path is no id, and what follows is none either`() async throws {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.post("/v1/calls/stats/stats", Samples.report(1)).status == 202)
            let head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            for method in ["DELETE", "POST", "GET"] {
                let answer = try #require(try await sidetone.rawClient.send("\(method) /v1/calls//stats \(head)"))
                #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.contains("unknown_path"), "\(method): \(answer)")
            }
            #expect(try await sidetone.get("/v1/calls/stats").status == 200)
        }
    }

    @Test func `what is not there is said so`() async throws {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.get("/v2/calls").reason == "unknown_path")
            let wrongMethod = try await sidetone.request(.PUT, "/v1/calls", body: [])
            #expect(wrongMethod.status == 405 && wrongMethod.headers["allow"] == "GET")
            let unknown = try await sidetone.get("/v1/calls/nobody/report")
            #expect(unknown.status == 404 && unknown.message.contains("nobody"))
            #expect(try await sidetone.delete("/v1/calls/nobody").status == 404)
            _ = try await sidetone.post("/v1/calls/c/stats", Samples.report(1))
            let record = try await sidetone.get("/v1/calls/c?observer=callee")
            #expect(record.status == 404 && record.reason == "unknown_record" && record.message.contains("caller"))
            #expect(try await sidetone.get("/healthz").headers["server"]?.hasPrefix("sidetone/") == true)
        }
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .array(let values): values.flatMap(references)
        case .object(let members):
            (members["$ref"]?.text.map { [$0] } ?? []) + members.values.flatMap(references)
        default: []
        }
    }

    /// Every example that stands beside a schema.
    private static func examples(in value: JSONValue) -> [(JSONValue, JSONValue)] {
        switch value {
        case .array(let values): return values.flatMap(examples)
        case .object(let members):
            let nested = members.values.flatMap(examples)
            guard let example = members["example"], let schema = members["schema"] else { return nested }
            return nested + [(example, schema)]
        default: return []
        }
    }
}
