extension UDPTunnel {
    static let genevePort: UInt16 = 6081

    /// GENEVE, version 0 ([RFC 8926 §3.4](https://www.rfc-editor.org/rfc/rfc8926#section-3.4)): the number of words of options,
    /// flags, an Ethernet type, the network, and the options. STUN begins alike: only types that lead to IP are taken.
    static func geneve(_ bytes: RawSpan, _ extent: Extent) -> UDPTunnel? {
        guard extent.has(8), bytes.byte(at: extent.start) >> 6 == 0 else { return nil }
        let headerLength = 8 + 4 * Int(bytes.byte(at: extent.start) & 0x3F)
        let type: UInt16 = bytes.networkOrder(at: extent.start + 2)
        switch type {
        case EtherType.transparentEthernet, EtherType.ipv4, EtherType.ipv6, EtherType.mpls: break
        default: return nil
        }
        guard extent.wireCount >= headerLength + 14 else { return nil }
        return .geneve(type: type, headerLength: headerLength)
    }
}
