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
}
