import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// SIP over TCP of which the capture missed a segment: the network did not lose it, so that nobody sends it again.
@Suite struct WireProbeGapTests {
    /// What the capture has of the receivers' acknowledgments.
    enum Acknowledgments {
        /// Each segment is acknowledged after a millisecond.
        case all
        case none
    }

    private static let tags = ("caller-tag", String?.some("callee-tag"))

    /// A call of a minute over one connection, whose 180 the capture does not have.
    private static func lines(byeOfCallee: Bool?) -> [SIPScript.Line] {
        let setup: [SIPScript.Line] = [
            .init(milliseconds: 0, start: "INVITE", sequence: "1 INVITE"),
            .init(milliseconds: 10, start: "SIP/2.0 100 Trying", sequence: "1 INVITE", isFromCallee: true),
            .init(
                milliseconds: 200, start: "SIP/2.0 180 Ringing", sequence: "1 INVITE", tags: tags, isFromCallee: true),
            .init(milliseconds: 2000, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: tags, isFromCallee: true),
            .init(milliseconds: 2020, start: "ACK", sequence: "1 ACK", tags: tags, branch: "2"),
        ]
        guard let byeOfCallee else { return setup }
        let tags = byeOfCallee ? ("callee-tag", "caller-tag") : tags
        return setup + [
            .init(
                milliseconds: 62_000, start: "BYE", sequence: "9 BYE", tags: tags, branch: "9",
                isFromCallee: byeOfCallee),
            .init(
                milliseconds: 62_020, start: "SIP/2.0 200 OK", sequence: "9 BYE", tags: tags, branch: "9",
                isFromCallee: !byeOfCallee),
        ]
    }

    private static func script(_ lines: [SIPScript.Line], _ acknowledgments: Acknowledgments) -> ProbeScript {
        var script = ProbeScript()
        var next: [Bool: UInt32] = [false: 1, true: 1]
        for line in lines {
            let ends = (
                from: line.isFromCallee ? ProbeScript.callee : ProbeScript.caller,
                to: line.isFromCallee ? ProbeScript.caller : ProbeScript.callee
            )
            let bytes = Array(SIPScript.text(line).utf8)
            let (sequence, back) = (next[line.isFromCallee] ?? 1, next[!line.isFromCallee] ?? 1)
            let after = sequence + UInt32(bytes.count)
            let seconds = Double(line.milliseconds) / 1000
            next[line.isFromCallee] = after
            if !line.start.contains("180") {
                script.tcp(
                    bytes, sequence: sequence, acknowledgment: acknowledgments == .all ? back : 1, from: ends.from,
                    to: ends.to, at: seconds)
            }
            if acknowledgments == .all {
                script.tcp(
                    [], sequence: back, acknowledgment: after, from: ends.to, to: ends.from, at: seconds + 0.001)
            }
        }
        return script
    }

    /// The events of the caller's record, in order of their times after the beginning.
    private static func course(_ run: ProbeRun) -> [String] {
        let events = run.records.first { $0.observer.rawValue == "wire:caller" }.flatMap { run.events[$0] } ?? []
        return events.map { ($0.time.milliseconds - ProbeScript.epoch / 1_000_000, $0.type) }
            .sorted { $0 < $1 }.map { "\($0.1)@\($0.0)" }
    }

    @Test(arguments: [Acknowledgments.all, .none], [nil, false, true])
    func `what came behind a segment that the capture missed keeps its time`(
        acknowledgments: Acknowledgments, byeOfCallee: Bool?
    ) {
        let run = Self.script(Self.lines(byeOfCallee: byeOfCallee), acknowledgments).run()
        let setup = ["INVITE@0", "100@10", "200@2000", "ACK@2020"]
        #expect(Self.course(run) == setup + (byeOfCallee == nil ? [] : ["BYE@62000", "BYE 200@62020"]))
        #expect(run.figures.refused == ["SIP: bytes missing in a TCP stream": 1])
    }

    @Test func `an acknowledgment gives up what is missing before the messages that follow it`() {
        let run = Self.script(Self.lines(byeOfCallee: nil), .all).run()
        let told = run.told.compactMap { told -> String? in
            guard told.observer?.rawValue == "wire:caller", case .event(let event) = told.fact else { return nil }
            return event.type
        }
        #expect(told == ["INVITE", "100", "200", "ACK"])
    }
}
