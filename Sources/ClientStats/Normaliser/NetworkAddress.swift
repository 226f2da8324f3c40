/// An IP address, and what is kept of it. Cut to its network it is enough to see a change of network, and too little to find
/// a person.
enum NetworkAddress {
    /// What is kept of an address: cut to its first 24 (IPv4, mapped or translated ones too) or 48 bits (IPv6), written
    /// `10.77.0.0/24` and `2001:db8:1::/48`, or hashed.
    ///
    /// The random names of mDNS ([RFC 8828](https://www.rfc-editor.org/rfc/rfc8828)) become `mdns`, any other text
    /// `name`; empty text stays, and so does what was cut or hashed before. Where all is kept, so is text of any kind.
    static func keep(_ text: String, by policy: AddressPolicy = .cut) -> String {
        if policy == .full || text.isEmpty || text == "mdns" { return text }
        if let kept = known(text, by: policy) { return kept }
        return text.hasSuffix(".local") ? "mdns" : "name"
    }

    /// The same for a word of a longer text that may be an address; any other word is left alone.
    static func keepIfAddress(_ word: String, by policy: AddressPolicy = .cut) -> String {
        if policy == .full { return word }
        if word.hasSuffix(".local") { return "mdns" }
        return known(word, by: policy) ?? word
    }

    /// The same for an address that a port may follow, which is kept: `10.77.0.2:5004` becomes `10.77.0.0/24:5004`,
    /// `[2001:db8::1]:5004` becomes `[2001:db8::/48]:5004`.
    static func keepEndpoint(_ text: String, by policy: AddressPolicy = .cut) -> String {
        guard let colon = text.lastIndex(of: ":"), isPort(text[text.index(after: colon)...]) else {
            return keep(text, by: policy)
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            return "[\(keep(String(host.dropFirst().dropLast()), by: policy))]\(text[colon...])"
        }
        // Of an IPv6 address without brackets the last group looks like a port, unless its length stands before.
        guard host.contains("/") || !host.contains(":") || AddressKey.isHash(host) else {
            return keep(text, by: policy)
        }
        return keep(String(host), by: policy) + text[colon...]
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// `nil` when it is neither an address nor what was kept of one.
    private static func known(_ text: String, by policy: AddressPolicy) -> String? {
        if AddressKey.isHash(text) { return text }
        guard let address = bytes(of: text) else { return nil }
        let cut = network(of: address)
        return text == cut ? cut : policy.kept(of: address, text: text)
    }

    /// The bytes of an address, 4 or 16; `nil` for other text. What a NAT64 makes of an IPv4 address, and what stands for
    /// one in IPv6, is that address ([RFC 6052 §2.1](https://www.rfc-editor.org/rfc/rfc6052#section-2.1)).
    static func bytes(of text: String) -> [UInt8]? {
        let bare = withoutSuffix(text[...])
        if let parts = v4(withoutPort(bare)) { return parts }
        guard let groups = v6(bare) else { return nil }
        let bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let isMapped = groups.prefix(5).allSatisfy { $0 == 0 } && groups[5] == 0xFFFF
        let isTranslated = groups.prefix(6).elementsEqual([0x64, 0xFF9B, 0, 0, 0, 0])
        return isMapped || isTranslated ? Array(bytes.suffix(4)) : bytes
    }

    /// The network of an address.
    static func network(of address: [UInt8]) -> String {
        guard address.count == 16 else { return "\(address[0]).\(address[1]).\(address[2]).0/24" }
        var first = stride(from: 0, to: 6, by: 2).map { UInt16(address[$0]) << 8 | UInt16(address[$0 + 1]) }
        while first.last == 0 { first.removeLast() }
        return first.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }

    /// Without prefix length, zone and brackets with port.
    private static func withoutSuffix(_ text: Substring) -> Substring {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "[") })
        else { return text }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return withoutSuffix(text[text.index(after: text.startIndex)..<end])
        }
        return text.prefix { $0 != "/" && $0 != "%" }
    }

    private static func withoutPort(_ text: Substring) -> Substring {
        text.utf8.count { $0 == UInt8(ascii: ":") } == 1 ? text.prefix { $0 != ":" } : text
    }

    // MARK: IPv4

    private static func v4(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let value = (part ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard value <= 255 else { return nil }
                part = value
            case UInt8(ascii: "."):
                guard let value = part, bytes.count < 3 else { return nil }
                bytes.append(UInt8(value))
                part = nil
            default: return nil
            }
        }
        guard let value = part, bytes.count == 3 else { return nil }
        return bytes + [UInt8(value)]
    }

    // MARK: IPv6

    /// The eight groups of an address ([RFC 4291 §2.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.2)).
    private static func v6(_ text: Substring) -> [UInt16]? {
        guard text.contains(":"), text.utf8.count <= 45 else { return nil }
        guard let gap = text.firstRange(of: "::") else {
            return groups(text).flatMap { $0.count == 8 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count + tail.count < 8
        else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    /// Groups between single colons; the last may be an IPv4 address, which stands for two.
    private static func groups(_ text: Substring) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            if let bytes = v4(part), part.endIndex == text.endIndex {
                groups += [UInt16(bytes[0]) << 8 | UInt16(bytes[1]), UInt16(bytes[2]) << 8 | UInt16(bytes[3])]
            } else if part.count <= 4, part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) {
                groups.append(group)
            } else {
                return nil
            }
        }
        return groups
    }
}
