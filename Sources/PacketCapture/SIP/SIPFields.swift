/// The header fields of a message ([RFC 3261 §7.3](https://www.rfc-editor.org/rfc/rfc3261#section-7.3)).
struct SIPFields {
    /// Where one header field is in ``text``.
    struct Field {
        /// `nil` when it is none of those that are looked up.
        var known: SIPFieldName?
        var name: Range<Int>
        var value: Range<Int>
    }

    /// The bytes of the fields; behind the message's own, the values of folded lines joined.
    private(set) var text: Bytes
    private(set) var fields: [Field] = []
    /// The known fields that there are, one bit each.
    private var present: UInt32 = 0
    /// What follows the empty line; empty when the message ends before one.
    private(set) var body: Bytes

    /// More fields than this are not read; RFC 3261 knows 44.
    private static let maximumFields = 256
    /// What folded lines add to a value that is so long is left out.
    private static let maximumValueBytes = 8192
    /// Room for the fields of most messages.
    private static let usualFields = 16

    /// Reads the lines after the first one.
    init(_ bytes: Bytes) {
        text = bytes
        body = bytes[bytes.endIndex...]
        fields.reserveCapacity(Self.usualFields)
        var next = bytes.startIndex
        while next < bytes.endIndex {
            let (line, colon) = Self.field(of: bytes, from: &next)
            if line.isEmpty {
                body = bytes[next...]
                return
            }
            take(line, colon)
        }
    }

    /// The line that begins at `start`, its end (CRLF or LF) left out, and its first colon; looks at each byte once.
    /// `start` moves on to the next line.
    private static func field(of bytes: Bytes, from start: inout Int) -> (line: Range<Int>, colon: Int?) {
        let first = start
        let text = bytes.span  // counts from 0
        var offset = first - bytes.startIndex
        while offset < text.count, text[offset] != UInt8(ascii: ":"), text[offset] != 0x0A { offset += 1 }
        let isField = offset < text.count && text[offset] != 0x0A
        let colon = isField ? bytes.startIndex + offset : nil
        while offset < text.count, text[offset] != 0x0A { offset += 1 }
        var end = bytes.startIndex + offset
        start = min(end + 1, bytes.endIndex)
        if end > first, bytes[end - 1] == 0x0D { end -= 1 }
        return (first..<end, colon)
    }

    /// Takes a line off, its end (CRLF or LF) left out.
    static func nextLine(_ rest: inout Bytes) -> Bytes {
        var next = rest.startIndex
        let line = rest.line(from: &next)
        defer { rest = rest[next...] }
        return rest[line]
    }

    private mutating func take(_ line: Range<Int>, _ colon: Int?) {
        let first = text[line.lowerBound]
        guard first != 0x20, first != 0x09 else { return join(text.trimmed(line)) }
        guard fields.count < Self.maximumFields, let colon else { return }
        let name = text.trimmed(line.lowerBound..<colon)
        let value = text.trimmed((colon + 1)..<line.upperBound)
        let known = SIPFieldName(text[name])
        if let known { present |= 1 << known.rawValue }
        fields.append(Field(known: known, name: name, value: value))
    }

    /// Continues the field before with a folded line.
    private mutating func join(_ line: Range<Int>) {
        guard let value = fields.last?.value, value.count < Self.maximumValueBytes, !line.isEmpty else { return }
        guard !value.isEmpty else {
            fields[fields.count - 1].value = line
            return
        }
        // What was joined last is at the end already: thousands of lines must not take as many copies.
        let isAtEnd = value.upperBound == text.endIndex
        let start = isAtEnd ? value.lowerBound : text.endIndex
        if !isAtEnd { text.append(contentsOf: text[value]) }
        text.append(0x20)
        text.append(contentsOf: text[line])
        fields[fields.count - 1].value = start..<text.endIndex
    }

    /// The value of the first field of a name.
    subscript(_ name: SIPFieldName) -> Bytes? {
        guard present & 1 << name.rawValue != 0 else { return nil }  // most of those looked up are not there
        for field in fields where field.known == name { return text[field.value] }
        return nil
    }

    /// The value of the first field of a name or its one-letter form.
    func first(_ name: String, short: String? = nil) -> Bytes? {
        for field in fields {
            let found = text[field.name]
            if found.isCaseless(name) || short.map({ found.isCaseless($0) }) ?? false { return text[field.value] }
        }
        return nil
    }
}

/// The header fields that are looked up in every message.
enum SIPFieldName: UInt32, Hashable, Sendable {
    case callID, contentEncoding, contentLength, contentType, from, join, reason, reliableSequence, replaces, sequence
    case server, to, userAgent, userToUser, via

    /// The full names and the one-letter forms.
    private static let table = NameTable<SIPFieldName>([
        ("Call-ID", .callID), ("Content-Encoding", .contentEncoding), ("Content-Length", .contentLength),
        ("Content-Type", .contentType), ("CSeq", .sequence), ("From", .from), ("Join", .join), ("Reason", .reason),
        ("Replaces", .replaces), ("RSeq", .reliableSequence), ("Server", .server), ("To", .to),
        ("User-Agent", .userAgent), ("User-to-User", .userToUser), ("Via", .via),
        ("c", .contentType), ("e", .contentEncoding), ("f", .from), ("i", .callID), ("l", .contentLength), ("t", .to),
        ("v", .via),
    ])

    /// Reads a name or its one-letter form; `nil` for any other name.
    init?(_ name: Bytes) {
        guard let known = Self.table[name] else { return nil }
        self = known
    }
}
