import CallModel
import Testing

@testable import CallQuality

/// Holds, pauses and blackouts of one stream that follow each other closely.
@Suite struct HoldAndBlackoutTests {
    private var source = AudioSource()
    private var meter: StreamMeter

    init() {
        source.sound(10)
        meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
    }

    /// The next report, with so many packets beside media on the connection and so many seconds of pictures missing.
    private mutating func report(control: Double? = nil, missingPictures: Double? = nil) throws -> StreamDelta {
        var connection = ConnectionState()
        connection.controlPackets = control
        connection.missingPictureSeconds = missingPictures
        let taken = meter.take(source.sample, connection: connection)
        return try #require(taken)
    }

    /// Nobody sends reports on hold: the first count after it spans it, too.
    @Test(arguments: [true, false]) mutating func `what its count says of a hold is no pause of the sender`(
        _ isCountedSince: Bool
    ) throws {
        source.sound(10)
        source.senderReport(sent: 500)
        _ = try report()
        source.hold(10)
        #expect(try report().heldSeconds == 10)
        source.hold(2)
        source.sound(4)
        if isCountedSince { source.senderReport(sent: 200) }
        source.blackout(4)
        let first = try report()
        source.blackout(3)
        source.sound(7)
        source.senderReport(sent: isCountedSince ? 700 : 900)
        let last = try report()
        #expect([first.pausedSeconds, last.pausedSeconds] == [0, 0])
        #expect([first.darkSeconds, last.darkSeconds] == [4, 3])
    }

    /// From then on nothing comes, and the path is up.
    @Test mutating func `a blackout is none the less for a hold that begins after it`() throws {
        source.sound(10)
        _ = try report()
        source.sound(4.3)
        source.blackout(5.7)
        let first = try report()
        source.blackout(0.3)
        source.sound(3)
        source.hold(6.7)
        source.otherPacket(ago: 0.1)
        let last = try report()
        #expect([first.darkSeconds, last.darkSeconds].map { ($0 * 100).rounded() } == [570, 30])
        #expect(!last.revokesInterruption)
        #expect(abs(last.heldSeconds - 6.7) < 0.01)
    }

    @Test mutating func `a blackout that begins after a pause is no part of it`() throws {
        source.sound(10)
        _ = try report(control: 20)
        source.sound(4)
        source.blackout(6)
        source.otherPacket(ago: 0.1)
        let paused = try report(control: 20, missingPictures: 0)
        source.blackout(3.3)
        source.sound(6)
        source.blackout(0.7)
        let both = try report(control: 20, missingPictures: 0.7)
        source.blackout(7.3)
        source.sound(2.7)
        let dark = try report(control: 6, missingPictures: 7.3)
        #expect(paused.pausedSeconds == 6)
        #expect(both.pausedSeconds > 3)
        #expect(dark.pausedSeconds == 0)
        #expect(abs(dark.darkSeconds - 7.3) < 0.01)
    }
}
