import Foundation

/// Text as SQLite keeps it in key columns, so that its equality and order are those of Swift's `String`.
///
/// Swift compares canonical equivalents as equal, SQLite compares bytes: keys are stored in Unicode normal form C.
/// SQLite's C strings end at U+0000, which JSON allows in an id: it is escaped with the noncharacter U+FFFF.
enum StoredText {
    private static let escape: Unicode.Scalar = "\u{FFFF}"

    /// `text` as it is bound to a key column.
    static func encode(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (1..<0x80).contains($0) }) else { return text }
        var encoded = String.UnicodeScalarView()
        for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "\u{0}": encoded.append(contentsOf: [escape, "0"])
            case escape: encoded.append(contentsOf: [escape, "F"])
            default: encoded.append(scalar)
            }
        }
        return String(encoded)
    }

    /// The text that a key column holds.
    static func decode(_ stored: String) -> String {
        guard stored.unicodeScalars.contains(escape) else { return stored }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in stored.unicodeScalars {
            if isEscaped {
                text.append(scalar == "0" ? "\u{0}" : escape)
                isEscaped = false
            } else if scalar == escape {
                isEscaped = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
