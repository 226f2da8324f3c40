extension JSONReader {
    /// Reads a string whose opening quote is here.
    mutating func readString() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        try skipPlainBytes()
        if current == .quote, position < end {
            let text = try text(of: start..<position)
            position += 1
            return text
        }
        return try readStringWithEscapes(from: start)
    }

    /// Reads the name of a member, whose opening quote is here. The objects of a report have the same names over and
    /// over: one that was read before is not made again.
    /// - Parameter object: the number of the object it is in.
    /// - Returns: the name, and whether it is known that the object has no such member yet.
    /// - Throws: ``JSONSyntaxError`` for what is no string.
    mutating func readName(in object: UInt32) throws(JSONSyntaxError) -> (name: String, isNew: Bool) {
        let start = position + 1
        let end = endOfPlainBytes(from: start)
        guard end < self.end, bytes[end] == .quote, end - start <= limits.maximumStringBytes else {
            lastEscapedName = object
            return (try readString(), false)
        }
        let hash = NameTable.hash(of: bytes.span.extracting(start..<end))
        if let found = known.find(hash: hash, start..<end, of: bytes) {
            position = end + 1
            // Objects are numbered as they begin: of a smaller number, all are behind this one.
            let isNew = lastObjects[found.place] < object && lastEscapedName < object
            lastObjects[found.place] = max(lastObjects[found.place], object)
            return (found.name, isNew)
        }
        if let found = names.find(hash: hash, start..<end, of: bytes) {
            position = end + 1
            return (found.name, false)
        }
        let name = try readString()
        names.keep(name)
        return (name, false)
    }

    /// Where what a string holds as it stands ends: at a quote, a backslash, a control character or the end of the text.
    private func endOfPlainBytes(from start: Int) -> Int {
        let bytes = bytes.span
        var place = start
        while place < end {
            let byte = bytes[place]
            if byte == .quote || byte == .backslash || byte < .space { break }
            place += 1
        }
        return place
    }

    /// Moves to the next quote or backslash; control characters may not stand in a string.
    private mutating func skipPlainBytes() throws(JSONSyntaxError) {
        position = endOfPlainBytes(from: position)
        guard position < end else { throw unexpected("the closing `\"` of a string") }
        guard current >= .space else { throw unexpected("an escape, for strings hold no control characters") }
    }

    private func text(of range: Range<Int>) throws(JSONSyntaxError) -> String {
        guard range.count <= limits.maximumStringBytes else { throw tooLong(from: range.lowerBound) }
        guard let text = Self.text(bytes.span.extracting(range)) else {
            throw error(.invalidUTF8, at: range.lowerBound)
        }
        return text
    }

    /// `nil` for what is no UTF-8.
    private static func text(_ bytes: Span<UInt8>) -> String? {
        do { return String(copying: try UTF8Span(validating: bytes)) } catch { return nil }
    }

    private mutating func readStringWithEscapes(from start: Int) throws(JSONSyntaxError) -> String {
        var decoded = Array(bytes[start..<position])
        while current == .backslash {
            try readEscape(into: &decoded)
            let plain = position
            try skipPlainBytes()
            decoded += bytes[plain..<position]
            guard decoded.count <= limits.maximumStringBytes else { throw tooLong(from: start) }
        }
        position += 1
        guard let text = Self.text(decoded.span) else { throw error(.invalidUTF8, at: start) }
        return text
    }

    private func tooLong(from start: Int) -> JSONSyntaxError {
        error(.stringTooLong(limit: limits.maximumStringBytes), at: start)
    }

    private mutating func readEscape(into decoded: inout [UInt8]) throws(JSONSyntaxError) {
        position += 1
        switch current {
        case .quote, .backslash, UInt8(ascii: "/"): decoded.append(current)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(.newline)
        case UInt8(ascii: "r"): decoded.append(.carriageReturn)
        case UInt8(ascii: "t"): decoded.append(.tab)
        case UInt8(ascii: "u"):
            decoded += String(try readUnicodeEscape()).utf8
            return
        default: throw unexpected("an escape: one of \" \\ / b f n r t u")
        }
        position += 1
    }

    /// Reads from the `u` of `\uXXXX` on, and the second half of a surrogate pair. Half of a pair alone is U+FFFD:
    /// [RFC 8259 §8.2](https://www.rfc-editor.org/rfc/rfc8259#section-8.2) allows it, and browsers write it so where a
    /// text was cut within a character.
    private mutating func readUnicodeEscape() throws(JSONSyntaxError) -> UnicodeScalar {
        let first = try readHexDigits()
        guard (0xD800...0xDBFF).contains(first), current == .backslash, position + 1 < end,
            bytes[position + 1] == UInt8(ascii: "u")
        else { return UnicodeScalar(first) ?? "\u{FFFD}" }
        let next = position
        position += 1
        let second = try readHexDigits()
        guard (0xDC00...0xDFFF).contains(second) else {
            position = next  // an escape of its own
            return "\u{FFFD}"
        }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00
        return UnicodeScalar(value) ?? "\u{FFFD}"
    }

    private mutating func readHexDigits() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            position += 1
            guard position < end, let digit = Character(UnicodeScalar(bytes[position])).hexDigitValue else {
                throw unexpected("four hexadecimal digits after `\\u`")
            }
            value = value << 4 | UInt16(digit)
        }
        position += 1
        return value
    }
}
