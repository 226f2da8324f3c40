import CallModel
import ClientStats
import TestSupport
import Testing

@Suite struct WireBodyTests {
    private static let time = Timestamp(milliseconds: 1_790_000_005_000)
    private static let call = CallID(rawValue: "c")

    private static let report: WireReport = {
        var stream = WireStream(
            id: "4711", ssrc: 4711, source: "10.77.0.0/24:4000", destination: "10.78.0.0/24:5004", kind: .audio,
            payloadType: 0, firstPacketAt: Timestamp(milliseconds: 1_790_000_000_000),
            lastPacketAt: Timestamp(milliseconds: 1_790_000_004_980))
        stream.codec = "audio/PCMU"
        stream.lastControlAt = Timestamp(milliseconds: 1_790_000_004_000)
        stream.lastOutage = TimeSpan(
            start: Timestamp(milliseconds: 1_790_000_001_000), end: Timestamp(milliseconds: 1_790_000_001_500))
        stream[.packetsReceived] = 248
        stream[.jitter] = 0.004
        stream.lossRuns = [2]
        return WireReport(
            time: time, receivedAt: received, streams: [stream],
            sensor: SensorHealth(packetsDroppedByKernel: 0, holes: [TimeSpan(start: stream.firstPacketAt, end: nil)]),
            audioPacketsSent: 250)
    }()

    private static let event = CallEvent(
        time: Timestamp(milliseconds: 1_790_000_000_000), receivedAt: received, action: "sip", type: "INVITE",
        sequence: 1, members: ["method": "INVITE", "end": "caller", "aliases": ["Session-ID: 1"], "userToUser": "2"])

    private static func line(_ fact: Fact, observer: String = "wire:caller") -> String {
        WireLine.text(of: fact, call: call, observer: ObserverID(rawValue: observer)) ?? ""
    }

    private static func submission(_ facts: [Fact], observer: String = "wire:caller") -> Submission {
        Submission(
            identity: CallIdentity(tenant: .default, call: call), observer: ObserverID(rawValue: observer),
            facts: facts.enumerated().map { Submission.Item(index: $0, fact: $1) })
    }

    // MARK: Shapes

    @Test func `what a probe writes is what is read`() throws {
        let facts: [Fact] = [.event(Self.event), .wire(Self.report)]
        let body = try parseWire(facts.map { Self.line($0) }.joined(separator: "\n") + "\n")
        #expect(body == ParsedBody(submissions: [Self.submission(facts)]))
    }

    @Test(arguments: ["R", "[R]", "R\n", "\n R \r\n"]) func `one report may stand alone, in an array or on a line`(
        form: String
    ) throws {
        let text = form.replacing("R", with: Self.line(.wire(Self.report)))
        #expect(try parseWire(text) == ParsedBody(submissions: [Self.submission([.wire(Self.report)])]))
    }

    @Test func `nothing is nothing, and a client's report is no line`() throws {
        #expect(try parseWire(" \n") == ParsedBody())
        #expect(try parseWire("[]") == ParsedBody())
        let report = StatsReport(connection: .only, time: Self.time, receivedAt: received, objects: [])
        #expect(WireLine.text(of: .report(report), call: Self.call, observer: .client) == nil)
    }

