import CallModel
import ClientStats
import JSONText
import TestSupport
import Testing

@Suite struct EventsBodyTests {
    private static let seed =
        #"{"action":"callMetric","type":"callRestSent","callId":"7E60066C","time":"1455701052999"}"#

    @Test func `the seed's own example is an event`() throws {
        let event = CallEvent(
            time: Timestamp(milliseconds: 1_455_701_052_999), receivedAt: received, action: "callMetric",
            type: "callRestSent")
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "7E60066C"))
        let submission = Submission(
            identity: identity, observer: .client, facts: [Submission.Item(index: 0, fact: .event(event))])
        #expect(try parseEvents(Self.seed) == ParsedBody(submissions: [submission]))
    }

    @Test(arguments: ["[E]", "E\n", "{\"events\":[E]}"]) func `it may come in other wrappings`(form: String) throws {
        let text = form.split(separator: "E", omittingEmptySubsequences: false).joined(separator: Self.seed)
        #expect(try parseEvents(text) == parseEvents(Self.seed))
    }

    private static let times: [(String, Int64)] = [
        (#""1455701052999""#, 1_455_701_052_999), (#"" 1455701052999 ""#, 1_455_701_052_999),
        ("1455701052999", 1_455_701_052_999), ("1445079424793.019043", 1_445_079_424_793),
        ("1.444E12", 1_444_000_000_000), (#""1.444E12""#, 1_444_000_000_000),
        (#"1455701052.999,"timeUnit":"s""#, 1_455_701_052_999),
        (#""2016-02-17T09:24:12.999Z""#, 1_455_701_052_999),
        (#"" 2016-02-17T10:24:12.999+01:00","timeUnit":"s""#, 1_455_701_052_999),
        (#"1455701052999000,"timeUnit":"us""#, 1_455_701_052_999),
        (#"1455701052999000000,"timeUnit":"ns""#, 1_455_701_052_999),
    ]

    @Test(arguments: times) func `time is milliseconds unless it says otherwise`(text: String, time: Int64) throws {
        let body = try parseEvents(#"{"action":"a","type":"b","callId":"c","time":\#(text)}"#)
        #expect(body.events.map(\.time.milliseconds) == [time])
        #expect(body.events.first?.members == [:])
    }

    @Test(arguments: ["-292860345", "1455701052", "1455701052999000"])
    func `an implausible time is kept and its event placed at the receipt`(time: String) throws {
        let body = try parseEvents(#"{"action":"a","type":"b","callId":"c","time":\#(time)}"#)
        #expect(body.events.map(\.time) == [received])
        #expect(body.events.first?.members == ["implausibleTime": try JSONValue(parsing: time)])
    }

    /// A `long` of 32 bits holds what is left of milliseconds since 1970.
    @Test(arguments: [-10_000, 0, 2_000, -86_400_000, 86_400_000])
    func `a time that lost its upper bits is the nearest to the receipt that it may be`(distance: Int64) throws {
        let time = received.advanced(byMilliseconds: distance)
        let wrapped = Int64(Int32(truncatingIfNeeded: time.milliseconds))
        for receipt in [received, received.advanced(byMilliseconds: distance / 2)] {
            let event = #"{"action":"a","type":"b","callId":"c","time":"\#(wrapped)"}"#
            let body = try parseEvents(event, in: ParsingContext(receivedAt: receipt))
            #expect(body.events.map(\.time) == [time])
            #expect(body.events.first?.members == ["implausibleTime": .string(String(wrapped))])
        }
    }

    @Test func `events that stand at their receipt are told apart by the times they were sent with`() throws {
        let body = try parseEvents(
            #"[{"action":"a","type":"b","callId":"c","time":0},{"action":"a","type":"b","callId":"c","time":-5}]"#)
        #expect(Set(body.submissions.flatMap(\.facts).map(\.fact.key)).count == 2)
        #expect(Set(body.submissions.flatMap(\.facts).compactMap(\.fact.repeatHash)).count == 2)
    }

    @Test func `the names of known members are known in any letters`() throws {
        let sent = #"{"Action":"a","TYPE":"b","callid":"c","sessionid":"s","Time":1697705722479,"x":1,"StatusCode":2}"#
        let same = #"{"action":"a","type":"b","callId":"c","sessionId":"s","time":1697705722479,"x":1,"statusCode":2}"#
        #expect(try parseEvents(sent) == parseEvents(same))
    }

    private static let refused: [(String, RefusalReason, String)] = [
        (#"{"type":"b","callId":"c","time":1}"#, .missingMember, "the member `action` is missing"),
        (#"{"action":"a","callId":"c","time":1}"#, .missingMember, "the member `type` is missing"),
        (#"{"action":"a","type":"b","callId":"c"}"#, .missingMember, "the member `time` is missing"),
        (
            #"{"action":"a","type":"b","callId":null,"time":1}"#, .missingMember,
            "the member `callId` is missing, and so is `sessionId`"
        ),
        (#"{"action":5,"type":"b","callId":"c","time":1}"#, .wrongType, "`action` is the number 5, expected text"),
        (#"{"action":"a","type":"b","callId":[],"time":1}"#, .wrongType, "`callId` is an array, expected text"),
        (
            #"{"action":"a","type":"b","callId":"c","time":"noon"}"#, .wrongType,
            "`time` is the text \"noon\", expected milliseconds since 1970 as a number or text"
        ),
        (
            #"{"action":"a","type":"b","callId":"c","time":"2016-02-17T09:24:12"}"#, .wrongType,
            "`time` is the text \"2016-02-17T09:24:12\", expected milliseconds since 1970 as a number or text"
        ),
        (
            #"{"action":"a","type":"b","callId":"c","time":1,"timeUnit":"h"}"#, .wrongType,
            #"`timeUnit` is the text "h", expected "s", "ms", "us" or "ns""#
        ),
        (
            #"{"action":"a","type":"b","callId":"c","time":1697705722479,"seq":"x"}"#, .wrongType,
            "`seq` is the text \"x\", expected a whole number"
        ),
        ("7", .wrongType, "found the number 7, expected an event, which is an object"),
    ]

    @Test(arguments: refused)
    func `a bad event does not cost the others`(text: String, reason: RefusalReason, message: String) throws {
        let body = try parseEvents("[\(Self.seed),\(text)]")
        #expect(body.events.map(\.type) == ["callRestSent"])
        #expect(body.refusals == [Refusal(index: 1, reason: reason, message: "element 1: \(message)")])
    }

    @Test func `a bad line does not cost the others`() throws {
        let body = try parseEvents("\(Self.seed)\n\n{\"action\":\n{\"action\":\"a\"}\n\(Self.seed)\n")
        #expect(body.submissions.map { $0.facts.map(\.index) } == [[0, 3]])
        #expect(
            body.refusals == [
                Refusal(
                    index: 1, reason: .malformed,
                    message: "not readable JSON: line 3, column 11: the text ended, expected a value"),
                Refusal(index: 2, reason: .missingMember, message: "line 4: the member `type` is missing"),
            ])
    }

    @Test func `a session stands in for the call`() throws {
        let body = try parseEvents(#"{"action":"a","type":"b","sessionId":"s","time":1697705722479,"side":"caller"}"#)
        #expect(body.submissions.map(\.identity.call.rawValue) == ["s"])
        #expect(body.submissions.map(\.observer.rawValue) == ["caller"])
        #expect(body.events.first?.members == ["sessionId": "s", "side": "caller"])
    }

    private static let states: [(String, String)] = [
        ("CALLSTATES_IN_CALL", "IN_CALL"), (".sessionProgress", "SESSION_PROGRESS"), ("on_hold", "ON_HOLD"),
        ("CALLSTATES_ENDED", "ENDED"), ("remotelyHeld", "REMOTELY_HELD"), ("ENDED", "ENDED"),
        ("StreamsRunning", "StreamsRunning"),
    ]

    @Test(arguments: states) func `call states have one name`(sent: String, stored: String) throws {
        let body = try parseEvents(
            #"{"action":"callState","type":"\#(sent)","callId":"c","time":1697705722479,"seq":"4"}"#)
        #expect(body.events.map(\.type) == [stored])
        #expect(body.events.first?.members == (sent == stored ? [:] : ["typeAsSent": .string(sent)]))
        #expect(body.events.first?.sequence == 4)
    }

    @Test func `a report inside an event becomes a report`() throws {
        let body = try parseEvents(
            #"[{"action":"rtpStatistics","type":"getRTPStatistics","callId":"c","time":"1455701070400","statistics":"#
                + #""{\"a\":{\"type\":\"inbound-rtp\",\"timestamp\":1455701070400000,\"packetsLost\":2}}"},"#
                + #"{"action":"rtpStatistics","type":"getRTPStatistics","callId":"c","time":"1455701080400","#
                + #""statistics":{"a":{"type":"inbound-rtp","packetsLost":3}}},"#
                + #"{"action":"rtpStatistics","type":"getRTPStatistics","callId":"c","time":"1455701090400","#
                + #""statistics":"{"}]"#)
        #expect(body.reports.map(\.time.milliseconds) == [1_455_701_070_400, 1_455_701_080_400])
        #expect(body.reports.map { $0.objects.first?.members["packetsLost"] } == [2, 3])
        #expect(body.events.isEmpty)
        #expect(
            body.refusals == [
                Refusal(
                    index: 2, reason: .malformed,
                    message: "element 2: in the JSON text: not readable JSON: line 1, column 2: the text ended, "
                        + "expected a member name in quotes")
            ])
    }

    /// What `/reporter.js` tells of a connection in which a packet came 20 ms before; the far end's clock is right.
    private static func sampled(at time: Int64, stamped: Int64, source: String) -> String {
        #"{"action":"rtpStatistics","type":"getRTPStatistics","callId":"c","time":\#(time),"source":"\#(source)","#
            + #""statistics":[{"id":"I","type":"inbound-rtp","timestamp":\#(stamped),"#
            + #""lastPacketReceivedTimestamp":\#(stamped - 20)},"#
            + #"{"id":"O","type":"remote-outbound-rtp","timestamp":\#(stamped - 900),"remoteTimestamp":\#(time - 950)}]}"#
    }

    /// A clock that stood still, and one that was not set back with the machine's.
    @Test(arguments: [5_001, 30_000, 7_200_000, -5_001, -7_200_000] as [Int64])
    func `statistics by another clock are put where their message says they were sampled`(lag: Int64) throws {
        let time: Int64 = 1_697_705_722_479
        let told = Self.sampled(at: time, stamped: time - lag, source: "sidetone-web")
        for reports in [try parseEvents(told).reports, try ImportedFile("\(told)\n").reports] {
            let report = try #require(reports.first)
            #expect(report.time.milliseconds == time)
            #expect(report.objects.map(\.timestamp?.milliseconds) == [time, time - 900])
            #expect(
                report.objects.map(\.members) == [
                    ["lastPacketReceivedTimestamp": .integer(time - 20)], ["remoteTimestamp": .integer(time - 950)],
                ])
            let side = lag > 0 ? "behind" : "ahead of"
            #expect(report.notes == ["the clock of the statistics was \(side) that of the events, and was put right"])
        }
    }

    /// A report takes a moment to be made, and others may send what they sampled long before.
    @Test(arguments: [
        (-300, "sidetone-web"), (5_000, "sidetone-web"), (-5_000, "sidetone-web"), (-30_000, "kandy-anonymous-ios"),
        (30_000, "kandy-anonymous-ios"), (7_200_000, ""),
    ])
    func `other statistics stay where they say they were sampled`(lag: Int64, source: String) throws {
        let time: Int64 = 1_697_705_722_479
        let report = try #require(
            try parseEvents(Self.sampled(at: time, stamped: time - lag, source: source)).reports.first)
        #expect(report.time.milliseconds == time - lag)
        #expect(report.objects.map(\.timestamp?.milliseconds) == [time - lag, time - lag - 900])
        #expect(report.notes == [])
    }

    @Test func `what is not known is taken and named`() throws {
        let body = try parseEvents(
            #"[{"action":"z","type":"b","callId":"c","time":1697705722479,"mood":"good"},"#
                + #"{"action":"callMetric","type":"incomingCall","callId":"c","time":1697705722479},"#
                + #"{"action":"callMetric","type":"callQuux","callId":"c","time":1697705722479}]"#)
        #expect(body.unknownTypes == ["callMetric/callQuux", "z/b"])
        #expect(body.unknownProperties == ["mood"])
        #expect(body.events.count == 3)
        #expect(body.events.first?.members == ["mood": "good"])
    }

    @Test func `SSRCs that an event tells have no sign`() throws {
        let body = try parseEvents(
            #"{"action":"ssrc","type":"didReceiveSSRCs","callId":"c","time":1697705722479,"#
                + #""video":[-1],"detail":{"audio":["-338876003","1309545780","0x1F"],"n":-5}}"#)
        #expect(
            body.events.first?.members == [
                "video": [4_294_967_295], "detail": ["audio": [3_956_091_293, "1309545780", "0x1F"], "n": -5],
            ])
    }

    @Test func `what ties a session to a call on the wire is known`() throws {
        let body = try parseEvents(
            #"{"action":"session","type":"sessionCreated","sessionId":"s","time":1697705722479,"uuiData":"53656e73"}"#)
        #expect(body.unknownProperties == [])
        #expect(body.events.first?.members == ["sessionId": "s", "uuiData": "53656e73"])
    }

    @Test func `a body that is no event says so`() {
        #expect(throws: ClientStatsError.self) { try parseEvents("{\"action\"") }
        let error = #expect(throws: ClientStatsError.self) { try parseEvents("5") }
        #expect(
            error?.description == "found the number 5, expected an event, an array of events, or one event a line")
    }

    @Test(SharedData.required) func `the events of all recordings are known`() throws {
        for call in try SharedData.callNames() {
            for end in ["A", "B"] {
                let bytes = try SharedData.bytes("calls/\(call)/\(end).callAdditionalInfo.jsonl")
                let body = try EventsBody.parse(bytes, in: .events)
                #expect(body.refusals.isEmpty)
                #expect(body.unknownProperties.isEmpty)
                #expect(body.unknownTypes.isEmpty, "\(call)/\(end)")
            }
        }
    }
}
