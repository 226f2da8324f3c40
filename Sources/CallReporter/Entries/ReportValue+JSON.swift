extension ReportValue {
    /// The value as JSON text on one line ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)), UTF-8, names in order.
    ///
    /// The same value is the same text each time: what is sent again is then known to be a repeat.
    var json: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    private func write(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .truth(let truth): text += (truth ? "true" : "false").utf8
        case .whole(let number): text += "\(number)".utf8
        case .number(let number): text += (number.isFinite ? "\(number)" : "null").utf8
        case .text(let value): Self.write(value, to: &text)
        case .list(let values):
            Self.write(values, between: "[", "]", to: &text) { $0.write(to: &$1) }
        case .members(let members):
            Self.write(members.sorted { $0.key < $1.key }, between: "{", "}", to: &text) { member, text in
                Self.write(member.key, to: &text)
                text += ":".utf8
                member.value.write(to: &text)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between start: String, _ end: String, to text: inout [UInt8],
        each: (Part, inout [UInt8]) -> Void
    ) {
        text += start.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { text += ",".utf8 }
            each(part, &text)
        }
        text += end.utf8
    }

    private static func write(_ value: String, to text: inout [UInt8]) {
        text += "\"".utf8
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): text += "\\n".utf8
            case 0..<0x20: text += ("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8
            default: text.append(byte)
            }
        }
        text += "\"".utf8
    }
}
