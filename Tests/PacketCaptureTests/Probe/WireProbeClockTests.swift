import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// Captures whose clock was set.
@Suite struct WireProbeClockTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A call of a minute; after half of it the clock is set.
    private static func run(_ step: Double, hangsUp: Bool = true) -> ProbeRun {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(2_950))
        script.media(Calls.back(2_950))
        if hangsUp { script.hangUp(at: 60.3) }
        var probe = WireProbe(linkType: .ethernet)
        for frame in script.frames.sorted(by: { $0.nanoseconds < $1.nanoseconds }) {
            let isLater = frame.nanoseconds > Script.epoch + 30_000_000_000
            let time = frame.nanoseconds + (isLater ? Int64(step * 1e9) : 0)
            probe.take(
                frame.bytes.span.bytes, wireLength: frame.bytes.count, at: ArrivalTime(nanoseconds: time))
        }
        return ProbeRun(ending: &probe)
    }

    @Test(arguments: [-3_600.0, -86_400, -20], [true, false])
    func `of a call that goes on while the clock is set back nothing gets lost`(step: Double, hangsUp: Bool) throws {
        let run = Self.run(step, hangsUp: hangsUp)
        for record in [Calls.toCaller, Calls.toCallee] {
            let times = try #require(run.reports[record]).map(\.time)
            #expect(times == times.sorted() && Set(times).count == times.count)
            let summary = try #require(run.summary(of: record))
            #expect(summary.streams.map(\.packets) == [2_950])
            #expect(summary.streams.first?.wire?[.maximumJitter].map { $0 < 0.005 } == true)
            #expect(summary.holds == [] && summary.outages == [])
            #expect(summary.scoredSeconds > 55 && summary.scoredSeconds < 60)
            #expect(summary.score == Self.run(0).summary(of: record)?.score)
            guard hangsUp else { continue }
            let length = summary.endedAt.map { $0.seconds(since: summary.start) }
            #expect(length.map { abs($0 - 60.3) < 0.1 } == true, "\(length ?? 0)")
        }
    }

    @Test func `calls that begin after the clock was set back have its time`() throws {
        var first = Script()
        first.setUp(offer: Calls.offer, answer: Calls.answer)
        first.media(Calls.forth(1_000))
        first.media(Calls.back(1_000))
        var second = Script()
        second.setUp("call-2", offer: Calls.offer, answer: Calls.answer)
        var media = Calls.forth(1_000)
        media.ssrc = 77
        second.media(media)
        second.hangUp("call-2", at: 22)
        var probe = WireProbe(linkType: .ethernet)
        first.play(into: &probe)
        let back: Int64 = 7_200_000_000_000
        for frame in second.frames.sorted(by: { $0.nanoseconds < $1.nanoseconds }) {
            probe.take(
                frame.bytes.span.bytes, wireLength: frame.bytes.count,
                at: ArrivalTime(nanoseconds: frame.nanoseconds - back))
        }
        let run = ProbeRun(ending: &probe)
        let record = ProbeRun.Record(call: CallID(rawValue: "call-2"), observer: Calls.toCallee.observer)
        let summary = try #require(run.summary(of: record))
        #expect(summary.start == Timestamp(milliseconds: (Script.epoch - back) / 1_000_000))
        #expect(summary.streams.map(\.packets) == [1_000])
    }

    @Test func `one frame with a time in the past changes nothing`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        script.media(Calls.back(1_000))
        script.hangUp(at: 22)
        var probe = WireProbe(linkType: .ethernet)
        for (index, frame) in script.frames.sorted(by: { $0.nanoseconds < $1.nanoseconds }).enumerated() {
            let time = index == 700 ? 0 : frame.nanoseconds
            probe.take(frame.bytes.span.bytes, wireLength: frame.bytes.count, at: ArrivalTime(nanoseconds: time))
        }
        let expected = script.run().streams
        let run = ProbeRun(ending: &probe)
        #expect(run.streams.map { $0.count(.packetsReceived) } == expected.map { $0.count(.packetsReceived) })
        #expect(run.streams.allSatisfy { ($0[.maximumJitter] ?? 1) < 0.03 && $0[.outageSeconds] == 0 })
    }

    @Test func `frames without a time are counted`() {
        var script = Script()
        script.media(Calls.forth(100))
        var probe = WireProbe(linkType: .ethernet)
        for frame in script.frames {
            probe.take(frame.bytes.span.bytes, wireLength: frame.bytes.count, at: ArrivalTime(nanoseconds: 0))
        }
        #expect(ProbeRun(ending: &probe).figures.framesWithoutTime == 100)
        #expect(script.run().figures.framesWithoutTime == 0)
    }

    /// Four calls both ways stand still for a while; the timestamps go on by so many packets meanwhile.
    @Test(arguments: [(20.0, 0, 1), (2, 0, 1), (20, 1_000, 0), (0.5, 0, 0)])
    func `where all go on as if no time had passed, the clock was set forward`(
        seconds: Double, packets: Int, steps: Int
    ) {
        var script = Script()
        for call in 0..<UInt32(4) {
            let one = Script.Place(0x0A00_0001 + call << 8, 4_000)
            let other = Script.Place(0x0A80_0001 + call << 8, 6_000)
            for (ssrc, from, to) in [(2 * call + 1, one, other), (2 * call + 2, other, one)] {
                var media = Script.Media(
                    ssrc: ssrc, from: from, to: to, start: Double(ssrc) * 0.001, packets: 500)
                script.media(media)
                media.start += 10 + seconds
                (media.skip, media.firstTime) = (500, UInt32(packets * 160))
                script.media(media)
            }
        }
        let run = script.run()
        #expect(run.figures.clockSteps == steps && run.figures.holes == 0)
        #expect(run.streams.map { $0.count(.packetsLost) } == Array(repeating: 0, count: 8))
    }
}
