import CallModel
import PacketCapture
import TestSupport
import Testing

/// What holds for any calls: every packet is its own call's.
@Suite struct WireProbePropertyTests {
    typealias Script = ProbeScript

    /// Calls on four pairs of ports, one after the other on each, in parallel on all; ports and SSRCs are used again and
    /// again, as they are by gateways and by programs that replay recordings.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `each end of each call has the packets sent to it, whoever had its ports and its SSRC before`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var script = Script()
        var expected: [String: [String]] = [:]
        for pair in 0..<4 as Range<UInt16> {
            var time = Double.random(in: 0...5, using: &random)
            for number in 1...Int.random(in: 1...4, using: &random) {
                let call = Conversation(name: "call-\(pair)-\(number)", pair: pair, start: time, using: &random)
                call.write(to: &script)
                expected.merge(call.expected(at: ("caller", "callee"))) { $1 }
                time = call.end + 0.3 * Double(1 << Int.random(in: 0...8, using: &random))
            }
        }
        #expect(WireProbeCallTests.words(script.run()) == expected, "seed \(seed)")
    }

    /// Without signalling a call ends half a minute after its last packet; then its ports may be used again.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `without signalling each pair of flows is a call of its own`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var script = Script()
        var expected: [String: [String]] = [:]
        for pair in 0..<4 as Range<UInt16> {
            var time = Double.random(in: 0...5, using: &random)
            for _ in 1...Int.random(in: 1...4, using: &random) {
                var call = Conversation(name: "", pair: 50 * pair, start: time, using: &random)
                // A stream that begins when the other is over would be one more call.
                call.back.start = call.forth.start + 0.31
                script.media(call.forth)
                script.media(call.back)
                let milliseconds = Script.epoch / 1_000_000 + Int64((call.forth.start * 1_000).rounded(.down))
                call.name = "rtp-\(call.forth.ssrc)-\(milliseconds)"
                expected.merge(call.expected(at: ("a", "b"))) { $1 }
                time = call.end + Double.random(in: 36...60, using: &random)
            }
        }
        #expect(WireProbeCallTests.words(script.run()) == expected, "seed \(seed)")
    }

    /// A call whose media are known.
    private struct Conversation {
        var name: String
        let start: Double
        let end: Double
        let forth: Script.Media
        var back: Script.Media

        init(name: String, pair: UInt16, start: Double, using random: inout RandomSource) {
            self.name = name
            self.start = start
            let caller = Script.Place(Script.caller.address, 4_000 + 2 * pair)
            let callee = Script.Place(Script.callee.address, 6_000 + 2 * pair)
            forth = Self.media(from: caller, to: callee, after: start, using: &random)
            back = Self.media(from: callee, to: caller, after: start, using: &random)
            let last = [forth, back].map { $0.start + Double($0.packets) * $0.interval }.max() ?? start
            end = last + Double.random(in: -0.2...2, using: &random)
        }

        /// Begins while it rings, or once it was answered.
        private static func media(
            from: Script.Place, to: Script.Place, after start: Double, using random: inout RandomSource
        ) -> Script.Media {
            var media = Script.Media(
                ssrc: UInt32.random(in: 1...2, using: &random), from: from, to: to,
                start: start + (Bool.random(using: &random) ? 0.55 : 1.1),
                packets: Int.random(in: 20...900, using: &random), firstNumber: .random(in: 0 ... .max, using: &random),
                firstTime: .random(in: 0 ... .max, using: &random))
            let lost = Double.random(in: 0...0.2, using: &random)
            media.lost = Set((4..<media.packets - 1).filter { _ in Double.random(in: 0..<1, using: &random) < lost })
            return media
        }

        func write(to script: inout Script) {
            let addresses = (Script.caller.text, Script.callee.text)
            script.setUp(
                name, at: start, offer: SIPScript.audio(Int(back.to.port), address: addresses.0),
                answer: SIPScript.audio(Int(forth.to.port), address: addresses.1))
            script.media(forth)
            script.media(back)
            script.hangUp(name, at: end)
        }

        func expected(at ends: (caller: String, callee: String)) -> [String: [String]] {
            ["\(name)/wire:\(ends.caller)": [words(back)], "\(name)/wire:\(ends.callee)": [words(forth)]]
        }

        private func words(_ media: Script.Media) -> String {
            "\(media.ssrc) \(media.packets - media.lost.count) lost \(media.lost.count) repeated 0 twice 0"
        }
    }
}
