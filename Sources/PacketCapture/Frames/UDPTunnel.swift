/// A tunnel over UDP, known by its port and by a header that fits.
///
/// The header is checked before a datagram is taken for a tunnel: RTP and SIP may use any port.
enum UDPTunnel: Hashable {
    /// Ethernet inside, after a header of eight bytes.
    case vxlan
    /// IP inside, after this many bytes.
    case gtp(headerLength: Int)
    /// What ESP without encryption holds.
    case esp(number: UInt8, content: Extent)
    /// What a number of Ethernet types names, after this many bytes.
    case geneve(type: UInt16, headerLength: Int)
    /// What a number of this protocol names, after a header of eight bytes.
    case vxlanGPE(next: UInt8)
    /// PPP inside, after this many bytes.
    case l2tp(headerLength: Int)
    /// What a number of this protocol names, after this many bytes.
    case tzsp(content: UInt16, headerLength: Int)

    /// 4789 is the registered port; Linux used 8472 before there was one.
    private static let vxlanPorts: (UInt16, UInt16) = (4789, 8472)
    private static let gtpPort: UInt16 = 2152
    /// "G-PDU": a packet of the user.
    private static let userPacket: UInt8 = 255
    private static let espPort: UInt16 = 4500

    @inline(__always)
    init?(source: UInt16, destination: UInt16, _ bytes: RawSpan, _ extent: Extent) {
        if destination == Self.vxlanPorts.0 || destination == Self.vxlanPorts.1 {
            guard Self.isVXLAN(bytes, extent) else { return nil }
            self = .vxlan
        } else if destination == Self.gtpPort || source == Self.gtpPort {
            guard let headerLength = Self.gtpHeaderLength(bytes, extent) else { return nil }
            self = .gtp(headerLength: headerLength)
        } else if destination == Self.espPort || source == Self.espPort {
            guard let (number, content) = Self.espContent(bytes, extent) else { return nil }
            self = .esp(number: number, content: content)
        } else {
            guard let other = Self.other(source: source, destination: destination, bytes, extent) else { return nil }
            self = other
        }
    }

    private static func other(
        source: UInt16, destination: UInt16, _ bytes: RawSpan, _ extent: Extent
    ) -> UDPTunnel? {
        switch destination {
        case genevePort: geneve(bytes, extent)
        case vxlanGPEPort: vxlanGPE(bytes, extent)
        case tzspPort: tzsp(bytes, extent)
        default: source == l2tpPort || destination == l2tpPort ? l2tp(bytes, extent) : nil
        }
    }

    /// [RFC 7348 §5](https://www.rfc-editor.org/rfc/rfc7348#section-5): the "I" bit, then room for an Ethernet header.
    ///
    /// Reserved bits are to be ignored, and are in use
    /// ([group policies](https://datatracker.ietf.org/doc/html/draft-smith-vxlan-group-policy-05#section-2.1)). But
    /// "INVITE" has the "I" bit as well: where one of the others is set, the Ethernet header must lead to IP.
    static func isVXLAN(_ bytes: RawSpan, _ extent: Extent) -> Bool {
        guard extent.has(8), extent.wireCount >= 8 + 14, bytes.byte(at: extent.start) & 0x08 != 0 else { return false }
        let isPlain =
            bytes.networkOrder(at: extent.start, as: UInt32.self) == 0x0800_0000
            && bytes.byte(at: extent.start + 7) == 0
        return isPlain || extent.has(8 + 14) && leadsToIP(bytes.networkOrder(at: extent.start + 8 + 12))
    }

    private static func leadsToIP(_ type: UInt16) -> Bool {
        switch type {
        case EtherType.ipv4, EtherType.ipv6, EtherType.vlan, EtherType.serviceVLAN: true
        default: false
        }
    }

    /// [RFC 3948 §2](https://www.rfc-editor.org/rfc/rfc3948#section-2): ESP, unless it begins with four zero bytes as
    /// IKE does. What begins as RTP does is left to RTP, though an SPI may.
    private static func espContent(_ bytes: RawSpan, _ extent: Extent) -> (number: UInt8, Extent)? {
        guard extent.has(8), bytes.byte(at: extent.start) & 0xC0 != 0x80,
            bytes.networkOrder(at: extent.start, as: UInt32.self) != 0
        else { return nil }
        return NullESP.content(bytes, extent.dropping(8))
    }

    /// GTP-U version 1 ([3GPP TS 29.281 §5.1](https://www.3gpp.org/dynareport/29281.htm)) with its optional fields and
    /// extension headers, up to a packet that begins as IP does.
    private static func gtpHeaderLength(_ bytes: RawSpan, _ extent: Extent) -> Int? {
        guard extent.has(8), bytes.byte(at: extent.start) >> 4 == 0b0011,
            bytes.byte(at: extent.start + 1) == userPacket,
            Int(bytes.networkOrder(at: extent.start + 2, as: UInt16.self)) + 8 <= extent.wireCount,
            let size = gtpOptionsEnd(bytes, extent), extent.wireCount >= size + 20
        else { return nil }
        // Cut by the snap length right here: that it is GTP is sure enough, and the layer inside will say it is cut.
        guard extent.has(size + 1) else { return size }
        let version = bytes.byte(at: extent.start + size) >> 4
        return version == 4 || version == 6 ? size : nil
    }

    /// Length of the header with sequence number, N-PDU number and extension headers, where flags announce them.
    private static func gtpOptionsEnd(_ bytes: RawSpan, _ extent: Extent) -> Int? {
        let flags = bytes.byte(at: extent.start)
        guard flags & 0b0111 != 0 else { return 8 }
        guard extent.has(12) else { return nil }
        var size = 12
        var next = flags & 0b0100 != 0 ? bytes.byte(at: extent.start + 11) : 0
        while next != 0 {
            guard extent.has(size + 4) else { return nil }
            let length = Int(bytes.byte(at: extent.start + size)) * 4
            guard length > 0, extent.has(size + length) else { return nil }
            next = bytes.byte(at: extent.start + size + length - 1)
            size += length
        }
        return size
    }
}

extension FrameDecoder {
    /// What a tunnel over UDP holds.
    mutating func content(
        of tunnel: UDPTunnel, _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        switch tunnel {
        case .vxlan: enter(descent, .vxlan) { $0.ethernet(bytes, extent.dropping(8), $1) }
        case .gtp(let headerLength): enter(descent, .gtp) { $0.anyIP(bytes, extent.dropping(headerLength), $1) }
        case .esp(let number, let content):
            enter(descent, .esp) { $0.transport(number, bytes, content, header, $1) }
        case .geneve(let type, let headerLength):
            enter(descent, .geneve) { $0.payload(of: type, bytes, extent.dropping(headerLength), $1) }
        case .vxlanGPE(let next):
            enter(descent, .vxlan) { $0.contentOfGPE(next, bytes, extent.dropping(8), $1) }
        case .l2tp(let headerLength):
            enter(descent, .l2tp) { $0.ppp(bytes, extent.dropping(headerLength), $1) }
        case .tzsp(let content, let headerLength):
            enter(descent, .tzsp) { $0.contentOfTZSP(content, bytes, extent.dropping(headerLength), $1) }
        }
    }
}
