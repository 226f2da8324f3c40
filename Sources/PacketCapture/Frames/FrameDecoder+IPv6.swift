extension FrameDecoder {
    /// Extension headers in a row; more are an attack.
    private static let maximumExtensionHeaders = 16

    /// IPv6 ([RFC 8200 §3](https://www.rfc-editor.org/rfc/rfc8200#section-3)).
    mutating func ipv6(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(40) else { return refuseShort(extent, needing: 40) }
        let start = extent.start
        guard bytes.byte(at: start) >> 4 == 6 else { return refuse(.malformed) }
        let stated = Int(bytes.networkOrder(at: start + 4, as: UInt16.self))
        // 0: a jumbogram, or segmented by the network card after the capture.
        let body = stated == 0 ? extent.dropping(40) : extent.dropping(40).limited(toWire: stated)
        let header = NetworkHeader(
            source: IPAddress(
                high: bytes.networkOrder(at: start + 8), low: bytes.networkOrder(at: start + 16)),
            destination: IPAddress(
                high: bytes.networkOrder(at: start + 24), low: bytes.networkOrder(at: start + 32)),
            identification: 0, hopLimit: bytes.byte(at: start + 7))
        let number = bytes.byte(at: start + 6)
        if number == IPProtocol.udp { return udp(bytes, body, header, descent) }
        return extensionHeaders(number, bytes, body, header, descent)
    }

    /// Follows the chain of extension headers (RFC 8200 §4) to the transport, or to a fragment.
    mutating func extensionHeaders(
        _ first: UInt8, _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        var number = first
        var extent = extent
        for _ in 0..<Self.maximumExtensionHeaders {
            guard IPProtocol.isExtensionHeader(number) else {
                return transport(number, bytes, extent, header, descent)
            }
            guard extent.has(8) else { return refuseShort(extent, needing: 8) }
            if number == IPProtocol.fragment { return fragmentHeader(bytes, extent, header, descent) }
            let size = (Int(bytes.byte(at: extent.start + 1)) + 1) * 8
            guard extent.has(size) else { return refuseShort(extent, needing: size) }
            number = bytes.byte(at: extent.start)
            extent = extent.dropping(size)
        }
        return refuse(.nestedTooDeep)
    }

    /// RFC 8200 §4.5. An "atomic" fragment, first and last at once, needs no other (RFC 6946).
    private mutating func fragmentHeader(
        _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        let field: UInt16 = bytes.networkOrder(at: extent.start + 2)
        let number = bytes.byte(at: extent.start)
        let body = extent.dropping(8)
        guard field & 0xFFF9 != 0 else {
            return enter(descent, []) { $0.extensionHeaders(number, bytes, body, header, $1) }
        }
        let piece = FragmentPiece(
            identification: bytes.networkOrder(at: extent.start + 4), offset: Int(field & 0xFFF8),
            hasMore: field & 1 == 1, number: number)
        return fragment(piece, bytes, body, header, descent)
    }
}
