import CallModel
import ClientStats
import TestSupport
import Testing

/// Under which names the members of messages are known.
struct MessageNameTests {
    // MARK: Letters

    private static let events = [
        #"{"action":"callMetric","type":"callCreate","callId":"one","time":1767225599000,"seq":1}"#,
        #"{"action":"rtpStatistics","type":"codec","callId":"one","time":1767225600000,"#
            + #""statistics":[{"id":"T","type":"transport","bytesSent":12}]}"#,
        #"{"action":"sip","type":"INVITE","callId":"one","time":1767225599100}"#,
        #"{"action":"callState","type":"ENDED","callId":"one","time":1767225620000,"statusCode":9900}"#,
    ]

    /// The same with names in other letters.
    private static let inOtherLetters = events.map { event in
        [
            ("action", "Action"), ("type\":\"codec", "TYPE\":\"codec"), ("callId", "callid"), ("time", "Time"),
            ("statistics\":", "Statistics\":"), ("statusCode", "StatusCode"), ("seq", "SEQ"),
        ].reduce(event) { $0.replacing("\"\($1.0)", with: "\"\($1.1)") }
    }

    @Test(
        arguments: [
            { $0.joined(separator: "\n") }, { "[\($0.joined(separator: ","))]" },
            { "{\"events\":[\($0.joined(separator: ","))]}" },
        ] as [@Sendable ([String]) -> String])
    func `the names of an event's members are known in any letters`(form: @Sendable ([String]) -> String) throws {
        let (file, same) = (try ImportedFile(form(Self.inOtherLetters)), try ImportedFile(form(Self.events)))
        #expect(file.facts == same.facts)
        #expect(file.refusals == [])
        #expect(file.events.map(\.type) == ["callCreate", "INVITE", "ENDED"])
        #expect(file.reports.map(\.time.milliseconds) == [ImportSamples.start])
    }

    // MARK: null

    private static let object = #"[{"id":"T","type":"transport","bytesSent":12}]"#
    private static let withoutTime = [
        #"{"callId":"one","time":null,"timestamp":1767225600000,"stats":\#(object)}"#,
        #"{"callId":"one","t":null,"ts":"2026-01-01T00:00:00Z","statistics":null,"stats":\#(object)}"#,
        #"{"callId":"one","stats":[{"id":"T","type":"transport","timestamp":null,"timestamp_us":1767225600000000}]}"#,
        #"{"id":"T","type":"transport","timestamp":null,"timestampUs":1767225600000000}"#,
        #"[["one",[{"time":null,"timestamp":1767225600000,"stats":\#(object)}]]]"#,
    ]

    @Test(arguments: withoutTime) func `a member that is null hides no other for the same thing`(text: String) throws {
        let file = try ImportedFile(text)
        #expect(file.reports.map(\.time.milliseconds) == [ImportSamples.start])
        #expect(file.refusals == [])
    }

    @Test(arguments: withoutTime.prefix(4)) func `nor does it in what is posted`(text: String) throws {
        let context = ParsingContext(call: CallID(rawValue: "one"), receivedAt: received)
        #expect(try parseStats(text, in: context).reports.map(\.time.milliseconds) == [ImportSamples.start])
    }

    @Test func `nor does it in dumps`() throws {
        let internals = try ImportedFile(
            ImportSamples.internals.replacing("\"timestamp\":17672255", with: "\"timestamp\":null,\"time\":17672255"))
        #expect(internals.events == (try ImportedFile(ImportSamples.internals).events))
        let client = try ImportedFile(
            ImportSamples.clientFile.replacing("\"time\":\"", with: "\"time\":null,\"timestamp\":\""))
        #expect(client.facts == (try ImportedFile(ImportSamples.clientFile).facts))
    }
}
