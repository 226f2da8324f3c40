/// What a frame carried, without its link layer, tunnels and IP headers.
///
/// Plain numbers only: a member with a reference count (such as an array) would be counted
/// up and down for each frame. The bytes of a reassembled datagram therefore stay with the decoder, ``FrameDecoder/assembled``.
struct DecodedFrame: Hashable, Sendable {
    /// The protocol over IP.
    enum Transport: Hashable, Sendable {
        case udp
        /// The sequence number of the first payload byte (or of the SYN), the number of the next byte that the sender
        /// expects itself, and the flags (FIN 1, SYN 2, RST 4, ACK 16, …).
        case tcp(sequence: UInt32, acknowledgment: UInt32, flags: UInt8)
    }

    var transport: Transport
    var flow: Flow
    /// Where the captured part of the payload lies: in the frame, or in ``FrameDecoder/assembled``.
    var payload: Range<Int>
    /// How many bytes the payload had on the wire; more than `payload.count` when the snap length cut it.
    var payloadWireLength: Int
    /// Whether it was put together from fragments, so that ``payload`` means ``FrameDecoder/assembled``.
    var isAssembled = false
    /// The identification of the innermost IPv4 header, to know copies by; 0 for IPv6, which has none.
    var identification: UInt16
    /// The time to live (IPv4) or hop limit (IPv6) of the innermost IP header.
    var hopLimit: UInt8
    /// Whether the capturing machine sent the frame; nil where the link layer does not say (all but Linux "cooked").
    var isOutgoing: Bool?
    /// What the payload was wrapped in.
    var encapsulation: Encapsulation
}

/// The wrappings found around a payload.
struct Encapsulation: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let vlan = Encapsulation(rawValue: 1 << 0)
    static let mpls = Encapsulation(rawValue: 1 << 1)
    static let ppp = Encapsulation(rawValue: 1 << 2)
    static let gre = Encapsulation(rawValue: 1 << 3)
    static let erspan = Encapsulation(rawValue: 1 << 4)
    static let ipInIP = Encapsulation(rawValue: 1 << 5)
    static let vxlan = Encapsulation(rawValue: 1 << 6)
    static let gtp = Encapsulation(rawValue: 1 << 7)
    static let esp = Encapsulation(rawValue: 1 << 8)
    static let turn = Encapsulation(rawValue: 1 << 9)
    static let fragments = Encapsulation(rawValue: 1 << 10)
    static let geneve = Encapsulation(rawValue: 1 << 11)
    static let l2tp = Encapsulation(rawValue: 1 << 12)
    static let tzsp = Encapsulation(rawValue: 1 << 13)
}
