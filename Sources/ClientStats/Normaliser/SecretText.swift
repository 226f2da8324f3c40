/// Keys and passwords inside longer texts: descriptions in JSON in a text, candidates, parameters, headers, addresses of
/// servers.
struct SecretText {
    /// How a text says that what follows lets somebody in ([RFC 9110 §11](https://www.rfc-editor.org/rfc/rfc9110#section-11)).
    static let schemes = ["bearer", "basic", "digest"]

    private let bytes: [UInt8]
    private var result: [UInt8] = []
    private var place = 0
    /// Up to here no address has a user: what was looked at for one address is not looked at again for each that begins
    /// within it.
    private var userless = 0

    private init(_ text: String) {
        bytes = Array(text.utf8)
        result.reserveCapacity(bytes.count)
    }

    /// The text with `-` in place of each secret; doing it twice changes nothing.
    static func redact(_ text: String) -> String {
        var scan = SecretText(text)
        scan.run()
        return String(decoding: scan.result, as: UTF8.self)
    }

    private mutating func run() {
        while place < bytes.count {
            let word = place..<end(from: place, while: Self.isOfName)
            guard !word.isEmpty else {
                copy(until: place + 1)
                continue
            }
            copy(until: word.upperBound)
            takeSecret(behind: word)
        }
    }

    private mutating func takeSecret(behind range: Range<Int>) {
        let word = String(decoding: bytes[range], as: UTF8.self)
        guard !takeUser(behind: word), SecretNames.mayName(word) else { return }
        if let extent = SecretNames.extent(of: word) {
            guard !takeElement(named: range) else { return }
            takeValue(extent, mayFollowSpace: word.lowercased().hasSuffix("ufrag"))
        } else if word.hasSuffix("inline") {
            takeValue(.word, mayFollowSpace: false)
        } else {
            takeProof(of: word.lowercased())
        }
    }

    // MARK: What stands behind a name

    private mutating func takeValue(_ extent: SecretNames.Extent, mayFollowSpace: Bool) {
        guard let separator = separator(mayBeSpace: mayFollowSpace) else { return }
        let isBetween = { (byte: UInt8) in ":=>".utf8.contains(byte) || Self.isBlank(byte) }
        var start = end(from: separator, while: isBetween)
        while bytes[start...].starts(with: Self.optional) { start += Self.optional.count }
        let quote = end(from: start) { $0 == .backslash }
        guard quote < bytes.count, bytes[quote] != .backslash, Self.isQuote(bytes[quote]) else {
            copy(until: start)
            return blank(until: unquoted(extent, from: start))
        }
        copy(until: quote + 1)
        blank(until: closing(of: bytes[start...quote], from: quote + 1))
    }

    /// What Swift writes around a value that may be missing.
    private static let optional = Array("Optional(".utf8)

    /// Where `:`, `=` or `=>` stands behind a name, what closes it, and blanks: `"password" : "x"`, `password = x`,
    /// `[password] => x`.
    private func separator(mayBeSpace: Bool) -> Int? {
        let closed = end(from: place) { Self.isQuote($0) || $0 == UInt8(ascii: "]") }
        let next = end(from: closed, while: Self.isBlank)
        if next < bytes.count, ":=".utf8.contains(bytes[next]) { return next }
        return mayBeSpace && next > closed ? closed : nil
    }

    /// `<password>x</password>`, `<wsse:Password Type="…">x</wsse:Password>`.
    private mutating func takeElement(named word: Range<Int>) -> Bool {
        guard isTag(word), let end = endOfTag(from: place) else { return false }
        let closing = self.end(from: end) { $0 != UInt8(ascii: "<") }
        guard bytes[closing...].starts(with: "</".utf8) else { return false }
        copy(until: end)
        blank(until: closing)
        return true
    }

    /// Whether `<` stands before a name, or before the prefix of its namespace.
    private func isTag(_ word: Range<Int>) -> Bool {
        var start = word.lowerBound
        if start > 0, bytes[start - 1] == .colon {
            start -= 1
            while start > 0, Self.isOfName(bytes[start - 1]) { start -= 1 }
        }
        return start > 0 && bytes[start - 1] == UInt8(ascii: "<")
    }

