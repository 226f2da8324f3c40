extension FrameDecoder {
    /// BSD loopback: four bytes of address family, in the byte order of the machine that captured (NULL) or of the
    /// network (LOOP).
    ///
    /// Both orders are accepted for both: files are moved between machines, and no family above 255 exists.
    /// IPv6 is 10 on Linux, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on Darwin.
    mutating func loopback(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(4) else { return refuseShort(extent, needing: 4) }
        let family: UInt32 = bytes.networkOrder(at: extent.start)
        let inner = extent.dropping(4)
        switch family > 0xFFFF ? family.byteSwapped : family {
        case 2: return ipv4(bytes, inner, descent)
        case 10, 24, 28, 30: return ipv6(bytes, inner, descent)
        default: return refuse(.notIP)
        }
    }

    /// IPv4 or IPv6, as the first four bits say.
    mutating func anyIP(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(1) else { return refuseShort(extent, needing: 1) }
        switch bytes.byte(at: extent.start) >> 4 {
        case 4: return ipv4(bytes, extent, descent)
        case 6: return ipv6(bytes, extent, descent)
        default: return refuse(.notIP)
        }
    }
}
