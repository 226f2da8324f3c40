import CallModel
import CallQuality
import Testing

@testable import PacketCapture

/// What a probe makes of packets that are gone for long: the longer, the worse.
@Suite struct LongerLossTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A codec, and how its packets come.
    struct Sound: CustomTestStringConvertible {
        var type: UInt8
        var codec: String
        var milliseconds: Int
        var hertz: Int
        var format = ""
        var testDescription: String { "\(codec), \(milliseconds) ms" }

        func described(_ port: Int, _ address: String) -> String {
            SIPScript.audio(port, address: address).replacing("RTP/AVP 0", with: "RTP/AVP \(type)")
                .replacing("a=rtpmap:0 PCMU/8000\r\n", with: "")
                + "a=rtpmap:\(type) \(codec)\r\n" + (format.isEmpty ? "" : "a=fmtp:\(type) \(format)\r\n")
        }
    }

    static let sounds = [
        Sound(type: 0, codec: "PCMU/8000", milliseconds: 20, hertz: 8_000),
        Sound(type: 0, codec: "PCMU/8000", milliseconds: 60, hertz: 8_000),
        Sound(type: 18, codec: "G729/8000", milliseconds: 30, hertz: 8_000),
        Sound(
            type: 111, codec: "opus/48000/2", milliseconds: 20, hertz: 48_000, format: "minptime=10;useinbandfec=1"),
    ]

    /// The score of 18 s of sound of which so many packets in a row are lost, again and again where `every` says so.
    private static func score(_ sound: Sound, lost: Int, every: Int? = nil) -> Int? {
        let packets = 18_000 / sound.milliseconds
        var media = Calls.forth(packets)
        (media.payloadType, media.payloadBytes) = (sound.type, 40)
        media.interval = Double(sound.milliseconds) / 1000
        media.ticks = UInt32(sound.milliseconds * sound.hertz / 1000)
        let first = packets / 5
        let starts = every.map { Array(stride(from: first, to: packets - $0, by: $0)) } ?? [first]
        media.lost = Set(starts.flatMap { $0..<$0 + lost })
        var script = Script()
        script.setUp(
            offer: sound.described(4_000, Script.caller.text), answer: sound.described(6_000, Script.callee.text))
        script.media(media)
        script.hangUp(at: 19.2)
        return script.run().summary(of: Calls.toCallee)?.score
    }

    @Test(arguments: sounds)
    func `a longer run of lost packets never scores higher`(_ sound: Sound) throws {
        let scores = try (1...100).map { try #require(Self.score(sound, lost: $0)) }
        for lost in 1..<100 {
            #expect(scores[lost] <= scores[lost - 1], "\(lost) and \(lost + 1) lost")
        }
        #expect(try #require(scores.first) > 85)
        #expect(try #require(scores.last) < 65)
    }

    @Test(arguments: sounds)
    func `longer runs that come again and again never score higher`(_ sound: Sound) throws {
        let every = 4_000 / sound.milliseconds
        let scores = try (1...every / 4).map { try #require(Self.score(sound, lost: $0, every: every)) }
        for (shorter, longer) in zip(scores, scores.dropFirst()) { #expect(longer <= shorter, "\(scores)") }
    }
}
