import Foundation
import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

/// Everything there is to see of a file that is read to its end.
private struct Reading: Equatable {
    var frames: [ReadFrame] = []
    /// ``CaptureFile/bytesRead`` after each turn.
    var positions: [Int] = []
    var counts: [Int] = []
    /// How each turn ended; two turns more than needed are taken.
    var ends: [FrameLoopEnd] = []
    var linkType: LinkType?
    var byteCount: Int?
    var error: CaptureError?
    /// Whether libpcap had nothing to do at first; not compared.
    var wasPlain = false

    struct Interruption: Error {}

    /// Reads it in turns of some frames, every third of them ended by an error; with libpcap when `bufferBytes` is 0.
    init(_ path: String, bufferBytes: Int, turn: Int = 1) {
        do throws(CaptureError) {
            var file = try CaptureFile(path: path, filter: nil, bufferBytes: bufferBytes)
            linkType = file.linkType
            byteCount = file.byteCount
            wasPlain = file.isPlain
            var turnsAfterEnd = 0
            while turnsAfterEnd < 3 {
                let end = take(turn, of: &file)
                positions.append(file.bytesRead)
                counts.append(file.frames)
                ends.append(end)
                if end != .stopped { turnsAfterEnd += 1 }
            }
        } catch {
            self.error = error
        }
    }

    private mutating func take(_ turn: Int, of file: inout CaptureFile) -> FrameLoopEnd {
        let throwing = ends.count % 3 == 2
        var left = turn
        do throws(Interruption) {
            return try file.forEachFrame { (bytes, wireLength, time) throws(Interruption) in
                frames.append(
                    ReadFrame(
                        bytes: bytes.copy(0..<bytes.byteCount), wireLength: wireLength,
                        nanoseconds: time.nanoseconds))
                left -= 1
                guard left <= 0 else { return .more }
                if throwing { throw Interruption() }
                return .enough
            }
        } catch {
            return .stopped
        }
    }

    static func == (a: Reading, b: Reading) -> Bool {
        a.frames == b.frames && a.positions == b.positions && a.counts == b.counts && a.ends == b.ends
            && a.linkType == b.linkType && a.byteCount == b.byteCount && a.error == b.error
    }
}

/// Our reader of plain records gives what libpcap gives, whatever is in the file.
@Suite struct PlainReadingTests {
    /// One that holds a file, one that holds a frame or two, and one that holds the smaller frames only.
    static let bufferSizes = [CaptureFile.bufferBytes, 300, 90]

    struct Flavour: CustomTestStringConvertible {
        var isBig: Bool
        var isNano: Bool
        var testDescription: String { "\(isBig ? "big" : "little") endian, \(isNano ? "nano" : "micro")seconds" }

        func file(_ frames: [CaptureBytes.Frame] = CaptureBytes.frames, linkType: Int = 1) -> [UInt8] {
            CaptureBytes.pcap(frames, linkType: linkType, isBig: isBig, isNano: isNano)
        }

        /// The file's header with a number of 32 bits in place of another.
        func file(with number: UInt32, at offset: Int) -> [UInt8] {
            var bytes = file()
            let little = (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            bytes.replaceSubrange(offset..<offset + 4, with: isBig ? little.reversed() : little)
            return bytes
        }
    }

    static let flavours = [false, true].flatMap { isBig in
        [false, true].map { Flavour(isBig: isBig, isNano: $0) }
    }

    /// Whether all ways to read these bytes give the same, and whether the first was our own.
    private func isSameForAll(_ content: [UInt8]) throws -> (isSame: Bool, isPlain: Bool) {
        let file = try TemporaryFile(content)
        let expected = Reading(file.path, bufferBytes: 0)
        let readings = Self.bufferSizes.map { Reading(file.path, bufferBytes: $0) }
        return (readings.allSatisfy { $0 == expected }, readings[0].wasPlain)
    }

    @Test(arguments: flavours) func `every flavour of pcap`(flavour: Flavour) throws {
        for linkType in [0, 1, 9, 12, 50, 101, 108, 113, 228, 229, 276] {
            let result = try isSameForAll(flavour.file(linkType: linkType))
            #expect(result.isSame)
            // In "cooked" frames of the other byte order libpcap turns numbers round.
            #expect(result.isPlain == !(flavour.isBig && [113, 276].contains(linkType)), "\(linkType)")
        }
    }

    @Test(arguments: flavours) func `headers out of the ordinary are left to libpcap`(flavour: Flavour) throws {
        let versions: [UInt32] = flavour.isBig ? [0x0002_0003, 0x0002_0002] : [0x0003_0002, 0x0002_0002]
        let contents =
            versions.map { flavour.file(with: $0, at: 4) }
            + [0, 262_145, 0x7FFF_FFFF, 0xFFFF_FFFF].map { flavour.file(with: $0, at: 16) }
            + [0x2400_0001].map { flavour.file(with: $0, at: 20) } + [flavour.file(with: 0xA1B2_CD34, at: 0)]
        for content in contents + [CaptureBytes.pcapng(isBig: flavour.isBig)] {
            let result = try isSameForAll(content)
            #expect(result.isSame)
            #expect(!result.isPlain, "\(content.prefix(24))")
        }
        let file = try TemporaryFile(flavour.file())
        let filtered = try CaptureFile(path: file.path, filter: "udp")
        let unfiltered = try CaptureFile(path: file.path)
        #expect([filtered.isPlain, unfiltered.isPlain] == [false, true])
    }

