import Testing

@testable import PacketCapture

/// One frame of each kind, and what is in it.
struct FrameSample: CustomTestStringConvertible {
    typealias Build = FrameBytes

    var name: String
    var link: LinkType
    var bytes: [UInt8]
    var encapsulation: Encapsulation = []
    var payload: [UInt8] = Build.rtp
    var isIPv6 = false
    var isOutgoing: Bool?
    var transport: DecodedFrame.Transport = .udp
    /// Whether ESP lies in a datagram, which it is until its trailer is seen.
    var isESPInUDP = false

    var testDescription: String { name }

    static let v4 = Build.ipv4(Build.udp(Build.rtp))
    static let v6 = Build.ipv6(Build.udp(Build.rtp))
    static let inner = Build.ethernet(v4)

    static let all = links + tags + internet + tunnels + datagramTunnels + relays

    static let links: [FrameSample] = [
        FrameSample(name: "Ethernet, IPv4", link: .ethernet, bytes: Build.ethernet(v4)),
        FrameSample(name: "Ethernet, IPv6", link: .ethernet, bytes: Build.ethernet(v6, type: 0x86DD), isIPv6: true),
        FrameSample(
            name: "Ethernet, padded to 60 bytes", link: .ethernet,
            bytes: Build.ethernet(Build.ipv4(Build.udp([0x80, 1]))) + [UInt8](repeating: 0, count: 16),
            payload: [0x80, 1]),
        FrameSample(
            name: "IEEE 802.3 with SNAP", link: .ethernet,
            bytes: Build.ethernet([0xAA, 0xAA, 3, 0, 0, 0, 8, 0] + v4, type: 8 + v4.count)),
        FrameSample(name: "Linux cooked", link: .linuxCooked, bytes: Build.cooked(v4), isOutgoing: false),
        FrameSample(
            name: "Linux cooked, sent", link: .linuxCooked, bytes: Build.cooked(v4, packetType: 4), isOutgoing: true),
        FrameSample(
            name: "Linux cooked, IPv6", link: .linuxCooked, bytes: Build.cooked(v6, type: 0x86DD), isIPv6: true,
            isOutgoing: false),
        FrameSample(
            name: "Linux cooked, VLAN", link: .linuxCooked, bytes: Build.cooked(Build.tag(v4), type: 0x8100),
            encapsulation: .vlan, isOutgoing: false),
        FrameSample(name: "Linux cooked 2", link: .linuxCooked2, bytes: Build.cooked2(v4), isOutgoing: false),
        FrameSample(
            name: "Linux cooked 2, sent, IPv6", link: .linuxCooked2,
            bytes: Build.cooked2(v6, type: 0x86DD, packetType: 4), isIPv6: true, isOutgoing: true),
        FrameSample(name: "raw IPv4", link: .raw, bytes: v4),
        FrameSample(name: "raw IPv6", link: .rawFile, bytes: v6, isIPv6: true),
        FrameSample(name: "raw, OpenBSD", link: .rawOpenBSD, bytes: v4),
        FrameSample(name: "IPV4", link: .ipv4, bytes: v4),
        FrameSample(name: "IPV6", link: .ipv6, bytes: v6, isIPv6: true),
        FrameSample(name: "NULL, little endian", link: .null, bytes: [2, 0, 0, 0] + v4),
        FrameSample(name: "NULL, big endian", link: .null, bytes: [0, 0, 0, 2] + v4),
        FrameSample(name: "NULL, IPv6 of Linux", link: .null, bytes: [10, 0, 0, 0] + v6, isIPv6: true),
        FrameSample(name: "NULL, IPv6 of NetBSD", link: .null, bytes: [24, 0, 0, 0] + v6, isIPv6: true),
        FrameSample(name: "NULL, IPv6 of FreeBSD", link: .null, bytes: [28, 0, 0, 0] + v6, isIPv6: true),
        FrameSample(name: "NULL, IPv6 of Darwin", link: .null, bytes: [0, 0, 0, 30] + v6, isIPv6: true),
        FrameSample(name: "LOOP", link: .loop, bytes: [0, 0, 0, 2] + v4),
        FrameSample(name: "PPP", link: .ppp, bytes: [0xFF, 3, 0, 0x21] + v4, encapsulation: .ppp),
        FrameSample(name: "PPP, compressed", link: .ppp, bytes: [0x21] + v4, encapsulation: .ppp),
        FrameSample(
            name: "PPP, serial line, IPv6", link: .pppSerial, bytes: [0x0F, 0, 0, 0x57] + v6, encapsulation: .ppp,
            isIPv6: true),
        FrameSample(
            name: "PPPoE link type", link: .pppEthernet, bytes: Build.pppoe([0, 0x21] + v4), encapsulation: .ppp),
    ]

