extension FrameDecoder {
    /// ESP ([RFC 4303 §2](https://www.rfc-editor.org/rfc/rfc4303#section-2)). Mobile operators run SIP through ESP that
    /// only authenticates (NULL encryption, [RFC 2410](https://www.rfc-editor.org/rfc/rfc2410)).
    ///
    /// Nothing in the packet says so; as in [RFC 5879](https://www.rfc-editor.org/rfc/rfc5879) it is found by what the
    /// content must look like: for one of the usual lengths of the integrity value, the trailer names UDP, TCP or IP,
    /// its padding counts 1, 2, 3, … and the inner header's length fits to the byte.
    mutating func esp(
        _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard extent.has(8) else { return refuseShort(extent, needing: 8) }
        guard let (number, inner) = NullESP.content(bytes, extent.dropping(8)) else { return refuse(.encrypted) }
        return enter(descent, .esp) { $0.transport(number, bytes, inner, header, $1) }
    }
}

/// Finds the content of ESP packets that are not encrypted.
enum NullESP {
    /// Bytes of HMAC-MD5-96 and HMAC-SHA1-96, and of HMAC-SHA-256-128, HMAC-SHA-384-192 and HMAC-SHA-512-256
    /// ([RFC 4868 §2.6](https://www.rfc-editor.org/rfc/rfc4868#section-2.6)).
    private static let integrityLengths = [12, 16, 24, 32]
    /// The trailer: padding length and next header.
    private static let trailer = 2

    /// The protocol number and place of the content; `extent` begins after SPI and sequence number.
    static func content(_ bytes: RawSpan, _ extent: Extent) -> (number: UInt8, Extent)? {
        // The trailer is at the end: where the snap length cut it, nothing can be known.
        guard !extent.isCut else { return nil }
        for integrity in integrityLengths where extent.count >= integrity + trailer + 8 {
            let end = extent.end - integrity - trailer
            let padding = Int(bytes.byte(at: end))
            let number = bytes.byte(at: end + 1)
            let inner = extent.limited(toWire: end - padding - extent.start)
            guard padding <= extent.wireCount - integrity - trailer - 8,
                isCounting(bytes, from: inner.end, to: end), fits(number, bytes, inner)
            else { continue }
            return (number, inner)
        }
        return nil
    }

    /// RFC 4303 §2.4: padding bytes are 1, 2, 3, …
    private static func isCounting(_ bytes: RawSpan, from start: Int, to end: Int) -> Bool {
        (start..<end).allSatisfy { Int(bytes.byte(at: $0)) == $0 - start + 1 }
    }

    private static func fits(_ number: UInt8, _ bytes: RawSpan, _ inner: Extent) -> Bool {
        func field(_ offset: Int) -> Int { Int(bytes.networkOrder(at: inner.start + offset, as: UInt16.self)) }
        switch number {
        case IPProtocol.udp:
            return field(4) == inner.count
        case IPProtocol.tcp:
            guard inner.has(20) else { return false }
            let headerLength = Int(bytes.byte(at: inner.start + 12) >> 4) * 4
            // TCP does not say how long it is. Its urgent pointer is zero, which SIP has no use for.
            return (20...inner.count).contains(headerLength) && bytes.byte(at: inner.start + 12) & 0x0E == 0
                && field(18) == 0
        case IPProtocol.ipv4:
            return inner.has(20) && bytes.byte(at: inner.start) >> 4 == 4 && field(2) == inner.count
        case IPProtocol.ipv6:
            return inner.has(40) && bytes.byte(at: inner.start) >> 4 == 6 && field(4) + 40 == inner.count
        default:
            return false
        }
    }
}
