import CallModel
import CallQuality
import PacketCapture
import Testing

/// Senders that are silent all the time and say so.
@Suite struct WireProbeNoiseTests {
    private typealias Calls = WireProbeCallTests

    /// A call in which the caller sends nothing but small packets of one payload type, one every so many seconds.
    private static func run(payloadType: UInt8, bytes: Int, every seconds: Double) -> ProbeRun {
        var script = ProbeScript()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.back(1_500))
        var small = Calls.forth(Int(30 / seconds))
        (small.payloadType, small.payloadBytes) = (payloadType, bytes)
        (small.interval, small.ticks) = (seconds, UInt32(seconds * 8_000))
        script.media(small)
        script.hangUp(at: 31.2)
        return script.run()
    }

    @Test(arguments: [0.2, 1])
    func `comfort noise alone is heard, and no sound that goes one way`(every: Double) throws {
        let run = Self.run(payloadType: 13, bytes: 1, every: every)
        #expect(run.reports[Calls.toCallee]?.last?.streams.map(\.role) == [.primary])
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try #require(run.summary(of: record))
            #expect(summary.issues.all.map(\.kind) == [] && summary.outages == [] && summary.outcome == .connected)
        }
    }

    @Test func `telephone events alone are no sound`() throws {
        let run = Self.run(payloadType: 101, bytes: 4, every: 0.05)
        #expect(run.reports[Calls.toCallee]?.last?.streams.map(\.role) == [.events])
        let summary = try #require(run.summary(of: Calls.toCallee))
        #expect(summary.issues.all.map(\.kind) == [.oneWayAudio])
    }
}