    /// Behind the `>` of a tag whose name ends at `start`, and which may have attributes; `nil` where it is none, or has no content.
    private func endOfTag(from start: Int) -> Int? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: ">") || Self.isBlank(bytes[start]) else { return nil }
        let rest = bytes[start...].prefix(Self.longestTag)
        guard let end = rest.firstIndex(where: { "<>".utf8.contains($0) }), bytes[end] == UInt8(ascii: ">"),
            bytes[end - 1] != UInt8(ascii: "/")
        else { return nil }
        return end + 1
    }

    /// So far attributes are looked at.
    private static let longestTag = 512

    private func unquoted(_ extent: SecretNames.Extent, from start: Int) -> Int {
        if start < bytes.count, "{[".utf8.contains(bytes[start]) { return endOfBrackets(from: start) }
        return switch extent {
        case .word: end(from: start) { $0 > .space && !Self.isQuote($0) && !",;&)}]|".utf8.contains($0) }
        case .phrase: end(from: start) { $0 >= .space && !"\"\\,;&)}]|".utf8.contains($0) }
        case .line: endOfLine(from: start)
        }
    }

    /// Where the text in quotes ends: at the same quote with no more before it, for in a text inside a text quotes have
    /// a backslash before them.
    private func closing(of opening: ArraySlice<UInt8>, from start: Int) -> Int {
        let depth = opening.count { $0 == .backslash }
        var backslashes = 0
        for index in start..<bytes.count {
            if bytes[index] == opening.last, backslashes <= depth { return index - backslashes }
            backslashes = bytes[index] == .backslash ? backslashes + 1 : 0
        }
        return bytes.count
    }

    private func endOfBrackets(from start: Int) -> Int {
        var depth = 0
        for index in start..<bytes.count {
            if "{[".utf8.contains(bytes[index]) { depth += 1 }
            if "}]".utf8.contains(bytes[index]) { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return bytes.count
    }

    /// A line may end with the letters of an escape.
    private func endOfLine(from start: Int) -> Int {
        (start..<bytes.count).first { index in
            let isEscape = bytes[index] == .backslash && index + 1 < bytes.count && "nr".utf8.contains(bytes[index + 1])
            return bytes[index] < .space || isEscape
        } ?? bytes.count
    }

    // MARK: Proofs and users

    /// `Bearer XYZ`, `Basic XYZ`, `Digest username="…", …`; not the words of a sentence.
    private mutating func takeProof(of scheme: String) {
        guard Self.schemes.contains(scheme), place < bytes.count, bytes[place] == .space else { return }
        let proof = (place + 1)..<end(from: place + 1) { Self.isOfName($0) || "+/.=~".utf8.contains($0) }
        let isSentence = proof.count < 8 || bytes[proof].allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2E }
        let isDigest = scheme == "digest" && bytes[proof].last == UInt8(ascii: "=")
        guard isDigest || scheme != "digest" && !isSentence else { return }
        copy(until: proof.lowerBound)
        blank(until: isDigest ? endOfLine(from: proof.lowerBound) : proof.upperBound)
    }

    /// `https://user:password@host`, `turn:user:password@host`; of `sip:user:password@host` the user stays
    /// ([RFC 3261 §19.1.1](https://www.rfc-editor.org/rfc/rfc3261#section-19.1.1)).
    private mutating func takeUser(behind scheme: String) -> Bool {
        guard place < bytes.count, bytes[place] == .colon else { return false }
        let slashes = end(from: place + 1) { $0 == UInt8(ascii: "/") } - place - 1
        let name = scheme.lowercased()
        let isSIP = slashes == 0 && ["sip", "sips"].contains(name)
        guard slashes == 2 || isSIP || slashes == 0 && ["turn", "turns", "stun", "stuns"].contains(name) else {
            return false
        }
        let start = place + 1 + slashes
        guard start >= userless else { return false }
        let authority = start..<end(from: start) { $0 > .space && !Self.isQuote($0) && !"/?#,;<>()".utf8.contains($0) }
        guard let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) else {
            userless = authority.upperBound
            return false
        }
        guard isSIP else {
            copy(until: start)
            blank(until: at)
            return true
        }
        guard let colon = bytes[start..<at].firstIndex(of: .colon) else { return false }
        copy(until: colon + 1)
        blank(until: at)
        return true
    }

    // MARK: Bytes

    private mutating func copy(until end: Int) {
        result += bytes[place..<end]
        place = end
    }

    private mutating func blank(until end: Int) {
        if end > place { result.append(UInt8(ascii: "-")) }
        place = end
    }

    private func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == UInt8(ascii: "\t") }

    /// Quotes, and what stands before one in a text inside a text.
    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || "\"\\".utf8.contains(byte) }
}

extension UInt8 {
    fileprivate static let space = UInt8(ascii: " ")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let backslash = UInt8(ascii: "\\")
}

extension String {
    /// Whether the bytes of a word of ASCII stand somewhere in the text. Looks at no characters, and is many times faster
    /// than `contains`.
    func spells(_ word: String) -> Bool {
        let text = utf8Span.span
        let word = word.utf8Span.span
        guard let first = word.indices.first, text.count >= word.count else { return false }
        for start in 0...(text.count - word.count) where text[start] == word[first] {
            if (1..<word.count).allSatisfy({ text[start + $0] == word[$0] }) { return true }
        }
        return false
    }
}
