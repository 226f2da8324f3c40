import CallModel
import RTPMeter
import Testing

@testable import PacketCapture

/// What a pcapng file says at its end of what was dropped.
@Suite struct PcapngTailTests {
    typealias Sample = PcapngSample

    /// A file of one frame, and what comes behind it.
    private static func file(_ build: PcapngBytes, _ tail: [[UInt8]]) -> [UInt8] {
        let frame = build.frame(Sample.ethernet, ticks: Sample.micros)
        return ([build.section(), build.interface(1), build.interface(1), frame] + tail).flatMap { $0 }
    }

    private func statistics(_ content: [UInt8]) throws -> CaptureStatistics? {
        let file = try TemporaryFile(content)
        return try CaptureFile(path: file.path).statistics
    }

    @Test(arguments: [false, true]) func `the last counts of every interface are added`(isBig: Bool) throws {
        let build = PcapngBytes(isBig: isBig)
        let tail = [
            build.statistics([(4, 900), (5, 1), (7, 2)]), build.block(4, [0, 0, 0, 0]),
            build.statistics([(4, 1_000), (5, 3), (7, 40)]), build.statistics(of: 1, [(5, 500)]),
        ]
        let expected = CaptureStatistics(received: 1_000, droppedByKernel: 40, droppedByInterface: 503)
        #expect(try statistics(Self.file(build, tail)) == expected)
    }

    @Test func `a file that does not say what was dropped is taken as one`() throws {
        let build = Sample.little
        let early = build.statistics([(5, 7)]) + build.frame(Sample.ethernet, ticks: Sample.micros)
        let damaged = build.statistics([(5, 7)]) + [0]
        for tail in [[], build.statistics([(4, 9)]), build.statistics([]), early, damaged] as [[UInt8]] {
            #expect(try statistics(Self.file(build, [tail])) == nil)
        }
        #expect(PcapngTail([], isBig: false).statistics == nil)
    }

    @Test func `any byte may be changed, and the end be missing`() {
        let tail = Sample.little.statistics([(5, 3), (7, 40)]) + Sample.little.statistics(of: 1, [(5, 500)])
        for place in tail.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = tail
                changed[place] ^= change
                _ = PcapngTail(changed, isBig: false)
            }
            _ = PcapngTail(Array(tail[place...]), isBig: false)
            _ = PcapngTail(Array(tail[..<place]), isBig: true)
        }
    }

    @Test func `what was dropped while a file was captured is said of each of its calls`() throws {
        var script = ProbeScript()
        script.media(.init(ssrc: 1, from: ProbeScript.Place(1, 4_000), to: ProbeScript.Place(2, 4_000)))
        script.media(.init(ssrc: 2, from: ProbeScript.Place(3, 4_000), to: ProbeScript.Place(4, 4_000), start: 60))
        var probe = WireProbe(linkType: .ethernet)
        probe.note(ofWholeFile: CaptureStatistics(received: 9, droppedByKernel: 7, droppedByInterface: 0))
        script.play(into: &probe)
        let sensors = ProbeRun(ending: &probe).lastReports.map(\.report.sensor)
        #expect(sensors.map(\.packetsDroppedByKernel) == [7, 7] && sensors.allSatisfy(\.isDoubtful))
    }
}
