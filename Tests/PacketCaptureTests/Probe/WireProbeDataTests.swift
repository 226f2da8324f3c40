import CallModel
import Testing

@testable import PacketCapture

/// Streams of a call that are neither sound nor pictures.
@Suite struct WireProbeDataTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    private static let textPlace = Script.Place(Script.callee.address, 6_002)

    /// Sound, and a second line of another kind.
    private static func description(_ audio: String, _ line: String) -> String {
        audio + line.replacing("\n", with: "\r\n") + "\r\n"
    }

    /// Sound both ways for 24 s, and beside it to the callee what people type, with 8 s between two sentences.
    private static func run(_ kind: String, lost: Set<Int> = []) -> ProbeRun {
        let maps = kind == "text" ? "98 99\na=rtpmap:98 t140/1000\na=rtpmap:99 red/1000" : "99\na=rtpmap:99 H224/4800"
        var script = Script()
        script.setUp(
            offer: description(Calls.offer, "m=\(kind) 4002 RTP/AVP \(maps)"),
            answer: description(Calls.answer, "m=\(kind) 6002 RTP/AVP \(maps)"))
        script.media(Calls.forth(1_200))
        script.media(Calls.back(1_200))
        for sentence in 0..<3 {
            var typed = Calls.forth(8, start: 1.5 + 10.4 * Double(sentence))
            (typed.from.port, typed.to) = (4_002, textPlace)
            (typed.ssrc, typed.payloadType, typed.payloadBytes) = (12, 99, 10)
            (typed.interval, typed.ticks, typed.skip) = (0.3, 300, 8 * sentence)
            typed.lost = lost
            script.media(typed)
        }
        script.hangUp(at: 25.3)
        return script.run()
    }

    @Test(arguments: [("text", "text/red"), ("application", "application/H224")])
    func `what is neither sound nor pictures is shown apart and costs no points`(kind: String, codec: String) throws {
        let run = Self.run(kind, lost: [2, 3])
        let typed = try #require(run.reports[Calls.toCallee]?.last?.streams.first { $0.ssrc == 12 })
        #expect(typed.role == .data)
        #expect(typed.codec == codec)
        #expect(typed.count(.packetsLost) == 6)
        let summary = try #require(run.summary(of: Calls.toCallee))
        #expect(summary.streams.map(\.stream.source) == ["10"])
        #expect(summary.secondaryStreams.map(\.ssrc) == [12])
        #expect(summary.score == run.summary(of: Calls.toCaller)?.score)
        #expect(summary.holds == [])
        #expect(summary.outages == [])
    }

    @Test func `a typist's pause holds no snapshot back`() {
        let run = Self.run("text")
        let told = run.told.compactMap { item in
            if case .wire = item.fact { item.observer?.rawValue } else { nil }
        }
        #expect(told.count > 8)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 }, "\(told)")
    }

    /// Sound stops at 6.1 s, for 20 s or until the call ends. Packets without payload come meanwhile: from another source, or
    /// every 15 s from the same ([RFC 6263, section 4.1](https://www.rfc-editor.org/rfc/rfc6263#section-4.1)), with the time stamp
    /// of the last packet of sound.
    @Test(arguments: [(0xE, 1.0, 20.0), (0xA, 15, 45)] as [(UInt32, Double, Double)])
    func `packets without payload that keep a path open are no sound`(
        ssrc: UInt32, interval: Double, silence: Double
    ) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(250))
        var kept = Calls.forth(Int(silence / interval), start: 6.08 + interval)
        (kept.ssrc, kept.interval, kept.payloadBytes) = (ssrc, interval, 0)
        (kept.firstNumber, kept.firstTime, kept.ticks) = (1_250, 249 * 160, 0)
        script.media(kept)
        if ssrc != 0xA {
            var resumed = Calls.forth(500, start: 6.08 + silence)
            (resumed.skip, resumed.firstTime) = (250, UInt32(silence * 8_000))
            script.media(resumed)
        }
        script.media(Calls.back(Int((silence + 14.9) * 50)))
        script.hangUp(at: 6.08 + silence + 10)
        let run = script.run()
        let summary = try #require(run.summary(of: Calls.toCallee))
        let pauses = silence + (ssrc == 0xA ? 10 : 0)
        #expect(abs(summary.heldSeconds - pauses) < 0.1, "\(summary.holds)")
        #expect(abs(summary.scoredSeconds - (silence + 15 - pauses)) < 0.2, "\(summary.scoredSeconds)")
        let roles = try #require(run.reports[Calls.toCallee]?.last).streams.map { "\($0.id) \($0.role)" }.sorted()
        #expect(roles == (ssrc == 0xA ? ["10 primary"] : ["10 primary", "14 data"]))
    }
}
