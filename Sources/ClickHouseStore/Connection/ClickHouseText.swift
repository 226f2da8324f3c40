/// The only way a text gets into a statement: versions before 19 know no parameters.
enum ClickHouseText {
    /// A text as a literal: `'it\'s'`.
    static func literal(_ text: String) -> String {
        quoted(text, by: UInt8(ascii: "'"))
    }

    /// A name of a table, a column, a database or a cluster: `` `name` ``.
    static func name(_ text: String) -> String {
        quoted(text, by: UInt8(ascii: "`"))
    }

    /// By bytes, not by characters: a quote that a combining mark follows is a quote all the same.
    private static func quoted(_ text: String, by quote: UInt8) -> String {
        let backslash = UInt8(ascii: "\\")
        var bytes: [UInt8] = [quote]
        bytes.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case backslash, quote: bytes += [backslash, byte]
            case 0..<0x20, 0x7F: bytes += [backslash, UInt8(ascii: "x"), digit(byte >> 4), digit(byte & 15)]
            default: bytes.append(byte)
            }
        }
        bytes.append(quote)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A hexadecimal digit.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