    @Test(arguments: flavours) func `a snap length shorter than the frames cuts them`(flavour: Flavour) throws {
        for snapLength: UInt32 in [1, 20, 61, 262_144] {
            let result = try isSameForAll(flavour.file(with: snapLength, at: 16))
            #expect(result.isSame, "\(snapLength)")
            #expect(result.isPlain)
        }
    }

    @Test(arguments: flavours) func `a file cut at any length`(flavour: Flavour) throws {
        let whole = flavour.file()
        for length in 1...whole.count {
            #expect(try isSameForAll(Array(whole[..<length])).isSame, "\(length)")
        }
    }

    @Test(arguments: flavours) func `a file with any byte changed`(flavour: Flavour) throws {
        let whole = flavour.file()
        let firstRecord = flavour.file([CaptureBytes.frames[0]]).count
        // What the first frame holds is as good as what the others hold.
        let indices = Array(0..<40) + Array(firstRecord..<whole.count)
        for index in indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF, whole[index] ^ 1, whole[index] ^ 0x80, whole[index] &+ 16] {
                var changed = whole
                changed[index] = value
                #expect(try isSameForAll(changed).isSame, "\(value) at \(index)")
            }
        }
    }

    @Test(arguments: flavours) func `frames of any length and time`(flavour: Flavour) throws {
        var random = RandomSource(seed: flavour.isBig ? 11 : 7)
        let frames = (0..<400).map { index in
            let length = Int.random(
                in: 0..<(Int.random(in: 0..<20, using: &random) == 0 ? 65_536 : 300), using: &random)
            return CaptureBytes.Frame(
                bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: length),
                nanoseconds: Int64.random(in: 0..<1 << 32, using: &random) * 1_000_000_000
                    + Int64.random(in: 0..<1_000_000, using: &random) * 1000,
                wireLength: Int.random(in: 0..<70_000, using: &random))
        }
        let file = try TemporaryFile(flavour.file(frames))
        let expected = Reading(file.path, bufferBytes: 0)
        #expect(expected.frames.count == 400)
        for bufferBytes in [1, 15, 16, 17, 1000, 65_552, 100_000, 262_160] {
            let reading = Reading(file.path, bufferBytes: bufferBytes)
            #expect(reading == expected, "\(bufferBytes)")
            #expect(reading.wasPlain)
        }
    }

    @Test func `our reader keeps all records that are whole`() throws {
        let frames = Array(repeating: CaptureBytes.frames[0], count: 100)
        let file = try TemporaryFile(CaptureBytes.pcap(frames))
        var capture = try CaptureFile(path: file.path, filter: nil, bufferBytes: 1000)
        var turnsOfOurs = 0
        while capture.forEachFrame({ (_, _, _) throws(Never) in .enough }) == .stopped {
            turnsOfOurs += capture.isPlain ? 1 : 0
        }
        #expect(turnsOfOurs == 100)
        #expect([capture.isPlain] == [false])
    }

    /// What was shown in advance beside each frame, with the frame that it should be: the sixteenth after.
    private func comings(of path: String, bufferBytes: Int, turn: Int) throws -> (shown: [[UInt8]], frames: [[UInt8]]) {
        var capture = try CaptureFile(path: path, filter: nil, bufferBytes: bufferBytes)
        var shown: [[UInt8]] = []
        var frames: [[UInt8]] = []
        var end = FrameLoopEnd.stopped
        while end == .stopped {
            var left = turn
            end = capture.forEachFrame { (frame, _, _, _, coming) throws(Never) in
                frames.append(frame.copy(0..<frame.byteCount))
                shown.append(coming.copy(0..<coming.byteCount))
                left -= 1
                return left > 0 ? .more : .enough
            }
        }
        #expect(end == .endOfFile)
        return (shown, frames)
    }

    @Test(arguments: flavours) func `a look ahead shows the sixteenth frame after, or nothing`(flavour: Flavour) throws
    {
        var random = RandomSource(seed: 3)
        let written = (0..<300).map { index in
            [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: Int.random(in: 1..<200, using: &random))
        }
        let bytes = flavour.file(written.map { CaptureBytes.Frame(bytes: $0, nanoseconds: 1_700_000_000_000_000_000) })
        let file = try TemporaryFile(bytes)
        let later = written.dropFirst(16) + Array(repeating: [], count: 16)
        for turn in [1, 7, 1_000] {
            let whole = try comings(of: file.path, bufferBytes: CaptureFile.bufferBytes, turn: turn)
            #expect(whole.frames == written)
            #expect(whole.shown == Array(later))
            for bufferBytes in [0, 100, 300, 1_000, 5_000] {
                let pieces = try comings(of: file.path, bufferBytes: bufferBytes, turn: turn)
                #expect(pieces.frames == written)
                #expect(zip(pieces.shown, later).allSatisfy { $0.isEmpty || $0 == $1 }, "\(bufferBytes)")
            }
        }
    }

    /// The captures in the shared data that are files of plain records.
    static func captures() throws -> [String] {
        let folders = try ["captures", "sip"] + SharedData.callNames().map { "calls/\($0)" }
        return try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: SharedData.url(folder).path)
                .filter { $0.hasSuffix(".pcap") || $0.hasSuffix(".cap") }.sorted().map { "\(folder)/\($0)" }
        }
    }

    @Test(SharedData.required, arguments: try SharedData.isAvailable ? captures() : []) func `recorded captures`(
        name: String
    ) throws {
        let path = SharedData.url(name).path
        let expected = Reading(path, bufferBytes: 0, turn: 7)
        #expect(Reading(path, bufferBytes: CaptureFile.bufferBytes, turn: 7) == expected)
        #expect(Reading(path, bufferBytes: 2000, turn: 7) == expected)
    }
}
