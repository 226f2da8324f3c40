extension FrameDecoder {
    /// A label stack ([RFC 3032 §2.1](https://www.rfc-editor.org/rfc/rfc3032#section-2.1)): words of four bytes up to
    /// the one with the bottom bit.
    ///
    /// The stack does not say what follows. As routers do, the first four bits are looked at: 4 and 6 are IP, 0 is the
    /// control word of an Ethernet pseudowire ([RFC 4385 §3](https://www.rfc-editor.org/rfc/rfc4385#section-3)).
    mutating func mpls(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        var extent = extent
        for _ in 0..<Self.maximumDepth {
            guard extent.has(5) else { return refuseShort(extent, needing: 5) }
            let isBottom = bytes.byte(at: extent.start + 2) & 1 == 1
            extent = extent.dropping(4)
            if isBottom { return underLabels(bytes, extent, descent) }
        }
        return refuse(.nestedTooDeep)
    }

    private mutating func underLabels(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        switch bytes.byte(at: extent.start) >> 4 {
        case 4: return enter(descent, .mpls) { $0.ipv4(bytes, extent, $1) }
        case 6: return enter(descent, .mpls) { $0.ipv6(bytes, extent, $1) }
        case 0:
            guard extent.has(4) else { return refuseShort(extent, needing: 4) }
            return enter(descent, .mpls) { $0.ethernet(bytes, extent.dropping(4), $1) }
        default: return refuse(.unknownTunnelContent)
        }
    }
}
