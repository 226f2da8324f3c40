import CallModel
import Testing

@testable import CallQuality

/// Sound that comes and that nobody plays, and what follows it.
@Suite struct UnplayedSoundTests {
    /// Reports of so many seconds each, the state of the connection with them.
    private func deltas(
        played: Double = 0, every cadence: Double, count: Int, _ connection: ConnectionState = ConnectionState(),
        _ span: (inout AudioSource, Int) -> Void
    ) throws -> [StreamDelta] {
        var source = AudioSource()
        if played > 0 { source.sound(played) }
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        return try (0..<count).map { place in
            span(&source, place)
            source.forgetLastPacket()
            let taken = meter.take(source.sample, connection: connection)
            return try #require(taken)
        }
    }

    /// Servers print what they would count if they played; a page may take its element away in the midst of a call.
    @Test(arguments: [0.0, 20], [1.0, 2, 10]) func `sound that stops is dark where nobody plays it`(
        played: Double, cadence: Double
    ) throws {
        let found = try deltas(played: played, every: cadence, count: 6) { source, place in
            place < 3 ? source.soundUnplayed(cadence) : source.hold(cadence)
        }
        #expect(found.map(\.darkSeconds) == [0, 0, 0, cadence, cadence, cadence])
        #expect(found.map(\.heldSeconds) == [0, 0, 0, 0, 0, 0])
        #expect(found.map(\.counted.samples) == [nil, nil, nil, nil, nil, nil])
        #expect(found.suffix(3).map(\.darkEvidence) == [["packetsReceived"], ["packetsReceived"], ["packetsReceived"]])
    }

    @Test(arguments: [1.0, 10]) func `both ends that stop at once are on hold there, too`(cadence: Double) throws {
        var connection = ConnectionState()
        connection.controlPackets = 5
        connection.unsentSeconds = cadence
        let found = try deltas(every: cadence, count: 3, connection) { source, place in
            place < 2 ? source.soundUnplayed(cadence) : source.hold(cadence)
        }
        #expect(found.map(\.heldSeconds) == [0, 0, cadence])
        #expect(found.map(\.darkSeconds) == [0, 0, 0])
    }

    @Test func `a hold after sound that is played again is one by the playout clock`() throws {
        let found = try deltas(played: 20, every: 10, count: 4) { source, place in
            switch place {
            case 0: source.soundUnplayed(10)
            case 1: source.sound(10)
            default: source.hold(10)
            }
        }
        #expect(found.map(\.heldSeconds) == [0, 0, 10, 10])
        #expect(found.map(\.darkSeconds) == [0, 0, 0, 0])
    }

    /// All of it came; a fifth was played, or all but the first 4 s until nothing came for 3 s.
    @Test func `of sound that is played in part, what did not come is held`() throws {
        let found = try deltas(played: 20, every: 10, count: 2) { source, place in
            if place == 0 {
                source.sound(2)
                source.soundUnplayed(8)
            } else {
                source.soundUnplayed(4)
                source.sound(3)
                source.hold(3)
            }
        }
        #expect(found.map(\.heldSeconds) == [0, 3])
        #expect(found.map(\.counted.samples) == [96_000, 144_000])
    }

    /// The client that is put on hold stops playing a moment before the far end stops sending.
    @Test func `a hold that the last packets of before trickle into is a hold`() throws {
        let found = try deltas(played: 20, every: 1, count: 3) { source, place in
            if place == 0 { source.soundUnplayed(0.4) }
            source.hold(place == 0 ? 0.6 : 1)
        }
        #expect(found.map(\.heldSeconds) == [0, 1, 1])
        #expect(found.map(\.darkSeconds) == [0, 0, 0])
    }
}