    static let tags: [FrameSample] = [
        FrameSample(
            name: "VLAN", link: .ethernet, bytes: Build.ethernet(Build.tag(v4), type: 0x8100), encapsulation: .vlan),
        FrameSample(
            name: "QinQ", link: .ethernet,
            bytes: Build.ethernet(Build.tag(Build.tag(v6, type: 0x86DD), type: 0x8100), type: 0x88A8),
            encapsulation: .vlan, isIPv6: true),
        FrameSample(
            name: "QinQ, old number", link: .ethernet,
            bytes: Build.ethernet(Build.tag(Build.tag(v4), type: 0x8100), type: 0x9100), encapsulation: .vlan),
        FrameSample(
            name: "VLAN of an IEEE 802.3 frame", link: .ethernet,
            bytes: Build.ethernet(
                Build.tag([0xAA, 0xAA, 3, 0, 0, 0, 8, 0] + v4, type: 8 + v4.count), type: 0x8100),
            encapsulation: .vlan),
        FrameSample(
            name: "VN-tag", link: .ethernet, bytes: Build.ethernet([0, 0, 0, 0, 8, 0] + v4, type: 0x8926),
            encapsulation: .vlan),
        FrameSample(
            name: "PPPoE", link: .ethernet, bytes: Build.ethernet(Build.pppoe([0, 0x21] + v4), type: 0x8864),
            encapsulation: .ppp),
        FrameSample(
            name: "MPLS, two labels", link: .ethernet,
            bytes: Build.ethernet([0, 1, 0, 64, 0, 2, 1, 64] + v4, type: 0x8847), encapsulation: .mpls),
        FrameSample(
            name: "MPLS, IPv6", link: .ethernet, bytes: Build.ethernet([0, 2, 1, 64] + v6, type: 0x8848),
            encapsulation: .mpls, isIPv6: true),
        FrameSample(
            name: "MPLS pseudowire", link: .ethernet,
            bytes: Build.ethernet([0, 2, 1, 64, 0, 0, 0, 0] + inner, type: 0x8847), encapsulation: .mpls),
    ]

    static let internet: [FrameSample] = [
        FrameSample(
            name: "IPv4 with options", link: .raw,
            bytes: Build.ipv4(Build.udp(Build.rtp), options: [1, 1, 1, 1, 0x94, 4, 0, 0])),
        FrameSample(
            name: "IPv4 segmented by the card", link: .raw, bytes: Build.ipv4(Build.udp(Build.rtp), length: 0)),
        FrameSample(
            name: "IPv6 with extension headers", link: .raw,
            bytes: Build.ipv6(
                Build.extensionHeader(
                    Build.extensionHeader(
                        Build.extensionHeader(Build.udp(Build.rtp), next: 17, length: 24), next: 60), next: 43),
                next: 0), isIPv6: true),
        FrameSample(
            name: "IPv6 jumbogram", link: .raw,
            bytes: Build.ipv6(Build.udp(Build.rtp, length: 0), length: 0), isIPv6: true),
        FrameSample(
            name: "IPv6 atomic fragment", link: .raw,
            bytes: Build.ipv6(Build.fragment6(Build.udp(Build.rtp), offset: 0, hasMore: false), next: 44),
            isIPv6: true),
        FrameSample(
            name: "authentication header", link: .raw,
            bytes: Build.ipv4([17, 4] + [UInt8](repeating: 0, count: 22) + Build.udp(Build.rtp), number: 51)),
        FrameSample(
            name: "TCP with options", link: .raw,
            bytes: Build.ipv4(Build.tcp(Array("OPTIONS sip:".utf8), options: [2, 4, 5, 0xB4]), number: 6),
            payload: Array("OPTIONS sip:".utf8), transport: .tcp(sequence: 1000, acknowledgment: 2000, flags: 0x18)),
        FrameSample(
            name: "TCP without payload", link: .raw, bytes: Build.ipv6(Build.tcp([], flags: 2), next: 6),
            payload: [], isIPv6: true, transport: .tcp(sequence: 1000, acknowledgment: 2000, flags: 2)),
    ]