    @Test(arguments: [("", nil, "wire"), ("", "probe", "probe"), (#""observer":"x","#, "probe", "x")])
    func `the observer is wire when neither the line nor the request names one`(
        member: String, request: String?, observer: String
    ) throws {
        let context = ParsingContext(observer: request.map(ObserverID.init(rawValue:)), receivedAt: received)
        for rest in [#""streams":[]}"#, #""action":"sip","type":"ACK"}"#] {
            let body = try parseWire(#"{\#(member)"callId":"c","time":1790000005000,\#(rest)"#, in: context)
            #expect(body.submissions.map(\.observer.rawValue) == [observer])
        }
    }

    @Test(arguments: ["1790000005000", #""1790000005000""#, #"1790000005,"timeUnit":"s""#, "1790000005000.4"])
    func `time is milliseconds unless it says otherwise`(time: String) throws {
        let body = try parseWire(#"{"callId":"c","streams":[],"time":\#(time)}"#)
        #expect(body.wireReports == [WireReport(time: Self.time, receivedAt: received, streams: [])])
        #expect(body.unknownProperties.isEmpty)
    }

    @Test func `what is not known is named`() throws {
        let body = try parseWire(
            #"{"callId":"c","time":1790000005000,"streams":[],"weather":"fine"}"# + "\n"
                + #"{"callId":"c","time":1790000005000,"action":"sip","type":"PING","mood":1,"method":"PING"}"#)
        #expect(body.unknownProperties == ["mood", "weather"])
        #expect(body.unknownTypes == ["sip/PING"])
        #expect(body.submissions.map(\.facts.count) == [2])
    }

    // MARK: Refusals

    private static let refused: [(String, RefusalReason, String)] = [
        ("7", .wrongType, "found the number 7, expected a wire report or a SIP event, which is an object"),
        (#"{"time":1790000005000,"streams":[]}"#, .missingMember, "the member `callId` is missing"),
        (#"{"callId":"","time":1790000005000,"streams":[]}"#, .missingMember, "the member `callId` is missing"),
        (#"{"callId":{},"time":1790000005000,"streams":[]}"#, .wrongType, "`callId` is an object, expected text"),
        (#"{"callId":"c","streams":[]}"#, .missingMember, "the member `time` is missing"),
        (
            #"{"callId":"c","time":"noon","streams":[]}"#, .wrongType,
            "`time` is the text \"noon\", expected milliseconds since 1970 as a number or text"
        ),
        (
            #"{"callId":"c","time":1790000005,"streams":[]}"#, .wrongType,
            "`time` is the number 1790000005, expected milliseconds since 1970 in the years 2000 to 2099"
        ),
        (
            #"{"callId":"c","time":4102444800000,"streams":[]}"#, .wrongType,
            "`time` is the number 4102444800000, expected milliseconds since 1970 in the years 2000 to 2099"
        ),
        (#"{"callId":"c","time":1790000005000}"#, .missingMember, "`streams` is missing, expected an array of streams"),
        (report(#""streams":5"#), .wrongType, "`streams` is 5, expected an array of streams"),
        (
            report(#""streams":[{}]"#), .missingMember,
            "`streams[0].ssrc` is missing, expected a whole number of 0 to 4294967295"
        ),
        (report(#""streams":[],"sensor":1"#), .wrongType, "`sensor` is 1, expected an object"),
        (
            report(stream(#""firstPacketAt":5,"lastPacketAt":1790000004980"#)), .wrongType,
            "`firstPacketAt` of the stream 1 is 5, expected milliseconds since 1970 in the years 2000 to 2099"
        ),
        (
            report(stream(#""firstPacketAt":1790000000000,"lastPacketAt":-1"#)), .wrongType,
            "`lastPacketAt` of the stream 1 is -1, expected milliseconds since 1970 in the years 2000 to 2099"
        ),
        (
            report(stream(#"\#(moments),"lastControlAt":9e18"#)), .wrongType,
            "`lastControlAt` of the stream 1 is 9000000000000000000, expected milliseconds since 1970 in the years "
                + "2000 to 2099"
        ),
        (
            report(stream(#"\#(moments),"lastOutage":{"start":1790000000000,"end":7}"#)), .wrongType,
            "`end` of `lastOutage` of the stream 1 is 7, expected milliseconds since 1970 in the years 2000 to 2099"
        ),
        (
            report(#""streams":[],"sensor":{"holes":[{"start":7}]}"#), .wrongType,
            "`start` of a hole of `sensor` is 7, expected milliseconds since 1970 in the years 2000 to 2099"
        ),
        (
            report(stream(#"\#(moments),"jitter":-0.004,"clockDrift":-3"#)), .wrongType,
            "`jitter` of the stream 1 is -0.004, expected 0 or more"
        ),
        (
            report(stream(#"\#(moments),"packetMilliseconds":-20"#)), .wrongType,
            "`packetMilliseconds` of the stream 1 is -20.0, expected 0 or more"
        ),
        (
            #"{"callId":"c","time":1790000005000,"action":"sip"}"#, .missingMember, "the member `type` is missing"
        ),
        (
            #"{"callId":"c","time":1790000005000,"action":"callState","type":"ENDED"}"#, .unrecognised,
            "`action` is the text \"callState\", expected \"sip\"; POST /v1/events takes other events"
        ),
        (
            #"{"time":1790000005000,"action":"sip","type":"BYE"}"#, .missingMember,
            "the member `callId` is missing, and so is `sessionId`"
        ),
        (
            #"{"callId":"\#(String(repeating: "x", count: 257))","time":1790000005000,"streams":[]}"#, .tooLarge,
            "`callId` has 257 bytes; at most 256 are accepted"
        ),
        (
            report(stream(#"\#(moments),"id":"\#(String(repeating: "1", count: 300))""#)), .tooLarge,
            "`streams[0].id` has 300 bytes; at most 256 are accepted"
        ),
        (
            report(stream(#"\#(moments),"sdpFmtpLine":"\#(String(repeating: "a", count: 65_537))""#)), .tooLarge,
            "a text of the report has 65537 bytes; at most 65536 are accepted"
        ),
        (
            report("\"streams\":[" + String(repeating: "0,", count: 1_000) + "0]"), .tooLarge,
            "`streams` has 1001 elements; at most 1000 are accepted"
        ),
    ]

    private static let moments = #""firstPacketAt":1790000000000,"lastPacketAt":1790000004980"#

    private static func report(_ members: String) -> String {
        #"{"callId":"c","time":1790000005000,\#(members)}"#
    }

    private static func stream(_ members: String) -> String {
        #""streams":[{"ssrc":1,"kind":"audio","payloadType":0,\#(members)}]"#
    }

    @Test(arguments: refused)
    func `a bad line does not cost the others`(text: String, reason: RefusalReason, message: String) throws {
        let good = Self.line(.wire(Self.report))
        let lines = try parseWire("\(good)\n\n\(text)\n\(good)\n")
        #expect(lines.submissions.map { $0.facts.map(\.index) } == [[0, 2]])
        #expect(lines.refusals == [Refusal(index: 1, reason: reason, message: "line 3: \(message)")])
        let elements = try parseWire("[\(good),\(text)]")
        #expect(elements.refusals == [Refusal(index: 1, reason: reason, message: "element 1: \(message)")])
    }

    @Test func `a line that is no JSON does not cost the others`() throws {
        let good = Self.line(.wire(Self.report))
        let body = try parseWire("\(good)\n{\"callId\":\n\(good)")
        #expect(body.wireReports == [Self.report, Self.report])
        #expect(
            body.refusals == [
                Refusal(
                    index: 1, reason: .malformed,
                    message: "not readable JSON: line 2, column 11: the text ended, expected a value")
            ])
    }

    private static let unusable: [(String, RefusalReason, String)] = [
        (
            "5", .unrecognised,
            "found the number 5, expected a wire report or a SIP event, an array of them, or one a line"
        ),
        (
            "{\"callId\"", .malformed,
            "not readable JSON: line 1, column 10: the text ended, expected `:` after the member name"
        ),
        (
            "[" + String(repeating: "{},", count: 5_000) + "{}]", .tooLarge,
            "the body holds more than 5000 objects; send it in parts"
        ),
        (
            String(repeating: manyStreams + "\n", count: 7), .tooLarge,
            "the body holds more than 5000 objects; send it in parts"
        ),
    ]

    /// 800 streams in one report.
    private static let manyStreams =
        WireLine.text(
            of: .wire(
                WireReport(
                    time: time, receivedAt: received,
                    streams: (0..<800).map {
                        WireStream(
                            id: String($0), ssrc: UInt32($0), source: "", destination: "", kind: .audio, payloadType: 0,
                            firstPacketAt: time, lastPacketAt: time)
                    })), call: call, observer: .client) ?? ""

    @Test(arguments: unusable)
    func `a body of which nothing can be used says so`(text: String, reason: RefusalReason, message: String) {
        let error = #expect(throws: ClientStatsError.self) { try parseWire(text) }
        #expect(error == ClientStatsError(reason: reason, description: message))
    }

    @Test func `the largest report of a body is taken`() throws {
        #expect(try parseWire(Self.manyStreams).wireReports.map(\.streams.count) == [800])
    }

    @Test func `only figures that have a sign may be negative`() throws {
        let figures = #""maximumSkew":-0.5,"clockDrift":-3,"receiverPacketsLost":-1,"jitter":0"#
        let body = try parseWire(Self.report(Self.stream("\(Self.moments),\(figures)")))
        let expected: WireFigures = [
            .maximumSkew: -0.5, .clockDrift: -3, .receiverPacketsLost: -1, .jitter: 0,
        ]
        #expect(body.wireReports.flatMap(\.streams).map(\.figures) == [expected])
    }

    // MARK: Redaction

    private static let endpoints: [(String, String)] = [
        ("", ""), ("10.77.0.2:5004", "10.77.0.0/24:5004"), ("10.77.0.0/24:5004", "10.77.0.0/24:5004"),
        ("10.77.0.2", "10.77.0.0/24"), ("10.77.0.2/32", "10.77.0.0/24"), ("10.77.0.2/32:5004", "10.77.0.0/24:5004"),
        ("[2001:db8:1:2::3]:5004", "[2001:db8:1::/48]:5004"), ("[2001:db8:1::/48]:5004", "[2001:db8:1::/48]:5004"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"), ("2001:db8:1:2::1234", "2001:db8:1::/48"),
        ("2001:db8:1::/48:5004", "2001:db8:1::/48:5004"), ("[2001:db8:1:2::3]", "2001:db8:1::/48"),
        ("::ffff:10.77.0.2", "10.77.0.0/24"), ("[::ffff:10.77.0.2]:9", "[10.77.0.0/24]:9"),
        ("phone.example.org:5060", "name:5060"), ("name:5060", "name:5060"), ("phone.example.org", "name"),
        ("3f8a1c2e.local:4000", "mdns:4000"), ("10.77.0.2:123456", "10.77.0.0/24"), (":5060", ":5060"),
    ]

    @Test(arguments: endpoints) func `an address is cut to its network, and its port stays`(
        sent: String, stored: String
    ) throws {
        var report = Self.report
        var stream = report.streams[0]
        (stream.source, stream.destination) = (sent, sent)
        report = WireReport(time: Self.time, receivedAt: received, streams: [stream])
        let event = CallEvent(
            time: Self.time, receivedAt: received, action: "sip", type: "INVITE",
            members: ["source": .string(sent), "destination": .string(sent)])
        let body = try parseWire([Self.line(.wire(report)), Self.line(.event(event))].joined(separator: "\n"))
        #expect(body.wireReports.flatMap(\.streams).flatMap { [$0.source, $0.destination] } == [stored, stored])
        #expect(body.events.map(\.members) == [["source": .string(stored), "destination": .string(stored)]])
    }

    @Test func `an address in the parameters of a format is cut`() throws {
        var stream = Self.report.streams[0]
        stream.formatParameters = "relay=10.77.0.2:5004;mode=20"
        let report = WireReport(time: Self.time, receivedAt: received, streams: [stream])
        let stored = try parseWire(Self.line(.wire(report))).wireReports.flatMap(\.streams)
        #expect(stored.map(\.formatParameters) == ["relay=10.77.0.0/24:5004;mode=20"])
    }

    @Test func `keys in a session description are dropped`() throws {
        let event = CallEvent(
            time: Self.time, receivedAt: received, action: "sip", type: "INVITE",
            members: ["body": "v=0\r\nc=IN IP4 10.77.0.2\r\na=crypto:1 AES inline:secret\r\n", "password": "x"])
        #expect(
            try parseWire(Self.line(.event(event))).events.map(\.members) == [
                ["body": "v=0\r\nc=IN IP4 10.77.0.0/24\r\n"]
            ])
    }
}
