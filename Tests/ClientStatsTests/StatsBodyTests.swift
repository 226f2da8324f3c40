import CallModel
import ClientStats
import TestSupport
import Testing

/// Whose a report is, when it was taken, and what is refused.
@Suite struct StatsBodyTests {
    private static func report(_ envelope: String, time: String = "1697705722479") -> String {
        "{\(envelope)\"statistics\":{\"a\":{\"type\":\"codec\",\"timestamp\":\(time)}}}"
    }

    private static let observers: [(String, ObserverID?, String)] = [
        ("", nil, "client"),
        ("", ObserverID(rawValue: "header"), "header"),
        ("\"role\":\"caller\",", ObserverID(rawValue: "header"), "caller"),
        ("\"role\":\"caller\",\"side\":\"callee\",", nil, "callee"),
        ("\"role\":\"caller\",\"side\":\"callee\",\"observer\":\"probe\",", nil, "probe"),
        ("\"role\":\"\",", nil, "client"),
    ]

    @Test(arguments: observers)
    func `the observer is what the body says, else the request, else the client`(
        envelope: String, header: ObserverID?, observer: String
    ) throws {
        var context = ParsingContext.stats
        context.observer = header
        let body = try parseStats(Self.report(envelope), in: context)
        #expect(body.submissions.map(\.observer.rawValue) == [observer])
    }

    @Test func `the call is that of the path, else that of the envelope`() throws {
        #expect(try parseStats(Self.report("")).submissions.map(\.identity.call.rawValue) == ["call"])
        let own = try parseStats(Self.report("\"callId\":\"own\","), in: .events)
        #expect(own.submissions.map(\.identity.call.rawValue) == ["own"])
        let none = try parseStats(Self.report(""), in: .events)
        let message = "the member `callId` is missing, and so is `sessionId`"
        #expect(none.refusals == [Refusal(index: 0, reason: .missingMember, message: message)])
    }

    @Test func `a session stands in for the call, and is told beside it where both are known`() throws {
        func told(_ members: String, in context: ParsingContext = .stats) throws -> [String] {
            try parseStats(Self.report(members), in: context).submissions.map { submission in
                ([submission.identity.call.rawValue] + submission.facts.flatMap(\.names).map(\.text)).joined(
                    separator: "/")
            }
        }
        #expect(try told("\"sessionId\":\"s\",", in: .events) == ["s/s"])
        #expect(try told("\"sessionId\":\"s\",") == ["call/s"])
        #expect(try told("\"sessionId\":7,\"callId\":\"own\",", in: .events) == ["own/7"])
        // Posted under the session's id, with the call's own in the body.
        #expect(try told("\"sessionId\":\"call\",\"callId\":\"own\",") == ["own/call"])
        #expect(try told("\"sessionId\":{},") == ["call"])
    }

    private static let times: [(String, Int64, [String])] = [
        ("1697705722479", 1_697_705_722_479, []),
        ("1697705722479.6", 1_697_705_722_480, []),
        ("1.697705722479643E12", 1_697_705_722_480, []),
        ("\"1697705722479.273\"", 1_697_705_722_479, []),
        ("1697705722479643", 1_697_705_722_480, ["timestamps in microseconds"]),
        ("1697705722479643000", 1_697_705_722_480, ["timestamps in nanoseconds"]),
        ("1697705722.5", 1_697_705_722_500, ["timestamps in seconds"]),
        ("\"2023-10-19T08:55:22.479Z\"", 1_697_705_722_479, ["timestamps in ISO 8601 text"]),
        ("\"2023-10-19T10:55:22.479+02:00\"", 1_697_705_722_479, ["timestamps in ISO 8601 text"]),
        ("0", 1_697_705_723_000, ["no usable timestamp in the objects; placed at the time of the message"]),
        ("48123.5", 1_697_705_723_000, ["no usable timestamp in the objects; placed at the time of the message"]),
        ("\"soon\"", 1_697_705_723_000, ["no usable timestamp in the objects; placed at the time of the message"]),
    ]

    @Test(arguments: times)
    func `the unit of a timestamp is found by its size`(text: String, time: Int64, notes: [String]) throws {
        let body = try parseStats(Self.report("\"time\":\"1697705723000\",", time: text))
        #expect(body.reports.map(\.time.milliseconds) == [time])
        #expect(body.reports.first?.notes == notes)
    }

    /// Microseconds since a machine started: 20 min, 1 h, 15 and 30 days ago. They look like seconds and milliseconds since
    /// 1970.
    private static let counted = ["1200000000", "3600000000", "1296000000000", "2592000000000"]

