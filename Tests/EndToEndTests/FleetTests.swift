import CallModel
import Foundation
import TestSupport
import Testing

/// Many calls at a glance, as a page asks for them: each bar is a link to the list that it counts.
@Suite struct FleetTests {
    /// Posts what both ends of some sample calls said.
    private static func postSamples(to sidetone: Sidetone) async throws {
        for name in ["01-clean", "03-loss5", "10-outage5s", "24-ice-one-relay", "26-no-answer", "27-ice-failed"] {
            let folder = SharedData.packageRoot.appending(path: "SampleData/\(name)")
            for (end, observer) in [("A", "caller"), ("B", "callee")] {
                for kind in ["callAdditionalInfo", "getRTPStatistics-10s"] {
                    let file = try Data(contentsOf: folder.appending(path: "\(end).\(kind).jsonl"))
                    guard !file.isEmpty else { continue }
                    let reply = try await sidetone.post("/v1/import?observer=\(observer)", Array(file))
                    #expect(reply.status == 202, "\(reply.text)")
                }
            }
        }
        // Reports lie before the last event: they are folded in a little later.
        try await eventually("everything is folded") {
            try await sidetone.get("/v1/calls").json["calls"].elements.allSatisfy { $0["isDirty"] == false }
        }
    }

    private static func count(_ sidetone: Sidetone, _ query: String) async throws -> JSONValue {
        let list = try await sidetone.get("/v1/calls?limit=1000&\(query)").json
        #expect(list["next"] == .null)
        return .integer(Int64(list["calls"].elements.count))
    }

    @Test func `calls are found by the program at their end`() async throws {
        try await Sidetone.run { sidetone in
            let agents = ["a": "Mozilla/5.0 (X11) Chrome/148.0.0.0 Safari/537.36", "b": "Linphone/5.2.0", "c": ""]
            for (call, agent) in agents {
                let event: JSONValue = [
                    "action": "callMetric", "type": "callCreate", "callId": .string(call), "time": 1_790_000_000_000,
                    "userAgent": .string(agent),
                ]
                let reply = try await sidetone.post("/v1/events", event.canonicalText)
                #expect(reply.status == 202 && reply.json["unknownProperties"] == [], "\(reply.text)")
            }
            func calls(_ client: String) async throws -> [String?] {
                try await sidetone.get("/v1/calls?client=\(client)").json["calls"].elements.map { $0["callId"].text }
            }
            #expect(try await calls("chrome") == ["a"])
            #expect(try await calls("Chrome%20148") == ["a"])
            #expect(try await calls("Chrome+148") == ["a"])
            #expect(try await calls("Chrome%2B148") == [])
            #expect(try await calls("Chrome%2014") == [])
            #expect(try await calls("linphone%205.2") == ["b"])
            let record = try await sidetone.get("/v1/calls/b").json["records"].elements[0]
            #expect(record["client"] == "Linphone 5.2")
            #expect(try await sidetone.get("/v1/calls/b/report").text.contains("client Linphone 5.2"))
        }
    }

