import Deflate
import RTPMeter
import Testing

@testable import PacketCapture

/// Files of pcapng that libpcap does not read to their end: interfaces that differ, sections that differ.
@Suite struct PcapngReadingTests {
    typealias Sample = PcapngSample

    // MARK: Interfaces

    @Test(arguments: [false, true]) func `interfaces of two link types are read, each as what it is`(
        isBig: Bool
    ) throws {
        let content = Array(Sample.twoLinks(PcapngBytes(isBig: isBig)).joined())
        let capture = try LinkedCapture(content)
        #expect(capture.frames == Sample.twoLinksFrames)
        #expect(capture.end == .endOfFile)
        #expect(capture.linkType == .ethernet)
        #expect(capture.commonLinkType == nil)
        #expect(capture.bytesRead == content.count)
        #expect(try LinkedCapture(Gzip.deflate(content)).frames == Sample.twoLinksFrames)
    }

    @Test func `interfaces of two snap lengths are read`() throws {
        let build = Sample.little
        let content =
            build.section() + build.interface(1) + build.interface(1, snapLength: 0)
            + build.frame(Sample.ethernet, ticks: Sample.micros)
            + build.frame(Sample.ethernet, on: 1, ticks: Sample.micros)
        let capture = try LinkedCapture(content)
        #expect(capture.frames == Array(repeating: LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos), count: 2))
        #expect(capture.end == .endOfFile)
        #expect(capture.commonLinkType == .ethernet)
    }

    @Test(arguments: [[101, 1], [1, 101], [105, 1], [1, 105]]) func `an interface without frames makes no difference`(
        linkTypes: [Int]
    ) throws {
        let build = Sample.little
        let interfaces = linkTypes.flatMap { build.interface($0) }
        let used = linkTypes.firstIndex(of: 1) ?? 0
        let capture = try LinkedCapture(
            build.section() + interfaces + build.frame(Sample.ethernet, on: used, ticks: Sample.micros))
        #expect(capture.frames == [LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos)])
        #expect(capture.end == .endOfFile)
        #expect(capture.commonLinkType == .ethernet)
    }