    static let tunnels: [FrameSample] = [
        FrameSample(name: "GRE", link: .raw, bytes: Build.ipv4(Build.gre(v4), number: 47), encapsulation: .gre),
        FrameSample(
            name: "GRE with checksum, key and sequence", link: .raw,
            bytes: Build.ipv6(
                Build.gre(v6, type: 0x86DD, flags: 0xB000, options: [UInt8](repeating: 1, count: 12)), next: 47),
            encapsulation: .gre, isIPv6: true),
        FrameSample(
            name: "GRE, Ethernet", link: .raw, bytes: Build.ipv4(Build.gre(inner, type: 0x6558), number: 47),
            encapsulation: .gre),
        FrameSample(
            name: "PPTP", link: .raw,
            bytes: Build.ipv4(
                Build.gre(
                    [0xFF, 3, 0, 0x21] + v4, type: 0x880B, flags: 0x3081, options: [UInt8](repeating: 0, count: 12)),
                number: 47), encapsulation: [.gre, .ppp]),
        FrameSample(
            name: "ERSPAN I", link: .raw, bytes: Build.ipv4(Build.gre(inner, type: 0x88BE), number: 47),
            encapsulation: .erspan),
        FrameSample(
            name: "ERSPAN II", link: .raw,
            bytes: Build.ipv4(
                Build.gre([0x10, 1, 0, 1, 0, 0, 0, 0] + inner, type: 0x88BE, flags: 0x1000, options: [0, 0, 0, 1]),
                number: 47), encapsulation: .erspan),
        FrameSample(
            name: "ERSPAN III", link: .raw,
            bytes: Build.ipv4(
                Build.gre(
                    [0x20, 1, 0, 1] + [UInt8](repeating: 0, count: 8) + inner, type: 0x22EB, flags: 0x1000,
                    options: [0, 0, 0, 1]), number: 47), encapsulation: .erspan),
        FrameSample(
            name: "ERSPAN III with platform header", link: .raw,
            bytes: Build.ipv4(
                Build.gre(
                    [0x20, 1, 0, 1] + [UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 9, count: 8) + inner,
                    type: 0x22EB, flags: 0x1000, options: [0, 0, 0, 1]), number: 47), encapsulation: .erspan),
        FrameSample(name: "IPv4 in IPv4", link: .raw, bytes: Build.ipv4(v4, number: 4), encapsulation: .ipInIP),
        FrameSample(
            name: "IPv6 in IPv4", link: .raw, bytes: Build.ipv4(v6, number: 41), encapsulation: .ipInIP, isIPv6: true),
        FrameSample(name: "IPv4 in IPv6", link: .raw, bytes: Build.ipv6(v4, next: 4), encapsulation: .ipInIP),
        FrameSample(
            name: "VXLAN", link: .ethernet, bytes: Build.ethernet(Build.ipv4(Build.udp(Build.vxlan(inner), to: 4789))),
            encapsulation: .vxlan),
        FrameSample(
            name: "VXLAN, old port, VLAN inside", link: .raw,
            bytes: Build.ipv4(
                Build.udp(Build.vxlan(Build.ethernet(Build.tag(v4), type: 0x8100)), to: 8472)),
            encapsulation: [.vxlan, .vlan]),
        FrameSample(
            name: "VXLAN with a group policy", link: .ethernet,
            bytes: Build.ethernet(
                Build.ipv4(Build.udp(Build.vxlan(inner, flags: 0x8808, policy: 5), to: 4789))),
            encapsulation: .vxlan),
        FrameSample(
            name: "VXLAN, reserved bits set, IPv6 inside", link: .raw,
            bytes: Build.ipv4(
                Build.udp(
                    Build.vxlan(
                        Build.ethernet(v6, type: 0x86DD), flags: 0x4FFF, policy: 0xFFFF, reserved: 0xFF), to: 4789)),
            encapsulation: .vxlan, isIPv6: true),
        FrameSample(
            name: "GTP-U", link: .raw, bytes: Build.ipv4(Build.udp(Build.gtp(v4), from: 2152, to: 2152)),
            encapsulation: .gtp),
        FrameSample(
            name: "GTP-U with extension headers", link: .raw,
            bytes: Build.ipv4(
                Build.udp(
                    Build.gtp(v6, flags: 0x36, options: [0, 1, 0, 0x85, 1, 0, 0, 0xC0, 1, 1, 1, 0]), to: 2152)),
            encapsulation: .gtp, isIPv6: true),
        FrameSample(
            name: "ESP without encryption, UDP", link: .raw,
            bytes: Build.ipv4(Build.esp(Build.udp(Build.rtp)), number: 50),
            encapsulation: .esp),
        FrameSample(
            name: "ESP without encryption, longer integrity value", link: .raw,
            bytes: Build.ipv6(Build.esp(Build.udp(Build.rtp + [1]), integrity: 16), next: 50),
            encapsulation: .esp, payload: Build.rtp + [1], isIPv6: true),
        FrameSample(
            name: "ESP without encryption, HMAC-SHA-384", link: .raw,
            bytes: Build.ipv4(Build.esp(Build.udp(Build.rtp), integrity: 24), number: 50), encapsulation: .esp),
        FrameSample(
            name: "ESP without encryption, HMAC-SHA-512", link: .raw,
            bytes: Build.ipv4(Build.esp(Build.udp(Build.rtp + [1]), integrity: 32), number: 50),
            encapsulation: .esp, payload: Build.rtp + [1]),
        FrameSample(
            name: "ESP without encryption, TCP", link: .raw,
            bytes: Build.ipv6(Build.esp(Build.tcp(Array("BYE".utf8)), next: 6), next: 50), encapsulation: .esp,
            payload: Array("BYE".utf8), isIPv6: true, transport: .tcp(sequence: 1000, acknowledgment: 2000, flags: 0x18)
        ),
        FrameSample(
            name: "ESP without encryption, tunnel", link: .raw, bytes: Build.ipv4(Build.esp(v4, next: 4), number: 50),
            encapsulation: [.esp, .ipInIP]),
        FrameSample(
            name: "ESP without encryption in UDP", link: .ethernet,
            bytes: Build.ethernet(Build.ipv4(Build.udp(Build.esp(Build.udp(Build.rtp)), from: 4500, to: 4500))),
            encapsulation: .esp, isESPInUDP: true),
        FrameSample(
            name: "ESP without encryption in UDP, tunnel, changed port", link: .raw,
            bytes: Build.ipv4(Build.udp(Build.esp(v4, next: 4), from: 61_000, to: 4500)),
            encapsulation: [.esp, .ipInIP], isESPInUDP: true),
    ]

