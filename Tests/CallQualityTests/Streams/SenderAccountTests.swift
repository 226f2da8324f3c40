import CallModel
import Testing

@testable import CallQuality

/// What a sender's reports say of what it sent, also of those that the network held back.
@Suite struct SenderAccountTests {
    /// A sender report by the clocks of both ends, in seconds.
    private static func report(arrived: Double, reported: Double?, sent: Double) -> FarEndSample {
        FarEndSample(
            arrivedAt: Timestamp(milliseconds: arrived.wholeMilliseconds),
            reportedAt: reported.map { Timestamp(milliseconds: $0.wholeMilliseconds) },
            packetsSent: sent)
    }

    @Test func `a count that stands still, runs on, or is not new`() {
        let before = FarEndSample(arrivedAt: Timestamp(milliseconds: 1_000), packetsSent: 100)
        let idle = SenderAccount(
            FarEndSample(arrivedAt: Timestamp(milliseconds: 6_000), packetsSent: 200), since: before)
        #expect(idle?.packets == 100)
        #expect(idle?.idleSeconds(rate: 50) == 3)
        #expect(idle?.idleSeconds(rate: 0) == 0)
        #expect(SenderAccount(before, since: before) == nil)
        #expect(SenderAccount(before, since: nil) == nil)
        let anew = FarEndSample(arrivedAt: Timestamp(milliseconds: 6_000), packetsSent: 3)
        #expect(SenderAccount(anew, since: before) == nil)
    }

    @Test func `one that was held back is of the time that its sender names`() throws {
        let first = Self.report(arrived: 100, reported: 5_000, sent: 100)
        let late = Self.report(arrived: 105, reported: 5_002, sent: 200)
        let next = Self.report(arrived: 107, reported: 5_007, sent: 450)
        let held = try #require(SenderAccount(late, since: first))
        #expect([held.seconds, held.packets, held.lateSeconds, held.idleSeconds(rate: 50)] == [2, 100, 3, 0])
        let following = try #require(SenderAccount(next, since: late))
        #expect(
            [following.seconds, following.packets, following.lateSeconds, following.idleSeconds(rate: 50)]
                == [5, 250, 0, 0])
    }

    @Test(arguments: [nil, 4_999, 5_000, 5_030]) func `where a clock was set, or not told, the arrivals count`(
        reported: Double?
    ) throws {
        let first = Self.report(arrived: 100, reported: 5_000, sent: 100)
        let later = Self.report(arrived: 110, reported: reported, sent: 500)
        let account = try #require(SenderAccount(later, since: first))
        #expect([account.seconds, account.packets, account.lateSeconds] == [10, 400, 0])
    }

    // MARK: In a call

    private var source = AudioSource()
    private var meter: StreamMeter

    init() {
        source.sound(10)
        meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(8)
        source.senderReport(sent: 900, heldBack: 0)
        source.sound(2)
        _ = meter.take(source.sample, connection: ConnectionState())
    }

    private mutating func report() throws -> [Double] {
        let taken = meter.take(source.sample, connection: ConnectionState())
        let delta = try #require(taken)
        return [delta.pausedSeconds, delta.darkSeconds].map { ($0 * 10).rounded() / 10 }
    }

    /// Everything waits for 4 s, and with it the report that was sent 1 s later.
    @Test mutating func `a stall that holds a sender's report back is no pause, nor is what follows`() throws {
        source.sound(2)
        source.blackout(4)
        source.senderReport(sent: 250, heldBack: 3)
        source.sound(4)
        #expect(try report() == [0, 4])
        source.sound(2)
        source.senderReport(sent: 450, heldBack: 0)
        source.sound(8)
        #expect(try report() == [0, 0])
    }

    @Test mutating func `a sender that had stopped by its own clock did so though its report was held back`() throws {
        source.sound(2)
        source.blackout(4)
        source.sound(1)
        source.senderReport(sent: 225, heldBack: 0.5)
        source.sound(3)
        #expect(try report() == [4, 0])
    }
}
