import CallModel
import Testing

@testable import CallQuality

/// A stream that its sender stopped, and one that the network swallowed: receivers report them alike.
@Suite struct PauseMeterTests {
    private var source = AudioSource()
    private var meter: StreamMeter

    init() {
        source.sound(10)
        meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
    }

    /// The next report, with so many packets beside media on the connection and among them so many checks of ICE, and so many
    /// seconds of pictures missing.
    private mutating func report(
        control: Double?, checks: Double? = nil, missingPictures: Double? = nil
    ) throws -> StreamDelta {
        var connection = ConnectionState()
        connection.controlPackets = control
        connection.checksReceived = checks
        connection.missingPictureSeconds = missingPictures
        let taken = meter.take(source.sample, connection: connection)
        return try #require(taken)
    }

    private mutating func usual() throws {
        for _ in 0..<3 {
            source.sound(1)
            _ = try report(control: 10)
        }
    }

    @Test mutating func `a stream that stops while the path is alive was stopped`() throws {
        try usual()
        source.blackout(1)
        let delta = try report(control: 10)
        #expect(delta.pausedSeconds == 1)
        #expect(delta.heldSeconds == 1)
        #expect(delta.darkSeconds == 0)
        #expect(delta.silentSeconds == 0)
    }

    @Test mutating func `one that stops with everything else was not`() throws {
        try usual()
        source.blackout(1)
        let first = try report(control: 0)
        #expect(first.pausedSeconds == 0)
        #expect(first.darkSeconds == 1)
        // The path is back, and the first packet is still to come.
        source.blackout(0.6)
        source.sound(0.4)
        let last = try report(control: 30)
        #expect(last.pausedSeconds == 0)
        #expect(abs(last.darkSeconds - 0.6) < 0.01)
    }

    @Test mutating func `nothing known of the path is no pause`() throws {
        try usual()
        source.blackout(1)
        let delta = try report(control: nil)
        #expect(delta.pausedSeconds == 0)
        #expect(delta.darkSeconds == 1)
    }

    @Test mutating func `a short span without any sound in which pictures came is a pause`() throws {
        try usual()
        source.blackout(1)
        let delta = try report(control: nil, missingPictures: 0.1)
        #expect(delta.pausedSeconds == 1)
        #expect(delta.darkSeconds == 0)
    }

    /// Over a long span with pictures the far end makes up for the control packets that were missing.
    @Test(arguments: [true, false]) mutating func `in long spans the pictures tell`(_ isFlowing: Bool) throws {
        source.sound(10)
        _ = try report(control: 180)
        source.sound(3)
        source.blackout(5)
        source.sound(2)
        var connection = ConnectionState()
        connection.controlPackets = 185
        connection.missingPictureSeconds = isFlowing ? 0 : .infinity
        let taken = meter.take(source.sample, connection: connection)
        let delta = try #require(taken)
        #expect(abs(delta.pausedSeconds - (isFlowing ? 5 : 0)) < 0.01)
        #expect(abs(delta.darkSeconds - (isFlowing ? 0 : 5)) < 0.01)
    }

    /// No sound has come since, so nothing was made up for.
    @Test(arguments: [true, false]) mutating func `in long spans that end in silence what else came tells, too`(
        _ isUp: Bool
    ) throws {
        source.sound(10)
        _ = try report(control: 180)
        source.sound(4)
        source.blackout(6)
        let first = try report(control: isUp ? 180 : 72, missingPictures: .infinity)
        source.blackout(10)
        let whole = try report(control: isUp ? 180 : 0, missingPictures: .infinity)
        #expect([first.pausedSeconds, whole.pausedSeconds] == (isUp ? [6, 10] : [0, 0]))
        #expect([first.darkSeconds, whole.darkSeconds] == (isUp ? [0, 0] : [6, 10]))
    }

    /// What came before the silence alone is no sign, however much of it there was.
    @Test(arguments: [(0.1, true), (5.95, false)])
    mutating func `the last packet of anything else tells of a silence that goes on`(
        ago: Double, isUp: Bool
    ) throws {
        try usual()
        source.sound(4)
        source.blackout(6)
        source.otherPacket(ago: ago)
        let delta = try report(control: isUp ? nil : 100)
        #expect(delta.pausedSeconds == (isUp ? 6 : 0))
        #expect(delta.darkSeconds == (isUp ? 0 : 6))
    }

    /// RTCP came just before the report, the first sound is due just after it (`34-gap-ladder`, A).
    @Test mutating func `in a short span an outage that ends with it is one`() throws {
        try usual()
        source.sound(0.02)
        source.blackout(0.98)
        source.otherPacket(ago: 0.01)
        let delta = try report(control: 2)
        #expect(delta.pausedSeconds == 0)
        #expect(abs(delta.darkSeconds - 0.98) < 0.01)
    }

