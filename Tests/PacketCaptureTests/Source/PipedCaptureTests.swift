import Deflate
import Testing

@testable import PacketCapture

/// Captures that are piped in, which can be read but once.
@Suite struct PipedCaptureTests {
    typealias Sample = PcapngSample

    /// Blocks of files that libpcap does not read to their end, and of one that it does.
    private static let files = [
        Sample.twoLinks(Sample.little), Sample.twoLinks(Sample.big), Sample.twoOrders(Sample.little, Sample.big),
        Sample.twoOrders(Sample.big, Sample.little), [CaptureBytes.pcapng()], [CaptureBytes.pcapng(isBig: true)],
    ]

    /// Bytes in pieces of some length.
    private static func pieces(_ bytes: [UInt8], of length: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
    }

    @Test(arguments: 0..<6) func `pcapng is read from a pipe as from a file, whatever its interfaces and sections`(
        index: Int
    ) throws {
        let blocks = Self.files[index]
        let content = Array(blocks.joined())
        let expected = try LinkedCapture(content)
        #expect(expected.end == .endOfFile)
        for pieces in [[content], blocks, Self.pieces(content, of: 5)] {
            #expect(try LinkedCapture(piping: pieces) == expected)
        }
        // How far it is, is said of the inflated bytes: how many came through the pipe is not known.
        #expect(try LinkedCapture(piping: [Gzip.deflate(content)]) == expected)
    }

    @Test(arguments: [CaptureBytes.pcap(), CaptureBytes.pcap(isBig: true, isNano: true)])
    func `pcap is read from a pipe as from a file`(content: [UInt8]) throws {
        let expected = try LinkedCapture(content)
        #expect(expected.frames.count == 3)
        #expect(try LinkedCapture(piping: Self.pieces(content, of: 5)) == expected)
        #expect(try LinkedCapture(piping: [Gzip.deflate(content)]) == expected)
    }

    @Test func `a capture longer than the pieces in which it is read comes out of a pipe whole`() throws {
        let build = Sample.little
        let payload = [UInt8](repeating: 7, count: 60_000)
        var content = build.section() + build.interface(1) + build.interface(101)
        for index in 0..<40 { content += build.frame(payload, on: index % 2, ticks: Sample.micros + index) }
        let expected = try LinkedCapture(content)
        #expect(expected.frames.count == 40)
        #expect(try LinkedCapture(piping: Self.pieces(content, of: 70_001)) == expected)
        #expect(try LinkedCapture(piping: [Gzip.deflate(content)]) == expected)
    }

    @Test func `a capture without frames comes out of a pipe as one`() throws {
        let build = Sample.little
        for content in [build.section() + build.interface(1), CaptureBytes.pcap([])] {
            let capture = try LinkedCapture(piping: [content])
            #expect(capture == (try LinkedCapture(content)))
            #expect(capture.frames == [] && capture.end == .endOfFile && capture.commonLinkType == .ethernet)
        }
    }

    @Test func `a filter is taken where libpcap reads what is piped in`() throws {
        let content = CaptureBytes.pcapng()
        let capture = try LinkedCapture(piping: [content], filter: "udp and greater 100")
        #expect(capture == (try LinkedCapture(content, filter: "udp and greater 100")))
        #expect(capture.frames.count == 1)
    }

    // MARK: Damage

    /// The message of what a pipe brings, its path replaced by PIPE.
    private func message(_ bytes: [UInt8]) throws -> String {
        let pipe = try TemporaryPipe([bytes])
        do throws(CaptureError) {
            let capture = try LinkedCapture(path: pipe.path)
            guard case .broken(let error) = capture.end else { return "no error" }
            return pipe.anonymous(error.description)
        } catch {
            return pipe.anonymous(error.description)
        }
    }

    @Test(arguments: 0..<4) func `a pipe that ends at any length gives the frames before the end`(index: Int) throws {
        let blocks = Self.files[index]
        let content = Array(blocks.joined())
        let whole = try LinkedCapture(content).frames
        let boundaries = Set(blocks.indices.map { blocks[...$0].joined().count })
        let opening = blocks[0].count + blocks[1].count
        for length in 1..<content.count {
            let pipe = try TemporaryPipe([Array(content[..<length])])
            do throws(CaptureError) {
                let capture = try LinkedCapture(path: pipe.path)
                #expect(whole.starts(with: capture.frames), "\(length)")
                let error = CaptureError.truncated(path: pipe.path, byte: length, frames: capture.frames.count)
                #expect(capture.end == (boundaries.contains(length) ? .endOfFile : .broken(error)))
                #expect(length >= opening)
            } catch {
                let reason = "it ends before it describes an interface"
                #expect(error == .damagedHeader(path: pipe.path, reason: reason))
                #expect(length < opening)
            }
        }
    }

    @Test func `what is piped in and cannot be read is told as of a file`() throws {
        let build = Sample.little
        let opening = build.section() + build.interface(1) + build.interface(101)
        let frame = build.frame(Sample.ethernet, ticks: 0)
        let formats =
            "expected pcap (D4 C3 B2 A1, …), pcapng (0A 0D 0D 0A) or one of them in gzip (1F 8B)"
        #expect(try message([]) == "PIPE is empty; perhaps the program that writes it was stopped early")
        #expect(try message(Array("hi, this is no capture".utf8)) == "PIPE is not a capture file, " + formats)
        #expect(try message(Array("\nhi, this is no capture".utf8)) == "PIPE is not a capture file, " + formats)
        #expect(
            try message(build.section(major: 2))
                == "PIPE is not a whole capture file: a section is of version 2 of the format, expected 1")
        #expect(
            try message(Array(Gzip.deflate(opening).prefix(20)))
                == "PIPE is not a whole capture file: the compressed data stops before its end")
        #expect(
            try message(build.section() + build.interface(105) + frame)
                == "PIPE has link type IEEE802_11 (105), which cannot be decoded; expected one of "
                + "NULL, EN10MB, PPP, RAW, PPP_SERIAL, PPP_ETHER, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2")
        let damaged = opening + frame + build.frame(Sample.ethernet, on: 2, ticks: 0)
        #expect(
            try message(damaged)
                == "PIPE is damaged near byte \(damaged.count): a frame is of interface 2, which the file does not "
                + "describe; the one frame before it counts")
    }

    @Test(arguments: 0..<4) func `a byte of what is piped in that is changed does no harm`(index: Int) throws {
        let content = Array(Self.files[index].joined())
        for place in content.indices {
            var changed = content
            changed[place] ^= 0xFF
            guard let capture = try? LinkedCapture(piping: [changed]) else { continue }
            #expect(capture.frames.count <= 4, "\(place)")
        }
    }
}
