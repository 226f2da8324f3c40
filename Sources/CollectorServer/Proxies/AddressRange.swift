import Foundation

/// An IP address as bytes: 4 or 16. IPv4 in IPv6 (`::ffff:10.0.0.1`) is IPv4.
struct HostAddress: Hashable, Sendable {
    let bytes: [UInt8]

    /// Reads an address, in brackets and with a port or not, as proxies write them.
    init?(_ text: some StringProtocol) {
        var text = Substring(text.trimmingCharacters(in: .whitespaces))
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = text.prefix { $0 != ":" }
        }
        self.init(literal: text.prefix { $0 != "%" })
    }

    /// Reads an address and nothing else.
    init?(literal text: some StringProtocol) {
        guard let bytes = Self.parse(String(text)) else { return nil }
        let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [255, 255]
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    private static func parse(_ text: String) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        var v6 = in6_addr()
        if inet_pton(AF_INET6, text, &v6) == 1 { return withUnsafeBytes(of: v6) { Array($0) } }
        return nil
    }
}

/// A range of addresses in CIDR notation: `10.0.0.0/8`, `2001:db8::/32`, or one address.
public struct AddressRange: Hashable, Sendable {
    private let first: HostAddress
    /// How many leading bits an address has in common with ``first``.
    private let bits: Int

    /// - Returns: `nil` for text that is neither an address nor a range.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = HostAddress(literal: parts[0]) else { return nil }
        let width = first.bytes.count * 8
        guard let bits = parts.count > 1 ? Int(parts[1]) : width, (0...width).contains(bits) else { return nil }
        self.first = first
        self.bits = bits
    }

    func contains(_ address: HostAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard address.bytes.prefix(whole) == first.bytes.prefix(whole) else { return false }
        guard rest > 0 else { return true }
        return (address.bytes[whole] ^ first.bytes[whole]) >> (8 - rest) == 0
    }
}
