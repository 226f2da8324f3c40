import CallModel
import Deflate
import RTPMeter
import Testing

@testable import PacketCapture

/// The times of frames, as far as files can have them.
@Suite struct CaptureTimeTests {
    /// Frames at these seconds since 1970, and a microsecond.
    private static func frames(at seconds: [Int64]) -> [CaptureBytes.Frame] {
        seconds.map { CaptureBytes.Frame(bytes: FrameSample.inner, nanoseconds: $0 * 1_000_000_000 + 1_000) }
    }

    @Test(arguments: PlainReadingTests.flavours) func `pcap has times from 1970 to 2106, however it is read`(
        flavour: PlainReadingTests.Flavour
    ) throws {
        let seconds: [Int64] = [0, 1 << 31 - 1, 1 << 31, 2_208_988_800, 1 << 32 - 1]
        let expected = Self.frames(at: seconds).map {
            ReadFrame(bytes: $0.bytes, wireLength: $0.bytes.count, nanoseconds: $0.nanoseconds)
        }
        let content = flavour.file(Self.frames(at: seconds))
        let (plain, compressed) = try (TemporaryFile(content), TemporaryFile(Gzip.deflate(content)))
        #expect(try ReadCapture(plain.path).frames == expected)
        #expect(try ReadCapture(plain.path, filter: "udp").frames == expected)
        #expect(try ReadCapture(compressed.path).frames == expected)
        #expect(try LinkedCapture(piping: [content]).frames.map(\.frame) == expected)
        var capture = try CaptureFile(path: plain.path)
        var left = seconds.count
        _ = capture.forEachFrame { (_, _, _) throws(Never) in
            left -= 1
            return left > 0 ? .more : .enough
        }
        #expect([capture.isPlain] == [true])
    }

    /// How many frames a probe takes for such without a time, and the times of the first and the last one.
    private func summary(_ content: [UInt8]) throws -> [Int?] {
        let file = try TemporaryFile(content)
        var capture = try CaptureFile(path: file.path)
        var probe = WireProbe(linkType: capture.linkType)
        probe.mayLackTimes = capture.mayLackTimes
        _ = capture.forEachFrame { (frame, wireLength, time) throws(Never) in
            probe.take(frame, wireLength: wireLength, at: time)
            return .more
        }
        let figures = probe.figures
        return [figures.framesWithoutTime, milliseconds(figures.firstFrameAt), milliseconds(figures.lastFrameAt)]
    }

    private func milliseconds(_ time: Timestamp?) -> Int? { time.map { Int($0.milliseconds) } }

    @Test func `frames of pcapng may be without a time, and those of pcap have one`() throws {
        let build = PcapngSample.little
        let (bytes, second) = (PcapngSample.ethernet, 1_000_000)
        let frames = [0, 1_000_000_000].map { CaptureBytes.Frame(bytes: bytes, nanoseconds: $0) }
        let opening = build.section() + build.interface(1)
        let simple = opening + build.simpleFrame(bytes) + build.simpleFrame(bytes) + build.frame(bytes, ticks: second)
        for isCompressed in [false, true] {
            func stored(_ content: [UInt8]) -> [UInt8] { isCompressed ? Gzip.deflate(content) : content }
            #expect(try summary(stored(CaptureBytes.pcap(frames))) == [0, 0, 1_000])
            #expect(try summary(stored(simple)) == [2, 0, 1_000])
        }
    }
}
