import CallModel
import Testing

@testable import CallQuality

/// A pause of the sender and an interruption of the path, in one report or over several.
@Suite struct PauseAndBlackoutTests {
    private var source = AudioSource()
    private var meter: StreamMeter

    init() {
        source.sound(10)
        meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(3)
        source.senderReport(sent: 500)
        _ = meter.take(source.sample, connection: ConnectionState())
    }

    /// The next report, with so many seconds of pictures missing at most: all of them at once.
    private mutating func report(
        control: Double? = nil, missingPictures: Double? = nil, lostPictures: Double = 0, missingOthers: Double? = nil,
        disconnectedAgo: Double? = nil
    ) throws -> StreamDelta {
        var connection = ConnectionState()
        connection.disconnectedAt = disconnectedAgo.map {
            source.sample.time.advanced(byMilliseconds: Int64(-1000 * $0))
        }
        connection.otherMissingSeconds = missingOthers
        connection.lostPictureSeconds = lostPictures
        connection.controlPackets = control
        connection.missingPictureSeconds = missingPictures.map { $0 > 0 ? .infinity : 0 }
        connection.mostMissingPictureSeconds = missingPictures
        let taken = meter.take(source.sample, connection: connection)
        return try #require(taken)
    }

    private func tenths(_ values: Double...) -> [Double] { values.map { ($0 * 10).rounded() / 10 } }

    // MARK: Both in one report

    @Test(arguments: [(3, 2.5), (2.5, 3), (4.5, 1.5)]) mutating func `the sender's count tells one from the other`(
        pause: Double, blackout: Double
    ) throws {
        source.sound(1)
        source.blackout(pause)
        source.sound(1)
        source.blackout(blackout)
        source.sound(7.5 - pause - blackout)
        source.senderReport(sent: 50 * (9.5 - pause))
        source.sound(0.5)
        let delta = try report()
        #expect(tenths(delta.pausedSeconds, delta.heldSeconds, delta.darkSeconds) == [pause, pause, blackout])
    }

