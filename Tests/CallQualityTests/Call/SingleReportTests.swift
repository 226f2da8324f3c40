import CallModel
import Testing

@testable import CallQuality

/// A stream of which there is one report: what the report measured by itself is told, and no difference is made up.
@Suite struct SingleReportTests {
    private func object(_ id: String, _ type: StatsType, _ members: JSONObject) -> StatsObject {
        StatsObject(id: id, type: type, timestamp: Timestamp(milliseconds: 600_000), members: members)
    }

    private func objects(packets: Int64) -> [StatsObject] {
        [
            object(
                "A", .inboundRTP,
                [
                    "kind": "audio", "ssrc": 1, "packetsReceived": .integer(packets), "packetsLost": 5, "jitter": 0.021,
                    "bytesReceived": 9_000,
                ]),
            object(
                "V", .outboundRTP,
                [
                    "kind": "video", "ssrc": 2, "packetsSent": .integer(packets), "bytesSent": 90_000,
                    "framesPerSecond": 24, "frameWidth": 640, "frameHeight": 360, "framesEncoded": 99,
                ]),
            object(
                "R", .remoteInboundRTP,
                ["kind": "video", "ssrc": 2, "localId": "V", "jitter": 0.004, "roundTripTime": 0.12, "packetsLost": 1]),
            object(
                "P", .candidatePair,
                ["nominated": true, "state": "succeeded", "currentRoundTripTime": 0.05, "localCandidateId": "L"]),
            object("L", .localCandidate, ["candidateType": "host", "protocol": "udp"]),
        ]
    }

    private func summary(of reports: [[StatsObject]]) throws -> CallSummary {
        var session = CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "call")), observer: .client, attempt: 1)
        )
        _ = session.fold(
            reports.enumerated().map { index, objects in
                let time = Timestamp(milliseconds: 600_000 + 10_000 * Int64(index))
                return .report(StatsReport(connection: .only, time: time, receivedAt: time, objects: objects))
            })
        var archived = ArchiveWriter(expectedBytes: 0)
        session.write(to: &archived)
        var reader = ArchiveReader(archived.bytes)
        #expect(try CallSession(from: &reader).summary() == session.summary())
        return try #require(session.summary())
    }

    @Test func `its gauges are those of the report`() throws {
        let summary = try summary(of: [objects(packets: 1000)])
        let audio = try #require(summary.streams.first { $0.stream.kind == .audio })
        #expect(audio.jitterMilliseconds == 21 && audio.maximumJitterMilliseconds == nil)
        #expect(audio.bitrateKilobitsPerSecond == nil && audio.intervals == 0)
        let video = try #require(summary.streams.first { $0.stream.kind == .video })
        #expect(video.jitterMilliseconds == 4 && video.roundTripMilliseconds == 120 && video.framesPerSecond == 24)
        #expect(video.frameWidth == 640 && video.frameHeight == 360 && video.bitrateKilobitsPerSecond == nil)
        #expect(summary.path.roundTripMilliseconds == 50 && summary.score == nil)
    }

    @Test func `a stream that nothing came of has no jitter`() throws {
        let streams = try summary(of: [objects(packets: 0)]).streams
        #expect(streams.map(\.jitterMilliseconds) == [nil, nil] && streams.map(\.framesPerSecond) == [nil, nil])
    }

    @Test(arguments: [[0.04, 0.04, 0.04], [0.03, 0.05, 0.04]])
    func `a round trip without a time or a count is as of each report`(roundTrips: [Double]) throws {
        let reports = [0.2] + roundTrips
        let summary = try summary(
            of: reports.enumerated().map { index, roundTrip in
                let packets = JSONValue.integer(1000 + 500 * Int64(index))
                return [
                    object("S", .outboundRTP, ["kind": "audio", "ssrc": 1, "packetsSent": packets]),
                    StatsObject(
                        id: "R", type: .remoteInboundRTP, timestamp: nil,
                        members: ["kind": "audio", "localId": "S", "roundTripTime": .double(roundTrip)]),
                ]
            })
        #expect(summary.streams.map { $0.roundTripMilliseconds?.rounded() } == [40])
    }

    @Test func `with a second report they are differences again`() throws {
        let summary = try summary(of: [objects(packets: 1000), objects(packets: 1000)])
        #expect(summary.streams.map(\.intervals) == [1, 1] && summary.streams.map(\.jitterMilliseconds) == [nil, nil])
        #expect(summary.streams.last?.framesPerSecond == 0)
        // The pair has no totals: it is the latest one.
        #expect(summary.path.roundTripMilliseconds == 50)
    }

    @Test(
        arguments: [(24, []), (600, ["the last 600 s of the call were not reported"])] as [(Int64, [String])])
    func `what one report leaves unsaid is said`(seconds: Int64, notes: [String]) throws {
        let time = Timestamp(milliseconds: 600_000)
        let end = time.advanced(byMilliseconds: 1_000 * seconds)
        var session = CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "call")), observer: .client, attempt: 1)
        )
        _ = session.fold([
            .report(
                StatsReport(connection: .only, time: time, receivedAt: time, objects: objects(packets: 1_000))),
            .event(CallEvent(time: end, receivedAt: end, action: "callState", type: "ENDED", members: [:])),
        ])
        #expect(session.summary()?.dataQuality.notes == notes)
    }
}
