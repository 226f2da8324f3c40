import CallModel
import Testing

@testable import CallQuality

@Suite struct ReportReaderTests {
    private static let time = Timestamp(milliseconds: 10_000)

    private func object(_ id: String, _ type: StatsType, _ members: JSONObject) -> StatsObject {
        StatsObject(id: id, type: type, timestamp: Timestamp(milliseconds: 9_000), members: members)
    }

    private func samples(_ objects: [StatsObject]) -> [KeyedSample] {
        ReportReader(
            StatsReport(connection: .only, time: Self.time, receivedAt: Self.time, objects: objects)
        ).samples()
    }

    private func farEnd(outbound: JSONObject, _ remotes: [StatsObject]) -> FarEndSample? {
        let own = object("O", .outboundRTP, outbound.merging(["kind": "audio"]) { first, _ in first })
        return samples([own] + remotes).first { $0.key.direction == .outbound }?.sample.farEnd
    }

    private func remote(_ id: String, lost: JSONValue, _ members: JSONObject = [:]) -> StatsObject {
        object(
            id, .remoteInboundRTP,
            members.merging(["kind": "audio", "packetsLost": lost, "roundTripTime": 0.04]) { first, _ in first })
    }

    @Test func `finds the far end by remoteId first`() {
        let found = farEnd(
            outbound: ["ssrc": 7, "remoteId": "R2"], [remote("R1", lost: 1, ["ssrc": 7]), remote("R2", lost: 2)])
        #expect(found?.packetsLost == 2)
        #expect(found?.arrivedAt == Timestamp(milliseconds: 9_000))
    }

    @Test func `then by localId, then by SSRC`() {
        let remotes = [
            remote("R1", lost: 1, ["ssrc": 8]), remote("R2", lost: 2, ["ssrc": 7]),
            remote("R3", lost: 3, ["localId": "O"]),
        ]
        #expect(farEnd(outbound: ["ssrc": 7], remotes)?.packetsLost == 3)
        #expect(farEnd(outbound: ["ssrc": 7], Array(remotes.prefix(2)))?.packetsLost == 2)
    }

    @Test func `takes the only one of its kind although its SSRC is another, as aiortc says it`() {
        #expect(farEnd(outbound: ["ssrc": 7], [remote("R1", lost: 1, ["ssrc": 8])])?.packetsLost == 1)
        let two = [remote("R1", lost: 1, ["ssrc": 8]), remote("R2", lost: 2, ["ssrc": 9])]
        #expect(farEnd(outbound: ["ssrc": 7], two) == nil)
    }

    @Test func `a round trip of 0 is none yet`() {
        let found = farEnd(outbound: ["ssrc": 7], [remote("R1", lost: 0, ["ssrc": 7, "roundTripTime": 0])])
        #expect(found != nil)
        #expect(found?.roundTripSeconds == nil)
    }

    /// Some engines name the codec of the last packet.
    @Test(arguments: [("audio/opus", "audio/opus"), ("audio/CN", nil), ("audio/telephone-event", nil)])
    func `what comes between the packets of a codec is not the codec of the stream`(named: String, codec: String?) {
        let found = samples([
            object("A", .inboundRTP, ["kind": "audio", "ssrc": 1, "codecId": "C"]),
            object("C", .codec, ["mimeType": .string(named), "clockRate": 8_000]),
        ])
        #expect(found.map(\.sample.codec?.mimeType) == [codec])
    }

    @Test func `streams are keyed by SSRC, by id without one, and listed inbound audio first`() {
        let found = samples([
            object("z", .outboundRTP, ["kind": "audio", "ssrc": 3]), object("y", .inboundRTP, ["kind": "video"]),
            object("x", .inboundRTP, ["kind": "audio", "ssrc": "5"]), object("w", .inboundRTP, ["ssrc": 9]),
            object("v", .transport, ["kind": "audio"]),
        ])
        #expect(found.map(\.key.source) == ["5", "y", "3"])
    }

    @Test func `the path of a stream last brought what the pairs of its transport did`() {
        let found = samples([
            object("a", .inboundRTP, ["kind": "audio", "transportId": "T1", "lastPacketReceivedTimestamp": 5_000]),
            object("p", .candidatePair, ["transportId": "T1", "lastPacketReceivedTimestamp": 7_000]),
            object("q", .candidatePair, ["transportId": "T1", "lastPacketReceivedTimestamp": 6_000]),
            object("r", .candidatePair, ["transportId": "T2", "lastPacketReceivedTimestamp": 9_000]),
        ])
        #expect(found.map(\.sample.lastPacketReceivedAt) == [Timestamp(milliseconds: 5_000)])
        #expect(found.map(\.sample.lastPacketOnPathAt) == [Timestamp(milliseconds: 7_000)])
    }

    @Test(arguments: [
        ("audio/red", 1), ("video/VP8", 1), ("video/rtx", 0), ("Video/FlexFEC-03", 0), ("video/ulpfec", 0),
    ])
    func `what only repairs other streams is none`(mimeType: String, count: Int) {
        let found = samples([
            object("x", .inboundRTP, ["kind": "video", "ssrc": 5, "codecId": "c"]),
            object("c", .codec, ["mimeType": .string(mimeType)]),
        ])
        #expect(found.count == count)
    }

    @Test(arguments: [(600, 100), (0, nil)] as [(Int64, Double?)])
    func `a transport that counts no packets tells of none beside media`(all: Int64, control: Double?) {
        let objects = [
            object("t", .transport, ["packetsReceived": .integer(all)]),
            object("x", .inboundRTP, ["kind": "audio", "ssrc": 5, "packetsReceived": 500]),
        ]
        let report = StatsReport(connection: .only, time: Self.time, receivedAt: Self.time, objects: objects)
        #expect(ReportReader(report).controlPackets == control)
    }

    @Test func `members that are absent stay unknown`() {
        let sample = samples([object("x", .inboundRTP, ["kind": "audio", "ssrc": 5, "packetsReceived": "12"])])[0]
            .sample
        var expected = StreamSample(time: Self.time)
        expected.counters.packets = 12
        expected.metricCounters = sample.metricCounters
        #expect(sample == expected)
        #expect(sample.metricCounters.values == ["packetsReceived": 12])
    }

    @Test func `reads the codec the stream points to`() {
        let sample = samples([
            object("x", .inboundRTP, ["kind": "audio", "ssrc": 5, "codecId": "c"]),
            object(
                "c", .codec, ["mimeType": "audio/opus", "clockRate": 48_000, "sdpFmtpLine": "usedtx=1;useinbandfec=1"]),
        ])[0].sample
        #expect(sample.codec?.clockRate == 48_000)
        #expect(sample.codec?.mayUseDTX == true)
        #expect(sample.codec?.hasRedundancy == true)
    }
}

@Suite struct CodecDescriptionTests {
    @Test(
        arguments: [
            ("audio/opus", "minptime=10; usedtx=1", true), ("audio/opus", "minptime=10;useinbandfec=1", false),
            ("audio/OPUS", "usedtx=1", true), ("audio/opus", "usedtx=10", false), ("audio/opus", nil, nil),
            ("audio/PCMA", "usedtx=1", nil),
        ] as [(String, String?, Bool?)])
    func `DTX is what the fmtp of Opus says`(_ mimeType: String, _ parameters: String?, _ mayUseDTX: Bool?) {
        #expect(CodecDescription(mimeType: mimeType, formatParameters: parameters).mayUseDTX == mayUseDTX)
    }
}
