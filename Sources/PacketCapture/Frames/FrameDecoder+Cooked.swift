/// Linux "cooked" captures, versions
/// [1](https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html) and
/// [2](https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL2.html).
extension FrameDecoder {
    /// Type of a frame that the capturing machine sent (`PACKET_OUTGOING`).
    private static let outgoing: UInt16 = 4
    /// Hardware type of the device that mirrors netlink messages; its protocol field is no Ethernet type.
    private static let netlink: UInt16 = 824
    /// Protocol field of a frame of IEEE 802.3 whose LLC header follows.
    private static let llcProtocol: UInt16 = 0x0004

    mutating func linuxCooked(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(16) else { return refuseShort(extent, needing: 16) }
        return cooked(
            protocolNumber: bytes.networkOrder(at: extent.start + 14),
            hardware: bytes.networkOrder(at: extent.start + 2),
            packetType: bytes.networkOrder(at: extent.start), bytes, extent.dropping(16), descent)
    }

    mutating func linuxCooked2(_ bytes: RawSpan, _ extent: Extent, _ descent: Descent) -> DecodedFrame? {
        guard extent.has(20) else { return refuseShort(extent, needing: 20) }
        return cooked(
            protocolNumber: bytes.networkOrder(at: extent.start),
            hardware: bytes.networkOrder(at: extent.start + 8),
            packetType: UInt16(bytes.byte(at: extent.start + 10)), bytes, extent.dropping(20), descent)
    }

    private mutating func cooked(
        protocolNumber: UInt16, hardware: UInt16, packetType: UInt16,
        _ bytes: RawSpan, _ extent: Extent, _ descent: Descent
    ) -> DecodedFrame? {
        guard hardware != Self.netlink else { return refuse(.notIP) }
        var descent = descent
        descent.isOutgoing = packetType == Self.outgoing
        if protocolNumber == Self.llcProtocol { return llc(bytes, extent, descent) }
        return payload(of: protocolNumber, bytes, extent, descent)
    }
}
