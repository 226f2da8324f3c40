import CallModel
import ClientStats
import TestSupport
import Testing

/// Statistics in other hands' spelling, without a container, and what only looks like some.
struct ForeignFormTests {
    private static let shapes =
        "expected statistics objects keyed by id, an array of them, [id, object] pairs, {key, value} pairs, or an object "
        + "with the member `statistics` or `stats`"

    private static let stream = #"""
        {"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"timestamp":1767225600000,"packetsReceived":50,"packetsLost":1,\#
        "jitterBufferDelay":2.5}
        """#

    // MARK: Nothing of use

    @Test(arguments: [
        (#"[{"a":1}]"#, "object with the member `a`"),
        (#"[{"name":"sample","payload":{"mos":4.2}}]"#, "object with the members `name`, `payload`"),
        (#"{"repository":{"type":"git","url":"u"},"name":{"id":"x"}}"#, "object with the member `id`"),
        (#"[{"type":"erlang-vm-memory","total":9}]"#, "object with the members `total`, `type`"),
    ])
    func `objects of which none is of a known type are no report`(text: String, first: String) {
        let found = "found objects of which none has the `type` of a statistics object (first an \(first)), "
        #expect(statsError(text) == ClientStatsError(reason: .unrecognised, description: found + Self.shapes))
    }

    @Test func `one that is none costs no other report`() throws {
        let body = try parseStats("{\"stats\":[\(Self.stream)]}\n{\"stats\":[{\"a\":1}]}")
        #expect(body.reports.count == 1)
        #expect(body.refusals.map(\.reason) == [.unrecognised] && body.refusals.map(\.index) == [1])
    }

    @Test func `an object without a type is left out of a report, which says so`() throws {
        let report = try #require(try parseStats("[\(Self.stream),{\"id\":\"x\",\"packetsReceived\":9}]").reports.first)
        #expect(report.notes == ["an object without a type was left out"])
        let ofUnknownTypes = try parseStats("[\(Self.stream),{\"id\":\"x\",\"type\":\"new\"}]")
        #expect(ofUnknownTypes.reports.first?.notes == [] && ofUnknownTypes.unknownTypes == ["new"])
    }

    // MARK: Alone

    @Test func `one statistics object alone is a report`() throws {
        #expect(try parseStats(Self.stream).reports == parseStats("[\(Self.stream)]").reports)
    }

    /// As `report.forEach(object => console.log(JSON.stringify(object)))` writes them.
    @Test func `objects one a line are reports, by their times`() throws {
        let lines = (0..<3).flatMap { second -> [String] in
            let time = ImportSamples.start + 10_000 * Int64(second)
            return [
                #"{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"timestamp":\#(time),"packetsReceived":\#(second)}"#,
                #"{"id":"R","type":"remote-outbound-rtp","kind":"audio","ssrc":7,"timestamp":\#(time - 700),"packetsSent":9}"#,
                #"{"id":"T","type":"transport","timestamp":\#(time + 3),"bytesReceived":8}"#,
            ]
        }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        #expect(file.refusals == [])
        #expect(file.reports.map { $0.objects.map(\.id) } == Array(repeating: ["I", "R", "T"], count: 3))
        #expect(file.reports.map { $0.time.milliseconds - ImportSamples.start } == [3, 10_003, 20_003])
    }

    @Test(arguments: ["track", "stream", "transport"])
    func `a message whose type has the name of a statistics object is none`(type: String) throws {
        let event = #"{"action":"media","type":"\#(type)","callId":"c","time":1767225600000}"#
        #expect(try ImportedFile(event).events.map(\.type) == [type])
        let report = #"{"type":"\#(type)","time":1767225600000,"stats":[\#(Self.stream)]}"#
        #expect(try ImportedFile(report).reports.map { $0.objects.map(\.id) } == [["I"]])
    }

    @Test func `an object that comes again begins a report, whatever the times say`() throws {
        #expect(try ImportedFile("\(Self.stream)\n\(Self.stream)").count == 2)
    }

    @Test func `more objects than a report may have are several`() throws {
        let lines = (0..<5_001).map { #"{"id":"\#($0)","type":"codec","timestamp":1767225600000}"# }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        #expect(file.count == 2 && file.refusals == [])
    }

    // MARK: Spelling

    @Test(arguments: ["_", "-"]) func `names as other languages spell them are W3C's`(mark: String) throws {
        let spelled = #"""
            {"id":"I","type":"inbound\#(mark)rtp","kind":"audio","ssrc":7,"timestamp":1767225600000,\#
            "packets\#(mark)received":50,"packets\#(mark)lost":1,"jitter\#(mark)buffer\#(mark)delay":2.5}
            """#
        #expect(try parseStats("[\(spelled)]").reports == parseStats("[\(Self.stream)]").reports)
    }

    @Test func `names that W3C does not have stay as they are`() throws {
        let text = #"[{"id":"I","type":"inbound_rtp","kind":"audio","ssrc":7,"bytes_received":5,"my_own_figure":3}]"#
        let members = try parseStats(text).reports.first?.objects.first?.members
        #expect(members == ["kind": "audio", "ssrc": 7, "bytesReceived": 5, "my_own_figure": 3])
    }

    /// Firefox to 52, Kurento, ORTC.
    @Test func `types without hyphens and old names of candidates are W3C's`() throws {
        let text = #"""
            [{"id":"I","type":"inboundrtp","kind":"audio","ssrc":7,"packetsReceived":50},
            {"id":"O","type":"inboundrtp","kind":"audio","ssrc":8,"isRemote":true,"packetsLost":1,"mozRtt":40},
            {"id":"P","type":"candidatepair","selected":true},
            {"id":"L","type":"localcandidate","candidateType":"relayed","transport":"udp","portNumber":9}]
            """#
        let objects = try #require(try parseStats(text).reports.first).objects
        let types = Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0.type) })
        #expect(types == ["I": .inboundRTP, "O": .remoteInboundRTP, "P": .candidatePair, "L": .localCandidate])
        #expect(objects.first { $0.id == "O" }?.members["roundTripTime"] == 0.04)
        let candidate = objects.first { $0.id == "L" }?.members
        #expect(candidate?["candidateType"] == "relay" && candidate?["protocol"] == "udp" && candidate?["port"] == 9)
    }

    // MARK: Commas

    @Test(arguments: [",\n", "\n\n,", ",", "\n,\n", ",\n\n"])
    func `commas between reports are no part of them`(separator: String) throws {
        let reports = (0..<3).map { ImportSamples.report(second: 10 * $0, received: Int($0)) }
        let file = try ImportedFile(reports.joined(separator: separator))
        #expect(file.refusals == [] && file.reports.count == 3)
        let pretty = reports.map { $0.replacing(",", with: ",\n  ") }
        #expect(try ImportedFile(pretty.joined(separator: separator)).reports == file.reports)
    }

    @Test func `a list that was never closed gives what is whole`() throws {
        let reports = (0..<3).map { ImportSamples.report(second: 10 * $0, received: Int($0)) }
        let file = try ImportedFile("[\n" + reports.joined(separator: ",\n") + ",\n")
        #expect(file.reports.count == 3)
    }

    // MARK: Times

    @Test(arguments: ["timestamp_ms", "timestampMs", "ts", "time"])
    func `a message says when it was made by any of these`(name: String) throws {
        let text = #"{"\#(name)":1767225600000,"stats":[{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7}]}"#
        #expect(try ImportedFile(text).reports.map(\.time.milliseconds) == [1_767_225_600_000])
    }

    @Test(arguments: [(1_000, 0.001), (1, 1), (1, 1_000), (1, 1_000_000)] as [(Int64, Double)])
    func `the time of an event may be in another unit, where that is a moment near the receipt`(
        divisor: Int64, factor: Double
    ) throws {
        for distance in [0, -80_000_000, 80_000_000] as [Int64] {
            let time = received.milliseconds + distance
            let sent = Int64(Double(time) * factor)
            let event = try #require(
                try parseEvents("{\"action\":\"a\",\"type\":\"b\",\"callId\":\"c\",\"time\":\(sent)}").events.first)
            #expect(event.time.milliseconds / divisor == time / divisor)
            #expect(event.members["implausibleTime"] == nil)
        }
    }

    @Test func `far from the receipt no unit is guessed`() throws {
        for sent in [received.milliseconds / 1000 - 90_000, 1000 * (received.milliseconds - 90_000_000)] {
            let event = try #require(
                try parseEvents("{\"action\":\"a\",\"type\":\"b\",\"callId\":\"c\",\"time\":\(sent)}").events.first)
            #expect(event.time == received)
        }
    }
}
