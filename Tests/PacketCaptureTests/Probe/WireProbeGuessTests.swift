import CallModel
import Testing

/// What sound is taken for that nothing describes.
@Suite struct WireProbeGuessTests {
    /// Packets of 20 ms with this payload type, step of the timestamps, and payload.
    @Test(
        arguments: [
            (111, 960, 80, "audio/opus"), (96, 960, 1_275, "audio/opus"), (111, 960, 1_920, nil), (111, 160, 160, nil),
            (111, 320, 80, nil), (35, 960, 80, nil), (0, 160, 160, "audio/PCMU"),
        ] as [(UInt8, UInt32, Int, String?)])
    func `sound with the clock of Opus, and no more bits than it has, is taken for it`(
        payloadType: UInt8, ticks: UInt32, bytes: Int, codec: String?
    ) {
        var script = ProbeScript()
        var sound = WireProbeCallTests.forth(400)
        (sound.payloadType, sound.ticks, sound.payloadBytes) = (payloadType, ticks, bytes)
        script.media(sound)
        #expect(script.run().streams.map(\.codec) == [codec])
    }
}
