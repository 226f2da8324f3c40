import CallModel
import Testing

@testable import CallQuality

/// Holds of which the client tells, with media that go on in them and without.
@Suite struct FlowingHoldTests {
    /// Spans of 10 s with so many seconds of media, in which so many seconds are on hold.
    private static let spans: [(media: Double, held: Double)] = [(10, 0), (10, 5), (10, 10), (5, 5), (0, 10), (10, 0)]

    private func flowing(_ key: StreamKey, packetsPerSecond: Double) throws -> [Double] {
        var sample = StreamSample(time: Timestamp(milliseconds: 0))
        (sample.counters.packets, sample.counters.bytes) = (0, 0)
        var meter = StreamMeter(stream: key, first: sample, previousReport: nil)
        return try Self.spans.map { media, held in
            sample.time = sample.time.advanced(byMilliseconds: 10_000)
            sample.counters.packets? += packetsPerSecond * media
            sample.counters.bytes? += 80 * packetsPerSecond * media
            var connection = ConnectionState()
            connection.excusedSeconds = held
            let taken = meter.take(sample, connection: connection)
            let delta = try #require(taken)
            #expect(delta.heldSeconds == held)
            return delta.flowingSeconds
        }
    }

    @Test(arguments: [MediaKind.audio, .video], [50.0, 100]) func `media flow for as long as they come, on hold or not`(
        kind: MediaKind, packetsPerSecond: Double
    ) throws {
        let key = StreamKey(connection: .only, direction: .inbound, kind: kind, source: "1")
        #expect(try flowing(key, packetsPerSecond: packetsPerSecond) == [10, 10, 10, 5, 0, 10])
    }

    @Test func `pictures that are on hold from the first report on have the rate at which they come`() throws {
        var sample = StreamSample(time: Timestamp(milliseconds: 0))
        (sample.counters.packets, sample.counters.bytes, sample.counters.frames) = (0, 0, 0)
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        var record = StreamRecord(stream: key, first: sample, previousReport: nil)
        for held in [5.0, 10, 10] {
            sample.time = sample.time.advanced(byMilliseconds: 10_000)
            sample.counters.packets? += 600
            sample.counters.bytes? += 400_000
            sample.counters.frames? += 150
            var connection = ConnectionState()
            connection.excusedSeconds = held
            _ = record.take(sample, connection: connection)
        }
        let summary = record.summary(roundTripMilliseconds: nil, model: .current)
        #expect(summary.framesPerSecond == 15)
        #expect(summary.bitrateKilobitsPerSecond == 320)
    }
}
