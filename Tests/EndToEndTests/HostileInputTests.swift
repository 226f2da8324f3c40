import CallModel
import Deflate
import Foundation
import Testing

/// Bodies that are too large, broken or hostile: each gets a clear error, costs little memory and stores nothing.
@Suite struct HostileInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var path = "/v1/calls/c/stats"
        var body: [UInt8]
        var headers: [String: String] = [:]
        var statuses: Set<Int>
        var reasons: Set<String>
        /// What the message has to name.
        var message = ""

        var testDescription: String { name }
    }

    static let cases: [Case] = broken + compressed + unsupported + oversized

    private static let broken: [Case] = [
        text("truncated JSON", String(Samples.report(1).dropLast(10)), 400, ["malformed"], naming: "line 1"),
        text("no JSON", "hello", 400, ["malformed"]),
        text("half an array of events", #"[{"callId":"c","#, path: "/v1/events", 400, ["malformed"]),
        Case(
            name: "invalid UTF-8", body: Array(#"{"role":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8), statuses: [400],
            reasons: ["malformed"]),
        text("a number", "42", 422, ["unrecognised"]),
        text("an event that is a number", "[1]", path: "/v1/events", 422, ["wrong_type", "unrecognised"]),
        text(
            "time of the wrong type", #"{"callId":"c","time":{},"action":"a","type":"b"}"#, path: "/v1/events", 422,
            ["wrong_type", "missing_member"]),
        text(
            "an event without a call", #"{"time":1,"action":"a","type":"b"}"#, path: "/v1/events", 422,
            ["missing_member"]),
        text("a report of the wrong type", #"{"statistics":17}"#, 422, ["wrong_type", "unrecognised"]),
        text("half a wire report", #"{"callId":"c","streams":["#, path: "/v1/wire", 400, ["malformed"]),
        text(
            "a wire report without streams", #"{"callId":"c","time":1778000000000}"#, path: "/v1/wire", 422,
            ["missing_member"], naming: "`streams` is missing"),
        text(
            "a wire report of 1970", #"{"callId":"c","time":5000,"streams":[]}"#, path: "/v1/wire", 422,
            ["wrong_type"], naming: "2000 to 2099"),
        text(
            "a client's event from a probe", Samples.event(1, call: "c"), path: "/v1/wire", 422, ["unrecognised"],
            naming: "POST /v1/events"),
    ]

    private static let compressed: [Case] = [
        gzip("a gzip bomb", Gzip.deflate([UInt8](repeating: 32, count: 20 << 20)), 413, "too_large", "inflates"),
        gzip("a bomb of many members", bombOfMembers, 413, "too_large", "inflates"),
        gzip("truncated gzip", Gzip.deflate(Array(Samples.report(1).utf8)).dropLast(5).map { $0 }, 400, "malformed"),
        gzip("no gzip", Array(Samples.report(1).utf8), 400, "malformed", "gzip"),
    ]

    private static let unsupported: [Case] = [
        Case(
            name: "brotli", body: [1, 2, 3], headers: ["Content-Encoding": "br"], statuses: [415],
            reasons: ["unsupported_encoding"], message: "gzip"),
        Case(
            name: "a form with files", body: [1, 2, 3], headers: ["Content-Type": "multipart/form-data; boundary=x"],
            statuses: [415], reasons: ["unsupported_media_type"], message: "application/json"),
        Case(
            name: "XML", body: Array("<a/>".utf8), headers: ["Content-Type": "application/xml"], statuses: [415],
            reasons: ["unsupported_media_type"],
            message: """
                Content-Type is "application/xml"; accepted are application/json, text/json, application/x-ndjson, \
                application/ndjson, application/jsonl, text/plain, application/octet-stream, \
                application/x-www-form-urlencoded, application/gzip, application/x-gzip, and what ends in +json
                """),
        text(
            "an identifier of 257 bytes", Samples.report(1),
            path: "/v1/calls/\(String(repeating: "x", count: 257))/stats",
            400, ["bad_parameter"], naming: "256"),
        text(
            "an unknown parameter", Samples.report(1), path: "/v1/calls/c/stats?obsrver=a", 400, ["bad_parameter"],
            naming: "obsrver"),
    ]

    private static let oversized: [Case] = [
        Case(
            name: "5 MB", body: [UInt8](repeating: 32, count: 5_000_000), statuses: [413], reasons: ["too_large"],
            message: "1048576"),
        Case(
            name: "deep nesting", body: Array(String(repeating: "[", count: 100_000).utf8), statuses: [400, 413],
            reasons: ["malformed", "too_large"]),
        Case(
            name: "half a million values", body: Array(("[0" + String(repeating: ",0", count: 510_000) + "]").utf8),
            statuses: [413, 422], reasons: ["too_large", "unrecognised"]),
        Case(
            name: "deep nesting that closes",
            body: Array((String(repeating: "[", count: 500) + String(repeating: "]", count: 500)).utf8),
            statuses: [413], reasons: ["too_large"], message: "64"),
        text(
            "too many streams",
            #"{"callId":"c","time":1778000000000,"streams":["#
                + [String](repeating: "{}", count: 1001).joined(separator: ",") + "]}", path: "/v1/wire", 413,
            ["too_large"], naming: "1000"),
        text(
            "too many events", "[" + [String](repeating: "{}", count: 6000).joined(separator: ",") + "]",
            path: "/v1/events", 413, ["too_large"]),
    ]

    /// A gigabyte in a megabyte.
    private static var bombOfMembers: [UInt8] {
        let member = Gzip.deflate([UInt8](repeating: 32, count: 10 << 20))
        return Array([[UInt8]](repeating: member, count: 90).joined())
    }

    @Test(arguments: cases) func `is refused with a reason, and nothing is stored`(hostile: Case) async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.post(hostile.path, hostile.body, headers: hostile.headers)
            #expect(hostile.statuses.contains(reply.status), "\(reply.status) \(reply.text.prefix(300))")
            #expect(hostile.reasons.contains(reply.reason ?? ""), "\(reply.text.prefix(300))")
            #expect(hostile.message.isEmpty || reply.message.contains(hostile.message), "\(reply.message)")
            #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(1)).status == 202)
        }
    }

    /// Native clients print bare `nan`; what is read of such a report is an unknown figure, never a number.
    @Test(arguments: ["NaN", "nan", "Infinity", "-inf"]) func `what is not a number never becomes one`(word: String)
        async throws
    {
        try await Sidetone.run { sidetone in
            let body = Samples.report(1).replacingOccurrences(of: "\"jitter\":0.004", with: "\"jitter\":\(word)")
            let reply = try await sidetone.post("/v1/calls/c/stats", body)
            #expect([202, 400, 422].contains(reply.status), "\(reply.text)")
            _ = try await sidetone.post("/v1/calls/c/stats", Samples.report(2))
            let report = try await sidetone.get("/v1/calls/c/report?format=json")
            #expect(!report.text.lowercased().contains(":nan") && !report.text.lowercased().contains("inf,"))
        }
    }

    @Test func `memory stays bounded while bombs and large bodies come in`() async throws {
        try await Sidetone.run { sidetone in
            for index in 1...5 { _ = try await sidetone.post("/v1/calls/warm/stats", Samples.report(index)) }
            let before = try #require(sidetone.process.peakMemory)
            let attacks = Self.compressed + Self.oversized
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...8 {
                    for attack in attacks {
                        group.addTask {
                            let reply = try await sidetone.post(attack.path, attack.body, headers: attack.headers)
                            #expect(attack.statuses.contains(reply.status))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let after = try #require(sidetone.process.peakMemory)
            #expect(after - before < 100 << 20, "peak \(before >> 20) MiB → \(after >> 20) MiB")
        }
    }

    private static func text(
        _ name: String, _ body: String, path: String = "/v1/calls/c/stats", _ status: Int, _ reasons: Set<String>,
        naming message: String = ""
    ) -> Case {
        Case(name: name, path: path, body: Array(body.utf8), statuses: [status], reasons: reasons, message: message)
    }

    private static func gzip(_ name: String, _ body: [UInt8], _ status: Int, _ reason: String, _ message: String = "")
        -> Case
    {
        Case(
            name: name, body: body, headers: ["Content-Encoding": "gzip"], statuses: [status], reasons: [reason],
            message: message)
    }
}
