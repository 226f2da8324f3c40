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
        var elements = Elements(of: bytes, in: range)
        var found = Parts<Range<Int>>()
        while let part = elements.next() { found.parts.append(part) }
        found.isCutShort = elements.isCutShort
        return found
    }

    /// The members of the object that lies in `range`; empty when it is none.
    public static func members(of bytes: [UInt8], in range: Range<Int>) -> Parts<Member> {
        var members = Members(of: bytes, in: range)
        var found = Parts<Member>()
        while let part = members.next() { found.parts.append(part) }
        found.isCutShort = members.isCutShort
        return found
    }
}

extension JSONSlices {
    /// The elements of an array, found as they are asked for, so that their number costs no memory.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        /// Whether the text ended before the array did; known when there is no next element.
        public private(set) var isCutShort = false
        private var scanner: SliceScanner
        private var isAtEnd: Bool

        /// The array lies in `range`; where something else does, there are no elements.
        public init(of bytes: [UInt8], in range: Range<Int>) {
            scanner = SliceScanner(bytes: bytes, position: range.lowerBound)
            isAtEnd = !scanner.enter(.openBracket)
        }

        /// Where the next element lies; `nil` after the last.
        public mutating func next() -> Range<Int>? {
            guard !isAtEnd, !scanner.leave(.closeBracket) else {
                isAtEnd = true
                return nil
            }
            let start = scanner.position
            if let value = scanner.value() { return value }
            isAtEnd = true
            isCutShort = true
            return scanner.rest(from: start)
        }
    }

    /// The members of an object, found as they are asked for, so that their number costs no memory.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        /// Whether the text ended before the object did; known when there is no next member.
        public private(set) var isCutShort = false
        private var scanner: SliceScanner
        private var isAtEnd: Bool

        /// The object lies in `range`; where something else does, there are no members.
        public init(of bytes: [UInt8], in range: Range<Int>) {
            scanner = SliceScanner(bytes: bytes, position: range.lowerBound)
            isAtEnd = !scanner.enter(.openBrace)
        }

        /// The next member; `nil` after the last.
        public mutating func next() -> Member? {
            guard !isAtEnd, !scanner.leave(.closeBrace) else {
                isAtEnd = true
                return nil
            }
            guard scanner.current == .quote, let name = scanner.value(), scanner.passColon() else { return end() }
            let start = scanner.position
            guard let value = scanner.value() else { return end(at: scanner.rest(from: start), name: name) }
            return Member(name: name.dropFirst().dropLast(), value: value)
        }

        /// Ends with what is left of the text, if anything is.
        private mutating func end(at rest: Range<Int>? = nil, name: Range<Int> = 0..<0) -> Member? {
            isAtEnd = true
            isCutShort = true
            return rest.map { Member(name: name.dropFirst().dropLast(), value: $0) }
        }
    }
}

/// A place in a text that moves from value to value.
private struct SliceScanner: Sendable {
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
