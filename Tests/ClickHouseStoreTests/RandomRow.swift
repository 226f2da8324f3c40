@testable import ClickHouseStore

/// A row with a column of every type that is used.
struct RandomRow: Hashable {
    var byte: UInt8
    var small: Int8
    var count: UInt32
    var signed: Int32
    var version: UInt64
    var time: Int64
    /// The bits: a value that is no number equals none.
    var level: UInt64
    var flag: Bool
    var text: String
    var perhaps: Int64?
    var perhapsText: String?
    var perhapsLevel: Double?
    var texts: [String]
    var bytes: [UInt8]

    /// For `CREATE TABLE`; the order of ``write(to:)``.
    static let columns = [
        ("byte", "UInt8"), ("small", "Int8"), ("count", "UInt32"), ("signed", "Int32"), ("version", "UInt64"),
        ("time", "Int64"), ("level", "Float64"), ("flag", "UInt8"), ("text", "String"), ("perhaps", "Nullable(Int64)"),
        ("perhapsText", "Nullable(String)"), ("perhapsLevel", "Nullable(Float64)"), ("texts", "Array(String)"),
        ("bytes", "String"),
    ]

    func write(to writer: inout RowBinaryWriter) {
        writer.write(byte)
        writer.write(small)
        writer.write(count)
        writer.write(signed)
        writer.write(version)
        writer.write(time)
        writer.write(Double(bitPattern: level))
        writer.write(flag)
        writer.write(text)
        writer.write(nullable: perhaps)
        writer.write(nullable: perhapsText)
        writer.write(nullable: perhapsLevel)
        writer.write(array: texts)
        writer.write(bytes: bytes)
    }
}

extension RandomRow {
    init(reading reader: inout RowBinaryReader) throws {
        byte = try reader.uint8()
        small = try reader.int8()
        count = try reader.uint32()
        signed = try reader.int32()
        version = try reader.uint64()
        time = try reader.int64()
        level = try reader.double().bitPattern
        flag = try reader.bool()
        text = try reader.string()
        perhaps = try reader.nullable { try $0.int64() }
        perhapsText = try reader.nullable { try $0.string() }
        perhapsLevel = try reader.nullable { try $0.double() }
        texts = try reader.strings()
        bytes = try reader.byteString()
    }

    init(using random: inout some RandomNumberGenerator) {
        byte = Self.integer(using: &random)
        small = Self.integer(using: &random)
        count = Self.integer(using: &random)
        signed = Self.integer(using: &random)
        version = Self.integer(using: &random)
        time = Self.integer(using: &random)
        level =
            [0, -0.0, 0.1, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan]
            .map(\.bitPattern).randomElement(using: &random) ?? 0
        flag = .random(using: &random)
        text = RandomText.text(using: &random)
        perhaps = Bool.random(using: &random) ? Self.integer(using: &random) : nil
        perhapsText = Bool.random(using: &random) ? RandomText.text(using: &random) : nil
        perhapsLevel = Bool.random(using: &random) ? -1.5 : nil
        texts = (0..<Int.random(in: 0...3, using: &random)).map { _ in RandomText.text(using: &random) }
        bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in Self.integer(using: &random) }
    }

    /// The limits as often as what lies between.
    private static func integer<Value: FixedWidthInteger>(using random: inout some RandomNumberGenerator) -> Value {
        [.min, .max, 0, 1, .random(in: .min ... .max, using: &random)].randomElement(using: &random) ?? 0
    }
}

/// Texts that are hard to quote.
enum RandomText {
    static func text(using random: inout some RandomNumberGenerator) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) { scalars.append(scalar(using: &random)) }
        return String(scalars)
    }

    private static func scalar(using random: inout some RandomNumberGenerator) -> Unicode.Scalar {
        let hard = Array(
            "'\"`\\%_{}?;-#/*$\0\n\r\t\u{8}\u{B}\u{1A}\u{1B}\u{7F}\u{85}\u{301}\u{200D}\u{2028}\u{FEFF}xn0"
                .unicodeScalars)
        let any = Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &random))
        return Bool.random(using: &random) ? hard.randomElement(using: &random) ?? "'" : any ?? "\\"
    }
}
