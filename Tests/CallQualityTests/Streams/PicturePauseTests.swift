import CallModel
import Testing

@testable import CallQuality

/// Pictures that stop while sound goes on.
@Suite struct PicturePauseTests {
    /// 30 s of a picture with 25 packets a second, the last 10 s of which are as told; `stoppedBefore` seconds before them none
    /// came.
    private func last(
        packets: Double, stoppedBefore: Double = 0, lost: Double = 0, sentAgain: Double = 0, askedFor: Double? = nil,
        frozen: Double, isSoundFlowing: Bool = true
    ) throws -> StreamDelta {
        func sample(_ seconds: Int64, _ packets: Double) -> StreamSample {
            var sample = StreamSample(time: Timestamp(milliseconds: 1_000 * seconds))
            (sample.counters.packets, sample.counters.packetsLost) = (packets, 0)
            (sample.counters.freezes, sample.counters.frozenSeconds) = (0, 0)
            sample.lastPacketReceivedAt = sample.time
            sample.counters.retransmittedPackets = 0
            sample.metricCounters = Self.requests(askedFor.map { _ in 0 })
            return sample
        }
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        var meter = StreamMeter(stream: key, first: sample(0, 0), previousReport: nil)
        _ = meter.take(sample(10, 250), connection: ConnectionState())
        var middle = sample(20, 500 - 25 * stoppedBefore)
        middle.lastPacketReceivedAt = middle.time.advanced(byMilliseconds: -stoppedBefore.wholeMilliseconds)
        _ = meter.take(middle, connection: ConnectionState())
        var end = sample(30, (middle.counters.packets ?? 0) + packets)
        end.counters.packetsLost = lost
        end.counters.retransmittedPackets = sentAgain
        end.metricCounters = Self.requests(askedFor)
        (end.counters.freezes, end.counters.frozenSeconds) = (1, frozen)
        var connection = ConnectionState()
        connection.isSoundFlowing = isSoundFlowing
        let taken = meter.take(end, connection: connection)
        return try #require(taken)
    }

    private static func requests(_ count: Double?) -> MetricCounters {
        let members: JSONObject = count.map { ["nackCount": .double($0)] } ?? [:]
        let object = StatsObject(id: "I", type: .inboundRTP, timestamp: Timestamp(milliseconds: 0), members: members)
        return MetricCounters(of: object, direction: .inbound)
    }

    @Test func `a picture that is stopped within a report is not frozen`() throws {
        let delta = try last(packets: 150, frozen: 4)
        #expect([delta.pausedSeconds, delta.heldSeconds, delta.counted.frozenSeconds] == [4, 4, 0])
        #expect(delta.counted.freezes == 0)
    }

    /// What was held back came later; sound stood still, too; a packet was lost; or it was so short as a sender's queue may be.
    @Test func `one that was held up is`() throws {
        let held = [
            try last(packets: 250, frozen: 4), try last(packets: 150, frozen: 4, isSoundFlowing: false),
            try last(packets: 150, lost: 1, frozen: 4), try last(packets: 190, frozen: 2.5),
        ]
        #expect(held.map(\.pausedSeconds) == [0, 0, 0, 0])
        #expect(held.map(\.counted.frozenSeconds) == [4, 4, 4, 2.5])
    }

    /// A sender probes the bandwidth with packets that it sent before when a picture begins.
    @Test(arguments: [(0.0, 4.0), (3, 0), (nil, 0)] as [(Double?, Double)])
    func `packets that are sent again tell of a loss only where they were asked for`(askedFor: Double?, paused: Double)
        throws
    {
        let delta = try last(packets: 170, sentAgain: 20, askedFor: askedFor, frozen: 4)
        #expect(delta.pausedSeconds == paused)
        #expect(delta.counted.frozenSeconds == 4 - paused)
    }

    /// Reports every second of a picture of 15 frames a second, which stops for good after so much of the 21st second.
    @Test(arguments: [0.05, 0.3, 0.9]) func `what the report before had of a pause is no low frame rate`(shown: Double)
        throws
    {
        var connection = ConnectionState()
        connection.isSoundFlowing = true
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        func sample(_ second: Double) -> StreamSample {
            var sample = StreamSample(time: Timestamp(milliseconds: second.wholeMilliseconds))
            let seen = min(second, 20 + shown)
            (sample.counters.packets, sample.counters.packetsLost) = ((30 * seen).rounded(), 0)
            (sample.counters.freezes, sample.counters.frozenSeconds) = (0, 0)
            sample.counters.frames = (15 * seen).rounded()
            sample.lastPacketReceivedAt = Timestamp(milliseconds: seen.wholeMilliseconds)
            return sample
        }
        var meter = StreamMeter(stream: key, first: sample(0), previousReport: nil)
        var reference = VideoReference()
        var totals = VideoTotals()
        for second in 1...30 {
            let taken = meter.take(sample(Double(second)), connection: connection)
            let delta = try #require(taken)
            reference.raise(to: delta)
            if second > 20 { totals.add(delta, reference: reference, since: nil) }
        }
        let score = VideoScore(totals: totals, oneWayDelay: OneWayDelay(network: nil, jitterBuffer: 0, codec: 0))
        #expect(score.frameRateCost < 0.1)
    }

