import TestSupport
import Testing

@testable import ClickHouseStore

@Suite struct RowBinaryTests {
    @Test func `values are little-endian, texts have their length before them, null is a byte of its own`() {
        var writer = RowBinaryWriter()
        writer.write(UInt8(255))
        writer.write(Int8(-2))
        writer.write(UInt32(0x0102_0304))
        writer.write(Int64(-1))
        writer.write(1.0)
        writer.write(true)
        writer.write("né")
        writer.write(nullable: nil as Int32?)
        writer.write(nullable: 7 as Int32?)
        writer.write(array: ["", "a"])
        #expect(
            writer.bytes == [
                0xFF, 0xFE, 4, 3, 2, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 1, 3, 0x6E, 0xC3, 0xA9, 1, 0, 7, 0, 0, 0, 2, 0, 1, 0x61,
            ])
    }

    @Test(arguments: [0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152])
    func `a text of any length comes back`(length: Int) throws {
        let text = String(repeating: "x", count: length)
        var writer = RowBinaryWriter()
        writer.write(text)
        var reader = RowBinaryReader(writer.bytes)
        #expect(try reader.string() == text)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: 0..<200) func `any rows come back as they were written`(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        let rows = (0..<Int.random(in: 0...20, using: &random)).map { _ in RandomRow(using: &random) }
        var writer = RowBinaryWriter()
        rows.forEach { $0.write(to: &writer) }
        #expect(writer.isEmpty == rows.isEmpty)
        var reader = RowBinaryReader(writer.bytes)
        var read: [RandomRow] = []
        while !reader.isAtEnd { read.append(try RandomRow(reading: &reader)) }
        #expect(read == rows)
    }

    @Test(arguments: 0..<50) func `an answer that stops anywhere is an error, and never the end of the tests`(
        seed: Int
    ) throws {
        var random = RandomSource(seed: UInt64(seed))
        var writer = RowBinaryWriter()
        RandomRow(using: &random).write(to: &writer)
        for length in 0..<writer.bytes.count {
            var reader = RowBinaryReader(Array(writer.bytes[..<length]))
            #expect(throws: ClickHouseError.self) { try RandomRow(reading: &reader) }
        }
    }

    @Test(arguments: 0..<500) func `bytes of any kind are read or refused`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let bytes: [UInt8] = (0..<Int.random(in: 0...200, using: &random)).map { _ in
            let any = UInt8.random(in: .min ... .max, using: &random)
            return [0, 1, 0x7F, 0x80, 0xFF, any].randomElement(using: &random) ?? any
        }
        var reader = RowBinaryReader(bytes)
        while !reader.isAtEnd, (try? RandomRow(reading: &reader)) != nil {}
    }

    @Test(
        arguments: [
            ([0x05, 0x61], "5 bytes that are not there, at byte 1 of 2"),
            (
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
                "\(Int.max) bytes that are not there, at byte 9 of 9"
            ),
            (
                [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
                "a length of more than 63 bits, at byte 9 of 10"
            ),
            ([0x80], "1 bytes that are not there, at byte 1 of 1"),
        ] as [([UInt8], String)]) func `a hostile length is refused, in words`(bytes: [UInt8], words: String)
    {
        var reader = RowBinaryReader(bytes)
        let expected = ClickHouseError(
            kind: .operator, message: "ClickHouse's answer is not what was asked for: \(words)")
        #expect(throws: expected) { try reader.string() }
    }

    @Test func `an array that promises more texts than there are bytes takes no memory`() {
        var reader = RowBinaryReader([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0])
        #expect(throws: ClickHouseError.self) { try reader.strings() }
    }

    @Test(arguments: [2, 0x80, 0xFF] as [UInt8]) func `a flag is 0 or 1`(byte: UInt8) {
        var reader = RowBinaryReader([byte, 0])
        #expect(throws: ClickHouseError.self) { try reader.bool() }
        reader = RowBinaryReader([byte, 0])
        #expect(throws: ClickHouseError.self) { try reader.nullable { try $0.uint8() } }
    }

    @Test func `bytes that are no text become the mark of replacement`() throws {
        var reader = RowBinaryReader([2, 0xFF, 0x61])
        #expect(try reader.string() == "\u{FFFD}a")
    }
}
