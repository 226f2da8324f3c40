/// Reads an answer in the format `RowBinary`, column by column. What is asked for must be what the statement selects:
/// the format says neither names nor types.
///
/// Nothing in an answer can make it read past the end, or set aside more memory than the answer takes.
struct RowBinaryReader: Sendable {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all rows are read.
    var isAtEnd: Bool { offset == bytes.count }

    mutating func uint8() throws(ClickHouseError) -> UInt8 { try integer() }
    mutating func int8() throws(ClickHouseError) -> Int8 { try integer() }
    mutating func uint32() throws(ClickHouseError) -> UInt32 { try integer() }
    mutating func int32() throws(ClickHouseError) -> Int32 { try integer() }
    mutating func uint64() throws(ClickHouseError) -> UInt64 { try integer() }
    mutating func int64() throws(ClickHouseError) -> Int64 { try integer() }

    mutating func double() throws(ClickHouseError) -> Double {
        Double(bitPattern: try integer())
    }

    mutating func bool() throws(ClickHouseError) -> Bool {
        let byte = try uint8()
        guard byte <= 1 else { throw damaged("\(byte) where 0 or 1 was expected") }
        return byte == 1
    }

    /// What is no UTF-8 becomes U+FFFD.
    mutating func string() throws(ClickHouseError) -> String {
        String(decoding: try take(try length()), as: UTF8.self)
    }

    /// A `String` that may hold any bytes.
    mutating func byteString() throws(ClickHouseError) -> [UInt8] {
        Array(try take(try length()))
    }

    /// `Array(String)`.
    mutating func strings() throws(ClickHouseError) -> [String] {
        let count = try length()
        // Each takes at least the byte of its length.
        guard count <= bytes.count - offset else { throw damaged("an array of \(count) texts") }
        var strings: [String] = []
        for _ in 0..<count { strings.append(try string()) }
        return strings
    }

    /// A column of a `Nullable` type: `try reader.nullable { try $0.int64() }`.
    mutating func nullable<Value>(
        _ read: (inout Self) throws -> Value
    ) throws(ClickHouseError) -> Value? {
        guard try !bool() else { return nil }
        // A closure does not say what it throws: it is what this reader throws.
        do {
            return try read(&self)
        } catch let error as ClickHouseError {
            throw error
        } catch {
            throw damaged("\(error)")
        }
    }

    private mutating func integer<Value: FixedWidthInteger>() throws(ClickHouseError) -> Value {
        // The last byte is the highest.
        try take(MemoryLayout<Value>.size).reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    private mutating func length() throws(ClickHouseError) -> Int {
        var length: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let byte = try uint8()
            length |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(length) }
        }
        throw damaged("a length of more than 63 bits")
    }

    private mutating func take(_ count: Int) throws(ClickHouseError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw damaged("\(count) bytes that are not there") }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// The tables are not what the statement takes them for, or it is no ClickHouse that answers.
    private func damaged(_ what: String) -> ClickHouseError {
        ClickHouseError(
            kind: .operator,
            message: "ClickHouse's answer is not what was asked for: \(what), at byte \(offset) of \(bytes.count)")
    }
}