    /// Chromium sends no report of a sender that has stopped: the count came before either.
    @Test mutating func `sound that is missing for longer than pictures was stopped for the rest`() throws {
        source.sound(1)
        source.blackout(3)
        source.sound(2)
        source.blackout(2.5)
        source.sound(1.5)
        let delta = try report(missingPictures: 2.5)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == [3, 2.5])
    }

    /// Neither is exact.
    @Test mutating func `pictures that are missing for as long as sound leave no pause`() throws {
        source.sound(1)
        source.blackout(3)
        source.sound(6)
        let delta = try report(missingPictures: 2.2)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == [0, 3])
    }

    @Test mutating func `one silence that the sender meant is one pause`() throws {
        source.sound(1)
        source.blackout(5)
        source.sound(3)
        source.senderReport(sent: 50 * 4.5)
        source.sound(1)
        let delta = try report()
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == [5, 0])
    }

    /// A computer that sleeps sends nothing, and answers no check of the path.
    @Test mutating func `a silence of a sender that ICE had lost is none that it meant`() throws {
        source.sound(1)
        source.blackout(7)
        source.sound(1.5)
        source.senderReport(sent: 50 * 2.5)
        source.sound(0.5)
        let delta = try report(disconnectedAgo: 4)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == [0, 7])
    }

    /// Something is made up, the sender tells its count, and a second later sound is over.
    private mutating func endAfterCount() {
        source.sound(1)
        source.change(\.concealedSamples, by: 960)
        source.change(\.concealmentEvents, by: 1)
        source.sound(3)
        source.senderReport(sent: 50 * 4)
        source.sound(1)
        source.blackout(4)
    }

    /// A speaker leaves a conference in a report in which something else was made up; the count came before.
    @Test(arguments: [(0.0, true), (4, false)])
    mutating func `of silence at the end the sound of somebody else tells more than a count that has not seen it`(
        missingOthers: Double, isPause: Bool
    ) throws {
        endAfterCount()
        let delta = try report(missingOthers: missingOthers)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == (isPause ? [4, 0] : [0, 4]))
    }

    /// A microphone is switched off in a report in which something else was made up; the count came before.
    @Test(arguments: [(0.0, true), (4, false)])
    mutating func `and so do pictures`(missingPictures: Double, isPause: Bool) throws {
        endAfterCount()
        let delta = try report(missingPictures: missingPictures)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == (isPause ? [4, 0] : [0, 4]))
    }

    /// Ten packets a second, or a few less. When the fastest of them came, nothing had been lost yet.
    @Test(arguments: [100.0, 93]) func `what was lost meanwhile makes no pause of an interruption`(sent: Double) throws
    {
        var source = AudioSource()
        func sound(_ seconds: Double, lost: Double = 0) {
            source.sound(seconds)
            source.change(\.packets, by: -40 * seconds - lost)
            source.change(\.packetsLost, by: lost)
        }
        sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        for lost in [0.0, 20] {
            sound(10, lost: lost)
            source.senderReport(sent: 100)
            _ = meter.take(source.sample, connection: ConnectionState())
        }
        sound(1)
        source.blackout(1.3)
        sound(7.7)
        source.senderReport(sent: sent)
        let taken = meter.take(source.sample, connection: ConnectionState())
        let delta = try #require(taken)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == [0, 1.3])
    }

    // MARK: Over several reports

    @Test mutating func `an outage that follows a pause in one report and ends in the next is one`() throws {
        source.sound(1)
        source.blackout(3)
        source.sound(2)
        source.blackout(4)
        var outages = OutageTracker()
        let first = try report(missingPictures: 4)
        outages.take(first)
        source.blackout(2)
        source.sound(8)
        outages.take(try report(missingPictures: 2))
        #expect(tenths(first.pausedSeconds) == [3])
        #expect(outages.all.map { ($0.seconds * 10).rounded() / 10 } == [6])
    }

    /// A pause of 3 s and an outage of 6 s of which the second report has the last 2 s, and a count that has seen both.
    @Test mutating func `what was idle in an earlier silence makes no pause of the rest of an outage`() throws {
        source.sound(1)
        source.blackout(3)
        source.sound(2)
        source.blackout(4)
        _ = try report()
        source.blackout(2)
        source.sound(4)
        source.senderReport(sent: 50 * 13)
        source.sound(4)
        let delta = try report()
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == [0, 2])
    }

    // MARK: Short reports

    @Test mutating func `sound that stops in a report of two seconds while pictures come was stopped`() throws {
        source.sound(1)
        source.blackout(1)
        let first = try report(missingPictures: 0)
        source.blackout(1)
        source.sound(1)
        let last = try report(missingPictures: 0)
        #expect([first.pausedSeconds, last.pausedSeconds] == [1, 1])
        #expect([first.darkSeconds, last.darkSeconds] == [0, 0])
    }

    @Test mutating func `sound that stops with the pictures was not`() throws {
        source.sound(1)
        source.blackout(1)
        let delta = try report(missingPictures: 1)
        #expect([delta.pausedSeconds, delta.darkSeconds] == [0, 1])
    }

    /// What comes over the path is followed by sound at once, where the path was down before.
    @Test(arguments: [(0.1, false), (0.5, true), (1.5, false)])
    mutating func `in short reports the last packet of anything else tells, too`(
        ago: Double, isUp: Bool
    ) throws {
        source.sound(1)
        source.blackout(1)
        _ = try report()
        source.blackout(2)
        source.otherPacket(ago: ago)
        let delta = try report()
        #expect([delta.pausedSeconds, delta.darkSeconds] == (isUp ? [2, 0] : [0, 2]))
    }

    @Test(arguments: [true, false]) mutating func `a second at the end of a report of three waits for the next`(
        _ isUp: Bool
    ) throws {
        source.sound(2)
        source.blackout(1)
        let first = try report()
        source.blackout(3)
        source.otherPacket(ago: isUp ? 0.5 : 3.9)
        let next = try report()
        #expect([first.darkSeconds, first.silentSeconds, first.pausedSeconds] == [0, 0, 0])
        #expect([next.pausedSeconds, next.darkSeconds, next.carriedSilenceSeconds] == (isUp ? [3, 0, 0] : [0, 3, 1]))
    }

    /// What came just before the report came with the first pictures (Firefox, reports of 5 s).
    @Test(arguments: [(0.1, false), (0.5, true)])
    mutating func `in a long span an outage of sound and pictures that ends with it is one`(
        ago: Double, isUp: Bool
    ) throws {
        source.sound(0.1)
        source.blackout(4.9)
        source.otherPacket(ago: ago)
        let delta = try report(missingPictures: 4.9)
        #expect(tenths(delta.pausedSeconds, delta.darkSeconds) == (isUp ? [4.9, 0] : [0, 4.9]))
    }

    /// The far end sends again what was missing, and asks for more: as many control packets as ever (`34-gap-ladder`, A).
    @Test(arguments: [(0.0, true), (0.5, true), (1.5, false)])
    mutating func `pictures that were sent and did not come were swallowed with the sound`(
        lost: Double, isUp: Bool
    ) throws {
        for _ in 0..<2 {
            source.sound(10)
            _ = try report(control: 180)
        }
        source.sound(0.2)
        source.blackout(1.3)
        source.sound(0.5)
        let delta = try report(control: 40, missingPictures: 1.4, lostPictures: lost)
        #expect(abs(delta.pausedSeconds - (isUp ? 1.3 : 0)) < 0.01)
        #expect(abs(delta.darkSeconds - (isUp ? 0 : 1.3)) < 0.01)
    }
}
