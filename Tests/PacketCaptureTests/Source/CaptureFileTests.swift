import Deflate
import Foundation
import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

/// A frame as a test compares it.
struct ReadFrame: Hashable {
    var bytes: [UInt8]
    var wireLength: Int
    var nanoseconds: Int64
}

/// All of a file.
struct ReadCapture: Hashable {
    var frames: [ReadFrame] = []
    var end: FrameLoopEnd?

    init(_ path: String, filter: String? = nil) throws(CaptureError) {
        var file = try CaptureFile(path: path, filter: filter)
        end = file.forEachFrame { (bytes, wireLength, time) throws(Never) in
            frames.append(
                ReadFrame(
                    bytes: bytes.copy(0..<bytes.byteCount), wireLength: wireLength, nanoseconds: time.nanoseconds))
            return .more
        }
    }
}

@Suite struct CaptureFileTests {
    static let expected = CaptureBytes.frames.map {
        ReadFrame(bytes: $0.bytes, wireLength: $0.wireLength ?? $0.bytes.count, nanoseconds: $0.nanoseconds)
    }

    struct Format: CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
    }

    static let formats = [
        Format(testDescription: "pcap", bytes: CaptureBytes.pcap()),
        Format(testDescription: "pcap, big endian", bytes: CaptureBytes.pcap(isBig: true)),
        Format(testDescription: "pcap, nanoseconds", bytes: CaptureBytes.pcap(isNano: true)),
        Format(testDescription: "pcap, nanoseconds, big endian", bytes: CaptureBytes.pcap(isBig: true, isNano: true)),
        Format(testDescription: "pcapng", bytes: CaptureBytes.pcapng()),
        Format(testDescription: "pcapng, big endian", bytes: CaptureBytes.pcapng(isBig: true)),
    ]

    @Test func `the files of a capture are read in the order of their first frames`() throws {
        let later = try TemporaryFile(CaptureBytes.pcap(Array(CaptureBytes.frames[1...])))
        let empty = try TemporaryFile(CaptureBytes.pcap([]))
        let sooner = try TemporaryFile(CaptureBytes.pcapng(Array(CaptureBytes.frames[..<1])))
        #expect(
            try CaptureFile.inOrder([empty.path, later.path, sooner.path]) == [sooner.path, later.path, empty.path])
        #expect(throws: CaptureError.missingFile(path: "/none")) { try CaptureFile.inOrder([later.path, "/none"]) }
        #expect(try CaptureFile.inOrder([CaptureFile.standardInput]) == [CaptureFile.standardInput])
    }

    @Test(arguments: formats) func `every format gives the same frames, also compressed`(
        format: Format
    ) throws {
        for content in [format.bytes, Gzip.deflate(format.bytes)] {
            let file = try TemporaryFile(content)
            let capture = try ReadCapture(file.path)
            #expect(capture.frames == Self.expected)
            #expect(capture.end == .endOfFile)
        }
    }

    @Test func `nanoseconds are kept`() throws {
        let frame = CaptureBytes.Frame(bytes: FrameSample.inner, nanoseconds: 1_700_000_000_123_456_789)
        let file = try TemporaryFile(CaptureBytes.pcap([frame], isNano: true))
        #expect(try ReadCapture(file.path).frames.map(\.nanoseconds) == [1_700_000_000_123_456_789])
    }

    @Test(arguments: [(1, LinkType.ethernet), (101, .raw), (113, .linuxCooked), (276, .linuxCooked2), (0, .null)])
    func `the link type is that of the file`(number: Int, type: LinkType) throws {
        let file = try TemporaryFile(CaptureBytes.pcap(linkType: number))
        #expect(try CaptureFile(path: file.path).linkType == type)
    }

    // MARK: The loop

    struct Interruption: Error, Hashable {}

    @Test func `the reader may stop, go on, and throw`() throws {
        let file = try TemporaryFile(CaptureBytes.pcap())
        var capture = try CaptureFile(path: file.path)
        var times: [Int64] = []
        func next(_ verdict: FrameVerdict) -> FrameLoopEnd {
            capture.forEachFrame { (_, _, time) throws(Never) in
                times.append(time.nanoseconds)
                return verdict
            }
        }
        #expect(next(.enough) == .stopped)
        #expect(times.count == 1)
        #expect(throws: Interruption()) {
            _ = try capture.forEachFrame { (_, _, _) throws(Interruption) in throw Interruption() }
        }
        #expect(next(.more) == .endOfFile)
        #expect(times == [Self.expected[0].nanoseconds, Self.expected[2].nanoseconds])
        #expect(next(.more) == .endOfFile)
    }

    @Test func `progress ends at the length of the file`() throws {
        let bytes = CaptureBytes.pcap(Array(repeating: CaptureBytes.frames[0], count: 20_000))
        for content in [bytes, Gzip.deflate(bytes)] {
            let file = try TemporaryFile(content)
            var capture = try CaptureFile(path: file.path)
            #expect(capture.byteCount == content.count)
            var positions: [Int] = []
            while capture.frames < 20_000 {
                var left = 1000
                _ = capture.forEachFrame { (_, _, _) throws(Never) in
                    left -= 1
                    return left > 0 ? .more : .enough
                }
                positions.append(capture.bytesRead)
            }
            #expect(positions == positions.sorted())
            #expect(positions.count == 20)
            #expect(capture.bytesRead == content.count)
        }
    }

    @Test func `a filter lets through what it matches`() throws {
        let file = try TemporaryFile(CaptureBytes.pcap())
        #expect(try ReadCapture(file.path, filter: "udp and greater 100").frames == [Self.expected[1]])
        #expect(try ReadCapture(file.path, filter: "udp dst port 5004").frames == Self.expected)
        #expect(try ReadCapture(file.path, filter: "tcp").frames == [])
    }

    @Test(arguments: [CaptureBytes.pcap(), Gzip.deflate(CaptureBytes.pcapng())]) func `a pipe is read like a file`(
        bytes: [UInt8]
    ) throws {
        let pipe = try TemporaryPipe([bytes])
        #expect(try ReadCapture(pipe.path).frames == Self.expected)
    }

    @Test(SharedData.required, arguments: try SharedData.callNames())
    func `recorded calls read the same from their compressed form`(call: String) throws {
        let compressed = SharedData.url("calls/\(call)/A.pcap.gz")
        guard FileManager.default.fileExists(atPath: compressed.path) else { return }
        let bytes = try Gzip.inflate(
            Array(Data(contentsOf: compressed)), maximumBytes: 1 << 30, maximumRatio: 1000)
        let plain = try TemporaryFile(bytes)
        let expected = try ReadCapture(plain.path)
        #expect(try ReadCapture(compressed.path) == expected)
        #expect(expected.end == .endOfFile)
        #expect(expected.frames.count > 0)
    }

    // MARK: Damage

    /// Cut anywhere: the whole frames are read, and if one is not whole that is said.
    @Test(arguments: formats) func `a file cut at any length gives the frames before the cut`(
        format: Format
    ) throws {
        let bytes = format.bytes
        for length in 1..<bytes.count {
            let file = try TemporaryFile(Array(bytes[..<length]))
            guard let capture = try? ReadCapture(file.path) else { continue }
            #expect(Self.expected.starts(with: capture.frames))
            switch try #require(capture.end) {
            case .endOfFile: #expect(isBoundary(length, of: bytes, frames: capture.frames.count))
            case .broken(let error):
                #expect(error == .truncated(path: file.path, byte: length, frames: capture.frames.count))
            case .stopped: Issue.record("stopped by itself at \(length)")
            }
        }
    }

    /// Whether a file of this many bytes ends exactly after so many frames.
    private func isBoundary(_ length: Int, of bytes: [UInt8], frames: Int) -> Bool {
        let some = Array(CaptureBytes.frames.prefix(frames))
        return length == CaptureBytes.pcap(some).count || length == CaptureBytes.pcapng(some).count
    }

    @Test(arguments: formats) func `a compressed file cut at any length ends with an error`(
        format: Format
    ) throws {
        let compressed = Gzip.deflate(format.bytes)
        for length in 2..<compressed.count {
            let file = try TemporaryFile(Array(compressed[..<length]))
            guard let capture = try? ReadCapture(file.path) else { continue }
            #expect(Self.expected.starts(with: capture.frames))
            #expect(capture.end != .endOfFile || capture.frames == Self.expected, "\(length)")
        }
    }

    @Test(arguments: formats) func `a file with any byte changed does no harm`(format: Format) throws {
        for content in [format.bytes, Gzip.deflate(format.bytes)] {
            for index in content.indices {
                var changed = content
                changed[index] ^= 0xFF
                let file = try TemporaryFile(changed)
                guard let capture = try? ReadCapture(file.path) else { continue }
                #expect(capture.frames.count <= 10, "\(index)")
            }
        }
    }
}
