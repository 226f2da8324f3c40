/// Finds where the parts of a JSON container lie, without reading them.
///
/// A dump of a long call is too large to be held as values all at once. Its parts are found first, then read one by
/// one; of a text that is cut short the last part reaches to the end. What lies between brackets and quotes is not
/// checked here: whoever reads a part does that.
public enum JSONSlices {
    /// The parts of a container that were found.
    public struct Parts<Part: Hashable & Sendable>: Hashable, Sendable {
        /// In the order of the text.
        public var parts: [Part] = []
        /// Whether the text ended before the container did.
        public var isCutShort = false
    }

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// Where its name lies, quotes left out; escapes are as written.
        public var name: Range<Int>
        /// Where its value lies.
        public var value: Range<Int>
    }

    /// Where the first value at or after `start` lies; `nil` when there is none, or the text ends within it.
    public static func value(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var scanner = SliceScanner(bytes: bytes, position: start)
        scanner.skipSpace()
        return scanner.value()
    }

    /// The elements of the array that lies in `range`; empty when it is none.
    public static func elements(of bytes: [UInt8], in range: Range<Int>) -> Parts<Range<Int>> {
        var scanner = SliceScanner(bytes: bytes, position: range.lowerBound)
        var found = Parts<Range<Int>>()
        guard scanner.enter(.openBracket) else { return found }
        while true {
            guard !scanner.leave(.closeBracket) else { return found }
            let start = scanner.position
            let value = scanner.value()
            if let part = value ?? scanner.rest(from: start) { found.parts.append(part) }
            guard value != nil else {
                found.isCutShort = true
                return found
            }
        }
    }

    /// The members of the object that lies in `range`; empty when it is none.
    public static func members(of bytes: [UInt8], in range: Range<Int>) -> Parts<Member> {
        var scanner = SliceScanner(bytes: bytes, position: range.lowerBound)
        var found = Parts<Member>()
        guard scanner.enter(.openBrace) else { return found }
        while true {
            guard !scanner.leave(.closeBrace) else { return found }
            guard scanner.current == .quote, let name = scanner.value(), scanner.passColon() else {
                found.isCutShort = true
                return found
            }
            let start = scanner.position
            let value = scanner.value()
            if let part = value ?? scanner.rest(from: start) {
                found.parts.append(Member(name: name.dropFirst().dropLast(), value: part))
            }
            guard value != nil else {
                found.isCutShort = true
                return found
            }
        }
    }
}

/// A place in a text that moves from value to value.
private struct SliceScanner {
    let bytes: [UInt8]
    var position: Int

    var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case .space, .newline, .carriageReturn, .tab: position += 1
            default: return
            }
        }
    }

    /// What is left of a text that ended within a value.
    func rest(from start: Int) -> Range<Int>? {
        start < bytes.count ? start..<bytes.count : nil
    }

    /// Moves into a container.
    mutating func enter(_ bracket: UInt8) -> Bool {
        skipSpace()
        guard current == bracket else { return false }
        position += 1
        return true
    }

    /// Moves to the next value of a container, or out of it.
    mutating func leave(_ bracket: UInt8) -> Bool {
        skipSpace()
        if current == .comma {
            position += 1
            skipSpace()
        }
        guard current == bracket else { return false }
        position += 1
        return true
    }

    mutating func passColon() -> Bool {
        skipSpace()
        guard current == .colon else { return false }
        position += 1
        skipSpace()
        return true
    }

    /// The value that begins here; `nil` when the text ends within it, or none begins here.
    mutating func value() -> Range<Int>? {
        let start = position
        let isWhole =
            switch current {
            case .quote: passString()
            case .openBrace, .openBracket: passContainer()
            default: passScalar()
            }
        return isWhole ? start..<position : nil
    }

    private mutating func passString() -> Bool {
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == .backslash ? 2 : 1
            if byte == .quote { return true }
        }
        return false
    }

    private mutating func passContainer() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case .quote:
                guard passString() else { return false }
                continue
            case .openBrace, .openBracket: depth += 1
            case .closeBrace, .closeBracket: depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return true }
        }
        return false
    }

    /// A number or word ends where something else begins; at the end of the text nobody knows whether it is whole.
    private mutating func passScalar() -> Bool {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case .comma, .closeBrace, .closeBracket, .colon, .space, .newline, .carriageReturn, .tab, .quote,
                .openBrace, .openBracket:
                return position > start
            default: position += 1
            }
        }
        return position > start
    }
}
