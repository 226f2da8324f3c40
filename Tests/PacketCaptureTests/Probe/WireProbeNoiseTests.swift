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

    @Test(arguments: [0.2, 1, 5])
    func `comfort noise alone is heard, and no sound that goes one way`(every: Double) throws {
        let run = Self.run(payloadType: 13, bytes: 1, every: every)
        #expect(run.reports[Calls.toCallee]?.last?.streams.map(\.role) == [.primary])
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try #require(run.summary(of: record))
            #expect(summary.issues.all.map(\.kind) == [] && summary.outages == [] && summary.outcome == .connected)
        }
    }

    /// AMR describes a silence in 5 bytes, with 2 in front of them, every 160 ms (3GPP TS 26.093); its sound takes 4.75 kbit/s
    /// at least, and may be as long as that in a packet.
    @Test(arguments: [(7, nil), (102, 160.0)])
    func `what is too small to be sound of its length is an update, and has no length`(bytes: Int, length: Double?) {
        var script = ProbeScript()
        let attribute = "a=rtpmap:96 AMR/8000"
        script.setUp(
            offer: Calls.offer.replacing("RTP/AVP 0", with: "RTP/AVP 96") + attribute + "\r\n",
            answer: Calls.answer.replacing("RTP/AVP 0", with: "RTP/AVP 96") + attribute + "\r\n")
        var media = Calls.forth(100)
        (media.payloadType, media.payloadBytes, media.interval, media.ticks) = (96, bytes, 0.16, 1_280)
        script.media(media)
        script.hangUp(at: 17.2)
        let streams = script.run().reports[Calls.toCallee]?.last?.streams
        #expect(streams?.map(\.packetMilliseconds) == [length])
    }

    @Test func `telephone events alone are no sound`() throws {
        let run = Self.run(payloadType: 101, bytes: 4, every: 0.05)
        #expect(run.reports[Calls.toCallee]?.last?.streams.map(\.role) == [.events])
        let summary = try #require(run.summary(of: Calls.toCallee))
        #expect(summary.issues.all.map(\.kind) == [.oneWayAudio])
    }
}
