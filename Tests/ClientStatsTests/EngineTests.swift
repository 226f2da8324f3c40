import CallModel
import ClientStats
import JSONText
import TestSupport
import Testing

/// What each engine prints becomes W3C's names and units.
@Suite(SharedData.required) struct EngineTests {
    private static func reports(_ end: String) throws -> [StatsReport] {
        let body = try StatsBody.parse(
            SharedData.bytes("calls/\(end).getRTPStatistics-10s.jsonl"), in: ParsingContext(receivedAt: received))
        #expect(body.refusals.isEmpty)
        #expect(body.unknownProperties.isEmpty)
        return body.reports
    }

    private static let notes: [(String, [String])] = [
        ("01-clean/A", []),
        ("40-chromium-firefox-clean/B", []),
        (
            "50-chromium87-loss5/B", ["lastPacketReceivedTimestamp does not count from 1970, left out"]
        ),
        ("51-chromium90-loss5/B", ["lastPacketReceivedTimestamp does not count from 1970, left out"]),
        (
            "60-chromium-aiortc-loss5/B",
            [
                "fractionLost in 256ths, converted to 0...1",
                "jitter in RTP ticks, converted to seconds assuming 48000 ticks a second",
                "jitter in RTP ticks, converted to seconds assuming 90000 ticks a second",
            ]
        ),
        ("62-chromium-libwebrtc-loss5/B", ["timestamps in microseconds"]),
    ]

    @Test(arguments: notes) func `what had to be changed is noted`(end: String, notes: [String]) throws {
        let reports = try Self.reports(end)
        #expect(Set(reports.flatMap(\.notes)).sorted() == notes)
        #expect(reports.count == (try SharedData.lines("calls/\(end).getRTPStatistics-10s.jsonl").count))
    }

    @Test(arguments: try SharedData.callNames())
    func `all values of all recordings lie in W3C's ranges`(call: String) throws {
        for end in ["A", "B"] {
            for object in try Self.reports("\(call)/\(end)").flatMap(\.objects) {
                let members = object.members
                #expect((0...1).contains(members["audioLevel"]?.number ?? 0), "\(object)")
                #expect((0...1).contains(members["fractionLost"]?.number ?? 0), "\(object)")
                #expect((0...10).contains(members["roundTripTime"]?.number ?? 0), "\(object)")
                #expect((0...5).contains(members["jitter"]?.number ?? 0), "\(object)")
                #expect(object.timestamp != nil)
                #expect(object.type != .unknown)
            }
        }
    }

    @Test func `aiortc's ticks become seconds`() throws {
        let report = try Self.reports("60-chromium-aiortc-loss5/B")[1]
        let audio = try #require(report.object(.remoteInboundRTP, kind: .audio)).members
        #expect(audio["jitter"] == .double(474.0 / 48_000))
        #expect(audio["fractionLost"] == .double(8.0 / 256))
        #expect(report.object(.remoteInboundRTP, kind: .video)?.members["jitter"] == .double(238.0 / 90_000))
        #expect(report.object(.inboundRTP, kind: .audio)?.members["jitter"] == .double(150.0 / 48_000))
    }

    @Test func `Chromium 87 keeps half of a stream in its track`() throws {
        let report = try Self.reports("50-chromium87-loss5/B")[2]
        let audio = try #require(report.object(.inboundRTP, kind: .audio)).members
        #expect(audio["audioLevel"] == 0.09714041566209906)
        #expect(audio["lastPacketReceivedTimestamp"] == nil)
        #expect(audio["trackIdentifier"] == "4030473f-81f9-46d7-9237-0af502226dfa")
        let video = try #require(report.object(.inboundRTP, kind: .video)).members
        #expect(video["jitterBufferDelay"] == 6.968)
        #expect(video["remoteSource"] == nil)
        #expect(report.objects.count { $0.type == .track } == 4)
        #expect(report.object(.localCandidate)?.members["address"] == "10.77.0.0/24")
    }

    @Test func `Firefox's names are W3C's beside its own`() throws {
        let streams = try Self.reports("40-chromium-firefox-clean/B").flatMap(\.objects)
            .filter { $0.type == .inboundRTP && $0.members["discardedPackets"] != nil }
        #expect(!streams.isEmpty)
        for stream in streams { #expect(stream.members["packetsDiscarded"] == stream.members["discardedPackets"]) }
    }

    @Test func `libwebrtc's times are milliseconds`() throws {
        let report = try Self.reports("62-chromium-libwebrtc-loss5/B")[1]
        let objects = report.objects.compactMap(\.timestamp)
        #expect(objects.max().map { abs($0.milliseconds(since: report.time)) < 60_000 } == true)
        #expect(report.time.milliseconds / 1_000_000_000 == 1795)
        let last = try #require(report.object(.inboundRTP)?.members["lastPacketReceivedTimestamp"]?.number)
        #expect(abs(last - Double(report.time.milliseconds)) < 60_000)
    }

    @Test(arguments: try SharedData.callNames())
    func `normalising what was normalised changes nothing`(call: String) throws {
        for end in ["A", "B"] {
            for report in try Self.reports("\(call)/\(end)") {
                let again = try StatsBody.parse(Array(report.asJSON.canonicalText.utf8), in: .stats)
                #expect(again.reports.map(\.objects) == [report.objects])
                #expect(again.reports.map(\.time) == [report.time])
                #expect(again.refusals.isEmpty)
            }
        }
    }

    @Test func `the 1 s recordings are read too`() throws {
        let context = ParsingContext.stats
        let tenth = try SharedData.lines("calls/01-clean/A.getRTPStatistics-10s.jsonl")
        let envelope = try JSONValue(parsing: tenth[1])
        let objects = try #require(envelope.members?["statistics"])
        let line: JSONValue = ["t": 1_795_231_623_126, "took": 0.8, "stats": objects]
        let body = try StatsBody.parse(Array(line.canonicalText.utf8), in: context)
        #expect(body.unknownProperties.isEmpty)
        #expect(body.reports.map(\.objects) == [try Self.reports("01-clean/A")[1].objects])
    }
}

extension StatsReport {
    /// The report as a client would send it.
    fileprivate var asJSON: JSONValue {
        .array(
            objects.map { object in
                var members = object.members
                members["id"] = .string(object.id)
                members["type"] = .string(object.type.rawValue)
                members["timestamp"] = object.timestamp.map { .integer($0.milliseconds) }
                return .object(members)
            })
    }
}