    /// Who falls silent between words speaks up every 400 ms: something else may come before, once the path is up again.
    @Test func `of a sender in DTX it does not tell`() throws {
        var source = AudioSource(
            codec: CodecDescription(mimeType: "audio/opus", clockRate: 48_000, formatParameters: "usedtx=1"))
        source.sound(10)
        var meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.sound(4)
        source.blackout(6)
        source.otherPacket(ago: 0.1)
        let taken = meter.take(source.sample, connection: ConnectionState())
        #expect(try #require(taken).darkSeconds == 6)
    }

    @Test(arguments: [(8.0, true), (2.0, false)])
    mutating func `checks of ICE tell while only the rate of the setup is known`(
        checks: Double, isUp: Bool
    ) throws {
        source.sound(10)
        _ = try report(control: 160, checks: 8)
        source.sound(1)
        source.blackout(8)
        source.sound(1)
        let delta = try report(control: 95, checks: checks)
        #expect(delta.pausedSeconds == (isUp ? 8 : 0))
        #expect(delta.darkSeconds == (isUp ? 0 : 8))
    }

    /// Twice a pause of 8 s over the end of a report, each time followed by a count that has seen it.
    @Test mutating func `a pause that the sender's count has told of is not taken from the next one`() throws {
        source.sound(10)
        source.senderReport(sent: 500)
        _ = try report(control: 100)
        for sent in [480.0, 600] {
            source.sound(6)
            source.blackout(4)
            #expect(try report(control: 100).pausedSeconds == 4)
            source.blackout(4)
            source.sound(3.6)
            source.senderReport(sent: sent)
            source.sound(2.4)
            #expect(try report(control: nil).pausedSeconds == 4)
        }
    }

    /// Of a second and a half the path shows nothing in 10 s.
    @Test(arguments: [true, false])
    mutating func `a silence that begins just before a report is told with the next one`(
        _ isUp: Bool
    ) throws {
        try usual()
        source.sound(8.5)
        source.blackout(1.5)
        let first = try report(control: isUp ? 100 : 85)
        source.blackout(10)
        let next = try report(control: isUp ? 100 : 0)
        #expect([first.darkSeconds, first.silentSeconds, first.counted.concealedSamples] == [0, 0, 0])
        #expect(next.pausedSeconds == (isUp ? 10 : 0))
        #expect(next.counted.concealedSamples == (isUp ? 0 : 11.5 * 48_000))
        #expect([next.darkSeconds, next.carriedSilenceSeconds] == (isUp ? [0, 0] : [10, 1.5]))
    }

    @Test mutating func `an outage over the end of a report is as long as it was`() throws {
        try usual()
        source.sound(8.5)
        source.blackout(1.5)
        let first = try report(control: 85)
        source.blackout(0.5)
        source.sound(9.5)
        let next = try report(control: 95)
        var tracker = OutageTracker()
        tracker.take(first)
        tracker.take(next)
        #expect(tracker.all.map(\.seconds) == [2])
        #expect(tracker.all.map(\.span.start) == [next.start.advanced(byMilliseconds: -1_500)])
        #expect(next.pausedSeconds == 0)
    }

    /// In a conference over one connection; engines that count nothing but packets of sound included.
    @Test mutating func `a stream that stops while another of the connection goes on was stopped`() throws {
        try usual()
        source.blackout(10)
        var connection = ConnectionState()
        connection.otherMissingSeconds = 0.2
        let taken = meter.take(source.sample, connection: connection)
        let delta = try #require(taken)
        #expect(abs(delta.pausedSeconds - 10) < 0.01)
        #expect(delta.darkSeconds == 0)
    }

    /// A server that lets through one of three, 3 s each: in reports of 10 s each of them is silent for 6 s or 7 s.
    @Test(arguments: [3, 7]) func `who speaks in turns is no blackout and no hold`(seconds turn: Int) throws {
        var sources = (0..<3).map { _ in AudioSource() }
        var facts: [Fact] = []
        for second in 0...120 {
            for place in sources.indices where second > 0 {
                if second / turn % 3 == place { sources[place].sound(1) } else { sources[place].blackout(1) }
            }
            guard second % 10 == 0 else { continue }
            let objects = sources.enumerated().flatMap { place, source -> [StatsObject] in
                guard case .report(let report) = source.report else { return [] }
                return report.objects.map { object in
                    var other = object
                    other.id = "\(object.id)\(place)"
                    if object.type == .inboundRTP {
                        other.members["ssrc"] = .integer(Int64(place))
                        other.members["codecId"] = .string("C\(place)")
                    }
                    return other
                }
            }
            let time = sources[0].sample.time
            facts.append(.report(StatsReport(connection: .only, time: time, receivedAt: time, objects: objects)))
        }
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        _ = session.fold(facts)
        let summary = try #require(session.summary())
        #expect(summary.outages == [])
        #expect(summary.heldSeconds == 0)
        #expect(try #require(summary.score) >= 99)
    }

