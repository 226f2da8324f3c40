import CallModel
import Foundation
import Testing

/// A call with more observers than a call has ends.
@Suite struct ConferenceTests {
    private static func events(_ count: Int) -> String {
        let events = (0..<count).map {
            #"{"action":"callMetric","type":"callCreate","callId":"c","side":"o\#($0)","time":1795229901000}"#
        }
        return "[" + events.joined(separator: ",") + "]"
    }

    @Test func `an answer about a call has at most a thousand records, and one of more is chosen by its observer`()
        async throws
    {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.post("/v1/events", Self.events(1_001)).status == 202)
            for path in ["", "/report", "/series", "/events", "/facts"] {
                let reply = try await sidetone.get("/v1/calls/c" + path)
                #expect(reply.status == 400 && reply.reason == "bad_parameter", "\(path): \(reply.text)")
                #expect(
                    reply.message
                        == "this is about 1001 records, of which an answer has at most 1000; choose by observer and attempt"
                )
            }
            let records = try await sidetone.get("/v1/calls/c?observer=o7").json["records"].elements
            #expect(records.map { $0["observer"] } == ["o7"])
            let missing = try await sidetone.get("/v1/calls/c?observer=nobody")
            #expect(missing.reason == "unknown_record")
            #expect(
                missing.message
                    == #"the call has no such record; it has observer "o0" attempt 1, observer "o1" attempt 1, "#
                    + #"observer "o10" attempt 1, observer "o100" attempt 1, observer "o1000" attempt 1, and 996 more"#)
        }
    }

    @Test func `the report of a record names some of the others, and says how many there are more`() async throws {
        try await Sidetone.run { sidetone in
            #expect(try await sidetone.post("/v1/events", Self.events(200)).status == 202)
            let reports = try await sidetone.get("/v1/calls/c/report?format=json").json["records"].elements
            #expect(reports.map { $0["otherObservers"].elements.count } == Array(repeating: 64, count: 200))
            let text = try await sidetone.get("/v1/calls/c/report?observer=o7").text
            #expect(text.contains("\n  … 179 more\n"), "\(text)")
        }
    }
}
