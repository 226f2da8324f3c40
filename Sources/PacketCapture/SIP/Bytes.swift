/// A run of bytes of a message. Signalling is text, but text of strangers: it is compared as bytes and becomes a
/// `String` only where it is kept.
typealias Bytes = ArraySlice<UInt8>

extension ArraySlice<UInt8> {
    /// Without blanks, tabs and line ends at either side.
    var trimmed: Bytes { self[trimmed(startIndex..<endIndex)] }

    /// Of a part of the bytes the place without blanks, tabs and line ends at either side.
    @inline(__always)
    func trimmed(_ part: Range<Int>) -> Range<Int> {
        var first = part.lowerBound
        var end = part.upperBound
        while first < end, self[first].isBlank { first += 1 }
        while first < end, self[end - 1].isBlank { end -= 1 }
        return first..<end
    }

    /// Without blanks, tabs and line ends behind.
    var withoutBlankEnd: Bytes {
        lastIndex { !$0.isBlank }.map { self[...$0] } ?? self[endIndex...]
    }

    /// The place of the first such byte within a part of the bytes.
    func place(of byte: UInt8, in part: Range<Int>) -> Int? {
        place(of: byte, or: byte, in: part)
    }

    /// The place of the first of two bytes within a part of the bytes.
    @inline(__always)
    func place(of byte: UInt8, or other: UInt8, in part: Range<Int>) -> Int? {
        let bytes = span  // counts from 0, and costs less a byte than the slice
        var offset = part.lowerBound - startIndex
        let end = part.upperBound - startIndex
        while offset < end {
            if bytes[offset] == byte || bytes[offset] == other { return startIndex + offset }
            offset += 1
        }
        return nil
    }

    /// The place of the line that begins at `start`, its end (CRLF or LF) left out; `start` moves on to the next one.
    func line(from start: inout Int) -> Range<Int> {
        let first = start
        var end = place(of: 0x0A, in: first..<endIndex) ?? endIndex
        start = Swift.min(end + 1, endIndex)
        if end > first, self[end - 1] == 0x0D { end -= 1 }
        return first..<end
    }

    /// Whether these are the letters of `name` (ASCII), in upper or lower case.
    func isCaseless(_ name: String) -> Bool {
        count == name.utf8.count && hasCaselessPrefix(name)
    }

    /// Whether small letters (ASCII) stand at a place, in upper or lower case.
    func hasCaseless(_ letters: [UInt8], at start: Int) -> Bool {
        guard letters.count <= endIndex - start else { return false }
        var place = start
        for letter in letters {
            guard self[place].lowercased == letter else { return false }
            place += 1
        }
        return true
    }

    /// Whether the bytes begin with the letters of `name` (ASCII), in upper or lower case.
    func hasCaselessPrefix(_ name: String) -> Bool {
        let letters = name.utf8
        return count >= letters.count && hasCaseless(name, at: startIndex)
    }

    /// Whether the letters of `name` (ASCII) stand at a place, in upper or lower case.
    func hasCaseless(_ name: String, at start: Int) -> Bool {
        let end = start + name.utf8.count
        guard end <= endIndex else { return false }
        // As most write it: short texts are compared in one step, but give their bytes slowly.
        if String(decoding: self[start..<end], as: UTF8.self) == name { return true }
        var place = start
        for letter in name.utf8 {
            guard self[place].lowercased == letter.lowercased else { return false }
            place += 1
        }
        return true
    }

    /// Whether the letters of `name` (ASCII) occur, in upper or lower case.
    func containsCaseless(_ name: String) -> Bool {
        guard let first = name.utf8.first?.lowercased else { return true }
        return indices.contains { self[$0].lowercased == first && hasCaseless(name, at: $0) }
    }

    /// The bytes as text, cut to so many bytes; what is not UTF-8 is replaced.
    func text(limit: Int = 256) -> String {
        var text = String(decoding: prefix(limit), as: UTF8.self)
        // What replaces a byte has three.
        while text.utf8.count > limit { text.unicodeScalars.removeLast() }
        return text
    }

    /// The bytes as text when that has 1 to 256 bytes, else `nil`: a part of an identifier identifies nothing.
    var identifier: String? {
        guard (1...256).contains(count) else { return nil }
        let text = String(decoding: self, as: UTF8.self)
        return text.utf8.count <= 256 ? text : nil
    }

    /// The bytes as the name of a call, at most 256 bytes; `nil` without any. A longer one is known by its beginning and a digest of
    /// all of it: RFC 3261 sets no limit, and without its name the whole call would be missing.
    var callName: String? {
        guard !isEmpty else { return nil }
        if let identifier { return identifier }
        var digest = Digest()
        digest.add(self)
        let digits = String(digest.value, radix: 16)
        return text(limit: 239) + "~" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// A number in decimal digits and nothing else; `nil` when it is none or above 2⁶³ - 1.
    var decimal: Int? {
        guard !isEmpty, count <= 20 else { return nil }
        var value = 0
        for byte in self {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, larger) = tens.addingReportingOverflow(Int(byte - 0x30))
            guard !tooLarge, !larger else { return nil }
            value = sum
        }
        return value
    }

    /// The part before the first `separator` and the part after it; `nil` without a separator.
    func cut(at separator: UInt8) -> (before: Bytes, after: Bytes)? {
        guard let index = place(of: separator, in: startIndex..<endIndex) else { return nil }
        return (self[..<index], self[(index + 1)...])
    }

    /// The words between blanks and tabs.
    var words: [Bytes] {
        split { $0.isBlank }
    }

    /// Takes the first word between blanks and tabs off, and all before it; `nil` when there is none left.
    mutating func nextWord() -> Bytes? {
        var first = startIndex
        while first < endIndex, self[first].isBlank { first += 1 }
        var end = first
        while end < endIndex, !self[end].isBlank { end += 1 }
        defer { self = self[end...] }
        return first < end ? self[first..<end] : nil
    }

    /// Takes the first part before a separator off that is not empty; `nil` when there is none left.
    mutating func nextPart(before separator: UInt8) -> Bytes? {
        while let first, first == separator { self = dropFirst() }
        guard !isEmpty else { return nil }
        let end = place(of: separator, in: startIndex..<endIndex) ?? endIndex
        defer { self = self[end...] }
        return self[..<end]
    }
}

extension UInt8 {
    /// Blank, tab or part of a line end.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }

    /// Of an ASCII letter the small one, else the byte itself.
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// Whether the byte may occur in a method or header name: `token` of
    /// [RFC 3261 §25.1](https://www.rfc-editor.org/rfc/rfc3261#section-25.1).
    var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x25, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5F, 0x60, 0x7E: true
        default: false
        }
    }
}

/// A 64-bit digest, FNV-1a where it is of bytes: enough to tell the messages of one call apart, and not a secret's
/// keeper.
struct Digest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        value = (value ^ 0xFF) &* 0x100_0000_01b3  // ends the part: no byte of UTF-8 is 0xFF
    }

    mutating func add(_ text: String?) {
        add((text ?? "\u{0}").utf8)
    }

    mutating func add(_ number: UInt64) {
        // All 64 bits at once; the upper half is folded down, for a product carries only upwards.
        value = (value ^ number) &* 0x9e37_79b9_7f4a_7c15
        value ^= value >> 32
    }

    mutating func add(_ end: Endpoint) {
        add(end.address.high)
        add(end.address.low)
        add(UInt64(end.port))
    }
}