    /// A short interruption of the path leaves nearly all packets of a long span.
    @Test mutating func `a silence that others share is the path's`() throws {
        try usual()
        source.sound(4)
        source.blackout(1)
        source.sound(5)
        var connection = ConnectionState()
        connection.otherMissingSeconds = 0.9
        let taken = meter.take(source.sample, connection: connection)
        let delta = try #require(taken)
        #expect(delta.pausedSeconds == 0)
        #expect(abs(delta.darkSeconds - 1) < 0.01)
    }

    @Test mutating func `what is missing of sound goes by the packets that are usual`() throws {
        #expect(meter.missingSeconds(until: source.sample) == nil)
        try usual()
        source.sound(10)
        #expect(meter.missingSeconds(until: source.sample) == 0)
        source.change(\.packets, by: -50)
        #expect(meter.missingSeconds(until: source.sample) == 1)
    }

    /// What the sender says is believed before the path is asked.
    @Test mutating func `a sender that went on sending has not stopped, whatever else arrives`() throws {
        source.senderReport(sent: 500)
        try usual()
        source.blackout(4)
        source.senderReport(sent: 350)
        let delta = try report(control: 40)
        #expect(delta.pausedSeconds == 0)
        #expect(abs(delta.darkSeconds - 4) < 0.01)
    }

    /// Of 3.6 s of silence 0.6 s do not fit into the 3 s since the count, or 0.4 s into 3.2 s, which is too little to tell.
    @Test(arguments: [(3.0, true), (3.2, false)])
    mutating func `a count of a while ago tells of the part of a silence that it must have seen`(
        age: Double, isSeen: Bool
    ) throws {
        source.senderReport(sent: 500)
        try usual()
        source.sound(2)
        source.blackout(3.6)
        source.sound(1)
        source.senderReport(sent: 50 * 9.6)
        source.sound(age)
        let delta = try report(control: 200)
        #expect(abs(delta.pausedSeconds - (isSeen ? 0 : 3.6)) < 0.01)
        #expect(abs(delta.darkSeconds - (isSeen ? 3.6 : 0)) < 0.01)
    }

    @Test mutating func `a count tells of a silence that lasts from the span before, however long ago it came`() throws
    {
        source.senderReport(sent: 500)
        try usual()
        source.sound(1)
        source.blackout(9)
        _ = try report(control: nil)
        source.blackout(3)
        source.sound(2)
        source.senderReport(sent: 50 * 18)
        source.sound(5)
        let delta = try report(control: 200)
        #expect(delta.pausedSeconds == 0)
        #expect(abs(delta.darkSeconds - 3) < 0.01)
    }

    @Test mutating func `numbers that jump when a stopped stream resumes are not lost`() throws {
        try usual()
        source.blackout(1)
        _ = try report(control: 10)
        source.sound(1)
        source.change(\.packetsLost, by: 30)
        let delta = try report(control: 10)
        #expect(delta.resumeGapPackets == 30)
        #expect(delta.packetsLost == 0)
    }

    @Test mutating func `packets lost when it resumes are lost if they had to be made up`() throws {
        try usual()
        source.blackout(1)
        _ = try report(control: 10)
        source.sound(1)
        source.lose(packets: 30)
        let delta = try report(control: 10)
        #expect(delta.resumeGapPackets == 0)
        #expect(delta.packetsLost == 30)
    }

    /// More comes while the bandwidth is not known yet.
    @Test func `what is usual in the setup gives way to what is usual later`() {
        var path = PathActivity()
        for _ in 0..<5 { path.learn(packets: 16, seconds: 1, isSetup: true) }
        #expect(path.state(packets: 9, silence: 1, of: 1) == nil)
        #expect(path.state(packets: 4, silence: 1, of: 1) == nil)
        #expect(path.state(packets: 0, silence: 1, of: 1) == .down)
        path.learn(packets: 9, seconds: 1)
        #expect(path.state(packets: 9, silence: 1, of: 1) == .up)
        #expect(path.state(packets: 3, silence: 1, of: 1) == .down)
    }

    /// Less comes while both ends are silent (`74-pcmu-cn-outage`): the most that came is what is usual.
    @Test func `where the sender falls silent between words the setup is what is usual`() {
        var path = PathActivity()
        path.learn(packets: 140, seconds: 10, isSetup: true)
        path.learn(packets: 84, seconds: 10)
        #expect(path.state(packets: 80, silence: 5, of: 10) == .up)
        #expect(path.state(packets: 80, silence: 5, of: 10, isEven: false) == .down)
    }

    @Test func `a path is up, down, or not known`() {
        var path = PathActivity()
        #expect(path.state(packets: 10, silence: 1, of: 1) == nil)
        path.learn(packets: 10, seconds: 1)
        #expect(path.state(packets: 9, silence: 1, of: 1) == .up)
        #expect(path.state(packets: 0, silence: 1, of: 1) == .down)
        #expect(path.state(packets: 6, silence: 1, of: 1) == nil, "between the two")
        #expect(path.state(packets: 100, silence: 0.2, of: 10) == nil, "too short to tell")
        #expect(path.state(packets: nil, silence: 1, of: 1) == nil)
    }
}
