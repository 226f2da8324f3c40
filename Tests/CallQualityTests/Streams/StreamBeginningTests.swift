import CallModel
import Testing

@testable import CallQuality

/// The first report of a stream whose counters began with it: what was silent in it was an outage, or had not begun.
@Suite struct StreamBeginningTests {
    private var source = AudioSource()

    /// What the first report says happened since the beginning.
    private func first() throws -> StreamDelta {
        var meter = StreamMeter(
            stream: AudioSource.key, first: source.sample, previousReport: Timestamp(milliseconds: 0))
        let taken = meter.take(source.sample, connection: ConnectionState())
        return try #require(taken)
    }

    /// 13 s of silence, 9 s of sound; the sender's count came a second before the end.
    private mutating func late(sent packets: Double) throws -> StreamDelta {
        source.blackout(13)
        source.sound(8)
        source.senderReport(sent: packets)
        source.sound(1)
        return try first()
    }

    @Test mutating func `a sender that had not begun is paused where all that it sent has come`() throws {
        let delta = try late(sent: 400)
        #expect(delta.pausedSeconds == 13)
        #expect(delta.darkSeconds == 0)
        #expect(delta.silentSeconds == 0)
    }

    @Test mutating func `what was sent into the silence and did not come is a blackout`() throws {
        let delta = try late(sent: 1050)
        #expect(delta.pausedSeconds == 0)
        #expect(delta.darkSeconds == 13)
    }

    /// Sound came that it does not count: it began anew meanwhile.
    @Test mutating func `a count of something else tells nothing`() throws {
        #expect(try late(sent: 100).darkSeconds == 13)
    }

    /// What was sent since is not in the count.
    @Test mutating func `an old count tells nothing of what came after it`() throws {
        source.sound(4)
        source.senderReport(sent: 200)
        source.blackout(5)
        source.sound(1)
        let delta = try first()
        #expect(delta.pausedSeconds == 0)
        #expect(delta.darkSeconds == 5)
    }

    /// Packets of 60 ms are 17 a second.
    @Test(arguments: [150.0, 233]) mutating func `packets may be long`(_ sent: Double) throws {
        source.blackout(5)
        source.sound(9)
        source.change(\.packets, by: 150 - 450)
        source.senderReport(sent: sent)
        let delta = try first()
        #expect(delta.pausedSeconds == (sent == 150 ? 5 : 0))
        #expect(delta.darkSeconds == (sent == 150 ? 0 : 5))
    }

    /// Nothing is made up meanwhile, as there would be in an interruption.
    @Test mutating func `a hold at the end of the first report is one`() throws {
        source.sound(20)
        source.hold(10)
        let delta = try first()
        #expect(delta.start == Timestamp(milliseconds: 0))
        #expect(delta.heldSeconds == 10)
    }

    @Test mutating func `a stream that begins late was not on hold before, though it is interrupted at the end`() throws
    {
        source.hold(10)
        source.sound(15)
        source.blackout(5)
        let delta = try first()
        #expect(delta.start == Timestamp(milliseconds: 10_000))
        #expect(delta.heldSeconds == 0)
        #expect(delta.darkSeconds == 5)
    }

    // MARK: A stream that has only begun

    @Test mutating func `the wait for the first packet is no time of the stream`() throws {
        source.blackout(1.9)
        source.sound(0.08)
        source.forgetLastPacket()
        let delta = try first()
        #expect(delta.darkSeconds == 0)
        #expect(abs(delta.seconds - 0.08) < 0.001)
        #expect(delta.counted.concealedSamples == 0)
    }

    @Test mutating func `packets that were sent meanwhile are missing`() throws {
        source.blackout(1.9)
        source.sound(0.08)
        source.senderReport(sent: 99)
        #expect(abs(try first().darkSeconds - 1.9) < 0.001)
    }

    @Test mutating func `a last packet that is old has been waited for in vain`() throws {
        source.sound(0.08)
        source.blackout(1.9)
        #expect(abs(try first().darkSeconds - 1.9) < 0.001)
    }

    @Test mutating func `a stream that had been heard for a second had begun`() throws {
        source.sound(1)
        source.blackout(1.9)
        source.sound(0.08)
        source.forgetLastPacket()
        #expect(abs(try first().darkSeconds - 1.9) < 0.001)
    }
}
