import CallModel
import CallQuality
import PacketCapture
import Testing

/// The bit rates of sources that do not send all through their call.
@Suite struct WireProbeRateTests {
    private typealias Calls = WireProbeCallTests

    /// The bit rate of each source of the callee's sound, in kbit/s, by its SSRC. The caller sends all the time.
    private static func rates(_ back: [ProbeScript.Media]) throws -> [String: Double?] {
        var script = ProbeScript()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_500))
        for media in back { script.media(media) }
        script.hangUp(at: 31.1)
        let summary = try #require(script.run().summary(of: Calls.toCaller))
        return Dictionary(
            uniqueKeysWithValues: summary.streams.map { ($0.stream.source, $0.bitrateKilobitsPerSecond?.rounded()) })
    }

    /// G.711 has 64 kbit/s. The second source goes on where the first stops, 10 s after the answer.
    @Test func `a source that another replaces has the rate at which it sent`() throws {
        var next = Calls.back(1_000, start: 11.1)
        next.ssrc = 0xC
        #expect(try Self.rates([Calls.back(500), next]) == ["11": 64, "12": 64])
    }

    /// Of 30 s, the sound of 20 s does not come.
    @Test func `a source that falls silent for the network's sake brings less`() throws {
        #expect(try Self.rates([Calls.back(500)]) == ["11": 21])
    }
}
