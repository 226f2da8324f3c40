/// Why a frame gave no payload. Each refused frame is counted under exactly one of these.
public enum FrameRefusal: String, Hashable, Sendable, CaseIterable {
    /// An interface of the capture has a link type that cannot be decoded.
    case unknownLinkType = "link type that cannot be decoded"
    /// ARP, LLC, spanning tree and whatever else Ethernet carries.
    case notIP = "not IP"
    /// An IP protocol that carries no media and no SIP here.
    case otherProtocol = "neither UDP nor TCP"
    /// An ICMP error: it quotes a packet of another machine, which must not be counted as one that was sent.
    case icmpError = "ICMP error that quotes a packet"
    /// ESP, and not the kind that does not encrypt.
    case encrypted = "ESP, encrypted"
    /// A tunnel whose header has a version or content this decoder does not know.
    case unknownTunnelContent = "unknown content of a tunnel"
    /// The snap length cut the frame before the end of its headers.
    case cutBySnapLength = "cut by the snap length before the end of its headers"
    /// A header is shorter than its kind can be, or lengths contradict each other.
    case malformed = "header lengths contradict each other"
    /// More wrappings than any network has.
    case nestedTooDeep = "nested too deep"
    /// A fragment that covers bytes another one brought; its datagram is refused (RFC 5722).
    case overlappingFragment = "overlapping fragments"
    /// A later fragment that the snap length cut: its datagram cannot be put together.
    case cutFragment = "fragment cut by the snap length"
}
