import CallModel
import PacketCapture
import Testing

/// What the receiver's reports say of a stream, held against what passed the probe.
@Suite struct WireProbeReceiverTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// A call of half a minute, of which some of the caller's packets do not pass the probe.
    private static func call(missing: Set<Int> = []) -> ProbeScript {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        var forth = Calls.forth(1_450)
        forth.lost = missing
        script.media(forth)
        script.media(Calls.back(1_450))
        script.hangUp(at: 30.2)
        return script
    }

    /// The callee's report of the caller's packets up to one of them (RFC 3550 §6.4.2), 50 ms after that passed.
    private static func report(
        lost: Int, upTo packet: Int, by receiver: UInt8 = 0xB, shift: Int = 0, into script: inout ProbeScript
    ) {
        let number = UInt16(1_000 + packet + shift)
        let count = [16, 8, 0].map { UInt8(truncatingIfNeeded: lost >> $0) }
        let block = [0, 0, 0, 0xA, 0] + count + [0, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
        script.udp(
            [0x81, 201, 0, 7, 0, 0, 0, receiver] + block + [UInt8](repeating: 0, count: 12), from: Calls.calleeMedia,
            to: Calls.callerMedia, at: 1.1 + 0.02 * Double(packet) + 0.05)
    }

    /// What was lost behind the probe, and the issues of the callee's record with their first evidence and cause.
    private struct Told: Hashable {
        var lostBehind: Int
        var issues: [[String]]
        var isDoubtful: Bool?

        init(_ lostBehind: Int, _ issues: [[String]] = [], isDoubtful: Bool? = false) {
            (self.lostBehind, self.issues, self.isDoubtful) = (lostBehind, issues, isDoubtful)
        }

        init(_ script: ProbeScript) throws {
            let run = script.run()
            let stream = try #require(run.reports[Calls.toCallee]?.last?.streams.first)
            let summary = try #require(run.summary(of: Calls.toCallee))
            let issues = summary.issues.all.map { issue in
                [
                    issue.kind.rawValue, issue.severity.rawValue, issue.evidence.first?.member ?? "",
                    issue.cause?.rawValue ?? "",
                ]
            }
            self.init(stream.count(.packetsLostBehind), issues, isDoubtful: summary.isCaptureDoubtful)
        }
    }

    private static let network = IssueCause.networkLoss.rawValue

    /// Every n-th packet of those after the first so many.
    private static func every(_ step: Int, after first: Int = 0) -> Set<Int> {
        Set(stride(from: first + step, to: 1_450, by: step))
    }

    /// The receiver reports every 5 s what it lacks: so many of a thousand.
    private static func reported(_ share: Int, missing: Set<Int> = []) -> ProbeScript {
        var script = call(missing: missing)
        for packet in stride(from: 149, to: 1_450, by: 250) {
            report(lost: packet * share / 1_000, upTo: packet, into: &script)
        }
        return script
    }

    @Test(
        arguments: [
            (100, [], Told(125, [["packetLoss", "critical", "packetsLostBehind", network]])),
            (20, [], Told(25, [["packetLoss", "notice", "packetsLostBehind", network]])),
            (4, [], Told(5)), (0, [], Told(0)),
            (50, every(20), Told(0, [["packetLoss", "warning", "packetsLost", network]])),
            (
                100, every(20),
                Told(
                    63,
                    [
                        ["packetLoss", "warning", "packetsLost", network],
                        ["packetLoss", "warning", "packetsLostBehind", network],
                    ])
            ),
            (0, every(20), Told(-62, [["packetLoss", "warning", "packetsLost", ""]], isDoubtful: true)),
            (40, every(20), Told(-12, [["packetLoss", "warning", "packetsLost", network]], isDoubtful: true)),
            // A receiver may count none of a long gap, or none of what came twice.
            (0, Set(500..<600), Told(0, [["blackout", "warning", "sequenceNumber", "pathDown"]])),
            (48, every(20), Told(-2, [["packetLoss", "warning", "packetsLost", network]])),
        ] as [(Int, Set<Int>, Told)])
    private func `what the receiver lacks beyond what the probe missed was lost behind it`(
        share: Int, missing: Set<Int>, told: Told
    ) throws {

        #expect(try Told(Self.reported(share, missing: missing)) == told)
    }

    @Test func `what passes while a report is on its way is no loss of the receiver's`() throws {
        // A second is missing just as the first report comes, and the receiver tells of it in the next one.
        var script = Self.call(missing: Set(150..<200))
        Self.report(lost: 0, upTo: 149, into: &script)
        for packet in [399, 649, 899, 1_149, 1_399] { Self.report(lost: 50, upTo: packet, into: &script) }
        let stream = try #require(script.run().reports[Calls.toCallee]?.last?.streams.first)
        #expect([stream.count(.packetsLost), stream.count(.packetsLostBehind)] == [50, 0])
    }

    @Test func `a receiver that begins anew, and another one, take nothing back`() throws {
        var script = Self.call()
        let reports: [(lost: Int, receiver: UInt8)] = [
            (0, 0xB), (25, 0xB), (0, 0xB), (25, 0xB), (900, 0xC), (925, 0xC),
        ]
        for (index, report) in reports.enumerated() {
            Self.report(lost: report.lost, upTo: 149 + 250 * index, by: report.receiver, into: &script)
        }
        let stream = try #require(script.run().reports[Calls.toCallee]?.last?.streams.first)
        #expect(stream.count(.packetsLostBehind) == 75)
    }

    @Test func `reports about other numbers than those that passed say nothing`() throws {
        var script = Self.call()
        for index in 0..<6 { Self.report(lost: 25 * index, upTo: 149 + 250 * index, shift: 20_000, into: &script) }
        #expect(try Told(script) == Told(-1))
    }
}
