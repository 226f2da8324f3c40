import CallModel
import Testing

@testable import PacketCapture

/// Streams that a change of the session sends elsewhere, and back
/// ([RFC 3264 §8.3.1](https://www.rfc-editor.org/rfc/rfc3264#section-8.3.1)).
@Suite struct WireProbeAbsenceTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// A server of music, or the end of another leg.
    private static let server = Script.Place(0xCB00_7107, 9_000)
    private static let elsewhere = SIPScript.audio(9_000, address: server.text)

    /// What one end of a call heard, in few words: what of its streams, what was told, and the times of outages in seconds.
    private struct Told: Equatable, CustomStringConvertible {
        var streams: [String]
        var outages: [[Double]] = []
        var issues: [IssueKind] = []

        init(streams: [String], outages: [[Double]] = [], issues: [IssueKind] = []) {
            (self.streams, self.outages, self.issues) = (streams, outages, issues)
        }

        init(_ script: ProbeScript, _ record: ProbeRun.Record = Calls.toCaller) throws {
            let run = script.run()
            let summary = try #require(run.summary(of: record))
            streams = try #require(run.reports[record]?.last).streams.map {
                let paused = (($0[.pauseSeconds] ?? 0) * 10).rounded() / 10
                return "\(Calls.words($0)) skipped \($0.count(.packetsSkipped)) paused \(paused)"
            }
            let origin = Double(Script.epoch / 1_000_000)
            outages = summary.outages.map { outage in
                [outage.span.start, outage.span.end].map {
                    ((Double($0?.milliseconds ?? 0) - origin) / 100).rounded() / 10
                }
            }
            issues = summary.issues.all.map(\.kind)
        }

        var description: String { "\(streams) \(outages) \(issues)" }
    }

    /// The caller wants its sound elsewhere from 8.1 s on, and after so many seconds where it was, or never; it speaks all the time.
    private static func call(away seconds: Double?, end: Double) -> ProbeScript {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(Int(((end - 1.2) * 50).rounded())))
        script.hangUp(at: end)
        script.change(at: 8.1, number: 2, offer: elsewhere, answer: Calls.answer)
        if let seconds { script.change(at: 8.1 + seconds, number: 3, offer: Calls.offer, answer: Calls.answer) }
        return script
    }

    /// The callee's sound from packet to packet, one every 20 ms from 1.1 s on.
    private static func back(_ numbers: Range<Int>, to place: ProbeScript.Place = Calls.callerMedia) -> Script.Media {
        var media = Calls.back(numbers.count, start: 1.1 + Double(numbers.lowerBound) * 0.02)
        (media.skip, media.to) = (numbers.lowerBound, place)
        return media
    }

    /// 350 packets are sent before the move, 50 in each second of it, and 500 after it.
    @Test(arguments: [(20.0, 1_000), (70, -1)])
    func `what went elsewhere by agreement, where the capture does not see it, is neither lost nor missing`(
        seconds: Double, skipped: Int
    ) throws {
        var script = Self.call(away: seconds, end: 18.2 + seconds)
        let after = 350 + Int(seconds * 50)
        script.media(Self.back(0..<350))
        script.media(Self.back(after..<(after + 500)))
        let words = "11 850 lost 0 repeated 0 twice 0 skipped \(skipped) paused \(seconds)"
        #expect(try Told(script) == Told(streams: [words]))
    }

    @Test func `sound that follows the agreement to another place and back is one stream, and whole`() throws {
        var script = Self.call(away: 10, end: 28.2)
        script.media(Self.back(0..<350))
        // The callee sends before its answer has come.
        script.media(Self.back(350..<851, to: Self.server))
        script.media(Self.back(851..<1_350))
        #expect(try Told(script) == Told(streams: ["11 1350 lost 0 repeated 0 twice 0 skipped -1 paused 0.0"]))
    }

    /// The packets of another 6 s reach neither place.
    @Test(arguments: [true, false])
    func `what does not come where the agreement wants it again is an outage`(isSeenElsewhere: Bool) throws {
        var script = Self.call(away: 10, end: 34.2)
        script.media(Self.back(0..<350))
        if isSeenElsewhere { script.media(Self.back(350..<850, to: Self.server)) }
        script.media(Self.back(1_150..<1_650))
        let told = try Told(script)
        #expect(told.outages == [[18.1, 24.1]] && told.issues == [.blackout], "\(told)")
        #expect(
            told.streams == [
                isSeenElsewhere
                    ? "11 1350 lost 300 repeated 0 twice 0 skipped -1 paused 0.0"
                    : "11 850 lost 299 repeated 0 twice 0 skipped 501 paused 10.0"
            ])
    }

    @Test func `what does not come until the call ends is an outage from when it was due`() throws {
        var script = Self.call(away: 10, end: 34.2)
        script.media(Self.back(0..<350))
        script.media(Calls.forth(1_650))
        let told = try Told(script)
        let words = "11 350 lost 0 repeated 0 twice 0 skipped -1 paused 10.0"
        #expect(told == Told(streams: [words], outages: [[18.1, 34.2]], issues: [.blackout]), "\(told)")
    }

    @Test func `a call that ends while its sound goes elsewhere ended in no outage`() throws {
        var script = Self.call(away: nil, end: 15.2)
        script.media(Self.back(0..<350))
        let told = try Told(script)
        #expect(told == Told(streams: ["11 350 lost 0 repeated 0 twice 0 skipped -1 paused 0.0"]), "\(told)")
    }

    @Test func `a sender that does not follow the agreement has outages as ever`() throws {
        var script = Self.call(away: 20, end: 29.2)
        script.media(Self.back(0..<650))
        script.media(Self.back(900..<1_400))
        let words = "11 1150 lost 250 repeated 0 twice 0 skipped -1 paused 0.0"
        #expect(try Told(script) == Told(streams: [words], outages: [[14.1, 19.1]], issues: [.blackout]))
    }

    @Test func `an offer that is refused sends nothing elsewhere`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        let tags = ("caller-tag", String?.some("callee-tag"))
        script.sip(
            .init(
                milliseconds: 8_100, start: "INVITE", sequence: "2 INVITE", tags: tags, branch: "c2",
                sdp: Self.elsewhere))
        script.sip(
            .init(
                milliseconds: 8_110, start: "SIP/2.0 488 Not Acceptable Here", sequence: "2 INVITE", tags: tags,
                branch: "c2", isFromCallee: true))
        script.media(Self.back(0..<350))
        script.media(Self.back(650..<1_150))
        script.hangUp(at: 24.2)
        let words = "11 850 lost 300 repeated 0 twice 0 skipped -1 paused 0.0"
        #expect(try Told(script) == Told(streams: [words], outages: [[8.1, 14.1]], issues: [.blackout]))
    }
}
