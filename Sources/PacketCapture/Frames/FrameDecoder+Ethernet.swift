/// Numbers of what follows a link layer ([IEEE 802 numbers](https://www.iana.org/assignments/ieee-802-numbers)).
enum EtherType {
    static let ipv4: UInt16 = 0x0800
    static let ipv6: UInt16 = 0x86DD
    static let vlan: UInt16 = 0x8100
    static let serviceVLAN: UInt16 = 0x88A8
    /// VLAN in VLAN before IEEE 802.1ad.
    static let oldServiceVLANs: ClosedRange<UInt16> = 0x9100...0x9300
    static let vnTag: UInt16 = 0x8926
    static let mpls: UInt16 = 0x8847
    static let mplsMulticast: UInt16 = 0x8848
    static let pppoeSession: UInt16 = 0x8864
    static let ppp: UInt16 = 0x880B
    static let transparentEthernet: UInt16 = 0x6558
    static let erspan: UInt16 = 0x88BE
    static let erspan3: UInt16 = 0x22EB
    /// Below this the field is the length of an IEEE 802.3 frame.
    static let lowest: UInt16 = 0x0600
}

extension FrameDecoder {
    /// Ethernet II and IEEE 802.3: two addresses of six bytes and a type (or length).
    mutating func ethernet(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(14) else { return refuseShort(extent, needing: 14) }
        let type: UInt16 = bytes.networkOrder(at: extent.start + 12)
        let inner = extent.dropping(14)
        // The common case first: this comparison is the whole way to IPv4.
        if type == EtherType.ipv4 { return ipv4(bytes, inner, descent) }
        if type < EtherType.lowest { return llc(bytes, inner, descent) }
        return payload(of: type, bytes, inner, descent)
    }

    /// Whatever an Ethernet type names.
    mutating func payload(
        of type: UInt16, _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        switch type {
        case EtherType.ipv4: ipv4(bytes, extent, descent)
        case EtherType.ipv6: ipv6(bytes, extent, descent)
        case EtherType.vlan, EtherType.serviceVLAN, EtherType.oldServiceVLANs: tag(4, bytes, extent, descent)
        case EtherType.vnTag: tag(6, bytes, extent, descent)
        case EtherType.mpls, EtherType.mplsMulticast: mpls(bytes, extent, descent)
        case EtherType.pppoeSession: pppoe(bytes, extent, descent)
        case EtherType.ppp: ppp(bytes, extent, descent)
        case EtherType.transparentEthernet: enter(descent, []) { $0.ethernet(bytes, extent, $1) }
        default: refuse(.notIP)
        }
    }

    /// A tag of IEEE 802.1Q, 802.1ad or 802.1BR: its last two bytes are the type of what follows.
    private mutating func tag(
        _ size: Int, _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        guard extent.has(size) else { return refuseShort(extent, needing: size) }
        let type: UInt16 = bytes.networkOrder(at: extent.start + size - 2)
        let inner = extent.dropping(size)
        return enter(descent, .vlan) { decoder, descent in
            type < EtherType.lowest
                ? decoder.llc(bytes, inner, descent) : decoder.payload(of: type, bytes, inner, descent)
        }
    }

    /// IEEE 802.3: only the SNAP header with an Ethernet type in it leads to IP.
    mutating func llc(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(8) else { return refuse(extent.isCut ? .cutBySnapLength : .notIP) }
        guard bytes.networkOrder(at: extent.start, as: UInt32.self) == 0xAAAA_0300,
            bytes.networkOrder(at: extent.start + 4, as: UInt16.self) == 0
        else { return refuse(.notIP) }
        let type: UInt16 = bytes.networkOrder(at: extent.start + 6)
        guard type >= EtherType.lowest else { return refuse(.notIP) }
        return payload(of: type, bytes, extent.dropping(8), descent)
    }

    /// Goes one layer in, unless that is too deep.
    @inline(__always)
    mutating func enter(
        _ descent: Descent, _ kind: Encapsulation, _ next: (inout FrameDecoder, Descent) -> DecodedFrame?
    ) -> DecodedFrame? {
        guard descent.depth < Self.maximumDepth else { return refuse(.nestedTooDeep) }
        return next(&self, descent.entering(kind))
    }
}
