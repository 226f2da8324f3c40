/// Which of the protocols that share a media port a UDP payload belongs to.
///
/// The first byte tells them apart ([RFC 7983, section 7](https://www.rfc-editor.org/rfc/rfc7983#section-7)), and
/// between RTP and RTCP the second one does ([RFC 5761, section 4](https://www.rfc-editor.org/rfc/rfc5761#section-4)).
/// QUIC shares its range with plain text such as SIP, so nothing is called QUIC here.
public enum PacketClass: String, Hashable, Sendable, CaseIterable {
    /// First byte 0...3, and the magic cookie or a length that fits: connectivity checks of ICE, requests to a TURN
    /// server.
    case stun
    /// First byte 16...19: key agreement in the media path.
    case zrtp
    /// First byte 20...63: key agreement of DTLS-SRTP, data channels.
    case dtls
    /// First byte 64...79: media wrapped by a TURN server, if the length fits.
    case turnChannel
    /// First byte 128...191, room for a header, and a payload type other than 64...95, which only signalling makes one.
    case rtp
    /// First byte 128...191, second byte 192...223, and a first packet whose length fits and has room for an SSRC.
    case rtcp
    /// None of them, or too short or at odds with itself.
    case unknown
}

extension PacketClass {
    /// Classifies a UDP payload of `wireLength` bytes, of which `packet` is what a capture kept.
    @inlinable
    @inline(__always)
    public static func of(_ packet: RawSpan, wireLength: Int) -> PacketClass {
        let captured = min(packet.byteCount, wireLength)
        guard captured > 0 else { return .unknown }
        let first: UInt8 = packet.networkOrder(at: 0)
        guard first & 0b1100_0000 == 0b1000_0000 else {
            return outsideRTP(first, packet, captured: captured, wireLength: wireLength)
        }
        guard captured >= 4 else { return .unknown }
        let second: UInt8 = packet.networkOrder(at: 1)
        if 192...223 ~= second {
            let words: UInt16 = packet.networkOrder(at: 2)
            return words > 0 && 4 + 4 * Int(words) <= wireLength ? .rtcp : .unknown
        }
        guard captured >= 12, !(64...95 ~= second & 0x7f) else { return .unknown }
        return .rtp
    }

    /// The classes that lie outside of the range of RTP and RTCP.
    @usableFromInline
    static func outsideRTP(
        _ first: UInt8, _ packet: RawSpan, captured: Int, wireLength: Int
    ) -> PacketClass {
        switch first {
        case 0...3: isSTUN(packet, captured: captured, wireLength: wireLength) ? .stun : .unknown
        case 16...19: .zrtp
        case 20...63: .dtls
        case 64...79: .turnChannel
        default: .unknown
        }
    }

    /// Whether what begins as STUN is a message of it, and not of a name server or a tunnel, which begin alike.
    ///
    /// The cookie tells ([RFC 8489, section 5](https://www.rfc-editor.org/rfc/rfc8489#section-5)). Classic STUN
    /// ([RFC 3489, section 11.1](https://www.rfc-editor.org/rfc/rfc3489#section-11.1)) has none, but says how many
    /// bytes follow its header of 20.
    private static func isSTUN(_ packet: RawSpan, captured: Int, wireLength: Int) -> Bool {
        guard captured >= 4 else { return false }
        let length: UInt16 = packet.networkOrder(at: 2)
        if 20 + Int(length) == wireLength { return true }
        return captured >= 8 && packet.networkOrder(at: 4, as: UInt32.self) == 0x2112_A442
    }
}
