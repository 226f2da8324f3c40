/// What the layers over IP need from its header.
struct NetworkHeader {
    var source: IPAddress
    var destination: IPAddress
    var identification: UInt16
    var hopLimit: UInt8
}

extension FrameDecoder {
    /// IPv4 ([RFC 791 §3.1](https://www.rfc-editor.org/rfc/rfc791#section-3.1)), options skipped.
    ///
    /// The checksum is not checked: on the machine that sends, hardware fills it in after the capture.
    mutating func ipv4(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(20) else { return refuseShort(extent, needing: 20) }
        let start = extent.start
        let first = bytes.byte(at: start)
        let headerLength = Int(first & 0x0F) * 4
        guard first >> 4 == 4, headerLength >= 20 else { return refuse(.malformed) }
        guard extent.has(headerLength) else { return refuseShort(extent, needing: headerLength) }
        let stated = Int(bytes.networkOrder(at: start + 2, as: UInt16.self))
        // 0: segmented by the network card after the capture, so the frame is the only measure.
        let length = stated == 0 ? extent.wireCount : stated
        guard length >= headerLength else { return refuse(.malformed) }

        let body = extent.limited(toWire: length).dropping(headerLength)
        let header = NetworkHeader(
            source: IPAddress(v4: bytes.networkOrder(at: start + 12)),
            destination: IPAddress(v4: bytes.networkOrder(at: start + 16)),
            identification: bytes.networkOrder(at: start + 4), hopLimit: bytes.byte(at: start + 8))
        let number = bytes.byte(at: start + 9)
        let fragment: UInt16 = bytes.networkOrder(at: start + 6)
        guard fragment & 0x3FFF != 0 else {
            if number == IPProtocol.udp { return udp(bytes, body, header, descent) }
            return transport(number, bytes, body, header, descent)
        }
        let piece = FragmentPiece(
            identification: UInt32(header.identification), offset: Int(fragment & 0x1FFF) * 8,
            hasMore: fragment & 0x2000 != 0, number: number)
        return self.fragment(piece, bytes, body, header, descent)
    }
}
