extension UDPTunnel {
    static let l2tpPort: UInt16 = 1701

    /// A data message of L2TP, version 2 ([RFC 2661 §3.1](https://www.rfc-editor.org/rfc/rfc2661#section-3.1)): flags, then
    /// tunnel and session, and before, between and after them what the flags announce.
    static func l2tp(_ bytes: RawSpan, _ extent: Extent) -> UDPTunnel? {
        guard extent.has(6) else { return nil }
        let flags: UInt16 = bytes.networkOrder(at: extent.start)
        guard flags & (Flags.control | Flags.reserved) == 0, flags & Flags.version == 2 else { return nil }
        let hasLength = flags & Flags.length != 0
        if hasLength, Int(bytes.networkOrder(at: extent.start + 2, as: UInt16.self)) > extent.wireCount { return nil }
        var size = 6 + (hasLength ? 2 : 0) + (flags & Flags.sequence != 0 ? 4 : 0)
        if flags & Flags.offset != 0 {
            guard extent.has(size + 2) else { return nil }
            size += 2 + Int(bytes.networkOrder(at: extent.start + size, as: UInt16.self))
        }
        guard extent.wireCount > size else { return nil }
        return .l2tp(headerLength: size)
    }

    private enum Flags {
        static let control: UInt16 = 0x8000
        static let length: UInt16 = 0x4000
        static let sequence: UInt16 = 0x0800
        static let offset: UInt16 = 0x0200
        static let reserved: UInt16 = 0x34F0
        static let version: UInt16 = 0x000F
    }
}
