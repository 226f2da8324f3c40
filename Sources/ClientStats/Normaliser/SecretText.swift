/// Keys and passwords inside longer texts: descriptions in JSON in a text, candidates, parameters.
enum SecretText {
    /// After these stands a secret, behind one of the separators.
    private static let marks: [(word: String, separators: Set<Character>)] = [
        ("pwd", [":", "="]), ("Pwd", [":", "="]), ("ufrag", [":", "=", " "]), ("Ufrag", [":", "="]), ("inline", [":"]),
        ("sernameFragment", [":", "="]), ("assword", [":", "="]), ("redential", [":", "="]),
    ]

    /// The last two letters of each word: the text of hardly any other name ends in any of them.
    static let endings = marks.map { mark in mark.word.utf8.suffix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) } }

    /// The text with `-` in place of each secret; doing it twice changes nothing.
    static func redact(_ text: String) -> String {
        var text = text
        for mark in marks where text.spells(mark.word) { text = redact(text, after: mark) }
        return text
    }

    private static func redact(_ text: String, after mark: (word: String, separators: Set<Character>)) -> String {
        var result = ""
        var rest = text[...]
        while let found = rest.firstRange(of: mark.word) {
            result += rest[..<found.upperBound]
            rest = rest[found.upperBound...]
            let between = rest.prefix { isQuote($0) || mark.separators.contains($0) }
            guard between.contains(where: mark.separators.contains) else { continue }
            let spaces = rest[between.endIndex...].prefix { $0 == " " || isQuote($0) }
            result += between + spaces
            let secret = rest[spaces.endIndex...].prefix { !$0.isWhitespace && !isQuote($0) && !",;&)}]|".contains($0) }
            if !secret.isEmpty { result += "-" }
            rest = rest[secret.endIndex...]
        }
        return result + rest
    }

    /// Quotes, and what stands before one in a text inside a text.
    private static func isQuote(_ character: Character) -> Bool {
        character == "\"" || character == "'" || character == "\\"
    }
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
