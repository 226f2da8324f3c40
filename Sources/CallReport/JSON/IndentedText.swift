public import CallModel

extension JSONValue {
    /// The value for people and for comparing files: members sorted by name, two spaces a level, what fits in 100
    /// characters on one line, a newline at the end. Characters that could steer a terminal are escaped.
    public var indentedText: String {
        var text = ""
        writeIndented(to: &text, level: 0)
        return Self.escapingUnprintable(text) + "\n"
    }

    private func writeIndented(to text: inout String, level: Int) {
        let compact = spaced
        switch self {
        case .array(let values) where compact.count > Self.lineLength:
            Self.write(values, between: ("[", "]"), level: level, to: &text) { value, text in
                value.writeIndented(to: &text, level: level + 1)
            }
        case .object(let members) where compact.count > Self.lineLength || level == 0:
            let sorted = members.sorted { $0.key < $1.key }
            Self.write(sorted, between: ("{", "}"), level: level, to: &text) { member, text in
                text += JSONValue.string(member.key).canonicalText + ": "
                member.value.writeIndented(to: &text, level: level + 1)
            }
        default:
            text += compact
        }
    }

    private static let lineLength = 100

    /// On one line, with a space after every colon and comma.
    private var spaced: String {
        switch self {
        case .array(let values):
            return "[" + values.map(\.spaced).joined(separator: ", ") + "]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return "{"
                + sorted.map { "\(JSONValue.string($0.key).canonicalText): \($0.value.spaced)" }
                .joined(separator: ", ") + "}"
        default:
            return canonicalText
        }
    }

    private static func write<Value>(
        _ values: [Value], between marks: (String, String), level: Int, to text: inout String,
        each write: (Value, inout String) -> Void
    ) {
        let margin = String(repeating: "  ", count: level + 1)
        text += marks.0
        for (index, value) in values.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + margin
            write(value, &text)
        }
        text += "\n" + margin.dropLast(2) + marks.1
    }

    /// Outside strings the text is ASCII, so an escape can only land inside one.
    private static func escapingUnprintable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.isUnprintable && $0 != "\n" }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar.isUnprintable, scalar != "\n" {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
