extension UDPTunnel {
    static let vxlanGPEPort: UInt16 = 4790

    /// VXLAN with any content, version 0
    /// ([draft-ietf-nvo3-vxlan-gpe §3](https://datatracker.ietf.org/doc/html/draft-ietf-nvo3-vxlan-gpe-13#section-3)): the bits
    /// "I" and "P", two reserved bytes, and the number of what follows; without "P", VXLAN as ever.
    static func vxlanGPE(_ bytes: RawSpan, _ extent: Extent) -> UDPTunnel? {
        guard extent.has(8), extent.wireCount >= 8 + 20 else { return nil }
        let word: UInt32 = bytes.networkOrder(at: extent.start)
        guard word & 0xFEFF_FF00 == 0x0C00_0000 else {
            return bytes.byte(at: extent.start) >> 4 == 0 && isVXLAN(bytes, extent) ? .vxlan : nil
        }
        return .vxlanGPE(next: UInt8(truncatingIfNeeded: word))
    }
}

extension FrameDecoder {
    /// What the header of VXLAN-GPE numbers.
    mutating func contentOfGPE(
        _ next: UInt8, _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        switch next {
        case 1: ipv4(bytes, extent, descent)
        case 2: ipv6(bytes, extent, descent)
        case 3: ethernet(bytes, extent, descent)
        default: refuse(.unknownTunnelContent)
        }
    }
}
