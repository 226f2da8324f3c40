extension IPAddress {
    /// Reads an address as session descriptions write it: with brackets, a zone, or `/ttl` of multicast, or without.
    ///
    /// - Returns: `nil` for a name and anything else that is no address.
    init?(text: Bytes) {
        var text = text.trimmed.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "]") }
        if text.first == UInt8(ascii: "[") { text = text.dropFirst() }
        guard text.count <= 45 else { return nil }
        if text.contains(UInt8(ascii: ":")) {
            self.init(groups: text)
        } else {
            guard let address = Self.dotted(text) else { return nil }
            self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address))
        }
    }

    private static func dotted(_ text: Bytes) -> UInt32? {
        var address: UInt32 = 0
        var start = text.startIndex
        for octet in 1...4 {
            let dot = text.place(of: UInt8(ascii: "."), in: start..<text.endIndex)
            let end = dot ?? text.endIndex
            guard (dot == nil) == (octet == 4), end - start <= 3, let value = text[start..<end].decimal, value <= 255
            else { return nil }
            address = address << 8 | UInt32(value)
            start = end + 1
        }
        return address
    }

    /// Eight groups, of which `::` stands for as many zeros as are missing
    /// ([RFC 4291 §2.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.2)).
    private init?(groups text: Bytes) {
        let colon = UInt8(ascii: ":")
        let gap = text.indices.first { text[$0] == colon && $0 + 1 < text.endIndex && text[$0 + 1] == colon }
        guard let head = Self.groups(text[..<(gap ?? text.endIndex)]) else { return nil }
        var groups = head
        if let gap {
            guard let tail = Self.groups(text[(gap + 2)...]), head.count + tail.count < 8 else { return nil }
            groups += [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
        }
        guard groups.count == 8 else { return nil }
        let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        self.init(high: halves[0], low: halves[1])
    }

    private static func groups(_ text: Bytes) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for part in parts {
            if part.contains(UInt8(ascii: ".")), part.endIndex == text.endIndex {  // ::ffff:192.0.2.1
                guard let address = dotted(part) else { return nil }
                groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
            } else {
                guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit),
                    let value = UInt16(part.text(), radix: 16)
                else { return nil }
                groups.append(value)
            }
        }
        return groups
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x66).contains(lowercased)
    }
}
