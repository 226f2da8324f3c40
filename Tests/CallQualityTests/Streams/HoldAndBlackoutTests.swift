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

    // MARK: Holds that events tell of

    /// The next report of so many seconds, of which some were on hold as events tell; the hold may be over, so many seconds ago.
    private mutating func report(
        held: Double, since: Double, isOver: Bool, control: Double? = nil
    ) throws -> StreamDelta {
        var connection = ConnectionState()
        connection.controlPackets = control
        (connection.excusedSeconds, connection.excusedSinceLastPacket) = (held, since)
        connection.isExcusedAtEnd = !isOver
        let taken = meter.take(source.sample, connection: connection)
        return try #require(taken)
    }

    /// A hold of three seconds or a little more, in reports of each second, while which the path was up.
    private mutating func hold() throws {
        for _ in 0..<5 {
            source.sound(1)
            _ = try report(control: 10)
        }
        for second in 1...3 {
            source.blackout(1)
            #expect(try report(held: 1, since: Double(second), isOver: false, control: 10).heldSeconds == 1)
        }
    }

    /// What else came in the report in which the hold ended may tell of the path, or leave it to the next one.
    @Test(arguments: [0, 0.3, 0.5], [0.0, 2])
    mutating func `a blackout that follows a hold begins where the hold ended`(
        _ more: Double, _ control: Double
    ) throws {
        try hold()
        var outages = OutageTracker()
        source.blackout(1)
        let first = try report(held: more, since: 3 + more, isOver: true, control: control)
        outages.take(first)
        for _ in 0..<4 {
            source.blackout(1)
            outages.take(try report(held: 0, since: 3 + more, isOver: true, control: 0))
        }
        source.sound(1)
        outages.take(try report(held: 0, since: 0, isOver: true, control: 10))
        #expect(outages.all.map { ($0.seconds * 10).rounded() / 10 } == [5 - more])
        let start = try #require(outages.all.first?.span.start)
        #expect(abs(start.seconds(since: first.start) - more) < 0.05)
    }

    /// It takes a moment until the far end sends again.
    @Test mutating func `sound that comes back a moment after a hold was not missing`() throws {
        try hold()
        source.blackout(1)
        let first = try report(held: 0.3, since: 3.3, isOver: true)
        source.blackout(0.2)
        source.sound(0.8)
        let last = try report(held: 0, since: 0, isOver: true)
        #expect([first.darkSeconds, last.darkSeconds] == [0, 0])
        #expect([first.silentSeconds, last.silentSeconds].reduce(0, +) < 0.25)
    }

    /// The playout stood still, so that nothing was made up for the hold.
    @Test mutating func `a hold takes nothing from a blackout that comes after it in a report`() throws {
        source.sound(10)
        _ = try report()
        source.hold(2)
        source.blackout(5)
        source.sound(3)
        let delta = try report(held: 2, since: 0, isOver: true)
        #expect(delta.heldSeconds == 2)
        #expect(abs(delta.darkSeconds - 5) < 0.01)
    }

    /// The playout went on, and what was made up for the hold is not missing; of the rest nothing else came either.
    @Test mutating func `of a hold and a blackout in one report the path tells which is which`() throws {
        source.sound(10)
        _ = try report(control: 100)
        source.sound(10)
        _ = try report(control: 100)
        source.sound(1)
        source.blackout(6.5)
        source.sound(2.5)
        let delta = try report(held: 4, since: 0, isOver: true, control: 76)
        #expect(delta.heldSeconds == 4)
        #expect(abs(delta.darkSeconds - 2.5) < 0.01)
    }

    /// The playout stood still on hold, and goes on.
    @Test mutating func `a pause that follows a hold is none the less for it`() throws {
        for _ in 0..<5 {
            source.sound(1)
            _ = try report(control: 10)
        }
        source.hold(2)
        source.blackout(2)
        let delta = try report(held: 2, since: 2, isOver: true, control: 40)
        #expect([delta.pausedSeconds, delta.heldSeconds, delta.darkSeconds] == [2, 4, 0])
    }
}