    @Test func `what was recorded years ago keeps its time in a message of today`() throws {
        let body = try parseStats(Self.report("\"time\":1799999990000,", time: "1539748498139"))
        #expect(body.reports.map(\.time.milliseconds) == [1_539_748_498_139])
    }

    @Test(arguments: counted)
    func `a timestamp a day after the message, or ten years before it, does not count from 1970`(time: String) throws {
        let body = try parseStats(Self.report("\"time\":1799999990000,", time: time))
        #expect(body.reports.map(\.time.milliseconds) == [1_799_999_990_000])
        #expect(body.reports.first?.objects.map(\.timestamp) == [nil])
        #expect(
            body.reports.first?.notes == ["no usable timestamp in the objects; placed at the time of the message"])
    }

    @Test(arguments: [("3600000000", nil), ("1831535999999", 1_831_535_999_999), ("1831536000000", nil)])
    func `a timestamp a year after the receipt does not count from 1970`(time: String, read: Int64?) throws {
        for body in [
            #"{"a":{"type":"codec","timestamp":\#(time)}}"#, #"{"t":\#(time),"stats":{"a":{"type":"codec"}}}"#,
        ] {
            let report = try #require(try parseStats(body).reports.first)
            #expect(report.time == read.map(Timestamp.init(milliseconds:)) ?? received)
            #expect(report.notes.contains(StatsReport.receiptNote) == (read == nil))
        }
    }

    @Test func `a receipt before 2000 tells nothing of what may be`() throws {
        let context = ParsingContext(call: CallID(rawValue: "call"), receivedAt: Timestamp(milliseconds: 0))
        let body = try parseStats(Self.report("\"time\":1697705723000,"), in: context)
        #expect(body.reports.map(\.time.milliseconds) == [1_697_705_722_479])
    }

    @Test func `without any time a report lies at its receipt`() throws {
        let body = try parseStats(#"{"a":{"type":"codec"}}"#)
        #expect(body.reports.map(\.time) == [received])
        #expect(body.reports.first?.notes == ["no usable timestamp; placed at its receipt"])
    }

    @Test func `the arrival of RTCP does not tell when a report was taken`() throws {
        let body = try parseStats(
            #"[{"id":"a","type":"inbound-rtp","timestamp":1697705722000},{"id":"b","type":"inbound-rtp","#
                + #""timestamp":1697705722001},{"id":"c","type":"remote-inbound-rtp","timestamp":1697705799000}]"#)
        #expect(body.reports.map(\.time.milliseconds) == [1_697_705_722_001])
    }

    @Test func `members of an envelope that are not known are named`() throws {
        let body = try parseStats(Self.report("\"zeta\":1,\"appVersion\":\"2\",\"source\":\"web\","))
        #expect(body.unknownProperties == ["appVersion", "zeta"])
    }

    private static let wrong: [(String, RefusalReason, String)] = [
        (
            "{\"a\":{\"type\":\"codec\"}", .malformed,
            "not readable JSON: line 1, column 22: the text ended, expected `,` or `}`"
        ),
        (
            "[{\"action\":\"a\",\"type\":\"b\",\"callId\":\"c\",\"time\":1697705722479}]", .unrecognised,
            "found events, which belong to /v1/events, expected \(shapes)"
        ),
        (
            "[\"{\\\"a\\\":\"]", .malformed,
            "in the JSON text: not readable JSON: line 1, column 6: the text ended, expected a value"
        ),
        (
            String(repeating: "[", count: 100), .tooLarge,
            "not readable JSON: line 1, column 65: nested deeper than 64 levels"
        ),
        ("5", .unrecognised, "found the number 5, expected \(shapes)"),
        ("[[1]]", .unrecognised, "found an array of arrays, expected \(shapes)"),
        ("[[\"a\",[{}]]]", .unrecognised, "found a CallStatistics.log of several calls, expected \(shapes)"),
        ("[null]", .unrecognised, "found an array that begins with null, expected \(shapes)"),
        ("{\"a\":5}", .unrecognised, "found an object with the member `a`, expected \(shapes)"),
        (
            "{\"action\":\"callMetric\"}", .unrecognised,
            "found an event, which belongs to /v1/events, expected \(shapes)"
        ),
    ]

    private static let shapes =
        "statistics objects keyed by id, an array of them, [id, object] pairs, {key, value} pairs, or an object with "
        + "the member `statistics` or `stats`"

    @Test(arguments: wrong)
    func `a body that cannot be used says why`(text: String, reason: RefusalReason, message: String) {
        #expect(statsError(text) == ClientStatsError(reason: reason, description: message))
    }

    private static let tooMany = ClientStatsError(
        reason: .tooLarge, description: "the body holds more than 5000 objects; send it in parts")

    @Test func `the 5,001st object is one too many`() throws {
        let objects = (0..<5000).map { "\"\($0)\":{\"type\":\"codec\"}" }.joined(separator: ",")
        #expect(try parseStats("{\(objects)}").reports.first?.objects.count == 5000)
        #expect(statsError("{\(objects),\"x\":{\"type\":\"codec\"}}") == Self.tooMany)
        let half = "{\"stats\":[\((0..<2501).map { _ in "{\"type\":\"codec\"}" }.joined(separator: ","))]}"
        #expect(statsError("\(half)\n\(half)") == Self.tooMany)
    }

    @Test(arguments: ["{\"stats\":[]},", "{\"type\":\"codec\"},", "1,"])
    func `many parts are refused before they make work`(part: String) {
        let parts = String(repeating: part, count: 5001).dropLast()
        #expect(statsError("[{\"type\":\"codec\"},\(parts)]") == Self.tooMany)
    }

    @Test func `a million short lines are refused at once`() {
        #expect(statsError(String(repeating: "{}\n", count: 300_000)) == Self.tooMany)
        #expect(statsError(String(repeating: "x\n", count: 500_000))?.reason == .malformed)
    }

    private static let refused: [(String, RefusalReason, String)] = [
        ("7", .wrongType, "object `b` is the number 7, expected a statistics object"),
        ("{\"type\":[]}", .wrongType, "object `b`: `type` is an array, expected text"),
        ("{\"type\":\"codec\",\"id\":{}}", .wrongType, "object `b`: `id` is an object, expected text"),
        (
            "{\"type\":\"codec\",\"timestamp\":true}", .wrongType,
            "object `b`: `timestamp` is true, expected a number or text"
        ),
        (
            "{\"type\":\"inbound-rtp\",\"packetsLost\":[1]}", .wrongType,
            "object `b`: `packetsLost` is an array, expected a number"
        ),
        (
            "{\"type\":\"candidate-pair\",\"nominated\":\"maybe\"}", .wrongType,
            "object `b`: `nominated` is the text \"maybe\", expected true or false"
        ),
        (
            "{\"type\":\"codec\",\"x\":\"\(String(repeating: "x", count: 65_537))\"}", .tooLarge,
            "object `b`: `x` has 65537 bytes; at most 65536 are accepted"
        ),
        (
            "{\"type\":\"\(String(repeating: "x", count: 257))\"}", .tooLarge,
            "object `b`: `type` has 257 bytes; at most 256 are accepted"
        ),
    ]

    @Test(arguments: refused)
    func `a bad object does not cost the others`(object: String, reason: RefusalReason, message: String) throws {
        let body = try parseStats("{\"a\":{\"type\":\"codec\"},\"b\":\(object)}")
        #expect(body.reports.first?.objects.map(\.id) == ["a"])
        #expect(body.refusals == [Refusal(index: 0, reason: reason, message: message)])
    }

    @Test func `an observer must be text of at most 256 bytes`() throws {
        let long = String(repeating: "x", count: 257)
        let body = try parseStats("[\(Self.report("\"role\":\"\(long)\",")),\(Self.report("\"role\":{},"))]")
        #expect(
            body.refusals == [
                Refusal(
                    index: 0, reason: .tooLarge, message: "element 0: `role` has 257 bytes; at most 256 are accepted"),
                Refusal(index: 1, reason: .wrongType, message: "element 1: `role` is an object, expected text"),
            ])
    }

    /// libwebrtc's `ToJson` prints them so, and Python's `json` what aiortc gives.
    @Test(arguments: ["[%]", #"{"IT01A1":%}"#, "%\n%"])
    func `a bare nan is nothing, and is noted`(form: String) throws {
        let object =
            #"{"type":"inbound-rtp","id":"IT01A1","timestamp":1697705722000000,"ssrc":1,"jitter":NaN,"packetsLost":0}"#
        let parts = form.split(separator: "%", omittingEmptySubsequences: false)
        let isLines = form.contains("\n")
        let body = try parseStats(parts.joined(separator: isLines ? #"{"stats":[\#(object)]}"# : object))
        #expect(body.reports.first?.objects.first?.members == ["ssrc": 1, "packetsLost": 0])
        #expect(
            body.reports.first?.notes == ["numbers printed as nan or inf were left out", "timestamps in microseconds"])
    }

    @Test(SharedData.required) func `every cut of a real report is refused as a whole`() throws {
        let line = try #require(
            try SharedData.lines("calls/60-chromium-aiortc-loss5/B.getRTPStatistics-10s.jsonl").first)
        for length in 1..<line.count {
            let error = #expect(throws: ClientStatsError.self) {
                try StatsBody.parse(Array(line[..<length]), in: .stats)
            }
            #expect(error?.reason == .malformed)
        }
    }
}
