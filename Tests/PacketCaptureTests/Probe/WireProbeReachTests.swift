import CallModel
import CallQuality
import PacketCapture
import Testing

/// Answered calls of which a capture has no media: whether it could have seen any, and what is then said of them.
@Suite struct WireProbeReachTests {
    private typealias Script = ProbeScript
    private typealias Place = ProbeScript.Place
    private typealias Calls = WireProbeCallTests

    private static let proxy = Place(0xC000_0263, 5060)
    /// Where a border controller sends media from, which is not where it sends SIP from.
    private static let gateway = Place(0xC000_0264, 7_000)
    /// A host of neither end.
    private static let stranger = Place(0xC633_6470, 7_000)

    /// A call whose messages go over these hops, the caller's first, and of which no media come. Others have some.
    private static func call(
        over hops: [(Place, Place)], offer: String = Calls.offer, answer: String = Calls.answer
    ) -> Script {
        var script = Script()
        script.mediaOfOthers()
        func send(_ start: String, _ sequence: String, at milliseconds: Int64, sdp: String? = nil) {
            let isAnswer = start.hasPrefix("SIP")
            for (index, hop) in (isAnswer ? hops.reversed() : hops).enumerated() {
                let line = SIPScript.Line(
                    milliseconds: milliseconds + Int64(index) * 2, start: start, sequence: sequence,
                    tags: ("caller-tag", start == "INVITE" ? nil : "callee-tag"),
                    branch: "\(sequence.filter(\.isLetter))\(hop.0.address)",
                    sdp: sdp, isFromCallee: isAnswer)
                script.sip(line, from: hop.0, to: hop.1)
            }
        }
        send("INVITE", "1 INVITE", at: 5_000, sdp: offer)
        send("SIP/2.0 200 OK", "1 INVITE", at: 6_000, sdp: answer)
        send("ACK", "1 ACK", at: 6_010)
        send("BYE", "2 BYE", at: 26_000)
        send("SIP/2.0 200 OK", "2 BYE", at: 26_010)
        return script
    }

    private static let direct = [(Script.caller, Script.callee)]
    private static let proxied = [(Script.caller, proxy), (proxy, Script.callee)]

    /// What is said of both ends.
    private static func verdicts(_ script: Script) throws -> [String] {
        let run = script.run()
        return try [Calls.toCaller, Calls.toCallee].map { record in
            let summary = try #require(run.summary(of: record))
            let unseen = summary.sensor?.unseenMedia?.rawValue ?? "nothing"
            return ([summary.outcome.rawValue, unseen] + summary.issues.all.map(\.kind.rawValue)).joined(separator: " ")
        }
    }

    private static let unknown = ["unknown all", "unknown all"]
    private static let dead = ["notConnected nothing neverConnected", "notConnected nothing neverConnected"]

    @Test func `media that go past a proxy are not called missing`() throws {
        #expect(try Self.verdicts(Self.call(over: Self.proxied)) == Self.unknown)
        #expect(try Self.verdicts(Self.call(over: [(Script.caller, Self.proxy)])) == Self.unknown)
        #expect(try Self.verdicts(Self.call(over: [(Self.proxy, Script.callee)])) == Self.unknown)
    }

    @Test func `where signalling goes straight between the ends, so would media`() throws {
        #expect(try Self.verdicts(Self.call(over: Self.direct)) == Self.dead)
    }

    @Test func `where media of an end were seen before, those of the call would have been`() throws {
        var script = Self.call(over: Self.proxied)
        script.media(
            .init(ssrc: 0xC, from: Place(Script.callee.address, 6_100), to: Self.stranger, start: 0, packets: 100))
        #expect(try Self.verdicts(script) == Self.dead)
    }

    @Test func `media of a border controller are looked for where it sends them from`() throws {
        let answer = SIPScript.audio(Int(Self.gateway.port), address: Self.gateway.text)
        var script = Self.call(over: Self.direct, answer: answer)
        #expect(try Self.verdicts(script) == Self.unknown)
        let other = Place(Self.gateway.address, 7_100)
        script.media(.init(ssrc: 0xC, from: other, to: Self.stranger, start: 0, packets: 100))
        #expect(try Self.verdicts(script) == Self.dead)
    }

    @Test(arguments: ["10.1.2.3", "172.31.0.9", "192.168.1.2", "100.127.0.1"])
    func `behind a translator, media would come from where signalling does`(address: String) throws {
        #expect(
            try Self.verdicts(Self.call(over: Self.direct, offer: SIPScript.audio(4_000, address: address)))
                == Self.dead)
    }
}
