/// What the frames of a capture begin with: the link layer of the interface they were taken from.
///
/// The numbers are libpcap's `DLT_` values as it returns them on Linux; see
/// [the list of link types](https://www.tcpdump.org/linktypes.html).
public enum LinkType: Int32, Hashable, Sendable, CaseIterable {
    /// BSD loopback: the address family in the byte order of the machine that captured.
    case null = 0
    /// Ethernet II or IEEE 802.3.
    case ethernet = 1
    /// Point-to-point protocol.
    case ppp = 9
    /// An IP packet and nothing before it.
    case raw = 12
    /// An IP packet, as OpenBSD numbers it.
    case rawOpenBSD = 14
    /// Point-to-point protocol over a serial line (RFC 1662).
    case pppSerial = 50
    /// A PPPoE session header and nothing before it (RFC 2516).
    case pppEthernet = 51
    /// An IP packet, as capture files number it.
    case rawFile = 101
    /// OpenBSD loopback: the address family in network byte order.
    case loop = 108
    /// Linux "cooked" capture, what the device "any" gives.
    case linuxCooked = 113
    /// An IPv4 packet and nothing before it.
    case ipv4 = 228
    /// An IPv6 packet and nothing before it.
    case ipv6 = 229
    /// Linux "cooked" capture, version 2.
    case linuxCooked2 = 276

    /// libpcap's name of the link type, such as `EN10MB`.
    public var name: String {
        switch self {
        case .null: "NULL"
        case .ethernet: "EN10MB"
        case .ppp: "PPP"
        case .raw, .rawOpenBSD, .rawFile: "RAW"
        case .pppSerial: "PPP_SERIAL"
        case .pppEthernet: "PPP_ETHER"
        case .loop: "LOOP"
        case .linuxCooked: "LINUX_SLL"
        case .ipv4: "IPV4"
        case .ipv6: "IPV6"
        case .linuxCooked2: "LINUX_SLL2"
        }
    }

    /// What it is, in words for people.
    public var words: String {
        switch self {
        case .null, .loop: "BSD loopback"
        case .ethernet: "Ethernet"
        case .ppp, .pppSerial: "PPP"
        case .pppEthernet: "PPPoE"
        case .raw, .rawOpenBSD, .rawFile, .ipv4, .ipv6: "raw IP"
        case .linuxCooked, .linuxCooked2: "Linux cooked"
        }
    }
}
