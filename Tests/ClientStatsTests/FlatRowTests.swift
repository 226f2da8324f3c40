import CallModel
import ClientStats
import Testing

/// Rows that have one object for a stream: of mediasoup, and of LiveKit's clients.
struct FlatRowTests {
    private static let inbound = #"""
        {"bitrate":31904,"bitrateByLayer":{},"byteCount":79760,"firCount":0,"fractionLost":64,"jitter":8,"kind":"audio",\#
        "mimeType":"audio/opus","nackCount":3,"nackPacketCount":4,"packetCount":998,"packetsDiscarded":2,"packetsLost":4,\#
        "packetsRepaired":3,"packetsRetransmitted":3,"pliCount":0,"score":10,"ssrc":1111,"timestamp":1726000123,\#
        "type":"inbound-rtp"}
        """#
    private static let outbound = #"""
        {"bitrate":700000,"byteCount":875000,"firCount":0,"fractionLost":0,"jitter":5,"kind":"video","mimeType":"video/VP8",\#
        "packetCount":1000,"packetsDiscarded":0,"packetsLost":12,"packetsRepaired":9,"packetsRetransmitted":9,\#
        "roundTripTime":46.5,"score":9,"ssrc":2222,"timestamp":1726000123,"type":"outbound-rtp"}
        """#

    @Test func `what mediasoup received has W3C's names and units`() throws {
        let body = try parseStats("[\(Self.inbound)]")
        let report = try #require(body.reports.first)
        let stream = try #require(report.object(.inboundRTP, kind: .audio)).members
        #expect(stream["packetsReceived"] == 998 && stream["bytesReceived"] == 79_760 && stream["packetsLost"] == 4)
        #expect(stream["jitter"] == 0.008 && stream["fractionLost"] == 0.25)
        #expect(stream["retransmittedPacketsReceived"] == 3 && stream["packetsDiscarded"] == nil)
        let codec = try #require(report.object(.codec))
        #expect(codec.members == ["mimeType": "audio/opus"] && stream["codecId"] == .string(codec.id))
        #expect(report.notes.contains("rows of mediasoup, brought to W3C's names and units"))
        #expect(body.refusals == [] && body.unknownTypes == [])
    }

    @Test func `of what mediasoup sent the far end tells loss and round trip`() throws {
        let report = try #require(try parseStats("[\(Self.inbound),\(Self.outbound)]").reports.first)
        let stream = try #require(report.object(.outboundRTP, kind: .video))
        #expect(stream.members["packetsSent"] == 1_000 && stream.members["bytesSent"] == 875_000)
        #expect(stream.members["packetsLost"] == nil && stream.members["jitter"] == nil)
        #expect(
            report.object(.remoteInboundRTP)?.members == [
                "localId": .string(stream.id), "kind": "video", "ssrc": 2222, "packetsLost": 12, "fractionLost": 0,
                "roundTripTime": 0.0465,
            ])
    }

    /// 1,726,000,123 ms are 20 days of a machine, and as seconds a day of 2024.
    @Test func `the time of mediasoup's machine is no time of day`() throws {
        let text = #"{"time":1799999990000,"statistics":[\#(Self.inbound)]}"#
        #expect(try parseStats(text).reports.first?.time == Timestamp(milliseconds: 1_799_999_990_000))
        #expect(try parseStats("[\(Self.inbound)]").reports.first?.time == received)
        let dated = Self.inbound.replacing("1726000123", with: "1799999995000")
        #expect(try parseStats("[\(dated)]").reports.first?.time == Timestamp(milliseconds: 1_799_999_995_000))
    }

    @Test func `what LiveKit's clients tell of a track is a stream`() throws {
        let report = try #require(
            try parseStats(
                #"""
                [{"type":"audio","streamId":"IT01A7","timestamp":1799999995000,"packetsReceived":500,"packetsLost":5,\#
                "bytesReceived":40000,"jitter":0.004,"concealedSamples":960},
                {"type":"video","streamId":"OT01V9","timestamp":1799999995000,"packetsSent":900,"bytesSent":800000,\#
                "packetsLost":9,"jitter":0.012,"roundTripTime":0.08,"rid":"f","frameWidth":640,"frameHeight":360}]
                """#
            ).reports.first)
        let audio = try #require(report.object(.inboundRTP, kind: .audio))
        #expect(audio.id == "IT01A7" && audio.members["packetsLost"] == 5 && audio.members["jitter"] == 0.004)
        let video = try #require(report.object(.outboundRTP, kind: .video))
        #expect(video.id == "OT01V9" && video.members["packetsLost"] == nil)
        #expect(
            report.object(.remoteInboundRTP)?.members == [
                "localId": "OT01V9", "kind": "video", "packetsLost": 9, "jitter": 0.012, "roundTripTime": 0.08,
            ])
        #expect(report.notes == ["rows of LiveKit, brought to W3C's types"])
    }

    @Test func `what LiveKit's clients tell of one track need not stand in a list`() throws {
        let row = #"{"type":"audio","streamId":"IT01A7","packetsReceived":500}"#
        let report = try #require(try parseStats(row).reports.first)
        #expect(report.object(.inboundRTP, kind: .audio)?.id == "IT01A7")
    }

    @Test(arguments: [(#"7,"#, "7"), (#""","#, "outbound-rtp#0"), ("", "outbound-rtp#0")])
    func `the far end of a row has the id of the row`(id: String, expected: String) throws {
        let member = id.isEmpty ? "" : #""id":\#(id)"#
        let report = try #require(try parseStats("[{\(member)\(Self.outbound.dropFirst())]").reports.first)
        #expect(report.object(.outboundRTP)?.id == expected)
        let remote = try #require(report.object(.remoteInboundRTP))
        #expect(remote.id == "remote-\(expected)" && remote.members["localId"] == .string(expected))
    }

    @Test func `rows that are taken apart count as what they become`() {
        let rows = (0..<4).map {
            Self.outbound.replacing("video/VP8", with: "video/\($0)").replacing("2222", with: "\($0)")
        }
        let text = "[\(rows.joined(separator: ","))]"
        var context = ParsingContext.stats
        context.limits.objects = 12
        #expect(throws: Never.self) { try parseStats(text, in: context) }
        context.limits.objects = 11
        #expect(statsError(text, in: context)?.reason == .tooLarge)
    }

    @Test(arguments: [
        #"{"type":"audio","timestamp":1799999995000,"packetsReceived":5}"#,
        #"{"type":"audio","streamId":"s","timestamp":1799999995000}"#,
        #"{"type":"audio","streamId":"s","packetsReceived":5,"packetsSent":5}"#,
    ])
    func `a row that does not say which way the stream goes is none`(row: String) {
        #expect(statsError("[\(row)]")?.reason == .unrecognised)
    }

    @Test func `rows as W3C has them stay as they are`() throws {
        let row =
            #"{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"packetsReceived":9,"packetCount":8,"byteCount":1}"#
        let stream = try #require(try parseStats("[\(row)]").reports.first?.object(.inboundRTP)).members
        #expect(stream["packetsReceived"] == 9 && stream["packetCount"] == 8)
    }
}