    @Test func `every bar counts what the list behind its link has`() async throws {
        try await Sidetone.run { sidetone in
            try await Self.postSamples(to: sidetone)
            let fleet = try await sidetone.get("/v1/fleet").json
            #expect(fleet["calls"] == 11 && fleet["failedOrUnanswered"] == 3 && fleet["callsWithBadStretch"] != 0)
            var bars: [(JSONValue, String)] = [
                (fleet["calls"], ""), (fleet["callsWithBadStretch"], "maxWorst=69"),
                (fleet["failedOrUnanswered"], "outcome=notConnected,notAnswered"), (fleet["unscored"], "band=none"),
                (fleet["withoutCause"], "cause=none"), (fleet["setup"]["calls"], "setupFrom=0"),
            ]
            bars += fleet["bands"].elements.map { ($0["calls"], "band=\($0["band"].text ?? "")") }
            bars += fleet["causes"].elements.map { ($0["calls"], "cause=\($0["cause"].text ?? "")") }
            bars += fleet["issues"].elements.map { ($0["calls"], "issue=\($0["issue"].text ?? "")") }
            bars += (fleet["relay"].members ?? [:]).map { ($0.value, "relay=\($0.key)") }
            bars += (fleet["outcomes"].members ?? [:]).map { ($0.value, "outcome=\($0.key)") }
            bars += fleet["setup"]["buckets"].elements.map { bucket in
                let end = bucket["toMilliseconds"].wholeNumber.map { "&setupTo=\($0)" } ?? ""
                return (bucket["calls"], "setupFrom=\(bucket["fromMilliseconds"].wholeNumber ?? -1)\(end)")
            }
            #expect(bars.count > 30)
            for (calls, query) in bars { #expect(try await Self.count(sidetone, query) == calls, "\(query)") }
            let worst = try await sidetone.get("/v1/calls?sort=worstStretch&limit=5").json["calls"]
            #expect(fleet["worst"] == worst && worst.elements.count == 5)
            #expect(worst[0]["worstScore"] == 31, "the call with the outage")
        }
    }

    /// One moment, with the plus before the offset as it is and encoded, and with spaces as forms have them.
    @Test func `a plus is a space, but in a moment`() async throws {
        try await Sidetone.run { sidetone in
            for text in [
                "2026-11-27T10:00:00+01:00", "2026-11-27T10:00:00%2B01:00", "2026-11-27+10:00:00%2B01:00",
                "2026-11-27%2010:00:00+01:00",
            ] {
                let fleet = try await sidetone.get("/v1/fleet?from=\(text)").json
                #expect(fleet["from"] == "2026-11-27T09:00:00.000Z", "\(text)")
            }
        }
    }

    @Test func `what is asked for narrows all figures, and a range is told back`() async throws {
        try await Sidetone.run { sidetone in
            try await Self.postSamples(to: sidetone)
            let range = "from=2026-11-21T03:29:00Z&to=2026-11-21T03:40:00.500Z"
            let fleet = try await sidetone.get("/v1/fleet?\(range)").json
            #expect(fleet["from"] == "2026-11-21T03:29:00.000Z" && fleet["to"] == "2026-11-21T03:40:00.500Z")
            #expect(fleet["calls"] == 4)
            #expect(try await Self.count(sidetone, range) == 4)
            let callers = try await sidetone.get("/v1/fleet?observer=caller&codec=opus").json
            // The call whose ICE failed sent with Opus, too; the one that nobody answered had no codec yet.
            #expect(callers["calls"] == 5 && callers["worst"].elements.allSatisfy { $0["observer"] == "caller" })
            let unscored = try await sidetone.get("/v1/fleet?band=none").json
            #expect(
                unscored["calls"] == unscored["unscored"] && unscored["worst"] == [] && unscored["medianScore"] == .null
            )
        }
    }

    @Test func `a head has what a table shows`() async throws {
        try await Sidetone.run { sidetone in
            try await Self.postSamples(to: sidetone)
            let outage = try await sidetone.get("/v1/calls?sort=worstStretch&limit=1&observer=caller").json["calls"][0]
            #expect(outage["ribbon"].elements.contains(30) && (6...8).contains(outage["ribbon"].elements.count))
            #expect(outage["codecs"] == ["audio/opus", "video/VP8"] && outage["isRelayed"] == false)
            #expect((outage["setupMilliseconds"].wholeNumber ?? -1) > 0)
            #expect((60_000...64_000).contains(outage["durationMilliseconds"].wholeNumber ?? 0))
            let unanswered = try await sidetone.get("/v1/calls?outcome=notAnswered").json["calls"][0]
            #expect(unanswered["ribbon"] == [] && unanswered["setupMilliseconds"] == .null)
            let name = outage["callId"].text ?? ""
            let found = try await sidetone.get("/v1/calls?q=\(name.dropFirst(3).prefix(12).lowercased())").json["calls"]
            #expect(found.elements.map { $0["callId"] } == [outage["callId"], outage["callId"]])
        }
    }

    @Test(
        arguments: [
            ("band=fine", "one of excellent, good, fair, poor, bad, none"), ("cause=rain", "none"),
            ("outcome=connected,", "one of connected"), ("relay=yes", "one of relayed, direct, unknown"),
            ("q=", "a text of 1 to 256 bytes"), ("setupFrom=-1", "a whole number of at least 0"),
            ("maxWorst=101", "from 0 to 100"), ("bands=good", "known are"),
        ])
    func `what cannot be meant is named`(query: String, words: String) async throws {
        try await Sidetone.run { sidetone in
            for path in ["/v1/fleet", "/v1/calls"] {
                let reply = try await sidetone.get("\(path)?\(query)")
                #expect(reply.status == 400 && reply.reason == "bad_parameter")
                #expect(reply.message.contains(words), "\(reply.message)")
            }
        }
    }
}
