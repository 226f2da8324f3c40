// Not a module of its own here: its files that know no network are compiled with the targets, see Scripts/fuzz.

/// A text in a statement: nothing of it may end the literal or the name that it is.
func fuzzLiterals(_ input: RawSpan) {
    let text = String(decoding: input.array, as: UTF8.self)
    for (quoted, quote) in [
        (ClickHouseText.literal(text), UInt8(ascii: "'")), (ClickHouseText.name(text), UInt8(ascii: "`")),
    ] {
        let read = contents(of: Array(quoted.utf8), quote: quote)
        require(read == Array(text.utf8), "\(quoted.debugDescription) is read as the text that it was made of")
        require(
            !quoted.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "\(quoted.debugDescription) has no control character")
    }
}

/// What the engine's lexer makes of a quoted text, by its documentation: nil when the quotes are not its first and its
/// last byte, and no others. A quote that is doubled is one, so that two that touch are told apart, too.
private func contents(of bytes: [UInt8], quote: UInt8) -> [UInt8]? {
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
    let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
        UInt8(ascii: "0"): 0, UInt8(ascii: "a"): 7, UInt8(ascii: "v"): 11, UInt8(ascii: "e"): 27,
    ]
    var read: [UInt8] = []
    var place = 1
    while place < bytes.count - 1 {
        let byte = bytes[place]
        place += 1
        if byte == quote { return nil }
        guard byte == UInt8(ascii: "\\") else {
            read.append(byte)
            continue
        }
        guard place < bytes.count - 1 else { return nil }
        let escaped = bytes[place]
        place += 1
        if escaped == UInt8(ascii: "x") {
            guard place + 2 < bytes.count else { return nil }
            let digits = String(decoding: bytes[place..<place + 2], as: UTF8.self)
            guard let value = UInt8(digits, radix: 16) else { return nil }
            read.append(value)
            place += 2
        } else {
            read.append(escapes[escaped] ?? escaped)
        }
    }
    return read
}

/// An answer in the format RowBinary: after a byte that says how many columns a row has, one a column for its type, then
/// the rows. What is read comes back when it is written.
func fuzzRowBinary(_ input: RawSpan) {
    var input = input.array
    let columns = Array(input.dropFirst().prefix(Int(input.first ?? 0) % 8 + 1))
    input.removeFirst(min(input.count, columns.count + 1))
    guard !columns.isEmpty else { return }
    var reader = RowBinaryReader(input)
    var writer = RowBinaryWriter()
    var read: [String] = []
    copy: while !reader.isAtEnd {
        for column in columns {
            guard let value = try? copy(column, from: &reader, to: &writer) else { break copy }
            read.append(value)
        }
    }
    require(writer.bytes.count <= 4 * input.count, "\(input.count) bytes became \(writer.bytes.count)")
    var again = RowBinaryReader(writer.bytes)
    var rewriter = RowBinaryWriter()
    for (index, value) in read.enumerated() {
        let copied = try? copy(columns[index % columns.count], from: &again, to: &rewriter)
        require(copied == value, "\(value.debugDescription) comes back, and not \(copied.debugDescription)")
    }
}

/// Copies one value.
/// - Returns: Its description.
private func copy(
    _ column: UInt8, from reader: inout RowBinaryReader, to writer: inout RowBinaryWriter
) throws -> String {
    func pass<Value: RowBinaryValue>(_ read: (inout RowBinaryReader) throws -> Value) throws -> String {
        guard column & 0x80 != 0 else {
            let value = try read(&reader)
            writer.write(value)
            return "\(value)"
        }
        let value = try reader.nullable(read)
        writer.write(nullable: value)
        return "\(value.map { "\($0)" } ?? "NULL")"
    }
    switch column & 0x7F {
    case 0: return try pass { try $0.uint8() }
    case 1: return try pass { try $0.int8() }
    case 2: return try pass { try $0.uint32() }
    case 3: return try pass { try $0.int32() }
    case 4: return try pass { try $0.uint64() }
    case 5: return try pass { try $0.int64() }
    case 6: return try pass { try $0.double() }
    case 7: return try pass { try $0.bool() }
    case 8: return try pass { try $0.strings() }
    default: return try pass { try $0.string() }
    }
}
