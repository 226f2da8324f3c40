import CallModel
import Testing

/// Which of two streams that nobody signalled is the picture, and which repeats packets of it.
@Suite struct WireProbeRoleTests {
    private typealias Script = ProbeScript
    private static let here = Script.Place(Script.callee.address, 6_002)
    private static let there = Script.Place(Script.caller.address, 4_002)
    private static let picture: UInt32 = 2
    private static let copies: UInt32 = 1

    /// 30 pictures a second from `start` on, each of one marked packet.
    private static func pictures(_ seconds: Double, from start: Double = 0.1) -> Script.Media {
        Script.Media(
            ssrc: picture, from: there, to: here, start: start, packets: Int(seconds * 30), payloadType: 96,
            interval: 1.0 / 30, ticks: 3_000, payloadBytes: 500, isMarked: true)
    }

    /// One packet of a picture `seconds` into the stream, sent again and again, as a sender does that probes the path.
    private static func probes(_ packets: Int, after seconds: Int, number: Int) -> Script.Media {
        Script.Media(
            ssrc: copies, from: there, to: here, start: Double(seconds) + 0.2, packets: packets,
            firstNumber: UInt16(1_000 + number), firstTime: UInt32(seconds) * 90_000, payloadType: 97,
            interval: 0.002, ticks: 0, payloadBytes: 500, isMarked: true)
    }

    /// The roles of each report that has both streams.
    private static func roles(_ script: Script) -> [String] {
        script.run().reports.values.joined().filter { $0.streams.count == 2 }.map { report in
            report.streams.sorted { $0.ssrc < $1.ssrc }.map { "\($0.ssrc) \($0.role)" }.joined(separator: ", ")
        }
    }

    @Test func `a sender that probes with far more packets than its picture has does not make them the picture`() {
        var script = Script()
        // Probes go out before the picture, and bring three times the packets and the bytes.
        for second in 0..<30 { script.media(Self.probes(90, after: second, number: 90 * second)) }
        script.media(Self.pictures(30, from: 0.25))
        #expect(Set(Self.roles(script)) == ["1 retransmission, 2 primary"])
    }

    @Test func `a role that was clear stays, whatever the streams bring later`() {
        var script = Script()
        script.media(Self.pictures(5))
        script.media(Self.probes(20, after: 1, number: 0))
        // The picture is switched off; what follows has a timestamp of its own in every packet, as padding does.
        var padding = Self.probes(900, after: 5, number: 20)
        (padding.interval, padding.ticks) = (1.0 / 30, 3_000)
        script.media(padding)
        let roles = Self.roles(script)
        #expect(roles.count > 5 && Set(roles) == ["1 retransmission, 2 primary"])
    }

    @Test func `what came before the picture was known is not told of as a picture of its own`() {
        var script = Script()
        // Sound begins the call, so that its first snapshot falls due before the clock of the picture is known.
        script.media(
            Script.Media(
                ssrc: 3, from: Self.here, to: Self.there, packets: 1_500, payloadType: 111, ticks: 960))
        script.media(
            Script.Media(
                ssrc: 4, from: Self.there, to: Self.here, start: 0.5, packets: 1_475, payloadType: 111, ticks: 960))
        script.media(Self.probes(10, after: 1, number: 0))
        var picture = Self.pictures(28, from: 1.25)
        (picture.packets, picture.interval, picture.ticks) = (280, 0.1, 9_000)
        script.media(picture)
        let told = script.run().reports.values.joined().flatMap(\.streams).filter { $0.kind == .video }
        #expect(Set(told.map { "\($0.ssrc) \($0.role)" }) == ["1 retransmission", "2 primary"])
    }
}
