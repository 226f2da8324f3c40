import CallModel
import Deflate
import JSONText
import TestSupport
import Testing

/// A call as clients send it, and as users read it.
@Suite(SharedData.required) struct CallTests {
    private let recording = Recording(name: "01-clean")

    @Test func `a recorded call comes back as two records, a list, series, events and reports`() async throws {
        try await Sidetone.run { sidetone in
            let call = try recording.callID
            for receipt in try await recording.post(to: sidetone) {
                #expect(receipt.status == 202, "\(receipt.text)")
                #expect(receipt.json["refused"] == [])
                #expect(receipt.taken > 0)
            }
            let list = try await sidetone.get("/v1/calls").json
            #expect(Set(list["calls"].elements.map { $0["observer"] }) == ["caller", "callee"])
            #expect(list["calls"].elements.allSatisfy { $0["callId"] == .string(call) && $0["score"] != .null })

            let records = try await sidetone.get("/v1/calls/\(call)").json["records"].elements
            #expect(records.map { $0["observer"] } == ["caller", "callee"])
            #expect(records.map { $0["dataQuality"]["contradictions"] } == [0, 0])

            let series = try await sidetone.get("/v1/calls/\(call)/series?observer=caller").json["records"]
            #expect(series.elements.count == 1)
            #expect(series[0]["streams"].elements.contains { !$0["intervals"].elements.isEmpty })
            #expect(series[0]["emitted"].elements.count > 0)

            let events = try await sidetone.get("/v1/calls/\(call)/events?observer=caller&attempt=1").json["records"]
            #expect(events[0]["events"].elements.map { $0["type"] }.contains("callAnswerReceived"))
        }
    }

    @Test func `the report is text for people and JSON for programs, one observer or all`() async throws {
        try await Sidetone.run { sidetone in
            let call = try recording.callID
            _ = try await recording.post(to: sidetone)
            let both = try await sidetone.get("/v1/calls/\(call)/report")
            #expect(both.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(both.text.contains("\n" + String(repeating: "─", count: 80) + "\n"))
            let caller = try await sidetone.get("/v1/calls/\(call)/report?observer=caller&format=text")
            #expect(!caller.text.isEmpty && both.text.contains(caller.text))
            #expect(both.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let json = try await sidetone.get("/v1/calls/\(call)/report?format=json").json["records"]
            #expect(json.elements.count == 2)
            let detail = try await sidetone.get("/v1/calls/\(call)").json["records"]
            #expect(json.elements.map { $0["score"] } == detail.elements.map { $0["score"] })
        }
    }

    @Test func `what is posted again changes nothing, gzip or not`() async throws {
        try await Sidetone.run { sidetone in
            let first = try await recording.post(to: sidetone)
            let call = try recording.callID
            // Of a call that goes on the report says, after three missed reports, for how long nothing was heard of it.
            for observer in ["caller", "callee"] {
                let end = #"{"action":"callState","type":"ENDED","callId":"\#(call)","time":1795231673700}"#
                #expect(try await sidetone.post("/v1/events?observer=\(observer)", end).status == 202)
            }
            let report = try await sidetone.get("/v1/calls/\(call)/report").text
            let second = try await recording.post(to: sidetone) { Gzip.deflate($0) }
            #expect(second.map { $0.json["repeated"].wholeNumber } == first.map(\.taken))
            #expect(second.allSatisfy { $0.json["accepted"] == 0 && $0.json["contradicted"] == 0 })
            #expect(try await sidetone.get("/v1/calls/\(call)/report").text == report)
        }
    }

    @Test func `an erased call is gone, and what comes late does not bring it back`() async throws {
        try await Sidetone.run { sidetone in
            _ = try await recording.post(to: sidetone)
            let call = try recording.callID
            #expect(try await sidetone.delete("/v1/calls/\(call)").status == 204)
            for path in ["", "/series", "/events", "/report"] {
                let reply = try await sidetone.get("/v1/calls/\(call)\(path)")
                #expect(reply.status == 410 && reply.reason == "evicted")
            }
            #expect(try await sidetone.delete("/v1/calls/\(call)").status == 410)
            let late = try await sidetone.post("/v1/calls/\(call)/stats", try #require(try recording.reports("A").last))
            #expect(late.status == 410 && late.reason == "evicted" && late.json["accepted"] == 0)
            #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
        }
    }
}

extension Reply {
    /// How many parts are stored; some recordings hold a report twice.
    fileprivate var taken: Int64 {
        (json["accepted"].wholeNumber ?? 0) + (json["repeated"].wholeNumber ?? 0)
    }
}

/// A recorded call, sent as its two clients would.
struct Recording {
    let name: String

    /// The lines of one end's reports, an envelope each.
    func reports(_ end: String) throws -> [[UInt8]] {
        try SharedData.lines("calls/\(name)/\(end).getRTPStatistics-10s.jsonl")
    }

    /// The identifier both ends post under.
    var callID: String {
        get throws {
            let line = try SharedData.lines("calls/\(name)/A.callAdditionalInfo.jsonl").first ?? []
            return try JSONValue(parsing: line)["callId"].text ?? ""
        }
    }

    /// Posts everything both ends have.
    /// - Returns: the answers.
    func post(
        to sidetone: Sidetone, encoding: (([UInt8]) -> [UInt8])? = nil
    ) async throws -> [Reply] {
        let headers = encoding == nil ? [:] : ["Content-Encoding": "gzip"]
        var replies: [Reply] = []
        for (end, observer) in [("A", "caller"), ("B", "callee")] {
            let events = try SharedData.bytes("calls/\(name)/\(end).callAdditionalInfo.jsonl")
            replies.append(
                try await sidetone.post(
                    "/v1/events?observer=\(observer)", encoding?(events) ?? events, headers: headers))
            for report in try reports(end) {
                replies.append(
                    try await sidetone.post(
                        "/v1/calls/\(try callID)/stats", encoding?(report) ?? report, headers: headers))
            }
        }
        return replies
    }
}
