import RTPMeter

@testable import PacketCapture

/// A frame with what it begins with.
struct LinkedFrame: Hashable {
    var frame: ReadFrame
    var link: LinkType?

    init(_ bytes: [UInt8], _ link: LinkType?, at nanoseconds: Int64, wireLength: Int? = nil) {
        frame = ReadFrame(bytes: bytes, wireLength: wireLength ?? bytes.count, nanoseconds: nanoseconds)
        self.link = link
    }
}

/// All of a file whose frames may be of several link types.
struct LinkedCapture: Hashable {
    var frames: [LinkedFrame] = []
    var end: FrameLoopEnd?
    var linkType: LinkType
    var commonLinkType: LinkType?
    var bytesRead = 0

    init(_ content: [UInt8], filter: String? = nil) throws {
        let file = try TemporaryFile(content)
        try self.init(path: file.path, filter: filter)
    }

    /// What comes out of a pipe, into which the pieces are put one after the other.
    init(piping pieces: [[UInt8]], filter: String? = nil) throws {
        let pipe = try TemporaryPipe(pieces)
        try self.init(path: pipe.path, filter: filter)
    }

    init(path: String, filter: String? = nil) throws(CaptureError) {
        var file = try CaptureFile(path: path, filter: filter)
        linkType = file.linkType
        end = file.forEachFrame { (bytes, wireLength, time, link, _) throws(Never) in
            let copy = bytes.copy(0..<bytes.byteCount)
            frames.append(LinkedFrame(copy, link, at: time.nanoseconds, wireLength: wireLength))
            return .more
        }
        commonLinkType = file.commonLinkType
        bytesRead = file.bytesRead
    }
}

/// Blocks of pcapng files that libpcap does not read to their end.
enum PcapngSample {
    static let little = PcapngBytes()
    static let big = PcapngBytes(isBig: true)
    static let ethernet = FrameSample.inner
    static let raw = FrameSample.v4
    /// A time in microseconds, and in nanoseconds.
    static let micros = 1_700_000_000_123_456
    static let nanos: Int64 = 1_700_000_000_123_456_000

    /// Two interfaces that differ in link type and snap length, their frames in turn.
    static func twoLinks(_ build: PcapngBytes) -> [[UInt8]] {
        [
            build.section(), build.interface(1), build.interface(101, snapLength: 262_144),
            build.frame(ethernet, ticks: micros), build.frame(raw, on: 1, ticks: micros + 1),
            build.frame(ethernet, ticks: micros + 2, wireLength: 200), build.frame(raw, on: 1, ticks: micros + 3),
        ]
    }

    static let twoLinksFrames = [
        LinkedFrame(ethernet, .ethernet, at: nanos), LinkedFrame(raw, .rawFile, at: nanos + 1_000),
        LinkedFrame(ethernet, .ethernet, at: nanos + 2_000, wireLength: 200),
        LinkedFrame(raw, .rawFile, at: nanos + 3_000),
    ]

    /// A section in each byte order, with a frame each.
    static func twoOrders(_ first: PcapngBytes, _ second: PcapngBytes) -> [[UInt8]] {
        [
            first.section(), first.interface(1), first.frame(ethernet, ticks: micros),
            second.section(), second.interface(101), second.frame(raw, ticks: micros + 1),
        ]
    }
}
