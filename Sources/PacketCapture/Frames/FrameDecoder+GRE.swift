extension FrameDecoder {
    /// GRE, version 0 ([RFC 2784](https://www.rfc-editor.org/rfc/rfc2784),
    /// [RFC 2890](https://www.rfc-editor.org/rfc/rfc2890)) and version 1, that of PPTP
    /// ([RFC 2637 §4.1](https://www.rfc-editor.org/rfc/rfc2637#section-4.1)).
    mutating func gre(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(4) else { return refuseShort(extent, needing: 4) }
        let flags = GREFlags(rawValue: bytes.networkOrder(at: extent.start))
        let type: UInt16 = bytes.networkOrder(at: extent.start + 2)
        guard let size = flags.headerLength else { return refuse(.unknownTunnelContent) }
        guard extent.has(size) else { return refuseShort(extent, needing: size) }
        let inner = extent.dropping(size)
        switch type {
        case EtherType.erspan:
            // Type I has no sequence number and no header of its own; type II has both.
            return erspan(flags.contains(.sequence) ? 8 : 0, bytes, inner, descent)
        case EtherType.erspan3: return erspan(12, bytes, inner, descent)
        default: return enter(descent, .gre) { $0.payload(of: type, bytes, inner, $1) }
        }
    }

    /// Mirrored Ethernet frames
    /// ([draft-foschiano-erspan §4](https://datatracker.ietf.org/doc/html/draft-foschiano-erspan-03#section-4)).
    private mutating func erspan(
        _ headerLength: Int, _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        guard extent.has(headerLength) else { return refuseShort(extent, needing: headerLength) }
        var size = headerLength
        // Type III: the last bit of its header announces eight bytes that depend on the platform.
        if headerLength == 12, bytes.byte(at: extent.start + 11) & 1 == 1 { size += 8 }
        guard extent.has(size) else { return refuseShort(extent, needing: size) }
        return enter(descent, .erspan) { $0.ethernet(bytes, extent.dropping(size), $1) }
    }
}

/// The first two bytes of a GRE header.
private struct GREFlags: OptionSet {
    let rawValue: UInt16

    static let checksum = GREFlags(rawValue: 0x8000)
    static let routing = GREFlags(rawValue: 0x4000)
    static let key = GREFlags(rawValue: 0x2000)
    static let sequence = GREFlags(rawValue: 0x1000)
    static let acknowledgment = GREFlags(rawValue: 0x0080)

    private var version: UInt16 { rawValue & 7 }

    /// How many bytes the header has; nil for what no one sends: source routes and later versions.
    var headerLength: Int? {
        guard version <= 1, !contains(.routing) else { return nil }
        var optional = [GREFlags.checksum, .key, .sequence]
        if version == 1 { optional.append(.acknowledgment) }
        return 4 + 4 * optional.count { contains($0) }
    }
}