    @Test func `an interface that comes between frames is read on from there`() throws {
        let build = Sample.little
        let capture = try LinkedCapture(
            build.section() + build.interface(1) + build.frame(Sample.ethernet, ticks: Sample.micros)
                + build.frame(Sample.ethernet, ticks: Sample.micros + 1) + build.interface(101)
                + build.frame(Sample.raw, on: 1, ticks: Sample.micros + 2)
                + build.frame(Sample.ethernet, ticks: Sample.micros + 3))
        #expect(
            capture.frames == [
                LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos),
                LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos + 1_000),
                LinkedFrame(Sample.raw, .rawFile, at: Sample.nanos + 2_000),
                LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos + 3_000),
            ])
        #expect(capture.end == .endOfFile)
    }

    /// libpcap takes the second for one of another type: it has a number of its own for raw IP.
    @Test func `two interfaces of raw IP are read`() throws {
        let build = Sample.little
        let capture = try LinkedCapture(
            build.section() + build.interface(101) + build.interface(101)
                + build.frame(Sample.raw, on: 1, ticks: Sample.micros))
        #expect(capture.frames == [LinkedFrame(Sample.raw, .rawFile, at: Sample.nanos)])
        #expect(capture.end == .endOfFile)
    }

    @Test(arguments: [[105, 1], [1, 105]]) func `an interface that cannot be decoded costs its own frames only`(
        linkTypes: [Int]
    ) throws {
        let build = Sample.little
        let frames = linkTypes.indices.flatMap { build.frame(Sample.ethernet, on: $0, ticks: Sample.micros) }
        let capture = try LinkedCapture(build.section() + linkTypes.flatMap { build.interface($0) } + frames)
        #expect(capture.frames.map(\.link) == linkTypes.map { $0 == 1 ? .ethernet : nil })
        #expect(capture.linkType == .ethernet)
        #expect(capture.commonLinkType == nil)
        var probe = WireProbe(linkType: capture.linkType)
        for read in capture.frames {
            read.frame.bytes.withRawSpan {
                _ = probe.take($0, wireLength: $0.byteCount, at: ArrivalTime(nanoseconds: Sample.nanos), as: read.link)
            }
        }
        #expect(probe.figures.frames == 2)
        #expect(probe.figures.refused == ["link type that cannot be decoded": 1])
    }

    @Test func `a stream that goes over two interfaces is one stream`() throws {
        let build = Sample.little
        var content = build.section() + build.interface(1) + build.interface(101)
        for index in 0..<10 {
            let rtp =
                [0x80, 0] + FrameBytes.be16(index) + FrameBytes.be32(160 * index) + FrameBytes.be32(7)
                + [UInt8](repeating: 0xD5, count: 160)
            let packet = FrameBytes.ipv4(FrameBytes.udp(rtp))
            let bytes = index % 2 == 0 ? FrameBytes.ethernet(packet) : packet
            content += build.frame(bytes, on: index % 2, ticks: Sample.micros + 20_000 * index)
        }
        let file = try TemporaryFile(content)
        var capture = try CaptureFile(path: file.path)
        var probe = WireProbe(linkType: capture.linkType)
        let end = capture.forEachFrame { (frame, wireLength, time, link, _) throws(Never) in
            probe.take(frame, wireLength: wireLength, at: time, as: link)
            return .more
        }
        probe.finish()
        let figures = probe.figures
        #expect(end == .endOfFile)
        #expect([figures.frames, figures.rtpPackets, figures.streams] == [10, 10, 1])
        #expect(figures.refused == [:])
    }

    // MARK: Sections and blocks

    @Test(arguments: [false, true]) func `sections of different byte orders are read`(bigFirst: Bool) throws {
        let (first, second) = bigFirst ? (Sample.big, Sample.little) : (Sample.little, Sample.big)
        let capture = try LinkedCapture(Array(Sample.twoOrders(first, second).joined()))
        #expect(
            capture.frames == [
                LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos),
                LinkedFrame(Sample.raw, .rawFile, at: Sample.nanos + 1_000),
            ])
        #expect(capture.end == .endOfFile)
    }

    @Test(arguments: [false, true]) func `every block of frames is read, and others are passed over`(
        isBig: Bool
    ) throws {
        let build = PcapngBytes(isBig: isBig)
        let short = Array(Sample.raw.prefix(30))
        let content =
            build.section() + build.block(4, [1, 2, 3]) + build.interface(101, snapLength: 30) + build.interface(1)
            + build.block(0x0BAD, [UInt8](repeating: 7, count: 5_000)) + build.simpleFrame(short, wireLength: 60)
            + build.block(5, []) + build.obsoleteFrame(Sample.ethernet, on: 1, ticks: Sample.micros, wireLength: 99)
            + build.block(0x8000_0001, [0]) + build.simpleFrame([0x45])
        let capture = try LinkedCapture(content)
        #expect(
            capture.frames == [
                LinkedFrame(short, .rawFile, at: 0, wireLength: 60),
                LinkedFrame(Sample.ethernet, .ethernet, at: Sample.nanos, wireLength: 99),
                LinkedFrame([0x45], .rawFile, at: 0),
            ])
        #expect(capture.end == .endOfFile)
    }

    // MARK: Time

    struct Clock: CustomTestStringConvertible {
        var testDescription: String
        /// Options of the interface.
        var options: [UInt8]
        var ticks: Int
        var nanoseconds: Int64
    }

    static let clocks = [
        Clock(testDescription: "microseconds", options: [], ticks: Sample.micros, nanoseconds: Sample.nanos),
        Clock(
            testDescription: "nanoseconds",
            options: Sample.little.option(2, Array("eth0".utf8)) + Sample.little.resolution(9),
            ticks: Int(Sample.nanos) + 789, nanoseconds: Sample.nanos + 789),
        Clock(
            testDescription: "1/1024 s", options: Sample.little.resolution(0x8A) + Sample.little.option(0, []),
            ticks: 1_700_000_000 * 1024 + 513, nanoseconds: 1_700_000_000_500_976_562),
        Clock(
            testDescription: "seconds", options: Sample.little.resolution(0), ticks: 1_700_000_000,
            nanoseconds: 1_700_000_000_000_000_000),
        Clock(
            testDescription: "picoseconds since a time",
            options: Sample.little.resolution(12) + Sample.little.offset(1_700_000_000),
            ticks: 1_999, nanoseconds: 1_700_000_000_000_000_001),
        Clock(
            testDescription: "a time before", options: Sample.little.offset(-1_000_000_000), ticks: Sample.micros,
            nanoseconds: Sample.nanos - 1_000_000_000_000_000_000),
        Clock(
            testDescription: "behind the end of the options",
            options: Sample.little.option(0, []) + Sample.little.resolution(9),
            ticks: Sample.micros, nanoseconds: Sample.nanos),
    ]

    @Test(arguments: clocks) func `time stamps are as the interface describes them`(clock: Clock) throws {
        let build = Sample.little
        let capture = try LinkedCapture(
            build.section() + build.interface(101) + build.interface(1, options: clock.options)
                + build.frame(Sample.ethernet, on: 1, ticks: clock.ticks))
        #expect(capture.frames == [LinkedFrame(Sample.ethernet, .ethernet, at: clock.nanoseconds)])
        #expect(capture.end == .endOfFile)
    }

    @Test func `any time stamp is a time, of whatever resolution`() {
        var refused: [UInt8] = []
        for option in UInt8.min...UInt8.max {
            for offset in [Int64.min, -1, 0, 1, .max] {
                var clock = PcapngClock()
                clock.offset = offset
                guard clock.setResolution(option) else {
                    refused.append(option)
                    break
                }
                for ticks in [0, 1, UInt64.max / 2, .max] { _ = clock.time(ticks: ticks) }
            }
        }
        #expect(refused == Array(20...127) + Array(192...255))
    }
}
