import Deflate
import TestSupport
import Testing

@Suite struct DeflateTests {
    private static func inflate(_ bytes: [UInt8], maximumBytes: Int = 1 << 20) throws(DeflateError) -> [UInt8] {
        try Gzip.inflate(bytes, maximumBytes: maximumBytes, maximumRatio: 100)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000]) func `restores what it compressed`(count: Int) throws {
        var random = RandomSource(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...15, using: &random) }
        #expect(try Self.inflate(Gzip.deflate(bytes)) == bytes)
        #expect(try Zlib.decompress(Zlib.compress(bytes), maximumBytes: count) == bytes)
    }

    @Test func `reads members one after the other`() throws {
        let bytes = Gzip.deflate(Array("one ".utf8)) + Gzip.deflate(Array("two".utf8), level: 1)
        #expect(try Self.inflate(bytes) == Array("one two".utf8))
    }

    @Test(arguments: [4_095, 4_096, 4_097, 8_192]) func `reads another member where the first fills the room`(
        count: Int
    ) throws {
        let first = [UInt8](repeating: 7, count: count)
        #expect(try Self.inflate(Gzip.deflate(first) + Gzip.deflate([1, 2, 3])) == first + [1, 2, 3])
    }

    @Test func `texts that are compressed at the same time do not mix`() async throws {
        let texts = (0..<200).map { Array(String(repeating: "text \($0) ", count: $0 + 1).utf8) }
        let compressed = await withTaskGroup(of: (Int, [UInt8]).self) { tasks in
            for (number, text) in texts.enumerated() {
                tasks.addTask { (number, Zlib.compress(text, level: number % 2 == 0 ? 1 : 6)) }
            }
            return await tasks.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        for (number, text) in texts.enumerated() {
            let level = number % 2 == 0 ? 1 : 6
            #expect(compressed[number] == Zlib.compress(text, level: level))
            #expect(try Zlib.decompress(compressed[number] ?? [], maximumBytes: 1 << 16) == text)
        }
    }

    @Test func `every cut is truncated`() {
        let bytes = Gzip.deflate(Array("some text that is compressed".utf8))
        for length in 2..<bytes.count {
            #expect(throws: DeflateError.truncated) { try Self.inflate(Array(bytes[..<length])) }
        }
    }

    @Test func `data that is cut short is read as far as it goes where that is asked for`() throws {
        let text = (0..<2_000).map { "line \($0)\n" }.joined()
        let plain = Array(text.utf8)
        let packed = Gzip.deflate(plain)
        // The checksum and the length are the last eight bytes.
        for (bytes, isWhole) in [(plain, true), (packed, true), (Array(packed.dropLast(3)), false)] {
            let content = try Gzip.contentToCut(of: bytes, maximumBytes: 1 << 20)
            #expect(content.bytes == plain)
            #expect(content.isWhole == isWhole)
        }
        let half = try Gzip.contentToCut(of: Array(packed[..<(packed.count / 2)]), maximumBytes: 1 << 20)
        #expect(!half.isWhole && plain.starts(with: half.bytes) && half.bytes.count > plain.count / 4)
        #expect(throws: DeflateError.truncated) {
            try Gzip.contentToCut(of: Array(packed[..<12]), maximumBytes: 1 << 20)
        }
        #expect(throws: DeflateError.tooLarge(limit: 100)) { try Gzip.contentToCut(of: packed, maximumBytes: 100) }
    }

    @Test func `says what is not gzip`() {
        #expect(throws: DeflateError.wrongFormat(expected: "gzip")) { try Self.inflate(Array("{}".utf8)) }
        #expect(throws: DeflateError.wrongFormat(expected: "gzip")) { try Self.inflate([]) }
        #expect(throws: DeflateError.wrongFormat(expected: "zlib")) {
            try Zlib.decompress(Array("plain text".utf8), maximumBytes: 100)
        }
    }

    @Test func `notices a changed byte`() {
        var bytes = Gzip.deflate(Array("some text that is compressed".utf8))
        bytes[bytes.count - 6] ^= 1
        let error = #expect(throws: DeflateError.self) { try Self.inflate(bytes) }
        #expect(error?.description == "the compressed data is damaged: incorrect data check")
    }

    @Test func `refuses bytes after the end`() {
        #expect(throws: DeflateError.damaged("incorrect header check")) {
            try Self.inflate(Gzip.deflate([1, 2, 3]) + [9, 9, 9])
        }
    }

    @Test func `stops a bomb at the ratio and at the limit`() {
        let bomb = Gzip.deflate([UInt8](repeating: 0, count: 5_000_000))
        #expect(throws: DeflateError.ratioTooHigh(limit: 100)) { try Self.inflate(bomb, maximumBytes: 10_000_000) }
        #expect(throws: DeflateError.tooLarge(limit: 100_000)) { try Self.inflate(bomb, maximumBytes: 100_000) }
        #expect(throws: DeflateError.tooLarge(limit: 1000)) {
            try Zlib.decompress(Zlib.compress([UInt8](repeating: 0, count: 1001)), maximumBytes: 1000)
        }
    }

    @Test func `room for content is asked for before it is taken, and for no more than the limits allow`() throws {
        let packed = Gzip.deflate([UInt8](repeating: 0, count: 3_000_000))
        var asked: [Int] = []
        let content = try Gzip.inflate(packed, maximumBytes: 3_000_000, maximumRatio: 2_000) { bytes in
            asked.append(bytes)
            return true
        }
        #expect(content.count == 3_000_000)
        let first = packed.count * 8
        #expect(Array(asked.prefix(4)) == [first, first * 2, first * 4, first * 8])
        #expect(asked == asked.sorted() && asked.last == 3_000_000)

        asked = []
        #expect(throws: DeflateError.noRoom(bytes: first * 2)) {
            try Gzip.inflate(packed, maximumBytes: 3_000_000, maximumRatio: 2_000) { bytes in
                asked.append(bytes)
                return bytes <= first
            }
        }
        #expect(asked == [first, first * 2])
    }

    @Test func `a small text may be compressed as well as it likes`() throws {
        let zeros = [UInt8](repeating: 0, count: Gzip.unratedBytes)
        #expect(try Self.inflate(Gzip.deflate(zeros)) == zeros)
    }
}
