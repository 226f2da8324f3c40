/// Parameters of header values: `;name=value` after an address or a Via hop.
enum SIPParameters {
    // The names of those that are looked up, in small letters.
    static let boundary = Array("boundary".utf8)
    static let branch = Array("branch".utf8)
    static let chargingIdentifier = Array("icid-value".utf8)
    static let tag = Array("tag".utf8)

    /// A parameter of an address as in From and To: those inside `<…>` belong to the URI and do not count
    /// ([RFC 3261 §20](https://www.rfc-editor.org/rfc/rfc3261#section-20)).
    static func ofAddress(_ name: [UInt8], in value: Bytes) -> String? {
        first(name, in: value, from: endOfAddress(value), until: nil)
    }

    /// A parameter of the first of several values between commas, as in Via.
    static func ofFirst(_ name: [UInt8], in value: Bytes) -> String? {
        first(name, in: value, from: value.startIndex, until: UInt8(ascii: ","))
    }

    /// Where the address ends: behind its `>`, and without brackets at the first semicolon.
    private static func endOfAddress(_ value: Bytes) -> Int {
        var isQuoted = false
        var isEscaped = false
        for index in value.indices {
            let byte = value[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
                isQuoted = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            } else if byte == UInt8(ascii: "<") {
                return value.place(of: UInt8(ascii: ">"), in: index..<value.endIndex).map { $0 + 1 } ?? value.endIndex
            } else if byte == UInt8(ascii: ";") {
                return index
            }
        }
        return value.endIndex
    }

    private static func first(_ name: [UInt8], in text: Bytes, from start: Int, until stop: UInt8?) -> String? {
        let semicolon = UInt8(ascii: ";")
        var start = start
        while start < text.endIndex {
            let end = text.place(of: semicolon, or: stop ?? semicolon, in: start..<text.endIndex) ?? text.endIndex
            if let value = value(of: name, in: text, start..<end) {
                return value.isEmpty ? nil : text[value].text(limit: 128)
            }
            guard end < text.endIndex, text[end] == semicolon else { return nil }
            start = end + 1
        }
        return nil
    }

    /// Where the value of a parameter is; `nil` when it has another name.
    private static func value(of name: [UInt8], in text: Bytes, _ parameter: Range<Int>) -> Range<Int>? {
        let whole = text.trimmed(parameter)
        guard whole.count > name.count, text.hasCaseless(name, at: whole.lowerBound) else { return nil }
        var equals = whole.lowerBound + name.count
        while equals < whole.upperBound, text[equals].isBlank { equals += 1 }
        guard equals < whole.upperBound, text[equals] == UInt8(ascii: "=") else { return nil }
        return text.trimmed((equals + 1)..<whole.upperBound)
    }
}
