import CallModel
import CallQuality
import Testing

@testable import PacketCapture

/// What a probe makes of pictures that are gone for long beside sound that goes on: the longer, the worse.
@Suite struct LongerPictureLossTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    /// A call with pictures that stop 11 s after its beginning for so long; `isPause` says that they were not sent.
    private static func call(of length: Double, without seconds: Double, isPause: Bool = false) throws -> CallSummary {
        func described(_ port: Int, _ address: String) -> String {
            SIPScript.audio(port, address: address) + "m=video \(port + 2) RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
        }
        var script = Script()
        script.setUp(offer: described(4_000, Script.caller.text), answer: described(6_000, Script.callee.text))
        script.media(Calls.forth(Int(50 * length)))
        script.media(Calls.back(Int(50 * length)))
        let (shown, gone) = (500, Int(50 * seconds))
        var pictures = Script.Media(
            ssrc: 0xC, from: Script.Place(Script.caller.address, 4_002), to: Script.Place(Script.callee.address, 6_002),
            start: 1.1, packets: isPause ? shown : Int(50 * length), payloadType: 96, ticks: 1_800, payloadBytes: 900)
        if !isPause { pictures.lost = Set(shown..<shown + gone) }
        script.media(pictures)
        if isPause {
            pictures.start += Double(shown + gone) * pictures.interval
            pictures.packets = Int(50 * length) - shown - gone
            pictures.firstNumber += UInt16(shown)
            pictures.firstTime = UInt32(shown + gone) * pictures.ticks
            script.media(pictures)
        }
        script.hangUp(at: 1.2 + length)
        return try #require(script.run().summary(of: Calls.toCallee))
    }

    private static func pictureScore(_ call: CallSummary) throws -> Int {
        try #require(call.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound }?.score)
    }

    @Test func `pictures that are gone for longer never score higher, and cost more`() throws {
        let calls = try stride(from: 3.0, through: 26, by: 1).map { try Self.call(of: 60, without: $0) }
        let scores = try calls.map { try #require($0.score) }
        let pictures = try calls.map(Self.pictureScore)
        for (shorter, longer) in zip(scores, scores.dropFirst()) { #expect(longer <= shorter, "\(scores)") }
        for (shorter, longer) in zip(pictures, pictures.dropFirst()) { #expect(longer <= shorter, "\(pictures)") }
        #expect(try #require(scores.first) - (try #require(scores.last)) >= 10, "\(scores)")
        #expect(try #require(pictures.first) - (try #require(pictures.last)) >= 20, "\(pictures)")
    }

    @Test(arguments: [32.0, 60], [6.0, 10, 12, 15, 19])
    func `the issue covers the time in which pictures were missing`(length: Double, seconds: Double) throws {
        let call = try Self.call(of: length, without: seconds)
        let issue = try #require(call.issues.all.first { $0.kind == .packetLoss && $0.stream?.kind == .video })
        let began = Timestamp(milliseconds: Script.epoch / 1_000_000 + 11_100)
        #expect(issue.span.start <= began && issue.span.start.seconds(since: began) > -5.5)
        #expect(try #require(issue.span.end).seconds(since: began) >= seconds - 0.1)
    }

    @Test(arguments: [5.0, 10, 20])
    func `a sender that paused its pictures is not blamed`(seconds: Double) throws {
        let call = try Self.call(of: 60, without: seconds, isPause: true)
        #expect(call.score == 100)
        #expect(try Self.pictureScore(call) == 100)
        #expect(call.issues.all.isEmpty)
    }
}
