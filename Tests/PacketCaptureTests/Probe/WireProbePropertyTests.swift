import CallModel
import PacketCapture
import TestSupport
import Testing

/// What holds for any calls: every packet is its own call's.
@Suite struct WireProbePropertyTests {
    typealias Script = ProbeScript

    /// Calls between four pairs of hosts, one after the other between each, in parallel between all; ports and SSRCs are used again and
    /// again, as they are by gateways and by programs that replay recordings.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `each end of each call has the packets sent to it, whoever had its ports and its SSRC before`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var script = Script()
        var expected: [String: [String]] = [:]
        for pair in 0..<4 as Range<UInt16> {
            var time = Double.random(in: 0...5, using: &random)
            // The capture may begin in the middle of a call.
            if Bool.random(using: &random) {
                let call = Conversation(pair: pair, start: time, using: &random)
                call.writeMedia(to: &script)
                expected.merge(call.expected(at: ("a", "b"))) { $1 }
                time = call.end + Double.random(in: 2.5...30, using: &random)
            }
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
                let call = Conversation(pair: pair, start: time, using: &random)
                call.writeMedia(to: &script)
                expected.merge(call.expected(at: ("a", "b"))) { $1 }
                time = call.end + Double.random(in: 36...60, using: &random)
            }
        }
        #expect(WireProbeCallTests.words(script.run()) == expected, "seed \(seed)")
    }

    /// A call whose media are known.
    private struct Conversation {
        let name: String
        let start: Double
        let end: Double
        let forth: Script.Media
        let back: Script.Media

        /// A call of which only media are seen; the first packet names it.
        init(pair: UInt16, start: Double, using random: inout RandomSource) {
            let call = Conversation(name: "", pair: pair, start: start, using: &random)
            let first = Script.epoch / 1_000_000 + Int64((call.forth.start * 1_000).rounded(.down))
            (name, self.start, end, forth) = ("rtp-\(call.forth.ssrc)-\(first)", start, call.end, call.forth)
            // A stream that begins when the other is over would be one more call.
            var back = call.back
            back.start = forth.start + 0.31
            self.back = back
        }

        init(name: String, pair: UInt16, start: Double, using random: inout RandomSource) {
            self.name = name
            self.start = start
            // Hosts of its own: beside media that no SDP names, those of a call in setup may be meant.
            let caller = Script.Place(Script.caller.address + 16 * (1 + UInt32(pair)), 4_000)
            let callee = Script.Place(Script.callee.address + 16 * (1 + UInt32(pair)), 6_000)
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
            script.setUp(
                name, at: start, offer: SIPScript.audio(Int(back.to.port), address: back.to.text),
                answer: SIPScript.audio(Int(forth.to.port), address: forth.to.text))
            writeMedia(to: &script)
            script.hangUp(name, at: end)
        }

        func writeMedia(to script: inout Script) {
            script.media(forth)
            script.media(back)
        }

        func expected(at ends: (caller: String, callee: String)) -> [String: [String]] {
            ["\(name)/wire:\(ends.caller)": [words(back)], "\(name)/wire:\(ends.callee)": [words(forth)]]
        }

        private func words(_ media: Script.Media) -> String {
            "\(media.ssrc) \(media.packets - media.lost.count) lost \(media.lost.count) repeated 0 twice 0"
        }
    }
}
