import CallModel
import Testing

@testable import CallQuality

/// Video that comes without a picture: a decoder that is stuck, and an end that decodes none.
@Suite struct UndecodedVideoTests {
    private static let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")

    /// 2 Mbit/s, of which no picture is decoded, in reports of 2 s.
    private func spans(_ change: (inout StreamSample) -> Void) throws -> [StreamDelta] {
        let samples = (0...3).map { place in
            var sample = StreamSample(time: Timestamp(milliseconds: Int64(2000 * place)))
            sample.counters.bytes = Double(500_000 * place)
            sample.counters.packets = Double(500 * place)
            sample.counters.frames = 0
            change(&sample)
            return sample
        }
        var record = StreamRecord(stream: Self.key, first: samples[0], previousReport: nil)
        let spans = samples.dropFirst().map { record.take($0, connection: ConnectionState()) }
        return try spans.map { try #require($0).delta }
    }

    /// Before the first report there were pictures; some clients do not count packets.
    @Test func `a picture that stopped before the first report stands still`() throws {
        let deltas = try spans { sample in
            sample.counters.frames = 100
            sample.counters.packets = nil
        }
        #expect(deltas.map(\.counted.stillSeconds) == [nil, 2, 2])
    }

    /// The freeze is counted when the picture goes on.
    @Test func `where freezes are counted, one that began before is not told twice`() throws {
        let deltas = try spans { sample in
            sample.counters.frames = 100
            sample.counters.frozenSeconds = 0
        }
        #expect(deltas.map(\.counted.stillSeconds) == [nil, nil, nil])
    }

    @Test func `an end that has no frames and prints all members as 0 decodes none`() throws {
        let deltas = try spans { sample in
            (sample.framesReceived, sample.counters.samples) = (0, 0)
        }
        #expect(deltas.map(\.isUndecoded) == [false, true, true])
        #expect(deltas.map(\.counted.frames) == [0, nil, nil])
        #expect(deltas.map { $0.counted.stillSeconds ?? 0 } == [0, 0, 0])
    }

    /// Since it leaves the members of sound out of video, Pion is known by its ids.
    @Test(arguments: [
        ("inbound-rtp-7", "iceTransport", true), ("inbound-rtp-7", "T01", false), ("I7", "iceTransport", false),
    ])
    func `a receiver of Pion decodes none, a browser with the same members is stuck`(
        id: String, transport: String, isUndecoded: Bool
    ) throws {
        let reports = (0...3).map { place -> StatsReport in
            let time = Timestamp(milliseconds: Int64(2000 * place))
            let members: JSONObject = [
                "kind": "video", "ssrc": 7, "transportId": .string(transport), "framesDecoded": 0, "framesReceived": 0,
                "frameWidth": 0, "frameHeight": 0, "freezeCount": 0, "totalFreezesDuration": 0,
                "packetsReceived": .integer(Int64(500 * place)), "bytesReceived": .integer(Int64(500_000 * place)),
            ]
            let object = StatsObject(id: id, type: .inboundRTP, timestamp: time, members: members)
            return StatsReport(connection: .only, time: time, receivedAt: time, objects: [object])
        }
        let samples = try reports.map { try #require(ReportReader($0).samples().first).sample }
        var record = StreamRecord(stream: Self.key, first: samples[0], previousReport: nil)
        let spans = samples.dropFirst().map { record.take($0, connection: ConnectionState()) }
        let deltas = try spans.map { try #require($0).delta }
        #expect(deltas.map(\.isUndecoded) == [false, isUndecoded, isUndecoded])
        #expect(deltas.map { $0.counted.stillSeconds ?? 0 } == (isUndecoded ? [0, 0, 0] : [0, 2, 2]))
    }

    /// Frames came whole and were not decoded; or the members are those of a decoder.
    @Test(arguments: [true, false]) func `a decoder that is stuck decodes`(_ hasFrames: Bool) throws {
        let deltas = try spans { sample in
            sample.framesReceived = hasFrames ? sample.counters.packets.map { $0 / 10 } : 0
            sample.counters.samples = hasFrames ? 0 : nil
        }
        #expect(deltas.map(\.isUndecoded) == [false, false, false])
        #expect(deltas.map(\.counted.stillSeconds) == [nil, 2, 2])
    }

    @Test func `a jitter buffer of which only the length is told has a mean`() throws {
        var record: StreamRecord?
        for second in 0...2 {
            var sample = StreamSample(time: Timestamp(milliseconds: Int64(1000 * second)))
            sample.counters.packets = Double(50 * second)
            sample.jitterBufferSeconds = 0.080
            if record == nil { record = StreamRecord(stream: AudioSource.key, first: sample, previousReport: nil) }
            _ = record?.take(sample, connection: ConnectionState())
        }
        let summary = record?.summary(roundTripMilliseconds: nil, model: .current)
        #expect(summary?.jitterBufferMilliseconds == 80)
    }
}
