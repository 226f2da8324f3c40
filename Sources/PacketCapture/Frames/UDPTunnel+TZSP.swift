extension UDPTunnel {
    static let tzspPort: UInt16 = 37_008

    /// TZSP, version 1, by which routers pass on what they capture
    /// ([description](https://en.wikipedia.org/wiki/TZSP)): a received frame, the number of its kind, and tags up to the end.
    static func tzsp(_ bytes: RawSpan, _ extent: Extent) -> UDPTunnel? {
        guard extent.has(5), bytes.networkOrder(at: extent.start, as: UInt16.self) == 0x0100 else { return nil }
        var size = 4
        while extent.has(size + 1) {
            switch bytes.byte(at: extent.start + size) {
            case 0: size += 1
            case 1:
                let content: UInt16 = bytes.networkOrder(at: extent.start + 2)
                return .tzsp(content: content, headerLength: size + 1)
            default:
                guard extent.has(size + 2) else { return nil }
                size += 2 + Int(bytes.byte(at: extent.start + size + 1))
            }
        }
        return nil
    }
}

extension FrameDecoder {
    /// What the header of TZSP numbers; frames of radio are not read.
    mutating func contentOfTZSP(
        _ content: UInt16, _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        content == 1 ? ethernet(bytes, extent, descent) : refuse(.unknownTunnelContent)
    }
}
