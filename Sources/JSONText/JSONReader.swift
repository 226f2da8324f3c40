import CallModel

/// Reads a JSON text byte by byte, once, without look-back.
///
/// The whole of the hot path of the collector's ingest, hence plain arrays and indices.
struct JSONReader {
    let bytes: [UInt8]
    let start: Int
    let end: Int
    let firstLine: Int
    let limits: JSONLimits
    var position: Int
    private var depth = 0
    private var remainingValues: Int
    /// Names that are known from the beginning.
    let known: NameTable
    /// For each place of ``known``, the youngest object that has a member of this name.
    var lastObjects: [UInt32]
    /// The last object with a name that has an escape, and may be any.
    var lastEscapedName: UInt32 = 0
    /// Names that were met in this text.
    var names = NameTable(size: 128)
    /// Objects that have begun, each of which has the number of its beginning.
    private var objects: UInt32 = 0

    init(bytes: [UInt8], range: Range<Int>, firstLine: Int, limits: JSONLimits, names: JSONNames) {
        known = names.table
        lastObjects = Array(repeating: 0, count: known.placeCount)
        self.bytes = bytes
        self.firstLine = firstLine
        start = range.lowerBound
        self.end = range.upperBound
        self.limits = limits
        position = range.lowerBound
        remainingValues = limits.maximumValues
    }

    mutating func readDocument() throws(JSONSyntaxError) -> JSONValue {
        skipByteOrderMark()
        skipSpace()
        let value = try readValue(expected: "a value")
        skipSpace()
        guard position == end else { throw unexpected("the end of the text") }
        return value
    }

    private mutating func readValue(expected: String) throws(JSONSyntaxError) -> JSONValue {
        guard remainingValues > 0 else { throw error(.tooManyValues(limit: limits.maximumValues)) }
        remainingValues -= 1
        switch current {
        case .quote: return .string(try readString())
        case .openBrace: return try readObject()
        case .openBracket: return try readArray()
        case .minus, .zero ... .nine: return try readNumber()
        default: return try readWord(expected: expected)
        }
    }

    // MARK: Containers

    private mutating func readObject() throws(JSONSyntaxError) -> JSONValue {
        try enter()
        var members: JSONObject = [:]
        if consume(.closeBrace) { return leave(.object(members)) }
        members.reserveCapacity(24)
        objects += 1
        let object = objects
        repeat {
            skipSpace()
            guard current == .quote else { throw unexpected("a member name in quotes") }
            let (name, isNew) = try readName(in: object)
            skipSpace()
            guard consume(.colon) else { throw unexpected("`:` after the member name") }
            skipSpace()
            let value = try readValue(expected: "a value")
            if isNew { members.append(new: name, value) } else { members[name] = value }
            skipSpace()
        } while consume(.comma)
        guard consume(.closeBrace) else { throw unexpected("`,` or `}`") }
        return leave(.object(members))
    }

    private mutating func readArray() throws(JSONSyntaxError) -> JSONValue {
        try enter()
        var values: [JSONValue] = []
        if consume(.closeBracket) { return leave(.array(values)) }
        repeat {
            skipSpace()
            values.append(try readValue(expected: "a value"))
            skipSpace()
        } while consume(.comma)
        guard consume(.closeBracket) else { throw unexpected("`,` or `]`") }
        return leave(.array(values))
    }

    private mutating func enter() throws(JSONSyntaxError) {
        guard depth < limits.maximumDepth else { throw error(.tooDeep(limit: limits.maximumDepth)) }
        depth += 1
        position += 1
        skipSpace()
    }

    private mutating func leave(_ value: JSONValue) -> JSONValue {
        depth -= 1
        return value
    }

    // MARK: Words

    private mutating func readWord(expected: String) throws(JSONSyntaxError) -> JSONValue {
        let start = position
        let word = peekWord()
        switch word {
        case "true": return take(word, as: .bool(true))
        case "false": return take(word, as: .bool(false))
        case "null": return take(word, as: .null)
        default: return try readNonNumber(word, from: start, expected: expected)
        }
    }

    /// Reads `nan`, `inf` and their like, whose place is where a number would begin.
    mutating func readNonNumber(
        _ word: String, from start: Int, expected: String
    ) throws(JSONSyntaxError) -> JSONValue {
        let spelling = start < position ? "-" + word : word
        guard ["nan", "inf", "infinity"].contains(word.lowercased()) else {
            throw word.isEmpty ? unexpected(expected) : error(.unexpected(found: "`\(word)`", expected: expected))
        }
        guard limits.acceptsBareNonNumbers else { throw error(.notANumber(spelling), at: start) }
        return take(word, as: .null)
    }

    /// The letters from here on, at most so many as make a message readable.
    func peekWord() -> String {
        let word = bytes[position..<end].prefix(16).prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func take(_ word: String, as value: JSONValue) -> JSONValue {
        position += word.utf8.count
        return value
    }

    // MARK: Bytes

    /// The byte here; 0, which no JSON text holds outside of errors, at the end.
    var current: UInt8 {
        @inline(__always) get { position < end ? bytes[position] : 0 }
    }

    @inline(__always)
    private mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        while position < end {
            switch bytes[position] {
            case .space, .newline, .carriageReturn, .tab: position += 1
            default: return
            }
        }
    }

    private mutating func skipByteOrderMark() {
        if bytes[position..<end].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
    }

    // MARK: Errors

    func error(_ problem: JSONSyntaxError.Problem, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(problem, at: offset ?? position, in: bytes, from: start, firstLine: firstLine)
    }

    func unexpected(_ expected: String) -> JSONSyntaxError {
        guard position < end else { return error(.ended(expected: expected)) }
        return error(.unexpected(found: Self.name(of: bytes[position]), expected: expected))
    }

    static func name(of byte: UInt8) -> String {
        guard (0x21...0x7E).contains(byte) else {
            let digits = String(byte, radix: 16, uppercase: true)
            return "byte 0x" + (digits.count == 1 ? "0" : "") + digits
        }
        return "`\(Character(UnicodeScalar(byte)))`"
    }
}

extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")
}
