public import CallModel

/// Writes JSON text as bytes, members in the order in which they lie in memory.
///
/// For what is stored, where nobody compares texts: ``JSONValue/canonicalText`` sorts, which takes most of its time.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    public init(expectedBytes: Int = 1_024) {
        bytes.reserveCapacity(expectedBytes)
    }

    /// Appends a value. Numbers that JSON cannot spell become `null`, as in ``JSONValue/canonicalText``.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write(mark: "null")
        case .bool(let value): write(mark: value ? "true" : "false")
        case .integer(let value): write(integer: value)
        case .double(let value): write(double: value)
        case .string(let value): write(text: value)
        case .array(let values):
            bytes.append(.openBracket)
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(.comma) }
                write(value)
            }
            bytes.append(.closeBracket)
        case .object(let members): write(object: members)
        }
    }

    /// Appends an object.
    public mutating func write(object members: JSONObject) {
        bytes.append(.openBrace)
        var isFirst = true
        for (name, value) in members {
            if !isFirst { bytes.append(.comma) }
            isFirst = false
            write(text: name)
            bytes.append(.colon)
            write(value)
        }
        bytes.append(.closeBrace)
    }

    /// Appends characters that are JSON already, such as brackets.
    public mutating func write(mark: StaticString) {
        mark.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends a text in quotes.
    public mutating func write(text: String) {
        bytes.append(.quote)
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        // Hardly any text needs an escape; whether it does shows when it is there.
        for index in start..<bytes.count {
            let byte = bytes[index]
            guard byte < .space || byte == .quote || byte == .backslash else { continue }
            escape(from: start)
            break
        }
        bytes.append(.quote)
    }

    /// Appends a whole number.
    public mutating func write(integer value: Int64) {
        if value < 0 { bytes.append(.minus) }
        var digits = InlineArray<20, UInt8>(repeating: .zero)
        var first = digits.count
        var rest = value.magnitude
        repeat {
            first -= 1
            digits[first] = .zero + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for index in first..<digits.count { bytes.append(digits[index]) }
    }

    /// Appends a number; `null` for infinities and NaN.
    public mutating func write(double value: Double) {
        guard value.isFinite else { return write(mark: "null") }
        if abs(value) < 9_007_199_254_740_992, let whole = Int64(exactly: value) { return write(integer: whole) }
        bytes.append(contentsOf: value.description.utf8)
    }

    private mutating func escape(from start: Int) {
        let plain = Array(bytes[start...])
        bytes.removeSubrange(start...)
        for byte in plain {
            switch byte {
            case .quote, .backslash: bytes += [.backslash, byte]
            case 0..<UInt8.space: bytes += Array("\\u00".utf8) + [Self.digit(byte >> 4), Self.digit(byte & 0xF)]
            default: bytes.append(byte)
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? .zero + value : UInt8(ascii: "a") + value - 10
    }
}
