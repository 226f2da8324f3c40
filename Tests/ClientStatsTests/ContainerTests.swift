import CallModel
import ClientStats
import JSONText
import TestSupport
import Testing

/// One report in every container gives the same facts.
@Suite(SharedData.required) struct ContainerTests {
    private static func map() throws -> JSONValue {
        let line = try #require(try SharedData.lines("reports/derived/w3c-map.ndjson").last)
        return try JSONValue(parsing: line)
    }

    private static func objects(of map: JSONValue) -> JSONObject {
        map.members ?? [:]
    }

    private static func list(_ map: JSONValue, _ transform: (String, JSONValue) -> JSONValue) -> JSONValue {
        .array(objects(of: map).sorted { $0.key < $1.key }.map(transform))
    }

    private static func nested(_ object: JSONValue) -> JSONValue {
        var inner = object.members ?? [:]
        let outer = ["id", "type", "timestamp"].map { ($0, inner.removeValue(forKey: $0) ?? .null) }
        return .object(JSONObject(outer + [("values", .object(inner))]) { _, last in last })
    }

    private static let shapes: [(name: String, make: @Sendable (JSONValue) -> JSONValue)] = [
        ("array", { list($0) { $1 } }),
        ("pairs", { list($0) { [.string($0), $1] } }),
        ("key and value", { list($0) { ["key": .string($0), "value": $1] } }),
        ("stats", { ["stats": $0] }),
        ("statistics", { ["statistics": $0] }),
        ("statistics as text", { ["statistics": .string($0.canonicalText)] }),
        ("text", { .string($0.canonicalText) }),
        ("text of an envelope", { .string(JSONValue.object(["stats": $0]).canonicalText) }),
        ("one text in an array", { [.string($0.canonicalText)] }),
        ("values", { list($0) { nested($1) } }),
        ("envelope", { ["callId": "call", "time": "1697705722479", "statistics": $0] }),
        ("10 s file", { ["callId": "call", "time": "1697705722479", "statistics": list($0) { $1 }] }),
        ("1 s file", { ["t": 1_697_705_722_479, "took": 0.8, "stats": $0] }),
        ("array of envelopes", { [["statistics": $0]] }),
    ]

    @Test(arguments: shapes.map(\.name)) func `is read alike`(shape: String) throws {
        let map = try Self.map()
        let expected = try parseStats(map.canonicalText)
        let make = try #require(Self.shapes.first { $0.name == shape }?.make)
        #expect(try parseStats(make(map).canonicalText) == expected)
        #expect(expected.reports.first?.objects.count == Self.objects(of: map).count)
    }

    @Test(arguments: [
        "array-ms", "flutter-webrtc", "libwebrtc-tojson", "objc-statistics", "react-native-android",
        "react-native-ios", "react-native-ios-strings", "android-int64-strings", "values-list", "string-in-array",
    ])
    func `thirteen reports as another platform prints them are the same facts`(file: String) throws {
        let expected = try StatsBody.parse(SharedData.bytes("reports/derived/w3c-map.ndjson"), in: .stats)
        let body = try StatsBody.parse(SharedData.bytes("reports/derived/\(file).ndjson"), in: .stats)
        #expect(body.refusals.isEmpty)
        #expect(body.reports.map(\.time) == expected.reports.map(\.time))
        for (report, other) in zip(body.reports, expected.reports) {
            for (object, twin) in zip(report.objects, other.objects) { #expect(object == twin) }
            #expect(report.objects.count == other.objects.count)
        }
    }

    @Test(arguments: ["", " \n ", "{}", "[]", "{\"stats\":[]}"]) func `an empty report is legal`(text: String) throws {
        #expect(try parseStats(text) == ParsedBody())
    }

    @Test func `Java's report is read`() throws {
        let body = try parseStats(
            #"{"timestampUs":1697705722479643,"stats":[{"timestampUs":1697705722479643,"type":"transport","id":"T","#
                + #""bytesSent":"12","selectedCandidatePairId":"7"}]}"#)
        let object = StatsObject(
            id: "T", type: .transport, timestamp: Timestamp(milliseconds: 1_697_705_722_480),
            members: ["bytesSent": 12, "selectedCandidatePairId": "7"])
        #expect(body.reports.first?.objects == [object])
        #expect(body.reports.first?.notes == ["timestamps in microseconds"])
    }

    private static let object = #"{"type":"transport","id":"T","timestamp":1697705722479,"bytesSent":12}"#
    private static let native =
        #"{"type":"transport","id":"T","timestamp_us":1697705722479000,"values":{"bytesSent":12}}"#

    /// A report of a native app as it is, as text, and as text of text.
    private static let inside = [
        "{\"stats\":[\(object)]}", "{\"statistics\":{\"T\":\(object)}}",
        "{\"timestampUs\":1697705722479000,\"stats\":[\(object)]}",
        "{\"timestamp_us\":1697705722479000,\"statistics\":{\"T\":\(native)}}",
        text("[\(object)]"), text(text("[\(object)]")), text("{\"statistics\":{\"T\":\(native)}}"),
        "[\(text("{\"stats\":[\(object)]}"))]",
    ]

    private static func text(_ inner: String) -> String {
        JSONValue.string(inner).canonicalText
    }

    @Test(arguments: inside) func `a report inside an envelope may stand in one of its own`(report: String) throws {
        let body = try parseStats(#"{"callId":"call","role":"caller","time":1697705722500,"statistics":\#(report)}"#)
        let event = try parseEvents(
            #"{"action":"rtpStatistics","type":"t","callId":"call","time":1697705722500,"statistics":\#(report)}"#)
        for report in [body, event].flatMap(\.reports) {
            #expect(report.time.milliseconds == 1_697_705_722_479)
            #expect(report.objects.map(\.members) == [["bytesSent": 12]])
        }
        #expect(body.reports.count + event.reports.count == 2)
        #expect(body.submissions.map(\.observer.rawValue) == ["caller"])
    }

    @Test func `more than four wrappings are refused`() throws {
        func wrapped(_ times: Int) -> String { (0..<times).reduce("[]") { inner, _ in "{\"stats\":\(inner)}" } }
        #expect(try parseStats(wrapped(5)) == ParsedBody())
        #expect(
            statsError(wrapped(6))?.description.hasPrefix("found a report inside more than 4 texts or members") == true)
    }

    @Test func `lines are counted without the blank ones`() throws {
        let body = try parseStats(
            """
            {"callId":"call","role":"caller","statistics":[{"id":"a","type":"codec","timestamp":1697705722479}]}

            {"callId":"call","role":"callee","statistics":[{"id":"a","type":"codec","timestamp":1697705722480}]}
            {"callId":"other","statistics":[{"id":"a","type":"codec"}]}
            {"callId":"call","statistics":
            {"callId":"call","role":"caller","pc":"2","statistics":[{"id":"a","type":"codec","timestamp":1697705722481}]}
            """)
        #expect(body.submissions.map(\.observer.rawValue) == ["caller", "callee"])
        #expect(body.submissions.map { $0.facts.map(\.index) } == [[0, 4], [1]])
        #expect(body.reports.map(\.connection.rawValue) == ["", "2", ""])
        #expect(
            body.refusals == [
                Refusal(
                    index: 2, reason: .unrecognised,
                    message: "line 4: `callId` is \"other\", but the request is for the call \"call\""),
                Refusal(
                    index: 3, reason: .malformed,
                    message: "not readable JSON: line 5, column 31: the text ended, expected a value"),
            ])
    }
}