    /// A tunnel over UDP.
    private static func tunnel(
        _ name: String, to port: Int, from source: Int = 5_555, _ bytes: [UInt8], _ encapsulation: Encapsulation,
        isIPv6: Bool = false
    ) -> FrameSample {
        FrameSample(
            name: name, link: .raw, bytes: Build.ipv4(Build.udp(bytes, from: source, to: port)),
            encapsulation: encapsulation, isIPv6: isIPv6)
    }

    static let datagramTunnels: [FrameSample] = [
        tunnel("GENEVE", to: 6081, Build.geneve(inner), .geneve),
        tunnel(
            "GENEVE with options, IPv6", to: 6081,
            Build.geneve(v6, type: 0x86DD, options: [1, 2, 3, 1, 9, 9, 9, 9]), .geneve, isIPv6: true),
        tunnel("VXLAN-GPE, IPv4", to: 4790, Build.vxlanGPE(v4, next: 1), .vxlan),
        tunnel("VXLAN-GPE, IPv6", to: 4790, Build.vxlanGPE(v6, next: 2), .vxlan, isIPv6: true),
        tunnel("VXLAN-GPE, Ethernet", to: 4790, Build.vxlanGPE(inner, next: 3), .vxlan),
        tunnel("VXLAN to the port of VXLAN-GPE", to: 4790, Build.vxlan(inner), .vxlan),
        tunnel("L2TP", to: 1701, from: 1701, Build.l2tp([0xFF, 3, 0, 0x21] + v4), [.l2tp, .ppp]),
        tunnel(
            "L2TP with length, sequence and offset, to a changed port", to: 61_000, from: 1701,
            Build.l2tp(
                [0x57] + v6, flags: 0x4A02, before: Build.be16(17 + v6.count),
                after: [0, 1, 0, 2, 0, 2, 0xAA, 0xAA]), [.l2tp, .ppp], isIPv6: true),
        tunnel("TZSP", to: 37_008, Build.tzsp(inner), .tzsp),
        tunnel("TZSP with tags", to: 37_008, Build.tzsp(inner, tags: [0, 10, 1, 0xC0, 0, 1]), .tzsp),
    ]

    static let relays: [FrameSample] = [
        FrameSample(
            name: "TURN channel", link: .raw, bytes: Build.ipv4(Build.udp(Build.channelData(Build.rtp))),
            encapsulation: .turn),
        FrameSample(
            name: "TURN channel, padded", link: .raw,
            bytes: Build.ipv4(Build.udp(Build.channelData(Build.rtp + [9], padding: 3))), encapsulation: .turn,
            payload: Build.rtp + [9]),
        FrameSample(
            name: "TURN Data indication", link: .raw,
            bytes: Build.ipv4(Build.udp(Build.dataIndication(Build.rtp + [9]))),
            encapsulation: .turn, payload: Build.rtp + [9]),
    ]
}
