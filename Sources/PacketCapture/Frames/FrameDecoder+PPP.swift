extension FrameDecoder {
    /// PPP: perhaps address and control (`FF 03`, or `0F 00` of a Cisco line), then a protocol of two bytes, or of one
    /// when compressed ([RFC 1661 §2](https://www.rfc-editor.org/rfc/rfc1661#section-2), §6.5).
    mutating func ppp(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(2) else { return refuseShort(extent, needing: 2) }
        let first: UInt16 = bytes.networkOrder(at: extent.start)
        let body = first == 0xFF03 || first == 0x0F00 ? extent.dropping(2) : extent
        guard body.has(2) else { return refuseShort(body, needing: 2) }
        let lead = bytes.byte(at: body.start)
        if lead & 1 == 1 {
            return pppPayload(of: UInt16(lead), bytes, body.dropping(1), descent)
        }
        return pppPayload(of: bytes.networkOrder(at: body.start), bytes, body.dropping(2), descent)
    }

    /// PPPoE session stage ([RFC 2516 §4](https://www.rfc-editor.org/rfc/rfc2516#section-4)): version and type 1,
    /// code 0, session, length, then PPP from its protocol on.
    mutating func pppoe(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(8) else { return refuseShort(extent, needing: 8) }
        guard bytes.networkOrder(at: extent.start, as: UInt16.self) == 0x1100 else {
            return refuse(.unknownTunnelContent)
        }
        let length = Int(bytes.networkOrder(at: extent.start + 4, as: UInt16.self))
        guard length >= 2 else { return refuse(.malformed) }
        return ppp(bytes, extent.dropping(6).limited(toWire: length), descent)
    }

    private mutating func pppPayload(
        of number: UInt16, _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        switch number {
        case 0x0021: enter(descent, .ppp) { $0.ipv4(bytes, extent, $1) }
        case 0x0057: enter(descent, .ppp) { $0.ipv6(bytes, extent, $1) }
        case 0x0281, 0x0283: enter(descent, .ppp) { $0.mpls(bytes, extent, $1) }
        default: refuse(.notIP)
        }
    }
}
