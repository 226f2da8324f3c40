import CallModel
import Testing

@testable import CallQuality

/// Holds that events tell of lie where events told, whatever the reports can see of them.
@Suite struct ToldHoldTests {
    private static let pairs: [[(begin: Double, end: Double)]] = [
        [(42, 57)], [(42, 46)], [(42, 46), (48, 55)], [(41, 43), (45, 48)], [(35, 43), (47, 66)],
    ]

    private static func hold(_ begin: Double, _ end: Double, isPause: Bool = false) -> MediaHold {
        MediaHold(
            span: TimeSpan(start: ScriptedCall.at(begin), end: ScriptedCall.at(end)), seconds: end - begin,
            isSenderPause: isPause)
    }

    private static func call(_ holds: [(begin: Double, end: Double)], _ seconds: ScriptedSecond) -> ScriptedCall {
        var call = ScriptedCall(90, bad: holds.map { Int($0.begin)..<Int($0.end) }, seconds)
        call.events = [ScriptedCall.event("callState", "IN_CALL", at: 0)]
        for hold in holds {
            call.events.append(ScriptedCall.event("callState", "ON_HOLD", at: hold.begin))
            call.events.append(ScriptedCall.event("callState", "IN_CALL", at: hold.end))
        }
        return call
    }

    @Test(arguments: [1, 2, 10], pairs.indices) func `a hold ends where the call is told to go on`(
        _ cadence: Int, _ place: Int
    ) throws {
        let told = Self.pairs[place]
        var call = Self.call(told, ScriptedSecond())
        call.hasVideo = false
        let summary = try #require(call.summary(every: cadence))
        #expect(summary.holds == told.map { Self.hold($0.begin, $0.end) })
        #expect(summary.heldSeconds == told.reduce(0) { $0 + $1.end - $1.begin })
    }

    /// Each is counted as a freeze when the picture comes back: the last one of a report may be still to come.
    @Test(arguments: [1, 2, 10], pairs.indices) func `holds that follow each other freeze no picture`(
        _ cadence: Int, _ place: Int
    ) throws {
        var away = ScriptedSecond()
        (away.packets, away.concealedSeconds, away.silentSeconds) = (0, 1, 1)
        (away.videoPackets, away.videoBytes, away.frames) = (0, 0, 0)
        var call = Self.call(Self.pairs[place], away)
        for hold in Self.pairs[place] {
            call.seconds[Int(hold.end)].freezes = 1
            call.seconds[Int(hold.end)].frozenSeconds = hold.end - hold.begin
        }
        let summary = try #require(call.summary(every: cadence))
        #expect(summary.issues.all == [])
        #expect(summary.costs[.freeze] ?? 0 < 1)
    }

    /// Nothing comes after the hold, and the path is up.
    @Test func `what goes on beyond a hold is a pause of its own`() throws {
        var source = AudioSource(at: ScriptedCall.start.milliseconds)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(10)
        _ = meter.take(source.sample, connection: ConnectionState())
        source.blackout(10)
        let taken = meter.take(source.sample, connection: ConnectionState())
        var delta = try #require(taken)
        (delta.heldSeconds, delta.pausedSeconds) = (10, 10)
        var tracker = HoldTracker()
        tracker.take(delta, isAgreed: true, holds: [Self.hold(10, 17).span])
        #expect(tracker.holds == [Self.hold(10, 17), Self.hold(17, 20, isPause: true)])
        #expect(tracker.isOpen)
    }

    /// The far end stopped before the event came.
    @Test func `what was on hold before a hold that goes on is part of it`() throws {
        var source = AudioSource(at: ScriptedCall.start.milliseconds)
        source.sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(4)
        source.hold(6)
        let taken = meter.take(source.sample, connection: ConnectionState())
        var tracker = HoldTracker()
        tracker.take(try #require(taken), isAgreed: true, holds: [Self.hold(15, 20).span])
        #expect(tracker.holds == [Self.hold(14, 20)])
    }
}
