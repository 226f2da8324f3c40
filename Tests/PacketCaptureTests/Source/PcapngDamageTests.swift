import Testing

@testable import PacketCapture

/// Files that libpcap reads to a point, cut or damaged somewhere, or read with a filter.
@Suite struct PcapngDamageTests {
    typealias Sample = PcapngSample

    /// Blocks of files that are read by libpcap to a point, and by ourselves from there.
    private static let files = [
        Sample.twoLinks(Sample.little), Sample.twoLinks(Sample.big), Sample.twoOrders(Sample.little, Sample.big),
        Sample.twoOrders(Sample.big, Sample.little),
    ]

    @Test(arguments: 0..<4) func `a file cut at any length gives the frames before the cut`(index: Int) throws {
        let blocks = Self.files[index]
        let content = Array(blocks.joined())
        let whole = try LinkedCapture(content).frames
        let boundaries = Set(blocks.indices.map { blocks[...$0].joined().count })
        for length in 1..<content.count {
            let file = try TemporaryFile(Array(content[..<length]))
            guard let capture = try? LinkedCapture(path: file.path) else { continue }
            #expect(whole.starts(with: capture.frames), "\(length)")
            #expect((capture.end == .endOfFile) == boundaries.contains(length), "\(length)")
        }
    }

    @Test func `a file that ends inside a frame says so`() throws {
        let content = Array(Sample.twoLinks(Sample.little).joined())
        let lastBlock = Sample.twoLinks(Sample.little).last?.count ?? 0
        for length in content.count - lastBlock + 1..<content.count {
            let file = try TemporaryFile(Array(content[..<length]))
            let capture = try LinkedCapture(path: file.path)
            #expect(capture.frames == Array(Sample.twoLinksFrames.dropLast()))
            #expect(capture.end == .broken(.truncated(path: file.path, byte: length, frames: 3)))
        }
    }

    @Test(arguments: 0..<4) func `a file with any byte changed does no harm`(index: Int) throws {
        let content = Array(Self.files[index].joined())
        for place in content.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = content
                changed[place] ^= change
                guard let capture = try? LinkedCapture(changed) else { continue }
                #expect(capture.frames.count <= 4, "\(change) at \(place)")
            }
        }
    }

    /// The message of a file that begins with two link types and goes on with these bytes, its path replaced by FILE.
    private func message(_ bytes: [UInt8]) throws -> String {
        let build = Sample.little
        let opening = build.section() + build.interface(1) + build.interface(101)
        let file = try TemporaryFile(opening + build.frame(Sample.ethernet, ticks: 0) + bytes)
        let capture = try LinkedCapture(path: file.path)
        guard case .broken(let error) = capture.end else { return "no error" }
        let words = file.anonymous(error.description)
        return words.replacing(/FILE is damaged near byte [0-9]+: |; the one frame before it counts/, with: "")
    }

    @Test func `a block that contradicts itself is named`() throws {
        let build = Sample.little
        let frame = build.frame(Sample.ethernet, ticks: 0)
        func changed(_ byte: UInt8, at place: Int) -> [UInt8] {
            var changed = frame
            changed[place] = byte
            return changed
        }
        #expect(frame.count == 112)
        #expect(try message(changed(8, at: 4)) == "a block says that it has 8 bytes")
        #expect(try message(changed(110, at: 4)) == "a block says that it has 110 bytes")
        #expect(try message(changed(2, at: 7)) == "a block says that it has 33554544 bytes")
        #expect(
            try message(changed(116, at: 108)) == "a block has 112 bytes at its beginning, 116 at its end")
        #expect(try message(changed(90, at: 20)) == "a block is too short for what it holds")
        #expect(
            try message(changed(2, at: 8)) == "a frame is of interface 2, which the file does not describe")
        #expect(try message(build.section(major: 2)) == "a section is of version 2 of the format, expected 1")
        #expect(
            try message(build.interface(1, options: build.resolution(20)))
                == "the time stamps of an interface have more digits than fit in them")
        #expect(
            try message(build.interface(1, options: build.option(9, [6, 6])))
                == "an option of an interface has 2 bytes")
        #expect(
            try message(build.interface(1, options: [2, 0, 8, 0]))
                == "an option of an interface is longer than its block")
    }

    @Test func `what libpcap reads and finds damaged is told in its words`() throws {
        let build = Sample.little
        let second = build.frame(Sample.ethernet, ticks: 0)
        let content = build.section() + build.interface(1) + build.interface(1) + second + second.dropLast(4)
        let file = try TemporaryFile(content + [1, 0, 0, 0])
        let capture = try LinkedCapture(path: file.path)
        guard case .broken(.damaged(_, let byte, let frames, let reason)) = capture.end else {
            Issue.record("not damaged: \(String(describing: capture.end))")
            return
        }
        #expect([byte, frames] == [content.count + 4, 1])
        #expect(reason.hasPrefix("block total length in header"))
    }

    // MARK: Filters

    private func refusal(_ blocks: [[UInt8]]) throws -> String {
        let file = try TemporaryFile(Array(blocks.joined()))
        do throws(CaptureError) {
            let capture = try LinkedCapture(path: file.path, filter: "udp")
            guard case .broken(let error) = capture.end else { return "no error" }
            return "\(capture.frames.count) read, " + file.anonymous(error.description)
        } catch {
            return file.anonymous(error.description)
        }
    }

    @Test func `a filter is refused where libpcap does not read the file`() throws {
        let build = Sample.little
        let reason = "and libpcap, which filters, does not read such files; without a filter it can be read"
        #expect(
            try refusal(Sample.twoLinks(build))
                == "cannot filter FILE: its interfaces have different link types (1, 101), \(reason)")
        #expect(
            try refusal([build.section(), build.interface(1), build.interface(1, snapLength: 96)])
                == "cannot filter FILE: its interfaces have different snap lengths (65535, 96), \(reason)")
        #expect(
            try refusal([build.section(), build.interface(101), build.interface(101)])
                == "cannot filter FILE: it has several interfaces of link type 101, \(reason)")
        #expect(
            try refusal(Sample.twoOrders(build, Sample.big))
                == "1 read, cannot filter FILE: its sections have different byte orders, \(reason)")
        #expect(try refusal([build.section(), build.interface(1), build.interface(1)]) == "no error")
    }
}
