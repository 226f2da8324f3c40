/// An IP address cut to the network it lies in: enough to see a change of network, too little to find a person.
enum NetworkAddress {
    /// Cuts an address to its first 24 (IPv4, mapped or translated ones too) or 48 bits (IPv6), written `10.77.0.0/24` and `2001:db8:1::/48`.
    ///
    /// The random names of mDNS ([RFC 8828](https://www.rfc-editor.org/rfc/rfc8828)) become `mdns`, any other text
    /// `name`; empty text stays. Cutting twice changes nothing.
    static func cut(_ text: String) -> String {
        if text.isEmpty || text == "mdns" { return text }
        if let cut = network(text) { return cut }
        return text.hasSuffix(".local") ? "mdns" : "name"
    }

    /// Cuts a word of a longer text if it is an address, and leaves it alone if not.
    static func cutIfAddress(_ word: String) -> String {
        if word.hasSuffix(".local") { return "mdns" }
        return network(word) ?? word
    }

    /// Cuts an address that a port may follow, and keeps the port: `10.77.0.2:5004` becomes `10.77.0.0/24:5004`,
    /// `[2001:db8::1]:5004` becomes `[2001:db8::/48]:5004`. Cutting twice changes nothing.
    static func cutEndpoint(_ text: String) -> String {
        guard let colon = text.lastIndex(of: ":"), isPort(text[text.index(after: colon)...]) else { return cut(text) }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            return "[\(cut(String(host.dropFirst().dropLast())))]\(text[colon...])"
        }
        // Of an IPv6 address without brackets the last group looks like a port, unless its length stands before.
        guard host.contains("/") || !host.contains(":") else { return cut(text) }
        return cut(String(host)) + text[colon...]
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func network(_ text: String) -> String? {
        let bare = withoutSuffix(text[...])
        if let parts = v4(withoutPort(bare)) { return v4Network(parts) }
        guard let groups = v6(bare) else { return nil }
        return v6Network(groups)
    }

    /// Without prefix length, zone and brackets with port.
    private static func withoutSuffix(_ text: Substring) -> Substring {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return withoutSuffix(text[text.index(after: text.startIndex)..<end])
        }
        return text.prefix { $0 != "/" && $0 != "%" }
    }

    private static func withoutPort(_ text: Substring) -> Substring {
        text.count { $0 == ":" } == 1 ? text.prefix { $0 != ":" } : text
    }

    // MARK: IPv4

    private static func v4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { $0.allSatisfy(\.isNumber) ? UInt8($0) : nil }
        return bytes.count == 4 ? bytes : nil
    }

    private static func v4Network(_ parts: [UInt8]) -> String {
        "\(parts[0]).\(parts[1]).\(parts[2]).0/24"
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

    private static func v6Network(_ groups: [UInt16]) -> String {
        let isMapped = groups.prefix(5).allSatisfy { $0 == 0 } && groups[5] == 0xFFFF
        // What a NAT64 makes of an IPv4 address is the same place (RFC 6052 §2.1).
        let isTranslated = groups.prefix(6).elementsEqual([0x64, 0xFF9B, 0, 0, 0, 0])
        if isMapped || isTranslated {
            return v4Network([UInt8(groups[6] >> 8), UInt8(groups[6] & 0xFF), UInt8(groups[7] >> 8), 0])
        }
        var first = groups.prefix(3)
        while first.last == 0 { first.removeLast() }
        return first.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }
}
