/// An IPv4 or IPv6 address, 16 bytes without a heap.
///
/// An IPv4 address is held as the IPv6 address it maps to, `::ffff:a.b.c.d`
/// ([RFC 4291 §2.5.5.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2)).
struct IPAddress: Hashable, Sendable {
    /// The first eight bytes.
    var high: UInt64
    /// The last eight bytes.
    var low: UInt64

    @inline(__always)
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The IPv4 address with these 32 bits.
    @inline(__always)
    init(v4 bits: UInt32) {
        self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(bits))
    }

    /// Whether this is an IPv4 address (or the IPv6 address mapped to it).
    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether it is one of many networks, or of one behind a carrier's translator
    /// ([RFC 1918](https://www.rfc-editor.org/rfc/rfc1918), [RFC 6598](https://www.rfc-editor.org/rfc/rfc6598),
    /// [RFC 4193](https://www.rfc-editor.org/rfc/rfc4193)).
    var isPrivate: Bool {
        guard isIPv4 else { return high >> 57 == 0x7E }
        let bits = UInt32(truncatingIfNeeded: low)
        return bits >> 24 == 10 || bits >> 20 == 0xAC1 || bits >> 16 == 0xC0A8 || bits >> 22 == 0x191
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as people write it; IPv6 as [RFC 5952](https://www.rfc-editor.org/rfc/rfc5952) says.
    var description: String {
        if isIPv4 { return octets.map(String.init).joined(separator: ".") }
        guard let zeros = longestRunOfZeros else { return Self.text(groups[...]) }
        return "\(Self.text(groups[..<zeros.lowerBound]))::\(Self.text(groups[zeros.upperBound...]))"
    }

    /// The network: the first 24 bits (IPv4) or 48 bits (IPv6), written `10.77.0.0/24` and `2001:db8:1::/48`.
    ///
    /// The same words as for addresses in clients' statistics, so that both can be compared.
    var cut: String {
        if isIPv4 {
            let bytes = octets
            return "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24"
        }
        var first = groups.prefix(3)
        while first.last == 0 { first.removeLast() }
        return "\(Self.text(first))::/48"
    }

    private var octets: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: low >> UInt64($0)) }
    }

    private var groups: [UInt16] {
        [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) } }
    }

    /// The longest run of two or more zero groups, the first of equals.
    private var longestRunOfZeros: Range<Int>? {
        var best: Range<Int>?
        var start: Int?
        for (index, group) in (groups + [1]).enumerated() {
            if group == 0 {
                start = start ?? index
            } else if let begin = start {
                if index - begin > max(1, best?.count ?? 0) { best = begin..<index }
                start = nil
            }
        }
        return best
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
