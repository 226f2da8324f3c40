/// Addresses as they stand in queries, in names of hosts and in what packet sniffers print.
enum AddressSpelling {
    /// With the colons, dots and brackets that are spelled `%3A`, `%2E`, `%5B` and `%5D`
    /// ([RFC 3986 §2.1](https://www.rfc-editor.org/rfc/rfc3986#section-2.1)).
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index] == UInt8(ascii: "%") ? signs[upper(bytes[index...].dropFirst().prefix(2))] : nil
            result.append(byte ?? bytes[index])
            index += byte == nil ? 1 : 3
        }
        return result
    }

    private static let signs: [String: UInt8] = ["3A": 0x3A, "2E": 0x2E, "5B": 0x5B, "5D": 0x5D]

    private static func upper(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).uppercased()
    }

    /// Where an escape ends that begins at a place: `%2F`, and `%252F` of a text that was encoded twice; `\n`, `\"` and `\u0022`,
    /// as in a text inside a text; what a console is told of colours. `nil` where none does.
    static func endOfEscape(in bytes: [UInt8], at start: Int) -> Int? {
        var end = start + 1
        switch bytes[start] {
        case UInt8(ascii: "%"):
            while bytes[end...].starts(with: "25".utf8) { end += 2 }
            if bytes[end...].prefix(2).count(where: isHex) == 2 { return end + 2 }
            return end == start + 1 ? nil : end
        case UInt8(ascii: "\\"):
            guard let kind = bytes[end...].first, "nrtbfu\"\\/".utf8.contains(kind) else { return nil }
            guard kind == UInt8(ascii: "u") else { return end + 1 }
            guard bytes[(end + 1)...].prefix(4).count(where: isHex) == 4 else { return nil }
            end += 5
            let isEscape =
                bytes[(end - 2)..<end].elementsEqual("1b".utf8) || bytes[(end - 2)..<end].elementsEqual("1B".utf8)
            return isEscape ? endOfColour(in: bytes, at: end) ?? end : end
        case 0x1B: return endOfColour(in: bytes, at: end)
        default: return nil
        }
    }

    /// `[31m`, `[0;1m` ([ECMA-48 §8.3.117](https://ecma-international.org/publications-and-standards/standards/ecma-48/)).
    private static func endOfColour(in bytes: [UInt8], at start: Int) -> Int? {
        guard bytes[start...].first == UInt8(ascii: "[") else { return nil }
        let numbers = bytes[(start + 1)...].prefix(16).prefix { isDigit($0) || $0 == UInt8(ascii: ";") }
        return bytes[numbers.endIndex...].first == UInt8(ascii: "m") ? numbers.endIndex + 1 : nil
    }

    /// Where the address ends in `203.0.113.77.5060`: before a last number that is a port and no part of a version.
    static func beforePort(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let port = Int(String(decoding: bytes[(dot + 1)...], as: UTF8.self)), (256...65_535).contains(port)
        else { return nil }
        return dot
    }

    /// Cuts `203-0-113-77` in the name of a host: four numbers, and behind them a dot and a letter.
    static func cutDashed(_ bytes: [UInt8], by policy: AddressPolicy) -> [UInt8] {
        guard bytes.count(where: { $0 == dash }) >= 3 else { return bytes }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let run = index..<(bytes[index...].firstIndex { !isDigit($0) && $0 != dash } ?? bytes.count)
            guard !run.isEmpty else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += kept(of: run, in: bytes, by: policy) ?? Array(bytes[run])
            index = run.upperBound
        }
        return result
    }

    private static func kept(of run: Range<Int>, in bytes: [UInt8], by policy: AddressPolicy) -> [UInt8]? {
        let parts = bytes[run].split(separator: dash, omittingEmptySubsequences: false)
        // What stands before is the end of a word: `ec2-203-0-113-77.example`.
        let last = parts.suffix(4)
        let rest = parts.dropLast(4)
        guard last.count == 4, rest.allSatisfy(\.isEmpty) || parts.count == 5, isHost(from: run.upperBound, in: bytes),
            let address = NetworkAddress.bytes(
                of: last.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "."))
        else { return nil }
        let head = rest.flatMap { $0 + [dash] }
        guard case .hash = policy else {
            return head + address.prefix(3).flatMap { Array("\($0)-".utf8) } + [UInt8(ascii: "0")]
        }
        return head + Array(policy.kept(of: address, text: "").utf8)
    }

    private static func isHost(from dot: Int, in bytes: [UInt8]) -> Bool {
        dot + 1 < bytes.count && bytes[dot] == UInt8(ascii: ".") && (0x61...0x7A).contains(bytes[dot + 1] | 0x20)
    }

    private static let dash = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
}