    @Test(arguments: [(1.5, 2.5), (2, 2), (2.5, 1.5)]) func `what of it lies before the report is no freeze either`(
        before: Double, within: Double
    ) throws {
        let delta = try last(packets: 250 - 25 * within, stoppedBefore: before, frozen: 4)
        #expect([delta.pausedSeconds, delta.heldSeconds, delta.counted.frozenSeconds] == [within, within, 0])
        #expect(delta.counted.freezes == 0)
        let heldUp = try last(packets: 250 + 25 * before, stoppedBefore: before, frozen: 4)
        #expect([heldUp.pausedSeconds, heldUp.heldSeconds, heldUp.counted.frozenSeconds] == [0, 0, 4])
    }

    /// The last of reports every 2 s, of which one had no picture: it came again after 4 s, with 3.5 s or 2.5 s of it before the
    /// report, and had stood still once for so many seconds.
    @Test(arguments: [(0.5, 4.0, 0.0), (1.5, 4.0, 0.0), (0.5, 2.5, 2.5)])
    func `one that was stopped over a report is none, as long as it was long`(
        before: Double, frozen: Double, told: Double
    ) throws {
        var connection = ConnectionState()
        connection.isSoundFlowing = true
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        func sample(_ seconds: Int64, _ packets: Double, age: Double = 0) -> StreamSample {
            var sample = StreamSample(time: Timestamp(milliseconds: 1_000 * seconds))
            (sample.counters.packets, sample.counters.packetsLost) = (packets, 0)
            (sample.counters.freezes, sample.counters.frozenSeconds) = (0, 0)
            sample.lastPacketReceivedAt = sample.time.advanced(byMilliseconds: -age.wholeMilliseconds)
            return sample
        }
        var meter = StreamMeter(stream: key, first: sample(0, 0), previousReport: nil)
        for second in stride(from: Int64(2), through: 20, by: 2) {
            _ = meter.take(sample(second, 25 * Double(second)), connection: connection)
        }
        let packets = 550 - 25 * before
        _ = meter.take(sample(22, packets, age: before), connection: connection)
        _ = meter.take(sample(24, packets, age: before + 2), connection: connection)
        var last = sample(26, packets + 25 * (before + 4 - frozen).magnitude)
        (last.counters.freezes, last.counters.frozenSeconds) = (1, frozen)
        let taken = meter.take(last, connection: connection)
        #expect(taken?.counted.frozenSeconds == told)
    }

    /// A second of a picture that stood still for 0.8 s of it, and in which little else came, as of a machine that was busy; sound
    /// of so many seconds was missing.
    @Test(arguments: [(nil, true), (0.06, false), (0.9, true)] as [(missing: Double?, isDown: Bool)])
    func `the path was up where sound came, be it late`(missing: Double?, isDown: Bool) {
        func sample(_ seconds: Int64, _ packets: Double) -> StreamSample {
            var sample = StreamSample(time: Timestamp(milliseconds: 1_000 * seconds))
            (sample.counters.packets, sample.counters.packetsLost) = (packets, 0)
            (sample.counters.freezes, sample.counters.frozenSeconds) = (0, 0)
            sample.lastPacketReceivedAt = sample.time
            return sample
        }
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "1")
        var meter = StreamMeter(stream: key, first: sample(0, 0), previousReport: nil)
        var connection = ConnectionState()
        connection.controlPackets = 5
        for second in 1...20 { _ = meter.take(sample(Int64(second), 25 * Double(second)), connection: connection) }
        var end = sample(21, 510)
        (end.counters.freezes, end.counters.frozenSeconds) = (1, 0.8)
        (connection.controlPackets, connection.mostMissingSoundSeconds) = (1, missing)
        let delta = meter.take(end, connection: connection)
        #expect(delta?.isPathDown == isDown)
    }
}
